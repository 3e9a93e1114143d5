// OperatorClass: operators that use a device alike, and so share an efficiency curve.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stagecraft {

enum class OperatorClass : std::uint8_t {
    Matrix,         // matrix products
    Convolution,    //
    Attention,      // fused
    Elementwise,    // additions, masks, fills: a few instructions an element
    Transcendental, // exp, gelu, tanh: tens of instructions an element
    Reduction,      // sums, maxima, pooling, scans
    Normalization,  // softmax, layer, batch and group norm: several passes over rows
    Lookup,         // embedding, gather, scatter: rows in an order that data decide
    Copy,           // changes of layout, concatenation, casts
};

constexpr int operatorClassCount = 9;

// By an operator's name, "aten::gelu_backward"; one that is not listed is elementwise.
OperatorClass operatorClassOf(std::string_view name);

// One that stands for its class where another was not measured: "aten::gelu" for what is transcendental.
std::string_view typicalOperator(OperatorClass operatorClass);

// "matrix": the name in device files.
std::string_view operatorClassName(OperatorClass operatorClass);
std::optional<OperatorClass> operatorClassFromName(std::string_view name);

// Is its work counted in FLOPs of matrix units (else: in bytes moved)?
constexpr bool isContraction(OperatorClass operatorClass)
{
    return operatorClass <= OperatorClass::Attention;
}

} // namespace stagecraft
