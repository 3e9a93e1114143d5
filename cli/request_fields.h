// Options for the fields of a request (core/plan/request.h), under their own names.
#pragma once

#include "core/plan/request.h"

#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace stagecraft::cli {

// By name, what was given for a field; empty: nothing.
using FieldTexts = std::map<std::string, std::string, std::less<>>;

// Adds --<name>, whose help says what there is to choose from and what is usual. The texts must stay where
// they are.
CLI::Option* addField(CLI::App& command, std::string_view name, FieldTexts& texts);

// Puts what was given into the request. Fails, listing what there is, with code BadUsage.
Result<void> readFields(const FieldTexts& texts, PlanRequest& request);

} // namespace stagecraft::cli
