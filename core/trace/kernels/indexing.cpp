// Embeddings, selection by index, rearrangement, search.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <torch/library.h>

#include <algorithm>
#include <limits>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;
using FourTensors = std::tuple<Tensor, Tensor, Tensor, Tensor>;

// --- selection -------------------------------------------------------------------------------------------

std::vector<std::int64_t> selectedSizes(const Tensor& self, std::int64_t dim, const Tensor& index)
{
    TORCH_CHECK(index.dim() <= 1, "index_select(): Index is supposed to be a vector");
    std::vector<std::int64_t> sizes = self.sizes().vec();
    if (!sizes.empty())
        sizes[static_cast<std::size_t>(at::maybe_wrap_dim(dim, self.dim()))] = index.numel();
    return sizes;
}

Tensor indexSelect(const Tensor& self, std::int64_t dim, const Tensor& index)
{
    return at::empty(selectedSizes(self, dim, index), self.options());
}

Tensor& indexSelectOut(const Tensor& self, std::int64_t dim, const Tensor& index, Tensor& out)
{
    out.resize_(selectedSizes(self, dim, index));
    return out;
}

Tensor take(const Tensor& self, const Tensor& index)
{
    return at::empty(index.sizes(), self.options());
}

// --- embeddings ------------------------------------------------------------------------------------------

Tensor embeddingBackward(const Tensor& grad, const Tensor&, std::int64_t rows, std::int64_t, bool)
{
    return at::empty({rows, grad.size(-1)}, grad.options());
}

// Output, bag of each index, size of each bag, which index was largest. The CPU leaves out the second where
// its fast sum needs none.
FourTensors embeddingBag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool,
                         std::int64_t mode, bool, const OptionalTensor& perSample, bool includeLastOffset,
                         std::int64_t paddingIndex)
{
    constexpr std::int64_t sum = 0, max = 2;
    const std::int64_t bags = offsets.size(0) - (includeLastOffset ? 1 : 0);
    if (kernelModel() != KernelModel::Cpu)
        return {at::empty({bags, weight.size(1)}, weight.options()),
                at::empty({indices.size(0)}, indices.options()),
                at::empty(offsets.sizes(), indices.options()),
                mode == max ? at::empty({bags, weight.size(1)}, indices.options())
                            : at::empty({0}, indices.options())};
    const auto dtype = weight.scalar_type();
    const bool scaled = perSample && perSample->defined();
    const bool fastSum = mode == sum && weight.stride(1) == 1 && paddingIndex < 0 &&
                         (dtype == at::kFloat || dtype == at::kHalf || dtype == at::kBFloat16) &&
                         (!scaled || perSample->stride(0) == 1);
    const auto counts = offsets.options();
    // Made one too long, then cut.
    const Tensor bagOfIndex = fastSum ? at::empty({0}, counts)
                                      : at::empty({indices.size(0) + 1}, counts).resize_({indices.size(0)});
    return {at::empty({bags, weight.size(1)}, weight.options()), bagOfIndex,
            at::empty(offsets.sizes(), counts).resize_({bags}),
            mode == max ? at::empty({bags, weight.size(1)}, counts) : at::empty({bags}, counts)};
}

Tensor embeddingBagBackward(const Tensor& grad, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                            std::int64_t rows, bool, std::int64_t, const OptionalTensor&, std::int64_t)
{
    return at::empty({rows, grad.size(1)}, grad.options());
}

Tensor embeddingBagGradient(const Tensor& grad, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                            const Tensor&, std::int64_t rows, bool, std::int64_t, bool, const OptionalTensor&,
                            std::int64_t)
{
    return at::empty({rows, grad.size(1)}, grad.options());
}

Tensor embeddingBagPerSampleBackward(const Tensor& grad, const Tensor&, const Tensor& indices, const Tensor&,
                                     const Tensor&, std::int64_t, std::int64_t)
{
    return at::empty({indices.size(0)}, grad.options());
}

// --- rearrangement ---------------------------------------------------------------------------------------

// The CPU joins the two halves; it is cat that decides the layout.
Tensor rollOne(const Tensor& self, std::int64_t shift, std::int64_t dim)
{
    if (self.numel() == 0)
        return at::empty_like(self, MemoryFormat::Preserve);
    const std::int64_t size = self.size(dim);
    const std::int64_t start = (size - shift % size) % size;
    return at::cat({self.narrow(dim, start, size - start), self.narrow(dim, 0, start)}, dim);
}

Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims)
{
    if (followsMetaFunctions())
        return rowMajorLike(self);
    if (dims.empty())
        return rollOne(self.contiguous().view(-1), shifts.at(0), 0).view(self.sizes());
    Tensor result = self;
    for (std::size_t i = 0; i < dims.size(); ++i)
        result = rollOne(result, shifts.at(i), dims[i]);
    return result;
}

Tensor unfoldBackward(const Tensor& grad, IntArrayRef inputSizes, std::int64_t, std::int64_t, std::int64_t)
{
    return at::empty(inputSizes, grad.options());
}

Tensor repeatInterleave(const Tensor& repeats, std::optional<std::int64_t> outputSize)
{
    TORCH_CHECK(outputSize,
                "repeat_interleave: without data the result's size is not known; give output_size");
    return at::empty({*outputSize}, repeats.options());
}

// --- search ----------------------------------------------------------------------------------------------

at::ScalarType indexType(bool thirtyTwoBits)
{
    return thirtyTwoBits ? at::kInt : at::kLong;
}

