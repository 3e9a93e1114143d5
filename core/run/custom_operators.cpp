#include "core/run/custom_operators.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

namespace stagecraft {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Calls `body(expert, firstRow, rowCount)` for every expert that has rows.
template <class Body>
void forEachExpert(const at::Tensor& offs, std::int64_t rows, const Body& body)
{
    const at::Tensor ends = offs.to(at::kLong).contiguous();
    std::int64_t first = 0;
    for (std::int64_t expert = 0; expert < ends.numel(); ++expert) {
        const std::int64_t end = ends.const_data_ptr<std::int64_t>()[expert];
        TORCH_CHECK(first <= end && end <= rows, "offsets must rise and stay within ", rows, " rows");
        if (first < end)
            body(expert, first, end - first);
        first = end;
    }
}

void checkShapes(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs)
{
    TORCH_CHECK(input.dim() == 2 && weight.dim() == 3 && offs.dim() == 1 && input.size(1) == weight.size(1) &&
                    offs.size(0) == weight.size(0),
                "grouped_mm_fallback takes input [S, K], weight [G, K, N] and offs [G]; got ", input.sizes(),
                ", ", weight.sizes(), " and ", offs.sizes());
}

at::Tensor groupedMm(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs)
{
    checkShapes(input, weight, offs);
    at::Tensor result = at::zeros({input.size(0), weight.size(2)}, input.options());
    forEachExpert(offs, input.size(0), [&](std::int64_t expert, std::int64_t first, std::int64_t count) {
        at::Tensor rows = result.narrow(0, first, count);
        at::mm_out(rows, input.narrow(0, first, count), weight[expert]);
    });
    return result;
}

at::Tensor groupedMmMeta(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs)
{
    checkShapes(input, weight, offs);
    return at::empty({input.size(0), weight.size(2)}, input.options());
}

std::tuple<at::Tensor, at::Tensor> groupedMmBackward(const at::Tensor& gradient, const at::Tensor& input,
                                                     const at::Tensor& weight, const at::Tensor& offs)
{
    at::Tensor inputGradient = at::zeros_like(input);
    at::Tensor weightGradient = at::zeros_like(weight);
    forEachExpert(offs, input.size(0), [&](std::int64_t expert, std::int64_t first, std::int64_t count) {
        const at::Tensor rowGradients = gradient.narrow(0, first, count);
        at::Tensor inputRows = inputGradient.narrow(0, first, count);
        at::Tensor matrix = weightGradient[expert];
        at::mm_out(inputRows, rowGradients, weight[expert].t());
        at::mm_out(matrix, input.narrow(0, first, count).t(), rowGradients);
    });
    return {inputGradient, weightGradient};
}

std::tuple<at::Tensor, at::Tensor> groupedMmBackwardMeta(const at::Tensor&, const at::Tensor& input,
                                                         const at::Tensor& weight, const at::Tensor&)
{
    return {at::empty_like(input), at::empty_like(weight)};
}

class GroupedMmFunction : public torch::autograd::Function<GroupedMmFunction>
{
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                              const at::Tensor& offs)
    {
        context->save_for_backward({input, weight});
        // As in the Python operator, offsets are kept beside the saved tensors, not as one of them.
        context->saved_data["offs"] = offs;
        at::AutoDispatchBelowADInplaceOrView guard;
        static const auto op = c10::Dispatcher::singleton()
                                   .findSchemaOrThrow("transformers::grouped_mm_fallback", "")
                                   .typed<decltype(groupedMm)>();
        return op.call(input, weight, offs);
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        static const auto op = c10::Dispatcher::singleton()
                                   .findSchemaOrThrow("transformers::grouped_mm_fallback_backward", "")
                                   .typed<decltype(groupedMmBackward)>();
        const variable_list saved = context->get_saved_variables();
        const auto [input, weight] =
            op.call(gradients.front(), saved[0], saved[1], context->saved_data["offs"].toTensor());
        return {input, weight, at::Tensor()};
    }
};

at::Tensor groupedMmAutograd(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offs)
{
    return GroupedMmFunction::apply(input, weight, offs);
}

bool isRegistered(const char* name)
{
    return c10::Dispatcher::singleton().findSchema({name, ""}).has_value();
}

void registerGroupedMm(std::vector<std::unique_ptr<torch::Library>>& libraries)
{
    const auto library = [&](torch::Library::Kind kind,
                             std::optional<c10::DispatchKey> key) -> torch::Library& {
        return *libraries.emplace_back(
            std::make_unique<torch::Library>(kind, "transformers", key, __FILE__, __LINE__));
    };
    torch::Library& definitions = library(torch::Library::FRAGMENT, std::nullopt);
    definitions.def("grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor");
    definitions.def(
        "grouped_mm_fallback_backward(Tensor gradient, Tensor input, Tensor weight, Tensor offs) -> "
        "(Tensor, Tensor)");
    torch::Library& cpu = library(torch::Library::IMPL, c10::DispatchKey::CPU);
    cpu.impl("grouped_mm_fallback", groupedMm);
    cpu.impl("grouped_mm_fallback_backward", groupedMmBackward);
    torch::Library& meta = library(torch::Library::IMPL, c10::DispatchKey::Meta);
    meta.impl("grouped_mm_fallback", groupedMmMeta);
    meta.impl("grouped_mm_fallback_backward", groupedMmBackwardMeta);
    library(torch::Library::IMPL, c10::DispatchKey::Autograd).impl("grouped_mm_fallback", groupedMmAutograd);
}

} // namespace

void registerCustomOperators()
{
    // Registrations last as long as the objects that made them, so these live as long as the process.
    static std::once_flag once;
    static auto& libraries = *new std::vector<std::unique_ptr<torch::Library>>;
    std::call_once(once, [] {
        if (!isRegistered("transformers::grouped_mm_fallback"))
            registerGroupedMm(libraries);
    });
}

} // namespace stagecraft
