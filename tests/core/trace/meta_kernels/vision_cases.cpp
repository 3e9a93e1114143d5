// Pooling, padding, resampling, unfolding.
#include <torch/torch.h>

#include "meta_kernels/tensor_source.h"

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

MetaKernelCase ofImage(const char* name, Tensor (*function)(const Tensor&, TensorSource&))
{
    return {name, [function](TensorSource& s) {
                const Tensor x = s.tensor({s.number(1, 3), 4, s.number(6, 9), s.number(6, 8)});
                return Tensors{function(x, s)};
            }};
}

// LibTorch's own Meta kernels of these forget channels-last, so they are tested row-major.
MetaKernelCase ofRowMajor(const char* name, std::vector<std::int64_t> sizes,
                          Tensor (*function)(const Tensor&, TensorSource&))
{
    return {name, [=](TensorSource& s) { return Tensors{function(s.weight(sizes), s)}; }};
}

MetaKernelCase ofVolume(const char* name, Tensor (*function)(const Tensor&, TensorSource&))
{
    return {name, [function](TensorSource& s) {
                const Tensor x = s.tensor({s.number(1, 3), 3, s.number(4, 5), s.number(4, 6), 5});
                return Tensors{function(x, s)};
            }};
}

void addPooling(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(ofImage("adaptive_avg_pool2d", [](const Tensor& x, TensorSource& s) {
        return at::adaptive_avg_pool2d(x, {s.number(1, 3), 2});
    }));
    cases.push_back(ofImage("adaptive_avg_pool2d to one", [](const Tensor& x, TensorSource&) {
        return at::adaptive_avg_pool2d(x, {1, 1});
    }));
    cases.push_back(ofImage("adaptive_max_pool2d", [](const Tensor& x, TensorSource& s) {
        return std::get<0>(at::adaptive_max_pool2d(x, {s.number(1, 3), 2}));
    }));
    cases.push_back(ofVolume("adaptive_avg_pool3d", [](const Tensor& x, TensorSource& s) {
        return at::adaptive_avg_pool3d(x, {s.number(1, 3), 2, 2});
    }));
    cases.push_back(ofImage("max_pool2d", [](const Tensor& x, TensorSource& s) {
        return at::max_pool2d(x, 3, s.number(1, 2), 1, 1, s.coin());
    }));
    cases.push_back(ofVolume("max_pool3d", [](const Tensor& x, TensorSource& s) {
        return at::max_pool3d(x, 2, s.number(1, 3), s.number(0, 1), 1, s.coin());
    }));
    cases.push_back(ofImage("avg_pool2d", [](const Tensor& x, TensorSource& s) {
        return at::avg_pool2d(x, 3, s.number(1, 2), 1, s.coin());
    }));
    cases.push_back(ofVolume("avg_pool3d", [](const Tensor& x, TensorSource& s) {
        return at::avg_pool3d(x, 2, s.number(1, 3), s.number(0, 1), s.coin());
    }));
    cases.push_back({"max_pool1d", [](TensorSource& s) {
                         return Tensors{at::max_pool1d(s.tensor({2, 3, 8}), 3, s.number(1, 2))};
                     }});
    cases.push_back(ofImage("max_unpool2d", [](const Tensor& x, TensorSource& s) {
        return at::max_unpool2d(x, s.indices(x.sizes().vec(), 16 * 16), {16, 16});
    }));
}

void addPadding(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(ofImage("constant pad", [](const Tensor& x, TensorSource& s) {
        return at::constant_pad_nd(x, {s.number(0, 2), 1, 2, 0});
    }));
    cases.push_back(ofImage("reflection_pad2d", [](const Tensor& x, TensorSource& s) {
        return at::reflection_pad2d(x, {s.number(0, 2), 1, 2, 0});
    }));
    cases.push_back(ofRowMajor("replication_pad2d", {2, 3, 5, 6}, [](const Tensor& x, TensorSource& s) {
        return at::replication_pad2d(x, {s.number(0, 2), 1, 2, 0});
    }));
    cases.push_back(ofRowMajor("replication_pad3d", {2, 3, 4, 5, 6}, [](const Tensor& x, TensorSource& s) {
        return at::replication_pad3d(x, {s.number(0, 2), 1, 2, 0, 1, 1});
    }));
    cases.push_back(ofRowMajor("reflection_pad3d", {2, 3, 4, 5, 6}, [](const Tensor& x, TensorSource& s) {
        return at::reflection_pad3d(x, {s.number(0, 2), 1, 2, 0, 1, 1});
    }));
    cases.push_back({"reflection_pad1d", [](TensorSource& s) {
                         return Tensors{at::reflection_pad1d(s.tensor({2, 3, 8}), {1, s.number(0, 2)})};
                     }});
}

void addResampling(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(ofImage("upsample_nearest2d", [](const Tensor& x, TensorSource&) {
        return at::upsample_nearest2d(x, {12, 16});
    }));
    cases.push_back(ofImage("upsample_bilinear2d", [](const Tensor& x, TensorSource& s) {
        return at::upsample_bilinear2d(x, {12, 16}, s.coin());
    }));
    cases.push_back(ofImage("upsample_bicubic2d", [](const Tensor& x, TensorSource& s) {
        return at::upsample_bicubic2d(x, {12, 16}, s.coin());
    }));
    cases.push_back(ofVolume("upsample_trilinear3d", [](const Tensor& x, TensorSource& s) {
        return at::upsample_trilinear3d(x, {8, 8, 8}, s.coin());
    }));
    cases.push_back({"grid_sampler_2d", [](TensorSource& s) {
                         const std::int64_t batch = s.number(1, 2);
                         return Tensors{at::grid_sampler(s.tensor({batch, 3, 5, 6}),
                                                         s.tensor({batch, 4, 4, 2}), 0, s.number(0, 1),
                                                         s.coin())};
                     }});
    cases.push_back({"grid_sampler_3d", [](TensorSource& s) {
                         return Tensors{at::grid_sampler(s.tensor({1, 3, 5, 6, 4}), s.tensor({1, 4, 4, 3, 3}),
                                                         0, s.number(0, 1), s.coin())};
                     }});
    cases.push_back(ofImage("im2col", [](const Tensor& x, TensorSource& s) {
        return at::im2col(x, {3, 2}, {1, 1}, {s.number(0, 1), 0}, {s.number(1, 2), 1});
    }));
    cases.push_back({"col2im", [](TensorSource& s) {
                         return Tensors{at::col2im(s.tensor({s.number(1, 3), 3 * 4, 16}), {5, 5}, {2, 2},
                                                   {1, 1}, {0, 0}, {1, 1})};
                     }});
    cases.push_back(
        ofImage("pixel_shuffle", [](const Tensor& x, TensorSource&) { return at::pixel_shuffle(x, 2); }));
    cases.push_back(
        ofImage("channel_shuffle", [](const Tensor& x, TensorSource&) { return at::channel_shuffle(x, 2); }));
    cases.push_back(
        {"affine_grid", [](TensorSource& s) {
             return Tensors{at::affine_grid_generator(s.tensor({2, 2, 3}), {2, 3, 4, 5}, s.coin())};
         }});
}

} // namespace

std::vector<MetaKernelCase> visionCases()
{
    std::vector<MetaKernelCase> cases;
    addPooling(cases);
    addPadding(cases);
    addResampling(cases);
    return cases;
}

} // namespace stagecraft::test
