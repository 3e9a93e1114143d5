#include "core/run/node_action.h"
#include "core/run/torch_types.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

namespace stagecraft {

namespace {

enum class Wanted : std::uint8_t { Tensor, Int, Float, Bool, Number, String, Device, Other };

// What a schema asks for.
struct Slot
{
    Wanted wanted = Wanted::Other;
    bool optional = false;
    bool list = false;
    bool optionalElements = false;
    std::int64_t listLength = 1; // of int[2] given one number
    c10::Device device;
};

Wanted wantedKind(const c10::Type& type)
{
    switch (type.kind()) {
    case c10::TypeKind::TensorType:
        return Wanted::Tensor;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
        return Wanted::Int;
    case c10::TypeKind::FloatType:
    case c10::TypeKind::SymFloatType:
        return Wanted::Float;
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
        return Wanted::Bool;
    case c10::TypeKind::NumberType:
        return Wanted::Number;
    case c10::TypeKind::StringType:
        return Wanted::String;
    case c10::TypeKind::DeviceObjType:
        return Wanted::Device;
    default:
        return Wanted::Other;
    }
}

Slot slotOf(const c10::Argument& asked, RunDevice device)
{
    Slot slot{.device = device == RunDevice::Cpu ? c10::kCPU : c10::kMeta};
    c10::TypePtr type = asked.type();
    if (const auto optional = type->cast<c10::OptionalType>()) {
        slot.optional = true;
        type = optional->getElementType();
    }
    if (const auto list = type->cast<c10::ListType>()) {
        slot.list = true;
        slot.listLength = asked.N().value_or(1);
        type = list->getElementType();
        if (const auto optional = type->cast<c10::OptionalType>()) {
            slot.optionalElements = true;
            type = optional->getElementType();
        }
    }
    slot.wanted = wantedKind(*type);
    return slot;
}

c10::IValue noneFor(const Slot& slot)
{
    return slot.wanted == Wanted::Tensor && !slot.optional && !slot.list ? c10::IValue(at::Tensor())
                                                                         : c10::IValue();
}

// A number where `slot` wants one thing, not a list.
c10::IValue elementFrom(const Slot& slot, const c10::Scalar& number)
{
    switch (slot.wanted) {
    case Wanted::Tensor:
        return at::native::wrapped_scalar_tensor(number);
    case Wanted::Int:
        return number.toLong();
    case Wanted::Float:
        return number.toDouble();
    case Wanted::Bool:
        return number.toBool();
    default:
        return number;
    }
}

template <class T>
c10::IValue listOf(const std::vector<c10::Scalar>& numbers, T (c10::Scalar::*convert)() const)
{
    c10::List<T> list;
    for (const c10::Scalar& number : numbers)
        list.push_back((number.*convert)());
    return list;
}

c10::IValue listFrom(const Slot& slot, const std::vector<c10::Scalar>& numbers)
{
    switch (slot.wanted) {
    case Wanted::Int:
        return listOf(numbers, &c10::Scalar::toLong);
    case Wanted::Float:
        return listOf(numbers, &c10::Scalar::toDouble);
    case Wanted::Bool:
        return listOf(numbers, &c10::Scalar::toBool);
    case Wanted::Number: {
        c10::List<c10::Scalar> list;
        for (const c10::Scalar& number : numbers)
            list.push_back(number);
        return list;
    }
    case Wanted::Tensor: {
        // An empty list does not say of what it is a list.
        if (slot.optionalElements) {
            c10::List<std::optional<at::Tensor>> list;
            for (const c10::Scalar& number : numbers)
                list.push_back(at::native::wrapped_scalar_tensor(number));
            return list;
        }
        c10::List<at::Tensor> list;
        for (const c10::Scalar& number : numbers)
            list.push_back(at::native::wrapped_scalar_tensor(number));
        return list;
    }
    case Wanted::String:
        return c10::List<std::string>();
    default:
        TORCH_CHECK(false, "a list of numbers was given");
    }
}

c10::IValue fromNumber(const Slot& slot, const c10::Scalar& number)
{
    if (!slot.list)
        return elementFrom(slot, number);
    return listFrom(slot, std::vector<c10::Scalar>(static_cast<std::size_t>(slot.listLength), number));
}

c10::IValue fromTensors(const Slot& slot, const std::vector<at::Tensor>& tensors)
{
    if (!slot.list) {
        TORCH_CHECK(tensors.size() == 1, "one tensor is needed, ", tensors.size(), " were given");
        return tensors.front();
    }
    if (slot.optionalElements) {
        c10::List<std::optional<at::Tensor>> list;
        for (const at::Tensor& tensor : tensors)
            list.push_back(tensor.defined() ? std::optional(tensor) : std::nullopt);
        return list;
    }
    return c10::List<at::Tensor>(tensors);
}

// What a value of the graph holds, where `slot` wants something.
c10::IValue fromValue(const Slot& slot, const c10::IValue& value)
{
    if (value.isTensor()) {
        if (slot.wanted == Wanted::Tensor)
            return slot.list ? fromTensors(slot, {value.toTensor()}) : value;
        if (slot.wanted != Wanted::Other)
            return fromNumber(slot, value.toTensor().item());
    }
    if (value.isScalar())
        return fromNumber(slot, value.toScalar());
    TORCH_CHECK(!value.isNone() || slot.optional, "an operand is missing");
    return value;
}

at::Tensor tensorOperand(const ValueTable& values, const std::optional<ValueId>& id)
{
    if (!id)
        return {};
    const c10::IValue& value = values[*id];
    return value.isScalar() ? at::native::wrapped_scalar_tensor(value.toScalar()) : value.toTensor();
}

c10::Scalar numberOperand(const ValueTable& values, const IntOrValue& element)
{
    if (const auto* number = std::get_if<std::int64_t>(&element))
        return *number;
    const c10::IValue& value = values[std::get<ValueId>(element)];
    return value.isTensor() ? value.toTensor().item() : value.toScalar();
}

// One literal or operand of the file at a time; prepareArgument says what becomes of it.
struct SourceMaker
{
    Slot slot;

