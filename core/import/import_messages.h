// What resources/python/export_model.py says, line by line (model_import/channel.py).
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stagecraft {

// A Python that can export.
struct PythonVersion
{
    std::string program; // as it calls itself
    std::string python;  // "3.11.7"
    std::string torch;   // "2.13.0+cpu"
};

struct ImportProgress
{
    std::string text;
    double fraction = 0;
};

struct ImportedValue
{
    std::string name;
    std::string type; // "float32[s77, 1000]"
};

// A file that was written.
struct ImportedModel
{
    std::string how; // "training mode, strict=False"
    std::int64_t parameters = 0;
    std::int64_t parameterBytes = 0;
    bool structureOnly = false;
    std::vector<ImportedValue> inputs;
    std::vector<ImportedValue> outputs;
    std::vector<std::string> notes; // what a person should know of it
};

// Why there is none.
struct ImportFailure
{
    struct Place
    {
        std::string file;
        std::int64_t line = 0;
        std::string function;
        std::string code; // of that line
    };
    struct Attempt
    {
        std::string how;
        std::string why;
    };
    std::string kind; // "data_dependent", "missing_meta_kernel", "not_installed": model_import/failures.py
    std::string text;
    std::string advice;         // what to do; may be empty
    std::optional<Place> place; // in the model's code, or that of a library
    std::vector<Attempt> tried; // ways of tracing, none of which worked
};

// All of it in one line: what, where, what to do.
std::string failureText(const ImportFailure& failure);

using ImportMessage = std::variant<PythonVersion, ImportProgress, ImportedModel, ImportFailure>;

// Fails where the line is none of these.
Result<ImportMessage> readImportMessage(std::string_view line);

} // namespace stagecraft
