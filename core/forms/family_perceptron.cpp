#include "core/forms/families.h"
#include "core/forms/family_parameters.h"
#include "core/forms/layers.h"

namespace stagecraft {

namespace {

void writePerceptron(Network& net, const FormValues& values)
{
    const SymInt batch = net.symbol("batch", values["batch"], 1, std::int64_t{1} << 24);
    ValueId x = net.input("x", {batch, values["inputs"]}, net.dtype());
    const std::int64_t layers = values["layers"];
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool isLast = i + 1 == layers;
        const std::string place = std::to_string(2 * i);
        x = linearLayer(net, place, x, values[isLast ? "outputs" : "width"], HasBias::Yes);
        if (!isLast)
            x = activationLayer(net, std::to_string(2 * i + 1), "torch.nn.modules.activation.ReLU", x,
                                Activation::Relu);
    }
    net.output(x);
}

} // namespace

FormFamily perceptronFamily()
{
    return {.name = "mlp",
            .title = "Multilayer perceptron",
            .group = "Other",
            .summary = "Linear layers with ReLU between them, as torch.nn.Sequential",
            .rootClass = "torch.nn.modules.container.Sequential",
            .parameters = {countParameter("layers", "Layers", 3, 1, 10000),
                           countParameter("inputs", "Inputs", 784), countParameter("width", "Width", 1024),
                           countParameter("outputs", "Outputs", 10), batchParameter(128),
                           dtypeParameter(UsualType::F32)},
            .presets = {{"mlp-mnist", "Perceptron for MNIST", {}, 1863690, "784 x 1024 x 1024 x 10"}},
            .check = {},
            .write = writePerceptron};
}

} // namespace stagecraft
