// Elementwise arithmetic, comparison, reductions, scans, indexing, linear algebra, Fourier transforms.
#include <torch/torch.h>

#include "meta_kernels/tensor_source.h"

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

MetaKernelCase binary(const char* name, Tensor (*function)(const Tensor&, const Tensor&))
{
    return {name, [function](TensorSource& s) {
                const std::int64_t batch = s.batch();
                const Tensor x = s.tensor({batch, 3, 4, 2});
                const std::int64_t draw = s.number(0, 2);
                const Tensor y = draw == 0   ? s.tensor({batch, 3, 4, 2})
                                 : draw == 1 ? s.tensor({3, 1, 2})
                                             : s.weight({});
                return Tensors{function(x, y)};
            }};
}

void addElementwise(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(unary("abs", [](const Tensor& x) { return at::abs(x); }));
    cases.push_back(unary("isnan", [](const Tensor& x) { return at::isnan(x); }));
    cases.push_back(unary("isinf", [](const Tensor& x) { return at::isinf(x); }));
    cases.push_back(unary("nan_to_num", [](const Tensor& x) { return at::nan_to_num(x); }));
    cases.push_back(unary("logit", [](const Tensor& x) { return at::logit(x, 1e-3); }));
    cases.push_back(unary("angle", [](const Tensor& x) { return at::angle(x); }));
    cases.push_back(unary("logical_not", [](const Tensor& x) { return at::logical_not(x); }));
    cases.push_back(unary("clamp", [](const Tensor& x) { return at::clamp(x, 0.1, 0.9); }));
    cases.push_back(
        unary("masked_fill", [](const Tensor& x) { return at::masked_fill(x, at::gt(x, 0), 1); }));
    cases.push_back(unary("remainder of a number", [](const Tensor& x) { return at::remainder(3, x); }));
    cases.push_back(binary("rsub", [](const Tensor& x, const Tensor& y) { return at::rsub(x, y); }));
    cases.push_back(binary("maximum", [](const Tensor& x, const Tensor& y) { return at::maximum(x, y); }));
    cases.push_back(
        binary("floor_divide", [](const Tensor& x, const Tensor& y) { return at::floor_divide(x, y); }));
    cases.push_back(
        binary("logical_and", [](const Tensor& x, const Tensor& y) { return at::logical_and(x, y); }));
    cases.push_back(
        binary("where", [](const Tensor& x, const Tensor& y) { return at::where(at::gt(x, 0), x, y); }));
    cases.push_back(binary("where of a number",
                           [](const Tensor& x, const Tensor& y) { return at::where(at::gt(y, 0), x, 0.5); }));
    cases.push_back({"where promotes", [](TensorSource& s) {
                         const Tensor x = s.tensor({3, 4}), y = s.plain({3, 4}, at::kDouble);
                         return Tensors{at::where(s.mask({4}), x, y)};
                     }});
}

MetaKernelCase reduction(const char* name, Tensor (*function)(const Tensor&, std::int64_t, bool))
{
    return {name, [function](TensorSource& s) {
                const Tensor x = s.tensor({s.number(1, 3), 3, s.number(1, 4), 2});
                return Tensors{function(x, s.number(-2, 3), s.coin())};
            }};
}

