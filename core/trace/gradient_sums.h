// Where two gradients of one tensor meet.
//
// The engine adds the second to the first in place if nobody else holds the first: on the CPU and on CUDA,
// but not on meta, whose tensors it takes for something special. A trace for a device does as the device.
#pragma once

#include <cstdint>
#include <vector>

namespace c10 {
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

// While it lives, inPlaceSum() works on this thread: it watches which formulas of autograd are running.
class GradientSums
{
public:
    GradientSums();
    ~GradientSums();
    GradientSums(const GradientSums&) = delete;
    GradientSums& operator=(const GradientSums&) = delete;

private:
    std::uint64_t m_watch;
};

// If `op`, whose arguments are the last ones on `stack`, is the engine's own sum of two gradients and would
// be in place on a device (can_accumulate_inplace, torch/csrc/autograd/input_buffer.cpp): adds in place,
// replaces the arguments by the result and returns true. Else touches nothing.
bool inPlaceSum(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack);

} // namespace stagecraft
