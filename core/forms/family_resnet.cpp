#include "core/forms/convolutions.h"
#include "core/forms/families.h"
#include "core/forms/family_parameters.h"

#include <array>

namespace stagecraft {

namespace {

constexpr const char* resnetModule = "torchvision.models.resnet.";

// One branch of a block: convolution, norm, and mostly an activation.
struct Branch
{
    std::string number; // of conv and bn
    Convolution convolution;
    bool isActive = true;
};

ValueId resnetBlock(Network& net, ValueId x, const std::string& path, const std::string& className,
                    const std::vector<Branch>& branches, std::int64_t stride)
{
    const Network::Scope scope = net.enter(path, className);
    ValueId made = x;
    for (const Branch& branch : branches) {
        made = convolutionLayer(net, "conv" + branch.number, made, branch.convolution);
        made = batchNormLayer(net, "bn" + branch.number, made);
        if (branch.isActive)
            made = reluInPlace(net, "relu", made);
    }
    ValueId kept = x;
    if (stride != 1 || net.sizes(x)[1] != net.sizes(made)[1]) {
        const Network::Scope inner = net.enter("downsample", "torch.nn.modules.container.Sequential");
        kept = convolutionLayer(net, "0", x,
                                {.channels = net.sizes(made)[1].constant(), .kernel = 1, .stride = stride});
        kept = batchNormLayer(net, "1", kept);
    }
    return reluInPlace(net, "relu", addInPlace(net, made, kept));
}

ValueId basicBlock(Network& net, ValueId x, const std::string& path, std::int64_t width, std::int64_t stride)
{
    return resnetBlock(net, x, path, std::string(resnetModule) + "BasicBlock",
                       {{"1", {.channels = width, .kernel = 3, .stride = stride, .padding = 1}},
                        {"2", {.channels = width, .kernel = 3, .padding = 1}, false}},
                       stride);
}

ValueId bottleneck(Network& net, ValueId x, const std::string& path, std::int64_t width, std::int64_t stride)
{
    return resnetBlock(net, x, path, std::string(resnetModule) + "Bottleneck",
                       {{"1", {.channels = width}},
                        {"2", {.channels = width, .kernel = 3, .stride = stride, .padding = 1}},
                        {"3", {.channels = 4 * width}, false}},
                       stride);
}

void writeResnet(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, std::int64_t{1} << 24);
    const std::int64_t width = values["width"];
    ValueId x = net.input("x", {batch, 3, values["image"], values["image"]}, net.dtype());
    x = convolutionLayer(net, "conv1", x, {.channels = width, .kernel = 7, .stride = 2, .padding = 3});
    x = reluInPlace(net, "relu", batchNormLayer(net, "bn1", x));
    {
        const Network::Scope scope = net.enter("maxpool", "torch.nn.modules.pooling.MaxPool2d");
        x = maxPool(net, x, 3, 2, 1);
    }
    for (std::int64_t stage = 0; stage < 4; ++stage) {
        const std::string path = "layer" + std::to_string(stage + 1);
        const Network::Scope scope = net.enter(path, "torch.nn.modules.container.Sequential");
        const std::int64_t blocks = values["blocks-" + std::to_string(stage + 1)];
        for (std::int64_t i = 0; i < blocks; ++i) {
            const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1;
            const std::int64_t channels = width << stage;
            x = values["block"] == 1 ? bottleneck(net, x, std::to_string(i), channels, stride)
                                     : basicBlock(net, x, std::to_string(i), channels, stride);
        }
    }
    const ValueId flat = flatten(net, globalAverage(net, "avgpool", x), 1);
    net.output(linearLayer(net, "fc", flat, values["classes"], HasBias::Yes));
}

FormPreset resnetPreset(const std::string& name, std::int64_t block,
                        const std::array<std::int64_t, 4>& blocks, std::int64_t parameters)
{
    return {"resnet" + name,
            "ResNet-" + name,
            {{"block", block},
             {"blocks-1", blocks[0]},
             {"blocks-2", blocks[1]},
             {"blocks-3", blocks[2]},
             {"blocks-4", blocks[3]}},
            parameters,
            "documentation of torchvision"};
}

} // namespace

FormFamily resnetFamily()
{
    return {.name = "resnet",
            .title = "ResNet",
            .group = "Vision",
            .summary = "ResNet: residual blocks of convolutions with batch norms",
            .rootClass = std::string(resnetModule) + "ResNet",
            .parameters = {countParameter("blocks-1", "Blocks of stage 1", 3, 1, 1000),
                           countParameter("blocks-2", "Blocks of stage 2", 4, 1, 1000),
                           countParameter("blocks-3", "Blocks of stage 3", 6, 1, 1000),
                           countParameter("blocks-4", "Blocks of stage 4", 3, 1, 1000),
                           choiceParameter("block", "Block", {"basic", "bottleneck"}, 1),
                           countParameter("width", "Channels of stage 1", 64, 1, 1 << 16),
                           countParameter("classes", "Classes", 1000),
                           {"image", "Image", "pixels", 32, 1 << 14, 224, {}},
                           batchParameter(32),
                           dtypeParameter(UsualType::F32)},
            .presets = {resnetPreset("50", 1, {3, 4, 6, 3}, 25557032),
                        resnetPreset("18", 0, {2, 2, 2, 2}, 11689512),
                        resnetPreset("34", 0, {3, 4, 6, 3}, 21797672),
                        resnetPreset("101", 1, {3, 4, 23, 3}, 44549160),
                        resnetPreset("152", 1, {3, 8, 36, 3}, 60192808)},
            .check = {},
            .write = writeResnet};
}

} // namespace stagecraft