void addReductions(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(unary("var of all", [](const Tensor& x) { return at::var(x); }));
    cases.push_back(unary("std of all", [](const Tensor& x) { return at::std(x); }));
    // Without gradients: autograd itself runs other operators on the CPU, where it can look at the data.
    cases.push_back(unary("max of all", [](const Tensor& x) { return at::max(x.detach()); }));
    cases.push_back(unary("min of all", [](const Tensor& x) { return at::min(x.detach()); }));
    cases.push_back(unary("prod of all", [](const Tensor& x) { return at::prod(x.detach()); }));
    cases.push_back(unary("median of all", [](const Tensor& x) { return at::median(x.detach()); }));
    cases.push_back(unary("nansum", [](const Tensor& x) { return at::nansum(x); }));
    cases.push_back(
        reduction("var", [](const Tensor& x, std::int64_t d, bool k) { return at::var(x, d, true, k); }));
    cases.push_back(
        reduction("std", [](const Tensor& x, std::int64_t d, bool k) { return at::std(x, d, true, k); }));
    cases.push_back(reduction(
        "prod", [](const Tensor& x, std::int64_t d, bool k) { return at::prod(x.detach(), d, k); }));
    cases.push_back(reduction(
        "logsumexp", [](const Tensor& x, std::int64_t d, bool k) { return at::logsumexp(x, d, k); }));
    cases.push_back(reduction(
        "median", [](const Tensor& x, std::int64_t d, bool k) { return std::get<0>(at::median(x, d, k)); }));
    cases.push_back(reduction("kthvalue", [](const Tensor& x, std::int64_t d, bool k) {
        return std::get<0>(at::kthvalue(x, 1, d, k));
    }));
    cases.push_back(reduction(
        "mode", [](const Tensor& x, std::int64_t d, bool k) { return std::get<0>(at::mode(x, d, k)); }));
    cases.push_back(
        reduction("amax", [](const Tensor& x, std::int64_t d, bool k) { return at::amax(x, d, k); }));
    cases.push_back(
        reduction("norm", [](const Tensor& x, std::int64_t d, bool k) { return at::norm(x, 2, d, k); }));
    cases.push_back(reduction("count_nonzero", [](const Tensor& x, std::int64_t d, bool) {
        return at::count_nonzero(x, at::IntArrayRef(d));
    }));
    cases.push_back(
        reduction("cumsum", [](const Tensor& x, std::int64_t d, bool) { return at::cumsum(x, d); }));
    cases.push_back(reduction(
        "cumprod", [](const Tensor& x, std::int64_t d, bool) { return at::cumprod(x.detach(), d); }));
    cases.push_back(reduction("logcumsumexp",
                              [](const Tensor& x, std::int64_t d, bool) { return at::logcumsumexp(x, d); }));
    cases.push_back(reduction(
        "cummax", [](const Tensor& x, std::int64_t d, bool) { return std::get<0>(at::cummax(x, d)); }));
    cases.push_back(
        {"var_mean", [](TensorSource& s) {
             const auto [v, m] = at::var_mean(s.tensor({2, 3, 4}), s.number(0, 2), true, s.coin());
             return Tensors{v, m};
         }});
}

