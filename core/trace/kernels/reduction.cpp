// Reductions and scans. All give row-major results.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::MemoryFormat;
using at::OptionalIntArrayRef;
using at::Tensor;
using TwoTensors = std::tuple<Tensor, Tensor>;

// Sizes with the dimensions in `dims` (none or empty: all) reduced.
std::vector<std::int64_t> reducedSizes(const Tensor& self, OptionalIntArrayRef dims, bool keepdim)
{
    std::vector<bool> reduced(static_cast<std::size_t>(self.dim()), !dims || dims->empty());
    if (dims && self.dim() > 0)
        for (const std::int64_t dim : *dims)
            reduced[static_cast<std::size_t>(at::maybe_wrap_dim(dim, self.dim()))] = true;
    std::vector<std::int64_t> sizes;
    for (std::size_t d = 0; d < reduced.size(); ++d) {
        if (!reduced[d])
            sizes.push_back(self.size(static_cast<std::int64_t>(d)));
        else if (keepdim)
            sizes.push_back(1);
    }
    return sizes;
}

// Sums and products of integers are 64 bits wide.
at::ScalarType sumType(const Tensor& self, std::optional<at::ScalarType> dtype)
{
    if (dtype)
        return *dtype;
    return at::isIntegralType(self.scalar_type(), /*includeBool=*/true) ? at::kLong : self.scalar_type();
}

Tensor scalar(const Tensor& self)
{
    return at::empty({}, self.options());
}

Tensor nonEmptyScalar(const Tensor& self)
{
    TORCH_CHECK(self.numel() > 0, "max(): Expected reduction dim to be specified for input.numel() == 0.");
    return scalar(self);
}

Tensor& scalarOut(const Tensor&, Tensor& out)
{
    out.resize_({});
    return out;
}

Tensor dot(const Tensor& self, const Tensor&)
{
    return scalar(self);
}

// --- variance --------------------------------------------------------------------------------------------

Tensor variance(const Tensor& self, OptionalIntArrayRef dims, const std::optional<at::Scalar>&, bool keepdim)
{
    const auto dtype = at::toRealValueType(self.scalar_type());
    return at::empty(reducedSizes(self, dims, keepdim), self.options().dtype(dtype));
}

Tensor& varianceOut(const Tensor& self, OptionalIntArrayRef dims, const std::optional<at::Scalar>&,
                    bool keepdim, Tensor& out)
{
    out.resize_(reducedSizes(self, dims, keepdim));
    return out;
}

TwoTensors varianceAndMean(const Tensor& self, OptionalIntArrayRef dims,
                           const std::optional<at::Scalar>& correction, bool keepdim)
{
    return {variance(self, dims, correction, keepdim),
            at::empty(reducedSizes(self, dims, keepdim), self.options())};
}

// --- sums and products -----------------------------------------------------------------------------------

Tensor product(const Tensor& self, std::optional<at::ScalarType> dtype)
{
    return at::empty({}, self.options().dtype(sumType(self, dtype)));
}

Tensor nanSum(const Tensor& self, OptionalIntArrayRef dims, bool keepdim, std::optional<at::ScalarType> dtype)
{
    return at::empty(reducedSizes(self, dims, keepdim), self.options().dtype(sumType(self, dtype)));
}

Tensor& nanSumOut(const Tensor& self, OptionalIntArrayRef dims, bool keepdim, std::optional<at::ScalarType>,
                  Tensor& out)
{
    out.resize_(reducedSizes(self, dims, keepdim));
    return out;
}

Tensor trace(const Tensor& self)
{
    return at::empty({}, self.options().dtype(sumType(self, {})));
}

Tensor countNonzero(const Tensor& self, at::IntArrayRef dims)
{
    return at::empty(reducedSizes(self, dims, false), self.options().dtype(at::kLong));
}

// --- order statistics ------------------------------------------------------------------------------------

std::tuple<Tensor&, Tensor&> valuesOut(const Tensor& self, std::int64_t dim, bool keepdim, Tensor& values,
                                       Tensor& indices)
{
    const auto sizes = reducedSizes(self, at::IntArrayRef(dim), keepdim);
    values.resize_(sizes);
    indices.resize_(sizes);
    return {values, indices};
}

std::tuple<Tensor&, Tensor&> kthValueOut(const Tensor& self, std::int64_t, std::int64_t dim, bool keepdim,
                                         Tensor& values, Tensor& indices)
{
    return valuesOut(self, dim, keepdim, values, indices);
}

TwoTensors mode(const Tensor& self, std::int64_t dim, bool keepdim)
{
    const auto sizes = reducedSizes(self, at::IntArrayRef(dim), keepdim);
    return {at::empty(sizes, self.options()), at::empty(sizes, self.options().dtype(at::kLong))};
}

TwoTensors minAndMax(const Tensor& self)
{
    return {scalar(self), scalar(self)};
}

TwoTensors minAndMaxAlong(const Tensor& self, std::int64_t dim, bool keepdim)
{
    const auto sizes = reducedSizes(self, at::IntArrayRef(dim), keepdim);
    return {at::empty(sizes, self.options()), at::empty(sizes, self.options())};
}

Tensor histogram(const Tensor& self, std::int64_t bins, const at::Scalar&, const at::Scalar&)
{
    return at::empty({bins}, self.options());
}

// --- scans -----------------------------------------------------------------------------------------------

Tensor& logCumSumExpOut(const Tensor& self, std::int64_t, Tensor& out)
{
    out.resize_(self.sizes());
    return out;
}

// Values and indices were made by the caller.
void scanHelper(const Tensor&, Tensor&, Tensor&, std::int64_t) {}

} // namespace

void registerReductions(torch::Library& library)
{
    for (const char* name : {"max", "min"})
        implement(library, name, &nonEmptyScalar);
    for (const char* name : {"median", "nanmedian"})
        implement(library, name, &scalar);
    for (const char* name : {"max.unary_out", "min.unary_out"})
        implement(library, name, &scalarOut);
    for (const char* name : {"dot", "vdot"})
        implement(library, name, &dot);
    for (const char* name : {"var.correction", "std.correction"})
        implement(library, name, &variance);
    for (const char* name : {"var.correction_out", "std.correction_out"})
        implement(library, name, &varianceOut);
    for (const char* name : {"var_mean.correction", "std_mean.correction"})
        implement(library, name, &varianceAndMean);
    implement(library, "prod", &product);
    implement(library, "nansum", &nanSum);
    implement(library, "nansum.out", &nanSumOut);
    implement(library, "trace", &trace);
    implement(library, "count_nonzero.dim_IntList", &countNonzero);
    for (const char* name : {"median.dim_values", "nanmedian.dim_values"})
        implement(library, name, &valuesOut);
    implement(library, "kthvalue.values", &kthValueOut);
    implement(library, "mode", &mode);
    implement(library, "_aminmax", &minAndMax);
    implement(library, "_aminmax.dim", &minAndMaxAlong);
    implement(library, "histc", &histogram);
    implementLike(library, "_logcumsumexp", {0});
    implement(library, "_logcumsumexp.out", &logCumSumExpOut);
    for (const char* name : {"_cummax_helper", "_cummin_helper"})
        implement(library, name, &scanHelper);
}

} // namespace stagecraft::kernels
