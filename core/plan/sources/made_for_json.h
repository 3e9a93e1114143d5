// MadeFor in the JSON of a plan file, as made_for.h shows it.
#pragma once

#include "core/plan/sources/made_for.h"
#include "core/plan/sources/plan_fields.h"

#include <nlohmann/json.hpp>

#include <string>

namespace stagecraft {

nlohmann::ordered_json madeForJson(const MadeFor& made);
// What is no such object is a fault of `reader`, which reads the file around it.
MadeFor readMadeFor(const nlohmann::ordered_json& json, const std::string& file, FieldReader& reader);

} // namespace stagecraft
