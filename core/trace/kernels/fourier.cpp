// Fourier transforms.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/WrapDimUtils.h>
#include <torch/library.h>

#include <algorithm>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::Tensor;

// Transformed dimensions ordered by falling stride; with `keepLast`, the last one stays last.
std::vector<std::int64_t> sortedByStride(const Tensor& self, IntArrayRef dims, bool keepLast)
{
    std::vector<std::int64_t> sorted = dims.vec();
    const auto end = sorted.end() - (keepLast && !sorted.empty() ? 1 : 0);
    std::sort(sorted.begin(), end,
              [&](std::int64_t a, std::int64_t b) { return self.stride(a) > self.stride(b); });
    return sorted;
}

// MKL transforms dense batches: the batch dimensions first, by falling stride, then `dims`. The result is
// laid out in that order and seen in the original one.
Tensor inTransformOrder(const Tensor& self, IntArrayRef sizes, at::ScalarType dtype, IntArrayRef dims)
{
    if (!at::hasMKL())
        return at::empty(sizes, self.options().dtype(dtype));
    std::vector<std::int64_t> order;
    for (std::int64_t d = 0; d < self.dim(); ++d)
        if (std::find(dims.begin(), dims.end(), d) == dims.end())
            order.push_back(d);
    std::sort(order.begin(), order.end(),
              [&](std::int64_t a, std::int64_t b) { return self.stride(a) > self.stride(b); });
    order.insert(order.end(), dims.begin(), dims.end());

    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t stride = 1;
    for (auto d = order.rbegin(); d != order.rend(); ++d) {
        strides[static_cast<std::size_t>(*d)] = stride;
        stride *= std::max<std::int64_t>(sizes[static_cast<std::size_t>(*d)], 1);
    }
    return at::empty_strided(sizes, strides, self.options().dtype(dtype));
}

// Counted from the front.
std::vector<std::int64_t> wrapped(const Tensor& self, IntArrayRef dims)
{
    TORCH_CHECK(!dims.empty(), "a Fourier transform of no dimension");
    std::vector<std::int64_t> positions;
    for (const std::int64_t dim : dims)
        positions.push_back(at::maybe_wrap_dim(dim, self.dim()));
    return positions;
}

Tensor complexToComplex(const Tensor& self, IntArrayRef dims, std::int64_t, bool)
{
    if (dims.empty())
        return self.clone();
    return inTransformOrder(self, self.sizes(), self.scalar_type(),
                            sortedByStride(self, wrapped(self, dims), /*keepLast=*/false));
}

Tensor realToComplex(const Tensor& self, IntArrayRef given, std::int64_t, bool onesided)
{
    const std::vector<std::int64_t> dims = wrapped(self, given);
    std::vector<std::int64_t> sizes = self.sizes().vec();
    std::int64_t& last = sizes[static_cast<std::size_t>(dims.back())];
    last = onesided ? last / 2 + 1 : last;
    return inTransformOrder(self, sizes, at::toComplexType(self.scalar_type()),
                            sortedByStride(self, dims, /*keepLast=*/true));
}

Tensor complexToReal(const Tensor& self, IntArrayRef given, std::int64_t normalization, std::int64_t lastSize)
{
    const std::vector<std::int64_t> positions = wrapped(self, given);
    const IntArrayRef dims = positions;
    // All dimensions but the last are transformed in the complex plane first.
    const bool hasMore = dims.size() > 1;
    const Tensor input =
        hasMore ? complexToComplex(self, dims.slice(0, dims.size() - 1), normalization, false) : self;
    std::vector<std::int64_t> sizes = self.sizes().vec();
    sizes[static_cast<std::size_t>(dims.back())] = lastSize;
    return inTransformOrder(input, sizes, at::toRealValueType(self.scalar_type()),
                            dims.slice(dims.size() - 1));
}

Tensor& intoOut(const Tensor& result, Tensor& out)
{
    out.resize_(result.sizes());
    return out;
}

Tensor& complexToComplexOut(const Tensor& self, IntArrayRef dims, std::int64_t normalization, bool forward,
                            Tensor& out)
{
    return intoOut(complexToComplex(self, dims, normalization, forward), out);
}

Tensor& realToComplexOut(const Tensor& self, IntArrayRef dims, std::int64_t normalization, bool onesided,
                         Tensor& out)
{
    return intoOut(realToComplex(self, dims, normalization, onesided), out);
}

Tensor& complexToRealOut(const Tensor& self, IntArrayRef dims, std::int64_t normalization,
                         std::int64_t lastSize, Tensor& out)
{
    return intoOut(complexToReal(self, dims, normalization, lastSize), out);
}

} // namespace

void registerFourier(torch::Library& library)
{
    implement(library, "_fft_c2c", &complexToComplex);
    implement(library, "_fft_r2c", &realToComplex);
    implement(library, "_fft_c2r", &complexToReal);
    implement(library, "_fft_c2c.out", &complexToComplexOut);
    implement(library, "_fft_r2c.out", &realToComplexOut);
    implement(library, "_fft_c2r.out", &complexToRealOut);
}

} // namespace stagecraft::kernels
