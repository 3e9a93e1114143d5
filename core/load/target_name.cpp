#include "core/load/target_name.h"

#include "core/graph/functorch_step.h"

namespace stagecraft {

namespace {
constexpr std::string_view operators = "torch.ops.";
}

std::string targetFromPython(std::string_view python)
{
    const bool isOperator = python.starts_with(operators);
    const std::string_view rest = isOperator ? python.substr(operators.size()) : python;
    // An operator's namespace ends at the first dot, a function's module at the last.
    const std::size_t dot = isOperator ? rest.find('.') : rest.rfind('.');
    if (dot == std::string_view::npos || dot == 0)
        return std::string(python);
    return std::string(rest.substr(0, dot)) + "::" + std::string(rest.substr(dot + 1));
}

OperatorName operatorNameOf(std::string_view target)
{
    const std::size_t colons = target.find("::");
    const std::size_t dot = target.find('.', colons == std::string_view::npos ? 0 : colons);
    if (dot == std::string_view::npos)
        return {target, {}};
    const std::string_view overload = target.substr(dot + 1);
    return {target.substr(0, dot), overload == "default" ? std::string_view() : overload};
}

bool touchesFiles(std::string_view target)
{
    return operatorNameOf(target).name == "aten::from_file";
}

std::string targetToPython(std::string_view target)
{
    const std::size_t colons = target.find("::");
    if (colons == std::string_view::npos)
        return std::string(target);
    const std::string_view space = target.substr(0, colons);
    const bool isFunction = space == "_operator" || space == "operator" || space == "math" ||
                            space == "torch" || space == "builtins" || isFunctorchStep(target);
    return (isFunction ? "" : std::string(operators)) + std::string(space) + "." +
           std::string(target.substr(colons + 2));
}

} // namespace stagecraft
