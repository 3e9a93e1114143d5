#include "core/trace/substitutes.h"

#include "core/base/json_text.h"
#include "core/base/text_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

using nlohmann::json;

constexpr std::array knownFields{"outputs", "forward", "backward_input", "backward_weight"};
constexpr std::array knownCosts{"flops", "bytes", "time"};

Error badField(const std::string& where, const std::string& what)
{
    return {ErrorCode::BadFormat, where + ": " + what};
}

template <std::size_t count>
Result<void> checkKeys(const json& object, const std::array<const char*, count>& known,
                       const std::string& where)
{
    if (!object.is_object())
        return badField(where, "must be an object");
    for (const auto& [key, value] : object.items())
        if (std::ranges::find(known, key, [](const char* name) { return std::string(name); }) == known.end())
            return badField(where, "'" + key + "' is not a field here");
    return {};
}

// A number may be written as one.
Result<Expression> readExpression(const json& value, const std::string& where)
{
    if (!value.is_string() && !value.is_number())
        return badField(where, "must be an expression, as in \"2 * numel(x)\"");
    Result<Expression> expression =
        Expression::parse(value.is_string() ? value.get<std::string>() : value.dump());
    if (!expression.has_value())
        return badField(where, expression.error().message);
    return expression;
}

Result<SubstituteWork> readWork(const json& entry, const char* field, const std::string& where)
{
    SubstituteWork work;
    if (!entry.contains(field))
        return work;
    const json& object = entry.at(field);
    const std::string place = where + ": " + field;
    STAGECRAFT_TRY(checkKeys(object, knownCosts, place));
    for (const auto& [key, value] : object.items()) {
        STAGECRAFT_ASSIGN(expression, readExpression(value, place + "." + key));
        (key == "flops" ? work.flops : key == "bytes" ? work.bytes : work.time) = std::move(expression);
    }
    return work;
}

Result<SubstituteOutput> readOutput(const json& object, const std::string& where)
{
    const bool fits = object.is_object() && object.contains("shape") && object.at("shape").is_array() &&
                      object.contains("dtype") && object.at("dtype").is_string();
    if (!fits)
        return badField(where, "must have a \"shape\", a list of expressions, and a \"dtype\"");
    SubstituteOutput output{.sizes = {}, .dtype = object.at("dtype").get<std::string>()};
    for (std::size_t i = 0; i < object.at("shape").size(); ++i) {
        STAGECRAFT_ASSIGN(size,
                          readExpression(object.at("shape")[i], where + ".shape[" + std::to_string(i) + "]"));
        output.sizes.push_back(std::move(size));
    }
    return output;
}

Result<Substitute> readSubstitute(const json& entry, const std::string& where)
{
    STAGECRAFT_TRY(checkKeys(entry, knownFields, where));
    Substitute substitute{.where = where};
    if (entry.contains("outputs")) {
        if (!entry.at("outputs").is_array())
            return badField(where + ": outputs", "must be a list");
        substitute.outputs.emplace();
        for (std::size_t i = 0; i < entry.at("outputs").size(); ++i) {
            STAGECRAFT_ASSIGN(
                output, readOutput(entry.at("outputs")[i], where + ": outputs[" + std::to_string(i) + "]"));
            substitute.outputs->push_back(std::move(output));
        }
    }
    STAGECRAFT_ASSIGN(forward, readWork(entry, "forward", where));
    STAGECRAFT_ASSIGN(input, readWork(entry, "backward_input", where));
    STAGECRAFT_ASSIGN(weight, readWork(entry, "backward_weight", where));
    substitute.forward = std::move(forward);
    substitute.backwardInput = std::move(input);
    substitute.backwardWeight = std::move(weight);
    return substitute;
}

json workJson(const SubstituteWork& work)
{
    json object = json::object();
    for (const auto& [name, field] :
         {std::pair("flops", &work.flops), std::pair("bytes", &work.bytes), std::pair("time", &work.time)})
        if (*field)
            object[name] = (*field)->text();
    return object;
}

json substituteJson(const Substitute& substitute)
{
    json object = json::object();
    if (substitute.outputs) {
        object["outputs"] = json::array();
        for (const SubstituteOutput& output : *substitute.outputs) {
            json shape = json::array();
            for (const Expression& size : output.sizes)
                shape.push_back(size.text());
            object["outputs"].push_back({{"shape", std::move(shape)}, {"dtype", output.dtype}});
        }
    }
    for (const auto& [name, work] :
         {std::pair("forward", &substitute.forward), std::pair("backward_input", &substitute.backwardInput),
          std::pair("backward_weight", &substitute.backwardWeight)})
        if (json fields = workJson(*work); !fields.empty())
            object[name] = std::move(fields);
    return object;
}

// Numbers and values of one argument, under its name; a list's elements are numbered.
class OperandCollector
{
public:
    OperandCollector(Operands& operands, const std::function<std::optional<Operand>(ValueId)>& valueOf)
        : m_operands(operands), m_valueOf(valueOf)
    {
    }

