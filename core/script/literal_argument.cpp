#include "core/script/literal_argument.h"

#include "core/run/torch_types.h"

#include <ATen/core/ivalue.h>

#include <algorithm>

namespace stagecraft {

namespace {

template <class Enum>
Argument named(std::int64_t number, std::int8_t (*numberOf)(Enum), Enum last)
{
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (numberOf(static_cast<Enum>(i)) == number)
            return static_cast<Enum>(i);
    TORCH_CHECK(false, number, " is no layout or memory format that is known");
}

Argument elementType(std::int64_t number)
{
    const std::optional<DType> dtype = dtypeOfNumber(static_cast<std::int8_t>(number));
    TORCH_CHECK(dtype && number >= 0 && number < 64, number, " is no element type that is known");
    return *dtype;
}

Argument numberArgument(std::int64_t number, const std::string& type)
{
    if (type.find("ScalarType") != type.npos)
        return elementType(number);
    if (type.find("MemoryFormat") != type.npos)
        return named(number, &memoryFormatNumber, MemoryFormat::Preserve);
    if (type.find("Layout") != type.npos)
        return named(number, &layoutNumber, TensorLayout::Mkldnn);
    return number;
}

template <class T, class Convert>
std::vector<T> listOf(c10::ArrayRef<c10::IValue> elements, const Convert& convert)
{
    std::vector<T> list;
    for (const c10::IValue& element : elements)
        list.push_back(convert(element));
    return list;
}

Argument listArgument(c10::ArrayRef<c10::IValue> elements)
{
    const auto all = [&](bool (c10::IValue::*is)() const) {
        return std::ranges::all_of(elements, [&](const c10::IValue& element) { return (element.*is)(); });
    };
    if (all(&c10::IValue::isInt))
        return IntListArgument{
            listOf<IntOrValue>(elements, [](const c10::IValue& element) { return element.toInt(); })};
    if (all(&c10::IValue::isBool))
        return listOf<bool>(elements, [](const c10::IValue& element) { return element.toBool(); });
    if (all(&c10::IValue::isString))
        return listOf<std::string>(elements,
                                   [](const c10::IValue& element) { return element.toStringRef(); });
    return listOf<double>(elements, [](const c10::IValue& element) { return element.toScalar().toDouble(); });
}

} // namespace

Argument literalArgument(const c10::IValue& value, const std::string& type)
{
    if (value.isNone() || value.isTensor())
        return NoneArgument{};
    if (value.isBool())
        return value.toBool();
    if (value.isInt())
        return numberArgument(value.toInt(), type);
    if (value.isDouble())
        return value.toDouble();
    if (value.isComplexDouble())
        return std::complex<double>(value.toComplexDouble());
    if (value.isString())
        return value.toStringRef();
    if (value.isDevice())
        return deviceArgument(value.toDevice());
    TORCH_CHECK(value.isList(), "an argument of type ", type, " is not read");
    return listArgument(value.toListRef());
}

Device deviceArgument(const c10::Device& device)
{
    Device made{c10::DeviceTypeName(device.type(), true), std::nullopt};
    if (device.has_index())
        made.index = device.index();
    return made;
}

} // namespace stagecraft
