#include "core/forms/convolutions.h"

#include "core/forms/tensor_shapes.h"

#include <cmath>

namespace stagecraft {

namespace {

Argument pair(std::int64_t number)
{
    return IntListArgument{{number, number}};
}

std::int64_t resultSize(const SymInt& size, std::int64_t kernel, std::int64_t stride, std::int64_t padding)
{
    return (size.constant() + 2 * padding - kernel) / stride + 1;
}

// Does it lie in memory with its channels last? As LibTorch tells it by sizes and strides.
bool isChannelsLast(const TensorMeta& of)
{
    std::int64_t least = 0;
    for (const std::size_t i : {1, 3, 2, 0}) {
        const std::int64_t stride = exampleSize(of.strides[i]);
        const std::int64_t size = exampleSize(of.sizes[i]);
        if (stride == 0 || stride < least || (i == 0 && least == exampleSize(of.strides[1])))
            return false;
        least = size > 1 ? stride * size : stride;
    }
    return true;
}

// Channels last where they were, as convolutions and poolings keep them.
TensorMeta resultMeta(const Network& net, ValueId x, const SymInt& channels, std::int64_t kernel,
                      std::int64_t stride, std::int64_t padding)
{
    const Sizes& sizes = net.sizes(x);
    const SymInt height = resultSize(sizes[2], kernel, stride, padding);
    const SymInt width = resultSize(sizes[3], kernel, stride, padding);
    if (isChannelsLast(net.meta(x)))
        return permuteMeta(contiguousMeta(net.meta(x).dtype, {sizes[0], height, width, channels}),
                           {0, 3, 1, 2});
    return contiguousMeta(net.meta(x).dtype, {sizes[0], channels, height, width});
}

} // namespace

ValueId convolutionLayer(Network& net, const std::string& path, ValueId x, const Convolution& shape)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.conv.Conv2d");
    const std::int64_t from = net.sizes(x)[1].constant() / shape.groups;
    const double deviation = 1 / std::sqrt(static_cast<double>(from * shape.kernel * shape.kernel));
    const ValueId weight = net.parameter("weight", {shape.channels, from, shape.kernel, shape.kernel},
                                         InitialValues::normal(deviation));
    Network::Arguments arguments{{"input", x}, {"weight", weight}};
    const bool hasBias = shape.bias == HasBias::Yes;
    const bool isPlain = shape.stride == 1 && shape.padding == 0 && shape.groups == 1;
    if (hasBias)
        arguments.emplace_back("bias", net.parameter("bias", {shape.channels}));
    else if (!isPlain)
        arguments.emplace_back("bias", NoneArgument{});
    if (!isPlain) {
        arguments.emplace_back("stride", pair(shape.stride));
        arguments.emplace_back("padding", pair(shape.padding));
    }
    if (shape.groups > 1) {
        arguments.emplace_back("dilation", pair(1));
        arguments.emplace_back("groups", shape.groups);
    }
    return net.op("conv2d", arguments,
                  resultMeta(net, x, shape.channels, shape.kernel, shape.stride, shape.padding));
}

ValueId groupNormLayer(Network& net, const std::string& path, ValueId x, std::int64_t groups, double epsilon)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.normalization.GroupNorm");
    const SymInt width = net.sizes(x)[1];
    const ValueId weight = net.parameter("weight", {width}, InitialValues::constant(1));
    const ValueId bias = net.parameter("bias", {width}, InitialValues::normal(0.02));
    return net.op(
        "group_norm",
        {{"input", x}, {"num_groups", groups}, {"weight", weight}, {"bias", bias}, {"eps", epsilon}},
        contiguousMeta(net.meta(x).dtype, net.sizes(x)));
}

ValueId batchNormLayer(Network& net, const std::string& path, ValueId x)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.batchnorm.BatchNorm2d");
    const SymInt width = net.sizes(x)[1];
    const ValueId weight = net.parameter("weight", {width}, InitialValues::constant(1));
    const ValueId bias = net.parameter("bias", {width}, InitialValues::constant(0));
    const ValueId means = net.buffer("running_mean", {width}, InitialValues::constant(0), net.dtype(), true);
    const ValueId variances =
        net.buffer("running_var", {width}, InitialValues::constant(1), net.dtype(), true);
    const ValueId batches =
        net.buffer("num_batches_tracked", {}, InitialValues::constant(0), DType::I64, true);
    net.op("add_.Tensor", {{"self", batches}, {"other", std::int64_t{1}}}, net.meta(batches));
    return net.op("batch_norm",
                  {{"input", x},
                   {"weight", weight},
                   {"bias", bias},
                   {"running_mean", means},
                   {"running_var", variances},
                   {"training", true},
                   {"momentum", 0.1},
                   {"eps", 1e-5},
                   {"cudnn_enabled", true}},
                  contiguousMeta(net.meta(x).dtype, net.sizes(x)));
}

ValueId reluInPlace(Network& net, const std::string& path, ValueId x)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.activation.ReLU");
    return net.op("relu_", {{"self", x}}, net.meta(x));
}

ValueId addInPlace(Network& net, ValueId x, ValueId y)
{
    return net.op("add_.Tensor", {{"self", x}, {"other", y}}, net.meta(x));
}

ValueId maxPool(Network& net, ValueId x, std::int64_t kernel, std::int64_t stride, std::int64_t padding)
{
    return net.op(
        "max_pool2d",
        {{"self", x}, {"kernel_size", pair(kernel)}, {"stride", pair(stride)}, {"padding", pair(padding)}},
        resultMeta(net, x, net.sizes(x)[1], kernel, stride, padding));
}

ValueId upsampleNearest(Network& net, ValueId x)
{
    const Sizes& sizes = net.sizes(x);
    return net.op(
        "upsample_nearest2d.vec",
        {{"input", x}, {"output_size", NoneArgument{}}, {"scale_factors", std::vector<double>{2.0, 2.0}}},
        contiguousMeta(net.meta(x).dtype,
                       {sizes[0], sizes[1], product({sizes[2], 2}), product({sizes[3], 2})}));
}

ValueId globalAverage(Network& net, const std::string& path, ValueId x)
{
    const Network::Scope scope = net.enter(path, "torch.nn.modules.pooling.AdaptiveAvgPool2d");
    return net.op("adaptive_avg_pool2d", {{"self", x}, {"output_size", pair(1)}},
                  contiguousMeta(net.meta(x).dtype, {net.sizes(x)[0], net.sizes(x)[1], 1, 1}));
}

} // namespace stagecraft
