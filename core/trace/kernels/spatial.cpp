// Padding, sampling and unfolding of images.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

#include <limits>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;

// Only batched images have a channels-last form.
MemoryFormat formatOf(const Tensor& image)
{
    return image.dim() == 4 || image.dim() == 5 ? image.suggest_memory_format() : MemoryFormat::Contiguous;
}

// --- padding ---------------------------------------------------------------------------------------------

Tensor reflectionPad2d(const Tensor& self, IntArrayRef padding)
{
    TORCH_CHECK(self.dim() >= 3 && padding.size() == 4, "reflection_pad2d: an input ", self.sizes(),
                " cannot be padded by ", padding);
    std::vector<std::int64_t> sizes = self.sizes().vec();
    sizes[sizes.size() - 1] += padding[0] + padding[1];
    sizes[sizes.size() - 2] += padding[2] + padding[3];
    return at::empty(sizes, self.options(), formatOf(self));
}

Tensor& reflectionPad2dOut(const Tensor& self, IntArrayRef padding, Tensor& out)
{
    const Tensor result = reflectionPad2d(self, padding);
    out.resize_(result.sizes(), formatOf(self));
    return out;
}

Tensor padBackward(const Tensor&, const Tensor& self, IntArrayRef)
{
    return at::empty(self.sizes(), self.options(), formatOf(self));
}

// --- sliding blocks --------------------------------------------------------------------------------------

// The result is made in the input's size first and keeps that storage where it needs less; meta functions
// make it as it is.
Tensor atLeastAsLarge(const Tensor& self, const std::vector<std::int64_t>& sizes)
{
    if (followsMetaFunctions())
        return at::empty(sizes, self.options());
    const std::int64_t needed = c10::multiply_integers(sizes);
    return at::empty({std::max(self.numel(), needed)}, self.options()).resize_(sizes);
}

std::int64_t blockCount(std::int64_t size, std::int64_t kernel, std::int64_t dilation, std::int64_t padding,
                        std::int64_t stride)
{
    TORCH_CHECK(stride > 0, "im2col: a stride is ", stride);
    return (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

Tensor imageToColumns(const Tensor& self, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
                      IntArrayRef stride)
{
    TORCH_CHECK(self.dim() == 3 || self.dim() == 4, "im2col: the input is ", self.sizes());
    const std::int64_t first = self.dim() - 3;
    const auto blocks = [&](std::size_t d) {
        return blockCount(self.size(first + 1 + static_cast<std::int64_t>(d)), numberFor(kernel, d),
                          numberFor(dilation, d), numberFor(padding, d), numberFor(stride, d));
    };
    std::vector<std::int64_t> sizes{self.size(first) * numberFor(kernel, 0) * numberFor(kernel, 1),
                                    blocks(0) * blocks(1)};
    if (first == 1)
        sizes.insert(sizes.begin(), self.size(0));
    return atLeastAsLarge(self, sizes);
}

Tensor columnsToImage(const Tensor& self, IntArrayRef outputSize, IntArrayRef kernel, IntArrayRef,
                      IntArrayRef, IntArrayRef)
{
    const std::int64_t elements = numberFor(kernel, 0) * numberFor(kernel, 1);
    TORCH_CHECK(elements > 0, "col2im: a kernel of ", kernel);
    std::vector<std::int64_t> sizes{self.size(-2) / elements, numberFor(outputSize, 0),
                                    numberFor(outputSize, 1)};
    if (self.dim() == 3)
        sizes.insert(sizes.begin(), self.size(0));
    return atLeastAsLarge(self, sizes);
}

// --- sampling --------------------------------------------------------------------------------------------

Tensor gridSampler(const Tensor& input, const Tensor& grid, std::int64_t, std::int64_t, bool)
{
    std::vector<std::int64_t> sizes{input.size(0), input.size(1)};
    for (std::int64_t d = 1; d + 1 < grid.dim(); ++d)
        sizes.push_back(grid.size(d));
    return at::empty(sizes, input.options());
}

std::tuple<Tensor, Tensor> gridSamplerBackward(const Tensor&, const Tensor& input, const Tensor& grid,
                                               std::int64_t, std::int64_t, bool, std::array<bool, 2> mask)
{
    return {mask[0] ? at::empty_like(input, MemoryFormat::Contiguous) : Tensor(),
            at::empty_like(grid, MemoryFormat::Contiguous)};
}

MemoryFormat shuffledFormat(const Tensor& self)
{
    return followsMetaFunctions() ? MemoryFormat::Contiguous : formatOf(self);
}

Tensor channelShuffle(const Tensor& self, std::int64_t groups)
{
    TORCH_CHECK(self.dim() >= 3 && groups > 0 && self.size(1) % groups == 0, "channel_shuffle: an input ",
                self.sizes(), " cannot be shuffled in ", groups, " groups");
    return at::empty(self.sizes(), self.options(), shuffledFormat(self));
}

// So that its square can be reckoned with.
void checkFactor(const Tensor& self, std::int64_t factor)
{
    TORCH_CHECK(self.dim() >= 3 && factor > 0 && factor <= std::numeric_limits<std::int32_t>::max(),
                "an input ", self.sizes(), " cannot be shuffled by a factor of ", factor);
}

Tensor pixelShuffle(const Tensor& self, std::int64_t factor)
{
    checkFactor(self, factor);
    std::vector<std::int64_t> sizes = self.sizes().vec();
    const std::size_t channels = sizes.size() - 3;
    sizes[channels] /= factor * factor;
    sizes[channels + 1] *= factor;
    sizes[channels + 2] *= factor;
    return at::empty(sizes, self.options(), shuffledFormat(self));
}

Tensor pixelUnshuffle(const Tensor& self, std::int64_t factor)
{
    checkFactor(self, factor);
    std::vector<std::int64_t> sizes = self.sizes().vec();
    const std::size_t channels = sizes.size() - 3;
    sizes[channels] *= factor * factor;
    sizes[channels + 1] /= factor;
    sizes[channels + 2] /= factor;
    return at::empty(sizes, self.options(), formatOf(self));
}

} // namespace

void registerSpatial(torch::Library& library)
{
    implement(library, "reflection_pad2d", &reflectionPad2d);
    implement(library, "reflection_pad2d.out", &reflectionPad2dOut);
    for (const char* name :
         {"reflection_pad2d_backward", "replication_pad2d_backward", "replication_pad3d_backward"})
        implement(library, name, &padBackward);
    implement(library, "im2col", &imageToColumns);
    implement(library, "col2im", &columnsToImage);
    for (const char* name : {"grid_sampler_2d", "grid_sampler_3d"})
        implement(library, name, &gridSampler);
    for (const char* name : {"grid_sampler_2d_backward", "grid_sampler_3d_backward"})
        implement(library, name, &gridSamplerBackward);
    implement(library, "channel_shuffle", &channelShuffle);
    implement(library, "pixel_shuffle", &pixelShuffle);
    implement(library, "pixel_unshuffle", &pixelUnshuffle);
}

} // namespace stagecraft::kernels
