#include "core/stage/loss_function.h"

#include "core/base/contains.h"
#include "core/base/printable.h"

#include <array>

namespace stagecraft {

namespace {

// stagecraft_runtime/loss.py has the same.
constexpr std::array functions{std::string_view("binary_cross_entropy"),
                               std::string_view("binary_cross_entropy_with_logits"),
                               std::string_view("cross_entropy"),
                               std::string_view("huber_loss"),
                               std::string_view("l1_loss"),
                               std::string_view("mse_loss"),
                               std::string_view("nll_loss"),
                               std::string_view("smooth_l1_loss")};

Error unknownFunction(const std::string& name)
{
    std::string known;
    for (const std::string_view function : functions)
        known += (known.empty() ? "" : ", ") + std::string(function);
    return {ErrorCode::BadUsage, "there is no loss '" + name + "'; choose from " + known +
                                     ", or give build_pipeline() a loss_fn of your own"};
}

// The same value once, though it be returned twice.
std::vector<std::size_t> candidates(const std::vector<ReturnedValue>& returned)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < returned.size(); ++i) {
        const auto isSame = [&](std::size_t other) { return returned[other].value == returned[i].value; };
        if (returned[i].needsGradient && !returned[i].isScalar && std::ranges::none_of(found, isSame))
            found.push_back(i);
    }
    return found;
}

} // namespace

std::span<const std::string_view> lossFunctions()
{
    return functions;
}

bool isLossFunction(const std::string& name)
{
    return contains(functions, std::string_view(name));
}

Result<LossFunction> lossFunction(const Model& model, const std::string& name, const std::string& output)
{
    if (!isLossFunction(name))
        return unknownFunction(name);
    if (!output.empty()) {
        STAGECRAFT_ASSIGN(asked, lossOutput(model, output));
        if (!asked.index)
            return Error{ErrorCode::BadUsage, "--loss " + name + " is fed one output, not the sum of all"};
        return LossFunction{name, *asked.index, asked.returned[*asked.index].name};
    }
    const std::vector<ReturnedValue> returned = returnedValues(model);
    const std::vector<std::size_t> fed = candidates(returned);
    if (fed.empty())
        return Error{ErrorCode::BadUsage, "--loss " + name + ": no output with dimensions needs a gradient"};
    if (fed.size() == 1)
        return LossFunction{name, fed.front(), returned[fed.front()].name};
    std::string names;
    for (const std::size_t index : fed)
        names += (names.empty() ? "'" : " or '") + printable(returned[index].name) + "'";
    return Error{ErrorCode::BadUsage,
                 "--loss " + name + ": which output is it fed, " + names + "? Name it (--loss-output NAME)"};
}

std::string lossText(const LossFunction& loss)
{
    return "loss: " + loss.name + " of output '" + printable(loss.outputName) +
           "' and the target of each step";
}

} // namespace stagecraft