void addIndexing(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(
        {"index_select", [](TensorSource& s) {
             return Tensors{at::index_select(s.tensor({4, 5, 6}), s.number(-1, 2), s.indices({3}, 4))};
         }});
    cases.push_back({"index", [](TensorSource& s) {
                         return Tensors{at::index(s.tensor({4, 5, 6}), {std::nullopt, s.indices({2, 3}, 5)})};
                     }});
    cases.push_back({"gather", [](TensorSource& s) {
                         return Tensors{at::gather(s.tensor({4, 5}), 1, s.indices({4, 2}, 5))};
                     }});
    cases.push_back({"take", [](TensorSource& s) {
                         return Tensors{at::take(s.tensor({4, 5}), s.indices({2, 3}, 20))};
                     }});
    cases.push_back(
        {"index_add", [](TensorSource& s) {
             return Tensors{at::index_add(s.tensor({4, 5}), 0, s.indices({3}, 4), s.tensor({3, 5}))};
         }});
    cases.push_back(
        {"scatter_add", [](TensorSource& s) {
             return Tensors{at::scatter_add(s.tensor({4, 5}), 1, s.indices({4, 2}, 5), s.tensor({4, 2}))};
         }});
    cases.push_back({"randperm", [](TensorSource& s) {
                         return Tensors{at::randperm(s.number(0, 5), s.plain({1}, at::kLong).options())};
                     }});
    cases.push_back({"masked_scatter", [](TensorSource& s) {
                         const Tensor x = s.tensor({4, 5});
                         return Tensors{at::masked_scatter(x, s.mask({4, 5}), s.tensor({20}))};
                     }});
    cases.push_back({"segment_reduce", [](TensorSource& s) {
                         const Tensor x = s.tensor({4, 5});
                         const Tensor lengths = at::full({2}, 2, s.indices({1}, 2).options());
                         return Tensors{at::segment_reduce(x, "sum", lengths)};
                     }});
    cases.push_back(unary("shifts", [](const Tensor& x) {
        return at::__rshift__(at::__lshift__(x.detach().to(at::kInt), 2), 1);
    }));
    cases.push_back(unary("binomial", [](const Tensor& x) {
        const Tensor share = x.detach().sigmoid();
        return at::binomial(at::full_like(share, 5), share);
    }));
    cases.push_back(
        unary("_sample_dirichlet", [](const Tensor& x) { return at::_sample_dirichlet(x.abs() + 1); }));
    cases.push_back(unary("fake_quantize", [](const Tensor& x) {
        return at::fake_quantize_per_tensor_affine(x, 0.1, 0, 0, 255);
    }));
    cases.push_back(unary("fake_quantize channels", [](const Tensor& x) {
        const auto options = x.options().requires_grad(false);
        return at::fake_quantize_per_channel_affine(x, at::ones({3}, options.dtype(at::kFloat)),
                                                    at::zeros({3}, options.dtype(at::kInt)), 1, 0, 255);
    }));
    cases.push_back({"cholesky_solve", [](TensorSource& s) {
                         const std::int64_t batch = s.batch();
                         const Tensor x = s.tensor({batch, 4, 2});
                         return Tensors{at::cholesky_solve(x, s.tensor({batch, 4, 4}).tril())};
                     }});
    cases.push_back(unary("flip", [](const Tensor& x) { return at::flip(x, {1, 3}); }));
    cases.push_back(unary("roll", [](const Tensor& x) { return at::roll(x, {1, -1}, {2, 1}); }));
    cases.push_back(unary("roll of all", [](const Tensor& x) { return at::roll(x, 3); }));
    cases.push_back(unary("unfold", [](const Tensor& x) { return x.unfold(1, 2, 1); }));
    cases.push_back(unary("tril", [](const Tensor& x) { return at::tril(x); }));
    cases.push_back(unary("topk", [](const Tensor& x) { return std::get<0>(at::topk(x, 1, 1)); }));
    cases.push_back(unary("sort", [](const Tensor& x) { return std::get<0>(at::sort(x, 1)); }));
    cases.push_back(
        {"bucketize", [](TensorSource& s) {
             return Tensors{at::bucketize(s.tensor({2, 3, 4}), s.plain({5}, s.floatType()).contiguous())};
         }});
    cases.push_back({"searchsorted", [](TensorSource& s) {
                         return Tensors{at::searchsorted(s.weight({5}), s.tensor({2, 3}), s.coin())};
                     }});
    cases.push_back({"triangle indices", [](TensorSource& s) {
                         const auto options =
                             at::TensorOptions(s.onMeta() ? at::kMeta : at::kCPU).dtype(at::kLong);
                         const std::int64_t rows = s.number(1, 6), columns = s.number(1, 6),
                                            offset = s.number(-3, 3);
                         return Tensors{at::tril_indices(rows, columns, offset, options),
                                        at::triu_indices(rows, columns, offset, options)};
                     }});
    cases.push_back({"multinomial", [](TensorSource& s) {
                         return Tensors{at::multinomial(s.probabilities({2, 5}), 3)};
                     }});
}

