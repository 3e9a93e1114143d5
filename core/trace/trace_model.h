// traceModel: one step of a model on the meta device, written down.
//
// The step, always in this order: parameters, buffers and inputs exist (gradients only if asked for); out =
// model(inputs); loss = the output that is the loss, or the sum of all elements of those that require
// gradients (core/load/loss_output.h); loss.backward(); out and loss are dropped. Costs milliseconds and no
// memory, whatever the batch.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/trace/lowering.h"
#include "core/trace/substitutes.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>

namespace stagecraft {

// What is made of the outputs before they are summed up.
enum class LossKind : std::uint8_t {
    Sum,       // nothing: the gradient of every output is one number, repeated without memory
    SquareSum, // each is squared: gradients are whole tensors, as those of a real loss are
};

// What the .grad of a parameter is before the step.
enum class GradientStart : std::uint8_t {
    Absent,  // as after zero_grad(set_to_none=True), torch.optim's default
    Present, // as after zero_grad(set_to_none=False), or between microbatches: new gradients are added
};

struct TraceOptions
{
    TrainingMode mode = TrainingMode::Train;
    LoweringTarget lowering;
    Bindings bindings;      // of symbolic sizes; unbound symbols take the size they were exported with
    Bindings bounds;        // the most that sizes can be which data decide (size_bounds.h)
    std::string lossOutput; // which output is the loss, as lossOutput() reads it; empty: by its rule
    LossKind loss = LossKind::Sum;
    GradientStart gradients = GradientStart::Absent;
    std::shared_ptr<const Substitutes> substitutes; // for operators that cannot run; none: null
    // The part (stage) of each node; no edge goes back from one to an earlier. Parts run one behind the
    // other, and a checkpoint region that lies in several is kept and run again part by part, as exported
    // stages do. One part: null.
    std::shared_ptr<const Table<NodeId, std::uint32_t>> parts;
    std::vector<ValueId> gradientsOf = {}; // user inputs that gradients flow back through
};

// Fails, naming node, operator, module and source line, where the model cannot be followed without data, and
// with code Cancelled if `progress` was stopped. Not for two threads at once on one model; different threads
// may trace at the same time.
Result<Trace> traceModel(const Model& model, const TraceOptions& options, const Progress& progress = {});

// Traces a three-operator model and compares every record, saved tensor and allocation with what they must
// be. Fails, saying what differs, where this LibTorch does not behave as the recorder expects.
Result<void> traceSelfTest();

} // namespace stagecraft
