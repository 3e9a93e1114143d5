// LossFunction: a loss that is no output of the model, but a function of one and of the target that step()
// is given.
#pragma once

#include "core/load/loss_output.h"

#include <span>
#include <string>
#include <string_view>

namespace stagecraft {

struct LossFunction
{
    std::string name;       // in torch.nn.functional: "cross_entropy"
    std::size_t output = 0; // what it is fed, among the leaves of what the model returns
    std::string outputName; // of that
};

// `name` is one of torch.nn.functional's that take (output, target) and give the mean of a batch; `output`
// names what it is fed as lossOutput() reads it, and where it is empty that is the only output with
// dimensions that needs a gradient. Fails naming the functions there are, or the outputs to choose from.
Result<LossFunction> lossFunction(const Model& model, const std::string& name, const std::string& output);

// Their names, in the order of the alphabet.
std::span<const std::string_view> lossFunctions();
// Is it one of them?
bool isLossFunction(const std::string& name);

// "loss: cross_entropy of output 'logits' and the target of each step".
std::string lossText(const LossFunction& loss);

} // namespace stagecraft
