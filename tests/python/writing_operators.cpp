// Operators that write to what they are given, as a library: check_functionalized.py.
#include <ATen/ATen.h>
#include <torch/library.h>

namespace {

void addScaled(at::Tensor total, const at::Tensor& x, double scale)
{
    total.add_(x * scale);
}

void addToAll(at::TensorList totals, const at::Tensor& x)
{
    for (const at::Tensor& total : totals)
        total.add_(x);
}

at::Tensor addAndDouble(at::Tensor total, const at::Tensor& x)
{
    total.add_(x);
    return total * 2;
}

std::tuple<at::Tensor, at::Tensor> addToBoth(at::Tensor total, const std::optional<at::Tensor>& other,
                                             const at::Tensor& x)
{
    total.add_(x);
    if (other)
        at::Tensor(*other).mul_(2);
    return {x + 1, x + 2};
}

} // namespace

TORCH_LIBRARY(stagecraft_writing, library)
{
    const auto everywhere = [](auto* function) {
        return torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, function);
    };
    library.def("add_scaled(Tensor(a!) total, Tensor x, float scale=1.0) -> ()", everywhere(&addScaled));
    library.def("add_to_all(Tensor(a!)[] totals, Tensor x) -> ()", everywhere(&addToAll));
    library.def("add_and_double(Tensor(a!) total, Tensor x) -> Tensor", everywhere(&addAndDouble));
    library.def("add_to_both(Tensor(a!) total, Tensor(b!)? other, Tensor x) -> (Tensor, Tensor)",
                everywhere(&addToBoth));
}