Tensor searchSorted(const Tensor&, const Tensor& self, bool outInt32, bool, std::optional<std::string_view>,
                    const OptionalTensor&)
{
    return at::empty(self.sizes(), self.options().dtype(indexType(outInt32)));
}

Tensor bucketize(const Tensor& self, const Tensor&, bool outInt32, bool)
{
    return at::empty(self.sizes(), self.options().dtype(indexType(outInt32)));
}

Tensor multinomial(const Tensor& self, std::int64_t samples, bool, std::optional<at::Generator>)
{
    std::vector<std::int64_t> sizes = self.sizes().vec();
    sizes.back() = samples;
    return at::empty(sizes, self.options().dtype(at::kLong));
}

Tensor nonzeroStatic(const Tensor& self, std::int64_t size, std::int64_t)
{
    return at::empty({size, self.dim()}, self.options().dtype(at::kLong));
}

// --- triangles -------------------------------------------------------------------------------------------

// Rows and columns beyond it could not be multiplied.
constexpr std::int64_t longestSide = std::numeric_limits<std::int32_t>::max();

// How many (row, column) there are with column <= row + offset: first rows with none, then each with one more
// than the one before, then full ones.
std::int64_t lowerTriangle(std::int64_t rows, std::int64_t columns, std::int64_t offset)
{
    TORCH_CHECK(rows >= 0 && columns >= 0 && rows <= longestSide && columns <= longestSide,
                "there is no triangle in ", rows, " rows of ", columns);
    offset = std::clamp(offset, -rows, columns);
    const std::int64_t firstRow = std::clamp<std::int64_t>(-offset, 0, rows);
    const std::int64_t firstFull = std::clamp<std::int64_t>(columns - offset, firstRow, rows);
    const std::int64_t growing = firstFull - firstRow;
    return growing * (firstRow + offset + 1) + growing * (growing - 1) / 2 + (rows - firstFull) * columns;
}

Tensor trilIndices(std::int64_t rows, std::int64_t columns, std::int64_t offset,
                   std::optional<at::ScalarType> dtype, std::optional<at::Layout>, std::optional<at::Device>,
                   std::optional<bool>)
{
    return at::empty({2, lowerTriangle(rows, columns, offset)},
                     at::TensorOptions(at::kMeta).dtype(dtype.value_or(at::kLong)));
}

Tensor triuIndices(std::int64_t rows, std::int64_t columns, std::int64_t offset,
                   std::optional<at::ScalarType> dtype, std::optional<at::Layout>, std::optional<at::Device>,
                   std::optional<bool>)
{
    const std::int64_t below = lowerTriangle(rows, columns, std::max(offset, -longestSide) - 1);
    return at::empty({2, rows * columns - below},
                     at::TensorOptions(at::kMeta).dtype(dtype.value_or(at::kLong)));
}

Tensor& randomPermutation(std::int64_t count, std::optional<at::Generator>, Tensor& out)
{
    out.resize_({count});
    return out;
}

Tensor maskedScatterBackward(const Tensor& grad, const Tensor&, at::SymIntArrayRef sizes)
{
    return at::empty_symint(sizes, grad.options());
}

// One row for each segment, along `axis`.
Tensor segmentReduce(const Tensor& data, c10::string_view, const std::optional<Tensor>& lengths,
                     const std::optional<Tensor>&, const std::optional<Tensor>& offsets, std::int64_t axis,
                     bool, const std::optional<at::Scalar>&)
{
    std::vector<std::int64_t> sizes = data.sizes().vec();
    const bool byLength = lengths && lengths->defined();
    TORCH_CHECK(byLength || (offsets && offsets->defined()), "segment_reduce needs lengths or offsets");
    const std::int64_t segments = byLength ? lengths->size(axis) : offsets->size(axis) - 1;
    sizes[static_cast<std::size_t>(c10::maybe_wrap_dim(axis, data.dim()))] = segments;
    return at::empty(sizes, data.options());
}

} // namespace

void registerIndexing(torch::Library& library)
{
    implement(library, "index_select", &indexSelect);
    implement(library, "index_select.out", &indexSelectOut);
    implement(library, "take", &take);
    implement(library, "embedding_dense_backward", &embeddingBackward);
    implement(library, "_embedding_bag", &embeddingBag);
    implement(library, "_embedding_bag_forward_only", &embeddingBag);
    implement(library, "_embedding_bag_backward", &embeddingBagGradient);
    implement(library, "_embedding_bag_dense_backward", &embeddingBagBackward);
    implement(library, "_embedding_bag_per_sample_weights_backward", &embeddingBagPerSampleBackward);
    implementLike(library, "flip", {0}, LaidOut::AsItIs);
    implement(library, "roll", &roll);
    implement(library, "unfold_backward", &unfoldBackward);
    implement(library, "repeat_interleave.Tensor", &repeatInterleave);
    implement(library, "searchsorted.Tensor", &searchSorted);
    implement(library, "bucketize.Tensor", &bucketize);
    implement(library, "multinomial", &multinomial);
    implement(library, "nonzero_static", &nonzeroStatic);
    implement(library, "randperm.generator_out", &randomPermutation);
    implement(library, "masked_scatter_backward", &maskedScatterBackward);
    implement(library, "segment_reduce", &segmentReduce);
    implementLike(library, "_segment_reduce_backward", {2});
    implement(library, "tril_indices", &trilIndices);
    implement(library, "triu_indices", &triuIndices);
}

} // namespace stagecraft::kernels