    void collect(const std::string& name, const Argument& argument)
    {
        if (const auto* value = std::get_if<ValueId>(&argument))
            addValue(name, *value);
        else if (const auto* whole = std::get_if<std::int64_t>(&argument))
            m_operands[name] = static_cast<double>(*whole);
        else if (const auto* number = std::get_if<double>(&argument))
            m_operands[name] = *number;
        else if (const auto* flag = std::get_if<bool>(&argument))
            m_operands[name] = *flag ? 1.0 : 0.0;
        else if (const auto* tensors = std::get_if<TensorListArgument>(&argument))
            for (std::size_t i = 0; i < tensors->elements.size(); ++i) {
                if (tensors->elements[i])
                    addValue(element(name, i), *tensors->elements[i]);
            }
        else if (const auto* sizes = std::get_if<IntListArgument>(&argument))
            for (std::size_t i = 0; i < sizes->elements.size(); ++i)
                addSize(element(name, i), sizes->elements[i]);
    }

    void addValue(const std::string& name, ValueId value)
    {
        if (std::optional<Operand> operand = m_valueOf(value))
            m_operands[name] = std::move(*operand);
    }

private:
    static std::string element(const std::string& name, std::size_t index)
    {
        return name + "_" + std::to_string(index);
    }
    void addSize(const std::string& name, const IntOrValue& size)
    {
        if (const auto* number = std::get_if<std::int64_t>(&size))
            m_operands[name] = static_cast<double>(*number);
        else
            addValue(name, std::get<ValueId>(size));
    }

    Operands& m_operands;
    const std::function<std::optional<Operand>(ValueId)>& m_valueOf;
};

Result<DType> dtypeOf(const std::string& text, const std::string& where, const Operands& operands)
{
    if (const auto found = operands.find(text); found != operands.end())
        if (const auto* tensor = std::get_if<TensorOperand>(&found->second))
            return tensor->dtype;
    if (const std::optional<DType> dtype = dtypeFromShortName(text))
        return *dtype;
    return badField(where, "'" + text + "' is neither an element type, such as bf16, nor an input tensor");
}

} // namespace

Result<Substitutes> Substitutes::parse(const std::string& text, const std::string& name)
{
    STAGECRAFT_ASSIGN(document, parseJson<json>(text, name));
    if (!document.is_object() || !document.contains("operators") || !document.at("operators").is_object())
        return badField(name,
                        R"(is not a JSON object with a field "operators", from operator to what it does)");
    Substitutes substitutes;
    for (const auto& [target, entry] : document.at("operators").items()) {
        STAGECRAFT_ASSIGN(substitute, readSubstitute(entry, name + ": " + target));
        substitutes.m_operators.emplace(target, std::move(substitute));
    }
    return substitutes;
}

Result<Substitutes> Substitutes::read(const std::filesystem::path& path)
{
    constexpr Bytes most(std::int64_t{16} << 20);
    STAGECRAFT_ASSIGN(text, readTextFile(path, most));
    return parse(text, path.string());
}

const Substitute* Substitutes::find(const std::string& target) const
{
    auto found = m_operators.find(target);
    if (found == m_operators.end())
        found = m_operators.find(target.substr(0, target.find('.', target.find("::"))));
    return found == m_operators.end() ? nullptr : &found->second;
}

void Substitutes::set(const std::string& name, Substitute substitute)
{
    m_operators.insert_or_assign(name, std::move(substitute));
}

std::string Substitutes::text() const
{
    json operators = json::object();
    for (const auto& [name, substitute] : m_operators)
        operators[name] = substituteJson(substitute);
    return json{{"operators", std::move(operators)}}.dump(2) + '\n';
}

Operands nodeOperands(const Node& node, const std::function<std::optional<Operand>(ValueId)>& valueOf)
{
    Operands operands;
    OperandCollector collector(operands, valueOf);
    for (const NamedArgument& argument : node.arguments)
        collector.collect(argument.name, argument.value);
    for (std::size_t i = 0; i < node.results.size(); ++i)
        collector.addValue("out" + std::to_string(i), node.results[i]);
    return operands;
}

Result<std::vector<SubstituteShape>> outputShapes(const Substitute& substitute, const Operands& operands)
{
    std::vector<SubstituteShape> shapes;
    if (!substitute.outputs)
        return shapes;
    for (const SubstituteOutput& output : *substitute.outputs) {
        const std::string where = substitute.where + ": outputs[" + std::to_string(shapes.size()) + "]";
        STAGECRAFT_ASSIGN(dtype, dtypeOf(output.dtype, where + ".dtype", operands));
        SubstituteShape shape{dtype, {}};
        for (const Expression& size : output.sizes) {
            const Result<std::int64_t> value = size.evaluateSize(operands);
            if (!value.has_value())
                return badField(where + ".shape", value.error().message);
            shape.sizes.push_back(*value);
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

} // namespace stagecraft
