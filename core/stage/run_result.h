// RunResult: what a training step of a model, or of its stages one after the other, leaves behind.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
struct IValue;
}

namespace stagecraft {

using NamedTensors = std::map<std::string, at::Tensor>;

struct RunResult
{
    std::vector<c10::IValue> outputs; // leaves of what the model returns
    NamedTensors parameterGradients;  // undefined where there is none; of copies of one parameter the sum
    NamedTensors inputGradients;
    NamedTensors buffers;
    // What each stage kept for backward, where that was counted (kept_bytes.h).
    std::vector<std::optional<std::int64_t>> savedBytes;
};

} // namespace stagecraft
