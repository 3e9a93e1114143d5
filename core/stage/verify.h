// Verify: does an exported folder compute what the model computes?
//
// Reads the stages back from the folder (`stage_I.pt2`, weights from the files too), compares the manifest
// with the model, the stages and the checksums of the code, runs the whole model and the chain of stages on
// the same inputs with the same random numbers, forward and backward (from the loss that the manifest names,
// as pipeline.py does; else from the sum of all outputs that have a gradient), and compares what comes out.
// New content of buffers is written back before backward in the stages, as PyTorch does; in the whole model,
// which PyTorch might refuse to train so, it is not.
// Of a model that PyTorch cannot differentiate the forward pass alone is compared, and the report says why.
#pragma once

#include "core/base/progress.h"
#include "core/load/given_inputs.h"
#include "core/load/model.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct VerifyOptions
{
    std::uint64_t seed = 0;
    Bindings bindings;  // of symbolic sizes; unbound symbols take the size they were exported with
    GivenInputs inputs; // in place of random ones, with the sizes they have: exportedInputs(), readInputs()
    // Also run stage_I.py and pipeline.py with this Python, which must have PyTorch; empty: defaultPython().
    // Then an export need not have .pt2 files.
    std::optional<std::string> python;
    // Modules, or files NAME.py, that register operators there: their code is run. A model of operators that
    // are not known here is run by Python as a whole, too, and its stages by Python alone.
    std::vector<std::string> pythonImports;
    std::function<void(std::string_view)> hearPython; // what it wrote to standard error; may be empty
    // Passed where every |a - b| <= absolute + relative * max |whole|; a hundred times that for 16-bit types.
    double absoluteTolerance = 1e-5;
    double relativeTolerance = 1e-4;
};

struct Comparison
{
    enum class Kind : std::uint8_t {
        Output,
        ParameterGradient, // of parameters in several stages: the sum
        InputGradient,
        Buffer, // after the step
        Weight, // as stored in stage_I.safetensors
        Kept,   // bytes, from forward to backward: what regions save (kept_bytes.h)
        File,   // is it as it was written? stage_I.py and pipeline.py are for people, who may change them
    };
    Kind kind = Kind::Output;
    std::string name;       // "output 0", "h.0.attn.weight", "x", "bn1.running_mean"
    std::string shape;      // "f32[8, 64]"
    double maxAbsolute = 0; // largest |whole - stages|
    double maxRelative = 0; // the same over the largest |whole|
    bool passed = false;
    std::string reason; // of a failure: "shapes differ: f32[8] and f32[4]"
};

// "output", "parameter gradient": for reports.
std::string_view comparisonKindName(Comparison::Kind kind);

struct VerifyReport
{
    std::size_t stageCount = 0;
    bool shapesOnly = false; // the model has no weights: shapes and types were compared, not numbers
    // Why no gradients were compared, where none were: "aten::histc has no derivative in PyTorch". What
    // passed does not say then that the stages train as the model does.
    std::optional<std::string> withoutGradients;
    std::optional<std::string> withoutInputGradients; // the same of those of the model's inputs alone
    VerifyOptions options;
    std::vector<Comparison> comparisons;
    std::vector<std::string> notes; // "the model has no weights: ..."

    bool passed() const;
    // "3 stages: 1 output, 52 parameter gradients agree; largest difference 9.8e-04, relative 1.2e-07", and
    // what gradientsText() says.
    std::string summary() const;
    // "gradients not compared: aten::histc has no derivative in PyTorch", or "gradients of inputs not
    // compared: ..."; empty where they were.
    std::string gradientsText() const;
};

// Fails, in one line, where the folder is not an export of this model, its manifest contradicts the model or
// the stages, something in it cannot be run, or a file was changed meanwhile; a wrong number is not a failure
// but a comparison that did not pass.
Result<VerifyReport> verifyExport(const Model& model, const std::filesystem::path& folder,
                                  const VerifyOptions& options = {}, const Progress& progress = {});

} // namespace stagecraft
