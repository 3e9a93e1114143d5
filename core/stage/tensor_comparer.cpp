#include "core/stage/tensor_comparer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double halfPrecisionFactor = 100;
// Compared at a time, as there may be no memory for eight numbers of double precision for each of a tensor.
// Not more than LibTorch computes in one thread: threads that wait for each other after each step of so few
// numbers are slow where other programs run.
constexpr std::int64_t blockSize = 1 << 15;

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

struct Extremes
{
    double number = 0; // the largest finite one of the whole model
    double difference = 0;
};

Extremes extremes(const at::Tensor& whole, const at::Tensor& stages)
{
    const auto wide = whole.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor a = whole.to(wide);
    const at::Tensor b = stages.to(wide);
    // Equal infinities and NaN in both count as no difference.
    const at::Tensor same = a.eq(b).logical_or(a.ne(a).logical_and(b.ne(b)));
    const at::Tensor difference = at::where(same, at::zeros_like(a), a - b).abs();
    const at::Tensor finite = at::where(a.abs().isfinite(), a.abs(), at::zeros_like(difference));
    return {finite.max().item<double>(), difference.max().item<double>()};
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

void TensorComparer::named(Comparison::Kind kind, const NamedTensors& whole, const NamedTensors& stages,
                           VerifyReport& report) const
{
    for (const auto& [name, tensor] : whole) {
        const auto found = stages.find(name);
        const bool isUnusedBuffer = kind == Comparison::Kind::Buffer && found == stages.end();
        if (!isUnusedBuffer)
            report.comparisons.push_back(
                tensors(kind, name, tensor, found == stages.end() ? at::Tensor() : found->second));
    }
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
    const at::Tensor a = whole.detach().reshape({-1});
    const at::Tensor b = stages.detach().reshape({-1});
    double largest = 0;
    for (std::int64_t begin = 0; begin < a.numel(); begin += blockSize) {
        const std::int64_t size = std::min(blockSize, a.numel() - begin);
        const Extremes block = extremes(a.narrow(0, begin, size), b.narrow(0, begin, size));
        largest = std::max(largest, block.number);
        if (!(block.difference <= comparison.maxAbsolute)) // NaN comes through, and stays
            comparison.maxAbsolute =
                std::isnan(comparison.maxAbsolute) ? comparison.maxAbsolute : block.difference;
    }
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
