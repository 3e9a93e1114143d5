// Decompositions of matrices, complex numbers, quantization, random numbers.
#include <torch/torch.h>

#include "meta_kernels/tensor_source.h"

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

// A batch of matrices, or one.
std::vector<std::int64_t> matrixSizes(TensorSource& s, std::int64_t rows, std::int64_t columns)
{
    std::vector<std::int64_t> sizes{rows, columns};
    if (s.coin())
        sizes.insert(sizes.begin(), s.batch());
    return sizes;
}

MetaKernelCase ofSquare(const char* name, Tensors (*function)(const Tensor&))
{
    return {name, [function](TensorSource& s) { return function(s.tensor(matrixSizes(s, 4, 4))); }};
}

MetaKernelCase ofMatrix(const char* name, Tensors (*function)(const Tensor&))
{
    return {name, [function](TensorSource& s) {
                const std::int64_t rows = s.number(1, 5), columns = s.number(1, 5);
                return function(s.tensor(matrixSizes(s, rows, columns)));
            }};
}

MetaKernelCase ofSystem(const char* name, Tensors (*function)(const Tensor&, const Tensor&))
{
    return {name, [function](TensorSource& s) {
                const std::int64_t batch = s.number(1, 3);
                const Tensor matrix = s.tensor({batch, 4, 4});
                return function(matrix, s.tensor({batch, 4, s.number(1, 3)}));
            }};
}

// Positive definite, so that the CPU can decompose it.
Tensor gram(const Tensor& x)
{
    return at::matmul(x, x.mT()) + at::eye(x.size(-1), x.options().requires_grad(false));
}

void addDecompositions(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(
        ofSquare("cholesky", [](const Tensor& x) { return Tensors{at::linalg_cholesky(gram(x))}; }));
    cases.push_back(
        ofSquare("cholesky, old", [](const Tensor& x) { return Tensors{at::cholesky(gram(x), true)}; }));
    cases.push_back(ofSquare("cholesky_inverse", [](const Tensor& x) {
        return Tensors{at::cholesky_inverse(at::linalg_cholesky(gram(x)))};
    }));
    cases.push_back(ofSquare("inverse", [](const Tensor& x) { return Tensors{at::linalg_inv(gram(x))}; }));
    cases.push_back(ofSquare("det", [](const Tensor& x) { return Tensors{at::linalg_det(gram(x))}; }));
    cases.push_back(ofSquare(
        "slogdet", [](const Tensor& x) { return Tensors{std::get<1>(at::linalg_slogdet(gram(x)))}; }));
    cases.push_back(ofSquare("eigh", [](const Tensor& x) {
        const auto [values, vectors] = at::linalg_eigh(gram(x));
        return Tensors{values, vectors};
    }));
    cases.push_back(ofSquare("eig", [](const Tensor& x) {
        const auto [values, vectors] = at::linalg_eig(x);
        return Tensors{at::abs(values), at::view_as_real(vectors)};
    }));
    cases.push_back(ofMatrix("svd", [](const Tensor& x) {
        const auto [u, values, v] = at::linalg_svd(x, /*full_matrices=*/false);
        return Tensors{u, values, v};
    }));
    cases.push_back(
        ofMatrix("svdvals", [](const Tensor& x) { return Tensors{at::linalg_svdvals(x.detach())}; }));
    cases.push_back(ofMatrix("qr", [](const Tensor& x) {
        const auto [q, r] = at::linalg_qr(x);
        return Tensors{q, r};
    }));
    cases.push_back(ofMatrix("lu", [](const Tensor& x) {
        const auto [p, lower, upper] = at::linalg_lu(x);
        return Tensors{p, lower, upper};
    }));
    cases.push_back(ofMatrix("geqrf", [](const Tensor& x) {
        const auto [matrix, factors] = at::geqrf(x.detach());
        return Tensors{matrix, factors};
    }));
    cases.push_back(ofMatrix("householder_product", [](const Tensor& x) {
        const std::int64_t columns = std::min(x.size(-2), x.size(-1));
        return Tensors{
            at::linalg_householder_product(x.narrow(-1, 0, columns), x.select(-2, 0).narrow(-1, 0, columns))};
    }));
    cases.push_back(ofMatrix("pinv", [](const Tensor& x) { return Tensors{at::linalg_pinv(x)}; }));
}

void addSystems(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(ofSystem(
        "solve", [](const Tensor& a, const Tensor& b) { return Tensors{at::linalg_solve(gram(a), b)}; }));
    cases.push_back(ofSystem("solve from the right", [](const Tensor& a, const Tensor& b) {
        return Tensors{at::linalg_solve(gram(a), b.mT(), /*left=*/false)};
    }));
    cases.push_back(ofSystem("lu_solve", [](const Tensor& a, const Tensor& b) {
        const auto [lu, pivots] = at::linalg_lu_factor(gram(a));
        return Tensors{at::linalg_lu_solve(lu, pivots, b)};
    }));
    cases.push_back(ofSystem("ormqr", [](const Tensor& a, const Tensor& b) {
        const auto [matrix, factors] = at::geqrf(a.detach());
        return Tensors{at::ormqr(matrix, factors, b.detach())};
    }));
    cases.push_back(ofSystem("triangular_solve", [](const Tensor& a, const Tensor& b) {
        return Tensors{std::get<0>(at::triangular_solve(b, a.triu() + 1))};
    }));
    cases.push_back(ofSystem(
        "baddbmm", [](const Tensor& a, const Tensor& b) { return Tensors{at::baddbmm(b, a, b, 0.5)}; }));
    cases.push_back(ofSystem("cross", [](const Tensor& a, const Tensor&) {
        return Tensors{at::linalg_cross(a.narrow(1, 0, 3), a.narrow(1, 1, 3), 1)};
    }));
    cases.push_back({"mv", [](TensorSource& s) {
                         const Tensor a = s.tensor({4, 5}), x = s.weight({5});
                         return Tensors{at::mv(a, x), at::addmv(s.weight({4}), a, x), at::vdot(x, x),
                                        at::addr(a, s.weight({4}), x), at::trace(a)};
                     }});
}

