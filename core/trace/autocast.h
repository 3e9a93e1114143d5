// AutocastCasts: what torch.autocast does to an operator's arguments, for tensors without data.
//
// LibTorch's own autocast looks at a tensor's device and leaves meta tensors alone, so a trace casts by
// itself: matrix products and convolutions in the lower precision, sensitive operators in float32, mixed ones
// in the wider of the two. Which operators take part is asked of the dispatcher, device by device.
#pragma once

#include "core/graph/graph.h"
#include "core/trace/lowering.h"

#include <memory>
#include <vector>

namespace c10 {
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

// Autocast of one device does nothing on another; the routes that are not of one device take any.
bool appliesTo(const LoweringTarget& target, const Autocast& autocast);

// What torch.autocast(device, type) is on the target; the routes that are not of one device are CUDA's.
Autocast autocastOf(const LoweringTarget& target, DType type);

class AutocastCasts
{
public:
    explicit AutocastCasts(const Autocast& autocast);
    ~AutocastCasts();
    AutocastCasts(const AutocastCasts&) = delete;
    AutocastCasts& operator=(const AutocastCasts&) = delete;

    // Does the operator take part? Inside one that does, autocast is off.
    bool takesPart(const c10::OperatorHandle& op) const;
    // Casts the operator's arguments, the last ones on `stack`, through the dispatcher. Casts of parameters
    // are kept and used again as long as this lives.
    void castArguments(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack);
    // Casts the operands of a matrix product or convolution to the lower type, if they are of several.
    void castMixedOperands(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stagecraft
