#include "core/script/operator_choice.h"

#include "core/base/contains.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <array>
#include <string>
#include <string_view>

namespace stagecraft {

namespace {

std::optional<c10::OperatorHandle> find(const std::string& name, const std::string& overload)
{
    return c10::Dispatcher::singleton().findSchema({name, overload});
}

// Python gives these a tensor made of the number; of the rest it takes none.
constexpr std::array<std::string_view, 11> withNumberAsTensor{
    "aten::add", "aten::add_", "aten::sub",          "aten::sub_",          "aten::mul",        "aten::mul_",
    "aten::div", "aten::div_", "aten::floor_divide", "aten::floor_divide_", "aten::true_divide"};

bool isKnownTensor(const c10::IValue& value)
{
    return value.isTensor() && value.toTensor().defined() && !value.toTensor().is_meta();
}

std::string overloadOf(const c10::FunctionSchema& schema, const std::vector<c10::IValue>& stack)
{
    const std::string& overload = schema.overload_name();
    if (!overload.starts_with("Scalar") || !takesNumberAsTensor(schema) ||
        (!stack.empty() && isKnownTensor(stack.front())))
        return overload;
    const std::string ofTensors = "Tensor" + overload.substr(6);
    if (find(schema.name(), ofTensors))
        return ofTensors;
    return find(schema.name(), "") ? "" : overload;
}

// x.to(device, dtype, non_blocking, copy) in one of TorchScript's own forms.
std::optional<c10::OperatorHandle> conversion(const std::string& overload, std::vector<c10::IValue>& stack)
{
    c10::IValue device, dtype;
    if (overload == "prim_Device") {
        device = stack.at(1);
        dtype = stack.at(2);
    } else if (overload == "prim_dtype")
        dtype = stack.at(1);
    const bool nonBlocking = stack.at(stack.size() - 2).toBool(), copy = stack.back().toBool();
    const c10::IValue self = stack.front();
    if (device.isNone() && !dtype.isNone()) {
        stack = {self, dtype, nonBlocking, copy, c10::IValue()};
        return find("aten::to", "dtype");
    }
    if (dtype.isNone())
        dtype = static_cast<std::int64_t>(self.toTensor().scalar_type());
    if (device.isNone()) {
        stack = {self, dtype, nonBlocking, copy, c10::IValue()};
        return find("aten::to", "dtype");
    }
    stack = {self, device, dtype, nonBlocking, copy, c10::IValue()};
    return find("aten::to", "device");
}

// x.cpu() and x.cuda(), which only TorchScript has as operators.
std::optional<c10::OperatorHandle> move(c10::DeviceType device, std::vector<c10::IValue>& stack)
{
    const c10::IValue self = stack.front();
    const auto dtype = static_cast<std::int64_t>(self.toTensor().scalar_type());
    stack = {self, c10::Device(device), dtype, false, false, c10::IValue()};
    return find("aten::to", "device");
}

// x.index_put_(indices, values) with a list of tensors, where graphs have a list of what may be none.
std::optional<c10::OperatorHandle> indexing(const c10::FunctionSchema& schema,
                                            std::vector<c10::IValue>& stack)
{
    c10::List<std::optional<at::Tensor>> indices;
    for (const at::Tensor& index : stack.at(1).toTensorVector())
        indices.push_back(index);
    stack[1] = indices;
    return find(schema.name(), schema.overload_name().starts_with("Tensor") ? "Tensor" : "");
}

bool isTensorType(const c10::Type& type)
{
    return type.str().find("Tensor") != std::string::npos;
}

} // namespace

std::optional<c10::OperatorHandle> operatorOfGraphs(const c10::FunctionSchema& schema,
                                                    std::vector<c10::IValue>& stack)
{
    if (const auto found = find(schema.name(), overloadOf(schema, stack)))
        return found;
    const std::string& name = schema.name();
    const bool isOfTensor = !stack.empty() && stack.front().isTensor() &&
                            stack.front().toTensor().defined() && stack.front().toTensor().is_meta();
    if (!isOfTensor)
        return std::nullopt;
    if (name == "aten::to")
        return conversion(schema.overload_name(), stack);
    if (name == "aten::cpu" || name == "aten::cuda")
        return move(name == "aten::cpu" ? c10::kCPU : c10::kCUDA, stack);
    if (name == "prim::data")
        return find("aten::detach", "");
    if (schema.overload_name().ends_with("hacked_twin"))
        return indexing(schema, stack);
    if (schema.overload_name() == "a") // properties: x.mT
        return find(name, "");
    if (name == "aten::copy_") { // of a number
        stack.resize(2);
        return find("aten::fill_", stack.back().isTensor() ? "Tensor" : "Scalar");
    }
    return std::nullopt;
}

bool dependsOnTensor(const std::vector<c10::IValue>& arguments)
{
    return std::ranges::any_of(arguments, [](const c10::IValue& value) {
        return value.isTensor() && value.toTensor().defined() && value.toTensor().is_meta();
    });
}

bool areKnownNumbers(const std::vector<c10::IValue>& arguments)
{
    bool hasTensor = false;
    for (const c10::IValue& value : arguments) {
        if (value.isTensor() && value.toTensor().defined()) {
            if (value.toTensor().is_meta() || value.toTensor().numel() > 1)
                return false;
            hasTensor = true;
        } else if (value.isTensorList() || value.isOptionalTensorList())
            return false;
    }
    return hasTensor;
}

bool takesNumberAsTensor(const c10::FunctionSchema& schema)
{
    return contains(withNumberAsTensor, std::string_view(schema.name()));
}

bool givesTensors(const c10::FunctionSchema& schema)
{
    return std::ranges::any_of(schema.returns(),
                               [](const c10::Argument& returned) { return isTensorType(*returned.type()); });
}

bool givesNumber(const c10::FunctionSchema& schema)
{
    return schema.returns().size() == 1 && (schema.returns()[0].type()->kind() == c10::TypeKind::IntType ||
                                            schema.returns()[0].type()->kind() == c10::TypeKind::BoolType ||
                                            schema.returns()[0].type()->kind() == c10::TypeKind::FloatType ||
                                            schema.returns()[0].type()->kind() == c10::TypeKind::NumberType);
}

} // namespace stagecraft
