// What operators mostly cost, in the words of a substitutes file: the first guess about one that is not known
// here, which a person takes over as it is or works on.
#pragma once

#include "core/trace/substitutes.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

enum class SubstituteKind : std::uint8_t {
    Elementwise,   // an operation for each element of its results, and as many backward
    MatrixProduct, // its first tensor, along its last dimension, with its second
    Attention,     // queries, keys and values, its first three tensors, by head: [..., tokens, width]
};
inline constexpr std::array substituteKinds{SubstituteKind::Elementwise, SubstituteKind::MatrixProduct,
                                            SubstituteKind::Attention};

// What it costs forward and backward, as PyTorch's FLOP counter has operators of that kind; none where `node`
// lacks such tensors, or a name for them. Gradients of parameters are those of a matrix product whose second
// tensor is one.
std::optional<Substitute> substituteOf(SubstituteKind kind, const Graph& graph, NodeId node);

// Is its operator none that runs here? LibTorch's dispatcher does not know it in this process, or it is
// called on copies (core/graph/called_operator.h).
bool isUnknownOperator(const Node& node);

// An operator of a model, and where it stands.
struct OperatorUse
{
    std::string name; // "mylib::scan", as a substitutes file has it; with an overload that is not "default"
    std::vector<NodeId> nodes;
};
// Those that are not known, in the order of the graph. Nodes of inner graphs have no figures of their own and
// are left out.
std::vector<OperatorUse> unknownOperators(const Graph& graph);

// The name of an operator in a substitutes file, by its target (that of calledOperator()):
// "mylib::scan" of "mylib::scan.default".
std::string substituteName(const std::string& target);

} // namespace stagecraft
