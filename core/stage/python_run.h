// The stages of an export, run by a Python with PyTorch as their users run them:
// resources/python/run_stages.py.
#pragma once

#include "core/base/progress.h"
#include "core/load/pickle.h"
#include "core/load/weight_store.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stagecraft {

struct PythonRun
{
    std::string python; // the program; empty: defaultPython()
    std::filesystem::path folder;
    std::uint64_t seed = 0;                           // before every operator
    std::optional<std::size_t> lossOutput;            // as the manifest has it
    bool shapesOnly = false;                          // the export has no weights
    bool forwardOnly = false;                         // nothing requires gradients
    std::vector<std::string> imports;                 // modules, or files NAME.py, that are imported first
    std::function<void(std::string_view)> hearErrors; // what it wrote to standard error; may be empty
    std::string inputs; // what torch.load() reads: a dict of tensors by the model's names
    std::map<std::string, std::variant<bool, std::int64_t, double>> numbers; // inputs that are none
    std::vector<std::string> differentiated;                                 // inputs that get gradients
};

// What came out, in memory of its own.
struct PythonResults
{
    std::vector<PickleNode> outputs; // leaves of what the model returns
    WeightStore outputTensors;       // of those that are tensors, by their place: "0", "1"
    WeightStore parameterGradients;
    WeightStore inputGradients;
    WeightStore buffers;
    std::vector<std::optional<std::int64_t>> savedBytes; // of each stage; none: not counted
};

// Fails in one line where there is no such Python, it has no PyTorch, or the stages do not run.
Result<PythonResults> runInPython(const PythonRun& run, const Progress& progress);

} // namespace stagecraft