    static ArgumentSource always(c10::IValue value)
    {
        return [value = std::move(value)](const ValueTable&) { return value; };
    }

    template <class T>
    ArgumentSource numbers(const std::vector<T>& literals) const
    {
        return always(listFrom(slot, std::vector<c10::Scalar>(literals.begin(), literals.end())));
    }

    ArgumentSource operator()(NoneArgument) const { return always(noneFor(slot)); }
    ArgumentSource operator()(ValueId id) const
    {
        return [slot = slot, id](const ValueTable& values) { return fromValue(slot, values[id]); };
    }
    ArgumentSource operator()(const TensorListArgument& list) const
    {
        return [slot = slot, ids = list.elements](const ValueTable& values) {
            std::vector<at::Tensor> tensors;
            tensors.reserve(ids.size());
            for (const std::optional<ValueId>& id : ids)
                tensors.push_back(tensorOperand(values, id));
            return fromTensors(slot, tensors);
        };
    }
    ArgumentSource operator()(const IntListArgument& list) const
    {
        auto make = [slot = slot, elements = list.elements](const ValueTable& values) {
            std::vector<c10::Scalar> numbers;
            numbers.reserve(elements.size());
            for (const IntOrValue& element : elements)
                numbers.push_back(numberOperand(values, element));
            return listFrom(slot, numbers);
        };
        for (const IntOrValue& element : list.elements)
            if (std::holds_alternative<ValueId>(element))
                return make;
        return numbers([&] {
            std::vector<std::int64_t> literals;
            for (const IntOrValue& element : list.elements)
                literals.push_back(std::get<std::int64_t>(element));
            return literals;
        }());
    }
    ArgumentSource operator()(std::int64_t number) const { return always(fromNumber(slot, number)); }
    ArgumentSource operator()(double number) const { return always(fromNumber(slot, number)); }
    ArgumentSource operator()(bool number) const { return always(fromNumber(slot, number)); }
    ArgumentSource operator()(std::complex<double> number) const
    {
        return always(fromNumber(slot, c10::complex<double>(number)));
    }
    ArgumentSource operator()(const std::vector<double>& literals) const { return numbers(literals); }
    ArgumentSource operator()(const std::vector<bool>& literals) const { return numbers(literals); }
    ArgumentSource operator()(const std::string& text) const
    {
        return always(slot.wanted == Wanted::Device ? c10::IValue(slot.device) : c10::IValue(text));
    }
    ArgumentSource operator()(const std::vector<std::string>& texts) const { return always(texts); }
    ArgumentSource operator()(DType dtype) const { return always(std::int64_t{scalarTypeNumber(dtype)}); }
    ArgumentSource operator()(MemoryFormat format) const
    {
        return always(std::int64_t{memoryFormatNumber(format)});
    }
    ArgumentSource operator()(TensorLayout layout) const
    {
        return always(std::int64_t{layoutNumber(layout)});
    }
    ArgumentSource operator()(const Device&) const { return always(slot.device); }

    ArgumentSource unreadable(const char* what) const { TORCH_CHECK(false, what, " was given"); }
    ArgumentSource operator()(SubgraphId) const { return unreadable("a graph"); }
    ArgumentSource operator()(const OperatorArgument&) const { return unreadable("an operator"); }
    ArgumentSource operator()(const RawArgument&) const { return unreadable("something of an unknown kind"); }
};

} // namespace

Result<ArgumentSource> prepareArgument(const c10::Argument& asked, const Argument& given, RunDevice device)
{
    // Memory that a CUDA device can read directly: there is none here.
    if (asked.name() == "pin_memory")
        return SourceMaker::always(c10::IValue());
    try {
        const Slot slot = slotOf(asked, device);
        if (slot.wanted == Wanted::Device && device == RunDevice::Meta)
            return SourceMaker::always(slot.device);
        return std::visit(SourceMaker{slot}, given);
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Unsupported, "argument '" + asked.name() + "' should be " +
                                                 asked.type()->str() + ": " + exceptionReason(exception)};
    }
}

Result<ArgumentSource> prepareDefault(const c10::Argument& asked, RunDevice device)
{
    const Slot slot = slotOf(asked, device);
    if (slot.wanted == Wanted::Device && device == RunDevice::Meta)
        return SourceMaker::always(slot.device);
    if (asked.default_value())
        return SourceMaker::always(*asked.default_value());
    if (slot.optional)
        return SourceMaker::always(c10::IValue());
    return Error{ErrorCode::BadFormat, "argument '" + asked.name() + "' is missing"};
}

} // namespace stagecraft
