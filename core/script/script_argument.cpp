#include "core/script/script_argument.h"

#include <algorithm>

namespace stagecraft {

namespace {

using TypeKind = InputType::Kind;

// Without what only the command line says around it.
std::string plainReason(const std::string& message)
{
    const std::size_t start = message.find(": ");
    return message.starts_with("--input ") && start != message.npos ? message.substr(start + 2) : message;
}

template <class Literal>
bool isLiteral(const GivenValue& value)
{
    return value.kind == GivenValue::Kind::Literal && std::holds_alternative<Literal>(value.leaf.literal);
}

bool fits(const InputType& type, const GivenValue& value)
{
    const auto allFit = [&](const InputType& element) {
        return std::ranges::all_of(value.elements, [&](const GivenValue& one) { return fits(element, one); });
    };
    switch (type.kind) {
    case TypeKind::Tensor:
        return value.kind == GivenValue::Kind::Tensor;
    case TypeKind::Integer:
        return isLiteral<std::int64_t>(value);
    case TypeKind::Float:
        return isLiteral<double>(value) || isLiteral<std::int64_t>(value);
    case TypeKind::Number:
        return isLiteral<double>(value) || isLiteral<std::int64_t>(value) || isLiteral<bool>(value);
    case TypeKind::Truth:
        return isLiteral<bool>(value);
    case TypeKind::Text:
        return isLiteral<std::string>(value);
    case TypeKind::None:
        return isNone(value);
    case TypeKind::Optional:
        return isNone(value) || fits(type.elements.front(), value);
    case TypeKind::List:
        return value.kind == GivenValue::Kind::List && allFit(type.elements.front());
    case TypeKind::Dict:
        return value.kind == GivenValue::Kind::Dict && allFit(type.elements.front());
    case TypeKind::Tuple:
        return value.kind == GivenValue::Kind::Tuple &&
               std::ranges::equal(type.elements, value.elements, fits);
    case TypeKind::Other:
        return false;
    }
    return false;
}

std::string joinedExamples(const std::vector<InputType>& elements)
{
    std::string text;
    for (const InputType& element : elements)
        text += (text.empty() ? "" : ", ") + exampleOf(element);
    return text;
}

} // namespace

bool canBeSaid(const InputType& type)
{
    return type.kind != TypeKind::Other && std::ranges::all_of(type.elements, canBeSaid);
}

std::string exampleOf(const InputType& type)
{
    switch (type.kind) {
    case TypeKind::Tensor:
        return "f32[8,3,224,224]";
    case TypeKind::Integer:
        return "8";
    case TypeKind::Float:
    case TypeKind::Number:
        return "0.5";
    case TypeKind::Truth:
        return "true";
    case TypeKind::Text:
        return "\"text\"";
    case TypeKind::None:
    case TypeKind::Other:
        return "none";
    case TypeKind::Optional:
        return exampleOf(type.elements.front());
    case TypeKind::List:
        return "[" + joinedExamples(type.elements) + "]";
    case TypeKind::Tuple:
        return "(" + joinedExamples(type.elements) + ")";
    case TypeKind::Dict:
        return "{\"key\": " + joinedExamples(type.elements) + "}";
    }
    return {};
}

Result<void> checkInputText(const ScriptArgument& argument, const std::string& text)
{
    const bool isEmpty = text.find_first_not_of(" \t") == text.npos;
    if (isEmpty && argument.hasDefault)
        return {};
    if (!canBeSaid(argument.type))
        return Error{ErrorCode::Unsupported, argument.type.text + " cannot be given from outside"};
    if (isEmpty)
        return Error{ErrorCode::BadUsage, "say what it is, as in " + exampleOf(argument.type)};
    const Result<GivenArgument> read = parseInput(text);
    if (!read.has_value())
        return Error{read.error().code, plainReason(read.error().message)};
    if (!read->name.empty())
        return Error{ErrorCode::BadUsage, "leave out '" + read->name + "=': it is for " + argument.name};
    if (fits(argument.type, read->value))
        return {};
    return Error{ErrorCode::BadUsage,
                 "it is to be " + argument.type.text + ", as in " + exampleOf(argument.type)};
}

} // namespace stagecraft
