// What writes into tensors or parts of them, functions of single numbers, and resampling in all its forms.
#include <torch/torch.h>

#include "meta_kernels/tensor_source.h"

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

using T = const Tensor&;

// Never empty: of nothing, the CPU copies the storage that an expanded gradient lies in.
MetaKernelCase filled(const char* name, Tensor (*function)(T))
{
    return {name, [function](TensorSource& s) {
                return Tensors{function(s.tensor({s.number(1, 3), 3, s.number(1, 4), 2}))};
            }};
}

MetaKernelCase ofPair(const char* name, Tensor (*function)(T, T))
{
    return {name, [function](TensorSource& s) {
                const Tensor x = s.tensor({s.batch(), 3, 4, 2});
                return Tensors{function(x, s.coin() ? s.tensor(x.sizes().vec()) : s.tensor({4, 1}))};
            }};
}

void addFunctions(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(
        unary("trigonometric", [](T x) { return at::sin(x) + at::tan(x) + at::asinh(x) + at::sinc(x); }));
    cases.push_back(
        unary("exponential", [](T x) { return at::expm1(x) + at::exp2(x) + at::log1p(at::abs(x)); }));
    cases.push_back(
        unary("gamma functions", [](T x) { return at::lgamma(x) + at::digamma(x) + at::polygamma(1, x); }));
    cases.push_back(unary("error functions", [](T x) {
        return at::erf(x) + at::erfinv(x) + at::special_log_ndtr(x) + at::special_entr(x);
    }));
    cases.push_back(
        unary("bessel functions", [](T x) { return at::i0(x) + at::special_i1(x) + at::special_i0e(x); }));
    cases.push_back(
        unary("rounding", [](T x) { return at::frac(x) + at::round(x) + at::trunc(x) + at::sign(x); }));
    cases.push_back(unary("threshold", [](T x) { return at::threshold(x, 0.1, 2); }));
    // Without gradients: the CPU casts an operand of another type first, and lays it out anew if it is
    // expanded.
    cases.push_back(unary("renorm", [](T x) { return at::renorm(x.detach(), 2, 1, 1); }));
    cases.push_back(unary("frexp", [](T x) { return std::get<0>(at::frexp(x.detach())); }));
    cases.push_back(
        ofPair("two numbers", [](T x, T y) { return at::hypot(x, y) + at::atan2(x, y) + at::fmod(x, y); }));
    cases.push_back(
        ofPair("lerp", [](T x, T y) { return at::lerp(x, y, 0.3) + at::lerp(x, y, at::sigmoid(x)); }));
    cases.push_back(ofPair("addcmul", [](T x, T y) { return at::addcmul(x, y, y) + at::addcdiv(x, y, y); }));
    cases.push_back(ofPair("logaddexp", [](T x, T y) { return at::logaddexp(x, y) + at::copysign(x, y); }));
    cases.push_back(ofPair("minimum", [](T x, T y) { return at::minimum(x, y) + at::xlogy(x, y); }));
    cases.push_back(ofPair("logical", [](T x, T y) { return at::logical_or(at::logical_xor(x, y), y); }));
    cases.push_back(
        ofPair("clamp between", [](T x, T y) { return at::clamp(x, y, std::optional<Tensor>(y + 1)); }));
    cases.push_back(ofPair("dist", [](T x, T y) { return at::dist(x, y); }));
    cases.push_back(ofPair("power", [](T x, T y) { return at::pow(x, y) + at::pow(x, 3) + at::pow(2, y); }));
    cases.push_back({"reductions of pairs", [](TensorSource& s) {
                         const Tensor x = s.tensor({2, 3, s.number(1, 4)});
                         const std::int64_t d = s.number(-3, 2);
                         const auto [deviation, mean] = at::std_mean(x, at::IntArrayRef(d));
                         const auto [low, high] = at::aminmax(x, d);
                         return Tensors{deviation,
                                        mean,
                                        low,
                                        high,
                                        std::get<0>(at::cummin(x, d)),
                                        std::get<0>(at::nanmedian(x, d)),
                                        at::argmax(x, d)};
                     }});
}

void addInPlace(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(unary("a view, in place", [](T x) {
        Tensor y = x * 2;
        y.select(1, 0).mul_(3), y.narrow(1, 1, 2).add_(1);
        return y;
    }));
    cases.push_back(unary("a transposed view, in place", [](T x) {
        Tensor y = x * 2;
        y.transpose(1, 3).relu_();
        return at::exp(y);
    }));
    cases.push_back(unary("activations, in place", [](T x) {
        Tensor y = x * 2;
        at::elu_(y), y.add_(1), at::silu_(y), y.add_(1), at::leaky_relu_(y), y.add_(1),
            at::threshold_(y, 0, 1);
        return y;
    }));
    cases.push_back(unary("functions, in place",
                          [](T x) { return (x * 2).clamp_(-1, 1).add_(3).sqrt_().ceil_().pow_(2).tril_(); }));
    cases.push_back(unary("masked, in place", [](T x) { return (x * 2).masked_fill_(at::gt(x, 0), 1); }));
    cases.push_back(
        ofPair("interpolated, in place", [](T x, T y) { return (x * 2).lerp_(y.expand_as(x), 0.1); }));
    cases.push_back(unary("embedding_renorm_", [](T x) {
        Tensor table = at::zeros({5, 3}, x.options().requires_grad(false));
        return at::embedding_renorm_(table, at::zeros({2}, table.options().dtype(at::kLong)), 1, 2);
    }));
}

