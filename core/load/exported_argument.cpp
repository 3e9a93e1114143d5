#include "core/load/exported_argument.h"

#include "core/load/exported_types.h"
#include "core/load/target_name.h"

#include <unordered_map>

namespace stagecraft {

namespace {

using Reader = Result<Argument> (*)(const JsonView&, const ArgumentScope&);

Result<Argument> readNone(const JsonView&, const ArgumentScope&)
{
    return Argument(NoneArgument{});
}

Result<Argument> readReference(const JsonView& json, const ArgumentScope& scope)
{
    STAGECRAFT_ASSIGN(name, json["name"].string());
    return scope.lookUp(name);
}

// An element of a list of tensors: a value, or none.
Result<std::optional<ValueId>> readElement(const JsonView& json, const ArgumentScope& scope)
{
    STAGECRAFT_ASSIGN(argument, readReference(json, scope));
    if (std::holds_alternative<NoneArgument>(argument))
        return std::optional<ValueId>();
    if (const auto* value = std::get_if<ValueId>(&argument))
        return std::optional(*value);
    return json.wrong("a tensor");
}

// As a list of optional tensors has them.
Result<std::optional<ValueId>> readOptionalElement(const JsonView& json, const ArgumentScope& scope)
{
    const JsonView tensor = json["as_tensor"];
    return tensor.isNull() ? std::optional<ValueId>() : readElement(tensor, scope);
}

template <class List, auto readOne>
Result<Argument> readList(const JsonView& json, const ArgumentScope& scope)
{
    STAGECRAFT_ASSIGN(elements, json.elements());
    List list;
    list.elements.reserve(elements.size());
    for (const JsonView& element : elements) {
        STAGECRAFT_ASSIGN(value, readOne(element, scope));
        list.elements.push_back(value);
    }
    return Argument(std::move(list));
}

template <class T>
using Stored = std::conditional_t<std::is_same_v<T, std::string_view>, std::string, T>;

template <class T, Result<T> (JsonView::*read)() const>
Result<Argument> readLiteral(const JsonView& json, const ArgumentScope&)
{
    STAGECRAFT_ASSIGN(value, (json.*read)());
    return Argument(Stored<T>(value));
}

template <class T, Result<T> (JsonView::*read)() const>
Result<Argument> readLiterals(const JsonView& json, const ArgumentScope&)
{
    STAGECRAFT_ASSIGN(elements, json.elements());
    std::vector<Stored<T>> list;
    for (const JsonView& element : elements) {
        STAGECRAFT_ASSIGN(value, (element.*read)());
        list.push_back(Stored<T>(value));
    }
    return Argument(std::move(list));
}

// {"as_name": "s"}, or a literal under any other key.
Result<Argument> readSymbolic(const JsonView& json, const ArgumentScope& scope)
{
    STAGECRAFT_ASSIGN(member, json.onlyMember());
    if (member.key() == "as_name") {
        STAGECRAFT_ASSIGN(name, member.string());
        return scope.lookUp(name);
    }
    return readArgument(json, scope);
}

Result<IntOrValue> readIntOrValue(const JsonView& json, const ArgumentScope& scope)
{
    if (json.isInteger())
        return IntOrValue(*json.integer());
    STAGECRAFT_ASSIGN(argument, readSymbolic(json, scope));
    if (const auto* value = std::get_if<ValueId>(&argument))
        return IntOrValue(*value);
    if (const auto* number = std::get_if<std::int64_t>(&argument))
        return IntOrValue(*number);
    return json.wrong("a list of integers");
}

// A number of one of the schema's enumerations; one that is not known stays raw.
template <auto fromSchema>
Result<Argument> readEnum(const JsonView& json, const ArgumentScope&)
{
    STAGECRAFT_ASSIGN(number, json.integer());
    if (const auto meaning = fromSchema(number))
        return Argument(*meaning);
    return Argument(RawArgument{"{\"" + std::string(json.key()) + "\":" + json.text() + "}", {}});
}

Result<Argument> readDeviceArgument(const JsonView& json, const ArgumentScope&)
{
    STAGECRAFT_ASSIGN(device, readDevice(json));
    return Argument(std::move(device));
}

Result<Argument> readSubgraphArgument(const JsonView& json, const ArgumentScope& scope)
{
    STAGECRAFT_ASSIGN(subgraph, scope.addSubgraph(json));
    return Argument(subgraph);
}

Result<Argument> readOperator(const JsonView& json, const ArgumentScope&)
{
    STAGECRAFT_ASSIGN(name, json.string());
    return Argument(OperatorArgument{targetFromPython(name)});
}

Result<Argument> readComplex(const JsonView& json, const ArgumentScope&)
{
    STAGECRAFT_ASSIGN(real, json["real"].number());
    STAGECRAFT_ASSIGN(imaginary, json["imag"].number());
    return Argument(std::complex<double>(real, imaginary));
}

const std::unordered_map<std::string_view, Reader>& readers()
{
    static const std::unordered_map<std::string_view, Reader> table{
        {"as_none", readNone},
        {"as_tensor", readReference},
        {"as_tensors", readList<TensorListArgument, readElement>},
        {"as_int", readLiteral<std::int64_t, &JsonView::integer>},
        {"as_ints", readList<IntListArgument, readIntOrValue>},
        {"as_float", readLiteral<double, &JsonView::number>},
        {"as_floats", readLiterals<double, &JsonView::number>},
        {"as_string", readLiteral<std::string_view, &JsonView::string>},
        {"as_strings", readLiterals<std::string_view, &JsonView::string>},
        {"as_bool", readLiteral<bool, &JsonView::boolean>},
        {"as_bools", readLiterals<bool, &JsonView::boolean>},
        {"as_sym_int", readSymbolic},
        {"as_sym_ints", readList<IntListArgument, readIntOrValue>},
        {"as_sym_float", readSymbolic},
        {"as_sym_bool", readSymbolic},
        {"as_scalar_type", readEnum<dtypeFromSchema>},
        {"as_memory_format", readEnum<memoryFormatFromSchema>},
        {"as_layout", readEnum<layoutFromSchema>},
        {"as_device", readDeviceArgument},
        {"as_graph", readSubgraphArgument},
        {"as_optional_tensors", readList<TensorListArgument, readOptionalElement>},
        {"as_optional_tensor", readArgument},
        {"as_custom_obj", readReference},
        {"as_operator", readOperator},
        {"as_complex", readComplex},
    };
    return table;
}

// Values named anywhere inside an argument of unknown shape. What is no name of a value is passed over.
void collectReferences(const JsonView& json, const ArgumentScope& scope, std::vector<ValueId>& values)
{
    const auto members =
        json.isObject() ? json.members() : std::vector<std::pair<std::string_view, JsonView>>{};
    for (const auto& [key, member] : *members) {
        if ((key == "name" || key == "as_name") && member.isString()) {
            const Result<Argument> argument = scope.lookUp(*member.string());
            if (argument.has_value())
                collectValues(*argument, values);
        } else {
            collectReferences(member, scope, values);
        }
    }
    const auto elements = json.isList() ? json.elements() : std::vector<JsonView>{};
    for (const JsonView& element : *elements)
        collectReferences(element, scope, values);
}

Result<Argument> readRaw(const JsonView& json, const ArgumentScope& scope)
{
    RawArgument raw{json.text(), {}};
    collectReferences(json, scope, raw.values);
    return Argument(std::move(raw));
}

} // namespace

Result<Argument> readArgument(const JsonView& json, const ArgumentScope& scope)
{
    STAGECRAFT_ASSIGN(member, json.onlyMember());
    const auto reader = readers().find(member.key());
    return reader == readers().end() ? readRaw(json, scope) : reader->second(member, scope);
}

std::optional<std::string_view> referredName(const JsonView& json)
{
    for (const std::string_view key : {"as_tensor", "as_custom_obj", "as_opaque"})
        if (const JsonView name = json[key]["name"]; name.isString())
            return *name.string();
    for (const std::string_view key : {"as_sym_int", "as_sym_float", "as_sym_bool"})
        if (const JsonView name = json[key]["as_name"]; name.isString())
            return *name.string();
    return std::nullopt;
}

} // namespace stagecraft
