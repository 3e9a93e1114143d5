// A model out of the person's own Python: their interpreter builds it, traces it and writes a .pt2
// (resources/python/export_model.py). This program starts it, listens, and reads nothing but its answer.
#pragma once

#include "core/base/progress.h"
#include "core/import/import_messages.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct ImportRequest
{
    enum class Mode { Training, Evaluation };
    enum class Weights {
        AsUsual, // of a library's name none, of a person's own model what it has
        None,    // the structure alone, however large the model is
        Made     // also of a library's name: random ones
    };

    // MODULE:FACTORY, FILE.py:FACTORY, hf:NAME, timm:NAME or torchvision:NAME.
    std::string source;
    std::filesystem::path output;      // *.pt2; replaced if it is there
    std::string python;                // the program; empty: defaultPython()
    std::filesystem::path folder;      // where Python looks for modules and relative paths start; empty: here
    std::vector<std::string> inputs;   // "f32[8,3,224,224]", "ids=i64[batch=2,128]"
    std::vector<std::string> settings; // "num_hidden_layers=4": of a configuration or a factory
    std::vector<std::string> dynamicSizes; // names of sizes: "batch"
    Mode mode = Mode::Training;
    Weights weights = Weights::AsUsual;
};

struct ImportOutcome
{
    Result<ImportedModel> model;          // its Error is failureText(), where Python itself gave a reason
    std::optional<ImportFailure> failure; // that reason
    std::optional<PythonVersion> python;  // which ran
    std::string details;                  // what it and the model's code wrote, the end of it
};

// Imports. A cancel kills the child within a tenth of a second; nothing is left beside `output`, whose older
// file stays as it is unless the new one is whole. The error of what happened is in the outcome.
ImportOutcome importModel(const ImportRequest& request, const Progress& progress);

// Which Python and PyTorch `python` (empty: defaultPython()) is; fails, saying what to do, where it is none
// that can export.
Result<PythonVersion> checkPython(const std::string& python, const Progress& progress);

} // namespace stagecraft
