// stagecraft_test::scan as a library of operators: what `--op-library` is given in the tests.
#include <ATen/ATen.h>
#include <torch/library.h>

namespace {

at::Tensor scan(const at::Tensor& x, const at::Tensor& weight, std::int64_t width)
{
    return x.matmul(weight).cumsum(1).narrow(-1, 0, width).contiguous();
}

} // namespace

TORCH_LIBRARY(stagecraft_test, library)
{
    library.def("scan(Tensor x, Tensor weight, int width) -> Tensor",
                torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, TORCH_FN(scan)));
}
