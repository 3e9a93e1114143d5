#include "torchscript_run.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

namespace stagecraft::testing {

namespace {

std::vector<float> numbersOf(const at::Tensor& tensor)
{
    const at::Tensor flat = tensor.detach().contiguous().to(at::kFloat).reshape({-1});
    return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

} // namespace

ScriptRun runScript(const std::filesystem::path& file, const std::vector<float>& input)
{
    ScriptRun run;
    try {
        torch::jit::Module module = torch::jit::load(file.string());
        const auto& arguments = module.get_method("forward").function().getSchema().arguments();
        for (std::size_t i = 1; i < arguments.size(); ++i)
            run.inputNames.push_back(arguments[i].name());
        for (const auto& parameter : module.named_parameters())
            run.parameterNames.push_back(parameter.name);
        const at::Tensor x = at::tensor(input);
        const at::Tensor y = module.forward({x}).toTensor();
        run.output = numbersOf(y);
        if (!y.requires_grad())
            return run;
        y.sum().backward();
        for (const at::Tensor& parameter : module.parameters())
            if (run.gradient.empty() && parameter.grad().defined())
                run.gradient = numbersOf(parameter.grad());
    } catch (const std::exception& exception) {
        run.error = exception.what();
    }
    return run;
}

} // namespace stagecraft::testing
