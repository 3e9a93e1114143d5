#include "core/stage/tensor_comparer.h"

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>

namespace stagecraft {

namespace {

constexpr double halfPrecisionFactor = 100;

std::string shapeText(const at::Tensor& tensor)
{
    std::string text = std::string(c10::toString(tensor.scalar_type())) + "[";
    for (const std::int64_t size : tensor.sizes())
        text += (text.back() == '[' ? "" : ", ") + std::to_string(size);
    return text + "]";
}

Comparison failed(Comparison comparison, const std::string& reason)
{
    comparison.passed = false;
    comparison.reason = reason;
    return comparison;
}

} // namespace

Comparison TensorComparer::tensors(Comparison::Kind kind, const std::string& name, const at::Tensor& whole,
                                   const at::Tensor& stages) const
{
    Comparison comparison{.kind = kind, .name = name};
    comparison.passed = true;
    const at::Tensor& shown = whole.defined() ? whole : stages;
    if (!shown.defined())
        return comparison;
    comparison.shape = shapeText(shown);
    if (whole.defined() && stages.defined() &&
        (whole.sizes() != stages.sizes() || whole.scalar_type() != stages.scalar_type()))
        return failed(comparison, "it is " + shapeText(stages) + ", not " + shapeText(whole));
    if (m_shapesOnly && whole.defined() != stages.defined())
        return failed(comparison, whole.defined() ? "it is missing" : "the model has none");
    if (m_shapesOnly || shown.numel() == 0)
        return comparison;
    compareNumbers(comparison, whole.defined() ? whole : at::zeros_like(stages),
                   stages.defined() ? stages : at::zeros_like(whole));
    return comparison;
}

Comparison TensorComparer::outputs(std::size_t index, const c10::IValue& whole,
                                   const c10::IValue& stages) const
{
    const std::string name = std::to_string(index);
    if (whole.isTensor() && stages.isTensor())
        return tensors(Comparison::Kind::Output, name, whole.toTensor(), stages.toTensor());
    Comparison comparison{.kind = Comparison::Kind::Output, .name = name};
    comparison.shape = whole.tagKind();
    comparison.passed = whole.tagKind() == stages.tagKind() && (whole.isNone() || whole == stages);
    return comparison.passed ? comparison : failed(comparison, "another value than the model's");
}

void TensorComparer::compareNumbers(Comparison& comparison, const at::Tensor& whole,
                                    const at::Tensor& stages) const
{
    const at::NoGradGuard guard;
    const auto wide = whole.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = whole.detach().to(wide);
    const at::Tensor b = stages.detach().to(wide);
    // Equal infinities and NaN in both count as no difference.
    const at::Tensor same = a.eq(b).logical_or(a.ne(a).logical_and(b.ne(b)));
    const at::Tensor difference = at::where(same, at::zeros_like(a), a - b).abs();
    const at::Tensor finite = at::where(a.abs().isfinite(), a.abs(), at::zeros_like(difference));
    const double largest = finite.max().item<double>();
    comparison.maxAbsolute = difference.max().item<double>();
    comparison.maxRelative = largest > 0 ? comparison.maxAbsolute / largest : comparison.maxAbsolute;
    const bool isHalf = whole.scalar_type() == at::kHalf || whole.scalar_type() == at::kBFloat16;
    const double factor = isHalf ? halfPrecisionFactor : 1;
    const double allowed = factor * (m_options.absoluteTolerance + m_options.relativeTolerance * largest);
    comparison.passed = comparison.maxAbsolute <= allowed; // not so for NaN
    if (!comparison.passed)
        comparison.reason = "differs by " + std::to_string(comparison.maxAbsolute) + " where " +
                            std::to_string(allowed) + " is allowed";
}

} // namespace stagecraft