// --- complex numbers -------------------------------------------------------------------------------------

MetaKernelCase ofComplex(const char* name, Tensor (*function)(const Tensor&, const Tensor&))
{
    return {name, [function](TensorSource& s) {
                const std::vector<std::int64_t> sizes{s.batch(), 3, s.number(1, 4)};
                const Tensor x = at::complex(s.tensor(sizes).to(at::kFloat), s.tensor(sizes).to(at::kFloat));
                const Tensor y = at::polar(s.tensor(sizes).to(at::kFloat), s.tensor(sizes).to(at::kFloat));
                const Tensor result = function(x, y);
                return Tensors{result.is_complex() ? at::view_as_real(result.resolve_conj()) : result};
            }};
}

void addComplex(std::vector<MetaKernelCase>& cases)
{
    using T = const Tensor&;
    cases.push_back(ofComplex("complex product", [](T x, T y) { return x * y; }));
    cases.push_back(ofComplex("complex quotient", [](T x, T y) { return x / y.conj(); }));
    // Without gradients: an expanded one is real, and the CPU lays it out anew when it makes it complex.
    cases.push_back(ofComplex("complex magnitude", [](T x, T y) { return at::abs((x + y).detach()); }));
    cases.push_back(ofComplex("complex angle", [](T x, T) { return at::angle(x); }));
    cases.push_back(
        ofComplex("real and imaginary", [](T x, T y) { return at::real(x.conj()) + at::imag(y.conj()); }));
    cases.push_back(ofComplex("complex matrix product", [](T x, T y) { return at::matmul(x, y.mH()); }));
    cases.push_back(
        ofComplex("complex functions", [](T x, T y) { return at::exp(x) + at::sqrt(y) * at::sin(x); }));
    cases.push_back(
        ofComplex("complex sum", [](T x, T y) { return at::sum(x.conj(), -1) + at::mean(y, -1); }));
    cases.push_back(
        ofComplex("complex, in place", [](T x, T y) { return x.clone().mul_(y.conj()).add_(1); }));
    cases.push_back(ofComplex("conjugates, physical", [](T x, T) { return at::conj_physical(x); }));
}

// --- quantization and random numbers ---------------------------------------------------------------------

void addQuantization(std::vector<MetaKernelCase>& cases)
{
    cases.push_back({"fake_quantize by tensors", [](TensorSource& s) {
                         const Tensor x = s.tensor({s.batch(), 3, 4});
                         const auto options = x.options().requires_grad(false);
                         return Tensors{at::fake_quantize_per_tensor_affine(
                             x, at::ones({1}, options.dtype(at::kFloat)),
                             at::zeros({1}, options.dtype(at::kInt)), 0, 255)};
                     }});
    cases.push_back({"fake_quantize, learnable", [](TensorSource& s) {
                         const Tensor x = s.tensor({s.batch(), 3, 4, 2});
                         return Tensors{at::_fake_quantize_learnable_per_tensor_affine(
                             x, s.weight({1}), s.weight({1}), -8, 7, 1.0)};
                     }});
    cases.push_back({"fake_quantize channels, learnable", [](TensorSource& s) {
                         const Tensor x = s.tensor({s.batch(), 3, 4, 2});
                         return Tensors{at::_fake_quantize_learnable_per_channel_affine(
                             x, s.weight({3}), s.weight({3}), 1, -8, 7, 1.0)};
                     }});
    cases.push_back({"int_mm", [](TensorSource& s) {
                         return Tensors{at::_int_mm(s.plain({s.number(17, 20), 16}, at::kChar),
                                                    s.plain({16, 24}, at::kChar))};
                     }});
}

void addRandom(std::vector<MetaKernelCase>& cases)
{
    const auto add = [&](const char* name, Tensor (*function)(const Tensor&)) {
        cases.push_back({name, [function](TensorSource& s) {
                             return Tensors{function(s.probabilities({s.batch(), 3, 4, 2}))};
                         }});
    };
    using T = const Tensor&;
    add("bernoulli", [](T x) { return at::bernoulli(x); });
    add("poisson", [](T x) { return at::poisson(x); });
    add("normal", [](T x) { return at::normal(x, 1.0); });
    add("rand_like", [](T x) { return at::rand_like(x) + at::randn_like(x); });
    add("standard_gamma", [](T x) { return at::_standard_gamma(x + 1); });
    add("histc", [](T x) { return at::histc(x.to(at::kFloat), 7); });
    cases.push_back({"standard_gamma, gradient", [](TensorSource& s) {
                         return Tensors{at::_standard_gamma(at::abs(s.tensor({s.batch(), 3, 4})) + 1)};
                     }});
}

} // namespace

std::vector<MetaKernelCase> decompositionCases()
{
    std::vector<MetaKernelCase> cases;
    addDecompositions(cases);
    addSystems(cases);
    addComplex(cases);
    addQuantization(cases);
    addRandom(cases);
    return cases;
}

} // namespace stagecraft::test