void addParts(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(filled("scattered parts", [](T x) {
        const Tensor part = x.select(1, 0) * 2;
        return at::select_scatter(at::slice_scatter(x, x.narrow(1, 0, 2) * 3, 1, 1, 3), part, 1, 0);
    }));
    cases.push_back(unary("parts", [](T x) {
        return at::cat(
            {x.split(2, 1)[0].exp(), x.split_with_sizes({1, 2}, 1)[1], x.unbind(1)[0].unsqueeze(1)}, 1);
    }));
    cases.push_back(filled("diagonals", [](T x) {
        return at::diagonal_scatter(x, x.diagonal(0, 1, 3) * 2, 0, 1, 3) +
               at::rot90(at::rot90(x, 2, {1, 3}), 2, {1, 3});
    }));
    for (const char* reduce : {"sum", "prod", "mean", "amax", "amin"}) {
        cases.push_back({std::string("scatter_reduce ") + reduce, [reduce](TensorSource& s) {
                             const Tensor x = s.tensor({4, 5}), y = s.tensor({4, 2});
                             // On the CPU the gradient of a product looks at the data.
                             const bool isProduct = std::string(reduce) == "prod";
                             return Tensors{at::scatter_reduce(isProduct ? x.detach() : x, 1,
                                                               s.indices({4, 2}, 5),
                                                               isProduct ? y.detach() : y, reduce, s.coin())};
                         }});
        if (std::string(reduce) != "sum")
            cases.push_back({std::string("index_reduce ") + reduce, [reduce](TensorSource& s) {
                                 const Tensor x = s.tensor({4, 5}), y = s.tensor({3, 5});
                                 const bool isProduct = std::string(reduce) == "prod";
                                 return Tensors{
                                     at::index_reduce(isProduct ? x.detach() : x, 0, s.indices({3}, 4),
                                                      isProduct ? y.detach() : y, reduce, s.coin())};
                             }});
    }
    cases.push_back({"index_copy", [](TensorSource& s) {
                         return Tensors{
                             at::index_copy(s.tensor({4, 5}), 1, s.indices({3}, 5), s.tensor({4, 3})),
                             at::index_fill(s.tensor({4, 5}), 1, s.indices({3}, 5), 2)};
                     }});
    cases.push_back({"index_put", [](TensorSource& s) {
                         return Tensors{at::index_put(s.tensor({4, 5, 2}), {s.indices({3}, 4)},
                                                      s.tensor({3, 5, 2}), s.coin())};
                     }});
    cases.push_back(
        {"repeat_interleave", [](TensorSource& s) {
             return Tensors{at::repeat_interleave(s.tensor({2, 3, 4}), s.number(1, 3), s.number(0, 2))};
         }});
    cases.push_back({"weights of bags", [](TensorSource& s) {
                         const Tensor offsets = s.indices({2}, 1);
                         return Tensors{std::get<0>(at::embedding_bag(
                             s.weight({6, 4}), s.indices({5}, 6), offsets, false, 0, false, s.weight({5})))};
                     }});
}

// --- resampling ------------------------------------------------------------------------------------------

MetaKernelCase resampled(const char* name, int dimensions, Tensor (*function)(T, at::IntArrayRef))
{
    return {name, [=](TensorSource& s) {
                std::vector<std::int64_t> sizes{s.number(1, 3), 3}, target;
                for (int d = 0; d < dimensions; ++d) {
                    sizes.push_back(s.number(3, 6));
                    target.push_back(s.number(2, 9));
                }
                return Tensors{function(s.tensor(sizes), target)};
            }};
}

void addSizedResampling(std::vector<MetaKernelCase>& cases)
{
    using Sizes = at::IntArrayRef;
    cases.push_back(
        resampled("upsample_nearest1d", 1, [](T x, Sizes n) { return at::upsample_nearest1d(x, n); }));
    cases.push_back(
        resampled("upsample_linear1d", 1, [](T x, Sizes n) { return at::upsample_linear1d(x, n, false); }));
    cases.push_back(
        resampled("upsample_nearest3d", 3, [](T x, Sizes n) { return at::upsample_nearest3d(x, n); }));
    cases.push_back(
        resampled("nearest_exact1d", 1, [](T x, Sizes n) { return at::_upsample_nearest_exact1d(x, n); }));
    cases.push_back(
        resampled("nearest_exact2d", 2, [](T x, Sizes n) { return at::_upsample_nearest_exact2d(x, n); }));
    cases.push_back(
        resampled("nearest_exact3d", 3, [](T x, Sizes n) { return at::_upsample_nearest_exact3d(x, n); }));
    cases.push_back(resampled("bilinear, antialias", 2,
                              [](T x, Sizes n) { return at::_upsample_bilinear2d_aa(x, n, false); }));
    cases.push_back(resampled("bicubic, antialias", 2,
                              [](T x, Sizes n) { return at::_upsample_bicubic2d_aa(x, n, false); }));
    cases.push_back(resampled("adaptive_max_pool3d", 3, [](T x, Sizes) {
        return std::get<0>(at::adaptive_max_pool3d(x, {2, 1, 3}));
    }));
    cases.push_back(resampled("max_unpool3d", 3, [](T x, Sizes) {
        return at::max_unpool3d(x, at::zeros_like(x, x.options().dtype(at::kLong).requires_grad(false)),
                                {8, 8, 8}, {2, 2, 2}, {0, 0, 0});
    }));
    cases.push_back(resampled("replication_pad1d", 1, [](T x, Sizes) {
        return at::replication_pad1d(x, {1, 2});
    }));
}

} // namespace

std::vector<MetaKernelCase> writingCases()
{
    std::vector<MetaKernelCase> cases;
    addFunctions(cases);
    addInPlace(cases);
    addParts(cases);
    addSizedResampling(cases);
    return cases;
}

} // namespace stagecraft::test