void addLinearAlgebra(std::vector<MetaKernelCase>& cases)
{
    cases.push_back({"dot", [](TensorSource& s) { return Tensors{at::dot(s.tensor({5}), s.tensor({5}))}; }});
    cases.push_back({"matmul", [](TensorSource& s) {
                         return Tensors{at::matmul(s.tensor({2, 3, 4}), s.tensor({4, 5}))};
                     }});
    cases.push_back(
        {"linear", [](TensorSource& s) {
             return Tensors{at::linear(s.tensor({s.batch(), 3, 4}), s.weight({5, 4}), s.weight({5}))};
         }});
    cases.push_back(
        {"bilinear", [](TensorSource& s) {
             return Tensors{at::bilinear(s.tensor({3, 4}), s.tensor({3, 5}), s.weight({2, 4, 5}), {})};
         }});
    cases.push_back(
        {"einsum", [](TensorSource& s) {
             return Tensors{at::einsum("bij,bjk->bik", {s.tensor({2, 3, 4}), s.tensor({2, 4, 5})})};
         }});
    cases.push_back(
        {"addbmm", [](TensorSource& s) {
             return Tensors{at::addbmm(s.tensor({3, 5}), s.tensor({2, 3, 4}), s.tensor({2, 4, 5}))};
         }});
    cases.push_back(
        {"cdist", [](TensorSource& s) {
             return Tensors{at::cdist(s.tensor({2, 3, 4}), s.tensor({2, 5, 4}), s.coin() ? 2.0 : 1.0)};
         }});
    cases.push_back({"pdist", [](TensorSource& s) { return Tensors{at::pdist(s.weight({4, 3}))}; }});
    cases.push_back({"cosine_similarity", [](TensorSource& s) {
                         return Tensors{at::cosine_similarity(s.tensor({3, 4}), s.tensor({3, 4}), 1)};
                     }});
    cases.push_back({"solve_triangular", [](TensorSource& s) {
                         const bool left = s.coin();
                         const Tensor a = s.tensor({2, 3, 3});
                         const Tensor b = s.tensor(left ? std::vector<std::int64_t>{2, 3, 4}
                                                        : std::vector<std::int64_t>{2, 4, 3});
                         return Tensors{at::linalg_solve_triangular(a, b, true, left)};
                     }});
    cases.push_back({"matrix_exp", [](TensorSource& s) {
                         return Tensors{at::matrix_exp(s.tensor({2, 3, 3}))};
                     }});
    cases.push_back({"grouped_mm", [](TensorSource& s) {
                         const Tensor x = s.weight({6, 16}), w = s.weight({2, 16, 8 * s.number(1, 2)});
                         Tensor offsets = s.plain({2}, at::kInt).contiguous();
                         if (!s.onMeta())
                             offsets.copy_(at::tensor({2, 6}, at::kInt));
                         return Tensors{at::_grouped_mm(x, w, offsets)};
                     }});
}

void addFourier(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(unary("fft", [](const Tensor& x) { return at::view_as_real(at::fft_fft(x, {}, 1)); }));
    cases.push_back(unary("rfft2", [](const Tensor& x) {
        return at::view_as_real(at::fft_rfft2(x, {}, at::IntArrayRef({1, 2})));
    }));
    cases.push_back(unary("fftn", [](const Tensor& x) { return at::view_as_real(at::fft_fftn(x)); }));
    cases.push_back(
        unary("irfft", [](const Tensor& x) { return at::fft_irfft(at::fft_rfft(x, {}, 1), x.size(1), 1); }));
    cases.push_back(unary("irfft2", [](const Tensor& x) {
        return at::fft_irfft2(at::fft_rfft2(x, {}, at::IntArrayRef({1, 2})), {}, at::IntArrayRef({1, 2}));
    }));
}

} // namespace

std::vector<MetaKernelCase> mathCases()
{
    std::vector<MetaKernelCase> cases;
    addElementwise(cases);
    addReductions(cases);
    addIndexing(cases);
    addLinearAlgebra(cases);
    addFourier(cases);
    return cases;
}

} // namespace stagecraft::test
