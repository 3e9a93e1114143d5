// Matrix products beside mm and bmm, distances, and decompositions.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <ATen/ExpandUtils.h>
#include <torch/library.h>

#include <algorithm>

namespace stagecraft::kernels {

namespace {

using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

// LAPACK's layout: each matrix of the batch by columns.
Tensor byColumns(at::IntArrayRef sizes, const at::TensorOptions& options)
{
    TORCH_CHECK(sizes.size() >= 2, "matrices are needed, but the sizes are ", sizes);
    std::vector<std::int64_t> transposed = sizes.vec();
    std::swap(transposed[transposed.size() - 1], transposed[transposed.size() - 2]);
    return at::empty(transposed, options).mT();
}

// --- products --------------------------------------------------------------------------------------------

Tensor addBatchProducts(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const at::Scalar&,
                        const at::Scalar&)
{
    return at::empty({batch1.size(1), batch2.size(2)}, self.options());
}

Tensor integerProduct(const Tensor& self, const Tensor& other)
{
    return at::empty({self.size(0), other.size(1)}, self.options().dtype(at::kInt));
}

Tensor scaledProduct(const Tensor& self, const Tensor& other, const Tensor&, const Tensor&,
                     const OptionalTensor&, const OptionalTensor&, std::optional<at::ScalarType> dtype, bool)
{
    return at::empty({self.size(0), other.size(1)}, self.options().dtype(dtype.value_or(self.scalar_type())));
}

// One matrix a group; which operand has the group as a dimension says what the offsets divide. Rows are
// padded to whole 16 bytes, as the GPU's kernel wants them.
Tensor groupedProduct(const Tensor& self, const Tensor& other, const OptionalTensor& offsets,
                      const OptionalTensor&, std::optional<at::ScalarType> dtype)
{
    const std::int64_t rows = self.size(-2);
    const std::int64_t columns = other.size(-1);
    std::vector<std::int64_t> sizes{rows, columns};
    TORCH_CHECK(self.dim() != other.dim() || self.dim() == 3 || (offsets && offsets->defined()),
                "a grouped product needs the groups' offsets");
    if (self.dim() == other.dim())
        sizes.insert(sizes.begin(), self.dim() == 3 ? self.size(0) : offsets->size(0));
    const auto options = self.options().dtype(dtype.value_or(self.scalar_type()));
    const std::int64_t whole = 16 / static_cast<std::int64_t>(options.dtype().itemsize());
    const std::int64_t padded = (columns + whole - 1) / whole * whole;
    std::vector<std::int64_t> strides{padded, 1};
    if (sizes.size() == 3)
        strides.insert(strides.begin(), rows * padded);
    return at::empty_strided(sizes, strides, options);
}

Tensor weightInt8Product(const Tensor& self, const Tensor& weight, const Tensor&)
{
    return at::empty({self.size(0), weight.size(0)}, self.options());
}

// --- distances -------------------------------------------------------------------------------------------

Tensor distances(const Tensor& x1, const Tensor& x2, double, std::optional<std::int64_t>)
{
    std::vector<std::int64_t> sizes =
        at::infer_size(x1.sizes().slice(0, static_cast<std::size_t>(x1.dim() - 2)),
                       x2.sizes().slice(0, static_cast<std::size_t>(x2.dim() - 2)));
    sizes.push_back(x1.size(-2));
    sizes.push_back(x2.size(-2));
    return at::empty(sizes, x1.options());
}

Tensor distancesBackward(const Tensor&, const Tensor& x1, const Tensor& x2, double, const Tensor&)
{
    std::vector<std::int64_t> sizes =
        at::infer_size(x1.sizes().slice(0, static_cast<std::size_t>(x1.dim() - 2)),
                       x2.sizes().slice(0, static_cast<std::size_t>(x2.dim() - 2)));
    sizes.push_back(x1.size(-2));
    sizes.push_back(x1.size(-1));
    return at::empty(sizes, x1.options());
}

Tensor pairDistances(const Tensor& self, double)
{
    const std::int64_t rows = self.size(0);
    return at::empty({rows * (rows - 1) / 2}, self.options());
}

// --- decompositions --------------------------------------------------------------------------------------

std::vector<std::int64_t> batchedMatrix(const Tensor& a, const Tensor& b)
{
    std::vector<std::int64_t> sizes =
        at::infer_size(a.sizes().slice(0, static_cast<std::size_t>(a.dim() - 2)),
                       b.sizes().slice(0, static_cast<std::size_t>(b.dim() - 2)));
    sizes.push_back(b.size(-2));
    sizes.push_back(b.size(-1));
    return sizes;
}

Tensor solveTriangular(const Tensor& a, const Tensor& b, bool, bool, bool)
{
    return byColumns(batchedMatrix(a, b), a.options());
}

Tensor& solveTriangularOut(const Tensor& a, const Tensor& b, bool, bool, bool, Tensor& out)
{
    out.resize_(batchedMatrix(a, b));
    return out;
}

Tensor householderProduct(const Tensor& input, const Tensor&)
{
    return byColumns(input.sizes(), input.options());
}

Tensor choleskyInverse(const Tensor& self, bool)
{
    return byColumns(self.sizes(), self.options());
}

Tensor choleskySolve(const Tensor& self, const Tensor&, bool)
{
    return byColumns(self.sizes(), self.options());
}

Tensor cholesky(const Tensor& self, bool)
{
    if (self.numel() == 0)
        return rowMajorLike(self);
    return byColumns(self.sizes(), self.options());
}

// Reflectors below the diagonal, and their factors.
std::tuple<Tensor, Tensor> reflectors(const Tensor& self)
{
    std::vector<std::int64_t> factors = self.sizes().slice(0, static_cast<std::size_t>(self.dim() - 2)).vec();
    factors.push_back(std::min(self.size(-2), self.size(-1)));
    return {byColumns(self.sizes(), self.options()), at::empty(factors, self.options())};
}

Tensor reflected(const Tensor&, const Tensor&, const Tensor& other, bool, bool)
{
    return byColumns(other.sizes(), other.options());
}

std::tuple<Tensor, Tensor> eigen(const Tensor& self)
{
    const auto options = self.options().dtype(at::toComplexType(self.scalar_type()));
    return {at::empty(self.sizes().slice(0, static_cast<std::size_t>(self.dim() - 1)), options),
            byColumns(self.sizes(), options)};
}

} // namespace

void registerLinearAlgebra(torch::Library& library)
{
    implement(library, "addbmm", &addBatchProducts);
    implement(library, "_int_mm", &integerProduct);
    implement(library, "_scaled_mm", &scaledProduct);
    implement(library, "_grouped_mm", &groupedProduct);
    implement(library, "_weight_int8pack_mm", &weightInt8Product);
    implement(library, "_cdist_forward", &distances);
    implement(library, "_cdist_backward", &distancesBackward);
    implement(library, "_pdist_forward", &pairDistances);
    implementLike(library, "_pdist_backward", {1});
    implement(library, "linalg_solve_triangular", &solveTriangular);
    implement(library, "linalg_solve_triangular.out", &solveTriangularOut);
    implement(library, "linalg_householder_product", &householderProduct);
    implementLike(library, "linalg_matrix_exp", {0});
    implement(library, "cholesky", &cholesky);
    implement(library, "geqrf", &reflectors);
    implement(library, "ormqr", &reflected);
    implement(library, "cholesky_inverse", &choleskyInverse);
    implement(library, "_cholesky_solve_helper", &choleskySolve);
    implement(library, "linalg_eig", &eigen);
}

} // namespace stagecraft::kernels
