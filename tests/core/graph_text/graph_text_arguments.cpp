#include "tests/core/graph_text/graph_text_arguments.h"

#include <limits>

namespace stagecraft::graph_text {

namespace {

constexpr std::string_view digits = "-0123456789";

template <class T>
bool allAre(const std::vector<Argument>& elements)
{
    return std::ranges::all_of(elements, [](const Argument& e) { return std::holds_alternative<T>(e); });
}

// All elements are of this kind.
template <class T>
Argument literals(const std::vector<Argument>& elements)
{
    std::vector<T> list;
    for (const Argument& element : elements)
        list.push_back(std::get<T>(element));
    return list;
}

} // namespace

// "name value", "name=value", "name? value" or "value"
Result<NamedArgument> ArgumentParser::parseNamed()
{
    NamedArgument argument;
    const std::size_t start = m_scanner.position();
    if (m_scanner.sees('"'))
        argument.name = m_scanner.quoted('"').value_or("");
    else
        argument.name = m_scanner.word(nameCharacters);
    const bool isFollowed = m_scanner.seesSpace() && !m_scanner.sees(',') && !m_scanner.sees(')');
    if (m_scanner.take("=")) {
        argument.passing = ArgumentPassing::Keyword;
    } else if (m_scanner.take("?")) {
        argument.passing = ArgumentPassing::Unsaid;
    } else {
        argument.passing = ArgumentPassing::Positional;
        if (!isFollowed) { // what was read is the value itself
            argument.name.clear();
            m_scanner.goTo(start);
        }
    }
    STAGECRAFT_ASSIGN(value, parse());
    argument.value = std::move(value);
    return argument;
}

Result<Argument> ArgumentParser::parse()
{
    if (m_scanner.sees('%')) {
        STAGECRAFT_ASSIGN(value, parseValue());
        return Argument(value);
    }
    if (m_scanner.take("["))
        return parseList("");
    if (m_scanner.sees('"')) {
        STAGECRAFT_ASSIGN(text, m_scanner.takeName());
        return Argument(std::move(text));
    }
    const std::string_view rest = m_scanner.rest();
    if (!rest.empty() && (digits.find(rest.front()) != digits.npos))
        return parseNumber();
    return parseWord();
}

Result<ValueId> ArgumentParser::parseValue()
{
    STAGECRAFT_TRY(m_scanner.expect("%"));
    STAGECRAFT_ASSIGN(name, m_scanner.takeName());
    const auto found = m_values.find(name);
    if (found == m_values.end())
        return m_scanner.wrong("nothing before makes %" + name);
    return found->second;
}

Result<Argument> ArgumentParser::parseNumber()
{
    const std::size_t start = m_scanner.position();
    const std::optional<std::int64_t> integer = m_scanner.integer();
    const std::size_t end = m_scanner.position();
    m_scanner.goTo(start);
    const std::optional<double> number = m_scanner.floating();
    if (!number)
        return m_scanner.wrong("a number is out of range");
    if (!integer || m_scanner.position() != end)
        return Argument(*number);
    return Argument(*integer);
}

Result<Argument> ArgumentParser::parseWord()
{
    const std::string_view word = m_scanner.word();
    if (word == "none")
        return Argument(NoneArgument{});
    if (word == "true" || word == "false")
        return Argument(word == "true");
    if (word == "inf")
        return Argument(std::numeric_limits<double>::infinity());
    if (word == "nan")
        return Argument(std::numeric_limits<double>::quiet_NaN());
    if (const std::optional<DType> dtype = dtypeFromShortName(word))
        return Argument(*dtype);
    if (m_scanner.take("["))
        return parseList(word);
    if (m_scanner.take("("))
        return parseCall(word);
    return m_scanner.wrong("'" + std::string(word) + "' is no value");
}

Result<Argument> ArgumentParser::parseCall(std::string_view word)
{
    if (word == "raw")
        return parseRaw();
    if (word == "complex")
        return parseComplex();
    STAGECRAFT_ASSIGN(text, m_scanner.takeName(targetCharacters));
    STAGECRAFT_TRY(m_scanner.expect(")"));
    if (word == "device")
        return Argument(parseDevice(text));
    if (word == "operator")
        return Argument(OperatorArgument{text});
    if (word == "memory_format")
        if (const auto format = meaningOf(memoryFormats, text))
            return Argument(*format);
    if (word == "layout")
        if (const auto layout = meaningOf(layouts, text))
            return Argument(*layout);
    std::uint32_t index = 0;
    const bool isNumber = std::from_chars(text.data(), text.data() + text.size(), index).ec == std::errc();
    if (word == "graph" && isNumber)
        return Argument(SubgraphId(index));
    return m_scanner.wrong(std::string(word) + "(" + text + ") is no value");
}

Result<Argument> ArgumentParser::parseRaw()
{
    STAGECRAFT_ASSIGN(json, m_scanner.takeName());
    RawArgument raw{json, {}};
    while (m_scanner.take(",")) {
        STAGECRAFT_ASSIGN(value, parseValue());
        raw.values.push_back(value);
    }
    STAGECRAFT_TRY(m_scanner.expect(")"));
    return Argument(std::move(raw));
}

Result<Argument> ArgumentParser::parseComplex()
{
    const std::optional<double> real = m_scanner.floating();
    STAGECRAFT_TRY(m_scanner.expect(","));
    const std::optional<double> imaginary = m_scanner.floating();
    STAGECRAFT_TRY(m_scanner.expect(")"));
    if (!real || !imaginary)
        return m_scanner.wrong("a complex number has two parts");
    return Argument(std::complex<double>(*real, *imaginary));
}

// Behind the opening bracket.
Result<Argument> ArgumentParser::parseList(std::string_view kind)
{
    std::vector<Argument> elements;
    if (!m_scanner.take("]")) {
        do {
            if (m_scanner.sees('['))
                return m_scanner.wrong("lists have no lists in them");
            STAGECRAFT_ASSIGN(element, parse());
            elements.push_back(std::move(element));
        } while (m_scanner.take(","));
        STAGECRAFT_TRY(m_scanner.expect("]"));
    }
    return listOf(kind, elements);
}

bool ArgumentParser::areSizes(const std::vector<Argument>& elements) const
{
    return std::ranges::all_of(elements, [this](const Argument& element) {
        const auto* value = std::get_if<ValueId>(&element);
        return std::holds_alternative<std::int64_t>(element) ||
               (value && m_builder.value(*value).kind == ValueKind::SizeScalar);
    });
}

Result<Argument> ArgumentParser::listOf(std::string_view kind, const std::vector<Argument>& elements) const
{
    if (kind == "ints" || (kind.empty() && areSizes(elements))) {
        IntListArgument list;
        for (const Argument& element : elements)
            if (const auto* value = std::get_if<ValueId>(&element))
                list.elements.emplace_back(*value);
            else if (const auto* number = std::get_if<std::int64_t>(&element))
                list.elements.emplace_back(*number);
            else
                return m_scanner.wrong("a list of integers has something else in it");
        return Argument(std::move(list));
    }
    if ((kind.empty() || kind == "floats") && allAre<double>(elements))
        return literals<double>(elements);
    if ((kind.empty() || kind == "bools") && allAre<bool>(elements))
        return literals<bool>(elements);
    if ((kind.empty() || kind == "strings") && allAre<std::string>(elements))
        return literals<std::string>(elements);
    if (!kind.empty() && kind != "tensors")
        return m_scanner.wrong("a list of " + std::string(kind) + " has something else in it");
    TensorListArgument list;
    for (const Argument& element : elements)
        if (const auto* value = std::get_if<ValueId>(&element))
            list.elements.emplace_back(*value);
        else if (std::holds_alternative<NoneArgument>(element))
            list.elements.emplace_back(std::nullopt);
        else
            return m_scanner.wrong("a list mixes values that do not go together");
    return Argument(std::move(list));
}

} // namespace stagecraft::graph_text
