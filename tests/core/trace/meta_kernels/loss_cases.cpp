// Losses, activations, fused optimizers.
#include <torch/torch.h>

#include "meta_kernels/tensor_source.h"

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

using Activation = Tensor (*)(const Tensor&);

MetaKernelCase activation(const char* name, Activation function)
{
    return {name, [function](TensorSource& s) {
                return Tensors{function(s.tensor({s.batch(), s.number(1, 3) * 2, s.number(1, 4), 4}))};
            }};
}

void addActivations(std::vector<MetaKernelCase>& cases)
{
    cases.push_back(activation("relu", [](const Tensor& x) { return at::relu(x); }));
    cases.push_back(activation("relu_", [](const Tensor& x) {
        Tensor y = x * 2;
        return y.relu_();
    }));
    cases.push_back(activation("relu6", [](const Tensor& x) { return at::relu6(x); }));
    cases.push_back(activation("hardtanh", [](const Tensor& x) { return at::hardtanh(x); }));
    cases.push_back(activation("hardtanh_", [](const Tensor& x) {
        Tensor y = x * 2;
        return y.add_(1), at::hardtanh_(y, 0, 6);
    }));
    cases.push_back(activation("hardswish", [](const Tensor& x) { return at::hardswish(x); }));
    cases.push_back(activation("hardswish_", [](const Tensor& x) {
        Tensor y = x * 2;
        return at::hardswish_(y);
    }));
    cases.push_back(activation("hardsigmoid", [](const Tensor& x) { return at::hardsigmoid(x); }));
    cases.push_back(activation("log_sigmoid", [](const Tensor& x) { return at::log_sigmoid(x); }));
    cases.push_back(activation("gelu", [](const Tensor& x) { return at::gelu(x, "tanh"); }));
    cases.push_back(activation("silu", [](const Tensor& x) { return at::silu(x); }));
    cases.push_back(activation("mish", [](const Tensor& x) { return at::mish(x); }));
    cases.push_back(activation("elu", [](const Tensor& x) { return at::elu(x); }));
    cases.push_back(activation("celu", [](const Tensor& x) { return at::celu(x); }));
    cases.push_back(activation("selu", [](const Tensor& x) { return at::selu(x); }));
    cases.push_back(activation("softplus", [](const Tensor& x) { return at::softplus(x); }));
    cases.push_back(activation("softshrink", [](const Tensor& x) { return at::softshrink(x); }));
    cases.push_back(activation("hardshrink", [](const Tensor& x) { return at::hardshrink(x); }));
    cases.push_back(activation("leaky_relu", [](const Tensor& x) { return at::leaky_relu(x, 0.2); }));
    cases.push_back(activation("rrelu", [](const Tensor& x) { return at::rrelu(x, 0.1, 0.3, true); }));
    cases.push_back(activation("glu", [](const Tensor& x) { return at::glu(x, 1); }));
    cases.push_back({"prelu", [](TensorSource& s) {
                         const Tensor x = s.tensor({s.batch(), 4, s.number(1, 4), 3});
                         return Tensors{at::prelu(x, s.weight({s.coin() ? 4 : 1}))};
                     }});
}

using Loss = Tensor (*)(const Tensor&, const Tensor&, std::int64_t);

MetaKernelCase loss(const char* name, Loss function)
{
    return {name, [function](TensorSource& s) {
                const std::vector<std::int64_t> sizes{s.number(1, 3), 3, s.number(1, 4), 2};
                const Tensor x = s.tensor(sizes),
                             target = s.coin() ? s.tensor(sizes) : s.probabilities(sizes);
                return Tensors{function(x, target, s.number(0, 2))};
            }};
}

Tensors binaryCrossEntropy(TensorSource& s)
{
    const std::vector<std::int64_t> sizes{s.number(1, 3), 4};
    const Tensor x = at::sigmoid(s.tensor(sizes));
    return {at::binary_cross_entropy(x, s.probabilities(sizes), {}, s.number(0, 2))};
}

Tensors crossEntropyOfImages(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 3), classes = 5;
    const Tensor x = s.tensor({batch, classes, 3, s.number(1, 4)});
    return {at::cross_entropy_loss(x, s.indices({batch, 3, x.size(3)}, classes), {}, s.number(0, 2))};
}

Tensors crossEntropy(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 4);
    return {at::cross_entropy_loss(s.tensor({batch, 5}), s.indices({batch}, 5), {}, s.number(0, 2), -100,
                                   s.coin() ? 0.1 : 0.0)};
}

Tensors multiMargin(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 4);
    return {at::multi_margin_loss(s.tensor({batch, 5}), s.indices({batch}, 5), 1, 1, {}, s.number(0, 2))};
}

Tensors multilabelMargin(TensorSource& s)
{
    const std::int64_t batch = s.number(1, 4);
    return {at::multilabel_margin_loss(s.tensor({batch, 5}), s.indices({batch, 5}, 5), s.number(0, 2))};
}

Tensors fusedAdam(TensorSource& s)
{
    const std::vector<std::int64_t> sizes{3, 4};
    const auto list = [&] { return Tensors{s.plain(sizes, at::kFloat)}; };
    Tensors parameters = list(), grads = list(), first = list(), second = list(),
            steps{s.plain({}, at::kFloat)};
    at::_fused_adamw_(parameters, grads, first, second, {}, steps, 1e-3, 0.9, 0.999, 0.01, 1e-8, false,
                      false);
    return parameters;
}

} // namespace

std::vector<MetaKernelCase> lossCases()
{
    std::vector<MetaKernelCase> cases;
    addActivations(cases);
    cases.push_back(loss(
        "mse_loss", [](const Tensor& x, const Tensor& y, std::int64_t r) { return at::mse_loss(x, y, r); }));
    cases.push_back(loss(
        "l1_loss", [](const Tensor& x, const Tensor& y, std::int64_t r) { return at::l1_loss(x, y, r); }));
    cases.push_back(loss("smooth_l1_loss", [](const Tensor& x, const Tensor& y, std::int64_t r) {
        return at::smooth_l1_loss(x, y, r);
    }));
    cases.push_back(loss("huber_loss", [](const Tensor& x, const Tensor& y, std::int64_t r) {
        return at::huber_loss(x, y, r);
    }));
    cases.push_back(loss("soft_margin_loss", [](const Tensor& x, const Tensor& y, std::int64_t r) {
        return at::soft_margin_loss(x, y, r);
    }));
    cases.push_back(
        loss("kl_div", [](const Tensor& x, const Tensor& y, std::int64_t r) { return at::kl_div(x, y, r); }));
    cases.push_back(loss("bce_with_logits", [](const Tensor& x, const Tensor& y, std::int64_t r) {
        return at::binary_cross_entropy_with_logits(x, y, {}, {}, r);
    }));
    cases.push_back(loss("poisson_nll_loss", [](const Tensor& x, const Tensor& y, std::int64_t r) {
        return at::poisson_nll_loss(x, y, true, false, 1e-8, r);
    }));
    cases.push_back({"binary_cross_entropy", binaryCrossEntropy});
    cases.push_back({"cross_entropy", crossEntropy});
    cases.push_back({"cross_entropy of images", crossEntropyOfImages});
    cases.push_back({"multi_margin_loss", multiMargin});
    cases.push_back({"multilabel_margin_loss", multilabelMargin});
    cases.push_back({"_fused_adamw_", fusedAdam});
    return cases;
}

} // namespace stagecraft::test
