// traceOptimizer: what optimizer.step() of torch.optim does, operator by operator, on tensors without data.
//
// The variants compute the same and differ in what they take for a moment: `Single` goes from parameter to
// parameter, `Foreach` takes every list of intermediate results at once, `Fused` takes nothing. Source:
// torch/optim of PyTorch 2.13, with its defaults (no amsgrad, no maximize, no nesterov).
#pragma once

#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

enum class OptimizerKind : std::uint8_t { None, Sgd, SgdMomentum, Adam, AdamW, Adafactor };

enum class OptimizerVariant : std::uint8_t {
    Default, // what torch.optim takes: foreach on CUDA, single elsewhere
    Single,
    Foreach,
    Fused, // Adafactor has none: as Foreach
};

// What the optimizer works on.
enum class MasterWeights : std::uint8_t {
    None,
    // A float32 copy of every parameter of another floating-point type. In a step all gradients are converted
    // to float32, the optimizer moves the copies, and these are written back.
    Float32,
};

struct OptimizerOptions
{
    OptimizerKind kind = OptimizerKind::AdamW;
    OptimizerVariant variant = OptimizerVariant::Single;
    MasterWeights masterWeights = MasterWeights::None;
};

struct OptimizerParameter
{
    std::vector<std::int64_t> sizes;
    DType dtype = DType::F32;
    std::optional<ValueId> value; // in the model's graph: the trace's storages carry it
};

// Two steps: in the first the state is made, the second is as every later one. Parameters and their gradients
// are there from the start; numbers that a device run keeps on the host (step counters of Single and Foreach)
// are not in it. `live` of its operators counts the state and what is taken for a moment.
struct OptimizerTrace
{
    Trace trace;                    // all of Phase::Optimizer
    std::uint32_t firstStepEnd = 0; // operators of the first step
    Bytes state;                    // what is kept between steps
};

// Parameters that have a gradient, in the model's order. Fails as LibTorch does, and with code Cancelled.
Result<OptimizerTrace> traceOptimizer(std::span<const OptimizerParameter> parameters,
                                      const OptimizerOptions& options, const Progress& progress = {});

} // namespace stagecraft
