// Precision: in which floating-point types a model computes, whatever types it was exported with.
//
//     pure       parameters, buffers and floating inputs are of one type, as after model.to(dtype)
//     autocast   parameters and inputs stay; torch.autocast chooses operator by operator, loss included
//
// A dtype that export wrote into the program ("to float32") follows a pure precision, unless the line of code
// it came from names it (`x.float()`, `dtype=torch.float32`): a norm that computes in float32 by intent
// still does. Matrix products and convolutions that so get operands of two types take the precision's.
#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <vector>

namespace c10 {
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

enum class Precision : std::uint8_t {
    AsExported,
    Float32,
    BFloat16,
    Float16,
    AutocastBFloat16,
    AutocastFloat16,
};

// The type of everything; none: not a pure precision.
std::optional<DType> pureType(Precision precision);
// The lower type of autocast; none: no autocast.
std::optional<DType> autocastType(Precision precision);

// Did the person who wrote the code name a floating-point type on the node's line?
bool namesItsType(const Graph& graph, NodeId node);

// Changes arguments called `dtype`, the last ones on `stack`, from another floating-point type to `type`.
void castTypeArguments(DType type, const c10::OperatorHandle& op, std::vector<c10::IValue>& stack);

} // namespace stagecraft
