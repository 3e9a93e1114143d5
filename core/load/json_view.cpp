#include "core/load/json_view.h"

#include <limits>

namespace stagecraft {

namespace {

// The text with bare Infinity, -Infinity and NaN quoted.
std::string withQuotedNumbers(std::string_view text)
{
    std::string result;
    result.reserve(text.size() + text.size() / 64);
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (inString || text[i] == '"') {
            const bool escapes = inString && text[i] == '\\' && i + 1 < text.size();
            if (text[i] == '"')
                inString = !inString;
            result += text[i];
            if (escapes)
                result += text[++i];
            continue;
        }
        bool found = false;
        for (const std::string_view token : {"-Infinity", "Infinity", "NaN"})
            if (!found && text.substr(i).starts_with(token)) {
                result.append("\"").append(token).append("\"");
                i += token.size() - 1;
                found = true;
            }
        if (!found)
            result += text[i];
    }
    return result;
}

} // namespace

JsonView JsonView::operator[](std::string_view key) const
{
    simdjson::dom::element member;
    if (m_element && m_element->is_object() && m_element->at_key(key).get(member) == simdjson::SUCCESS)
        return {member, key};
    return JsonView(key);
}

Error JsonView::wrong(const std::string& expected) const
{
    return {ErrorCode::BadFormat, "'" + std::string(m_key) + "' is not " + expected};
}

Result<JsonView> JsonView::onlyMember() const
{
    simdjson::dom::object object;
    if (!m_element || m_element->get(object) != simdjson::SUCCESS || object.size() != 1)
        return wrong("a value with its kind");
    const auto member = *object.begin();
    return JsonView(member.value, member.key);
}

Result<std::string_view> JsonView::string() const
{
    std::string_view text;
    if (!m_element || m_element->get(text) != simdjson::SUCCESS)
        return wrong("a text");
    return text;
}

Result<std::int64_t> JsonView::integer() const
{
    std::int64_t number = 0;
    if (!m_element || m_element->get(number) != simdjson::SUCCESS)
        return wrong("an integer of 64 bits");
    return number;
}

Result<bool> JsonView::boolean() const
{
    bool truth = false;
    if (!m_element || m_element->get(truth) != simdjson::SUCCESS)
        return wrong("true or false");
    return truth;
}

Result<double> JsonView::number() const
{
    double value = 0;
    if (m_element && m_element->get(value) == simdjson::SUCCESS)
        return value;
    if (isString()) {
        const std::string_view text = *string();
        if (text == "Infinity")
            return std::numeric_limits<double>::infinity();
        if (text == "-Infinity")
            return -std::numeric_limits<double>::infinity();
        if (text == "NaN")
            return std::numeric_limits<double>::quiet_NaN();
    }
    return wrong("a number");
}

Result<std::vector<JsonView>> JsonView::elements() const
{
    std::vector<JsonView> views;
    if (isNull())
        return views;
    simdjson::dom::array array;
    if (m_element->get(array) != simdjson::SUCCESS)
        return wrong("a list");
    views.reserve(array.size());
    for (const simdjson::dom::element element : array)
        views.emplace_back(element, m_key);
    return views;
}

Result<std::vector<std::pair<std::string_view, JsonView>>> JsonView::members() const
{
    std::vector<std::pair<std::string_view, JsonView>> views;
    if (isNull())
        return views;
    simdjson::dom::object object;
    if (m_element->get(object) != simdjson::SUCCESS)
        return wrong("an object");
    views.reserve(object.size());
    for (const auto member : object)
        views.emplace_back(member.key, JsonView(member.value, member.key));
    return views;
}

std::string JsonView::text() const
{
    return m_element ? simdjson::to_string(*m_element) : "null";
}

Result<JsonDocument> JsonDocument::parse(std::string_view text)
{
    // A tree takes up to ten times as much. A record of that many brackets packs to some megabytes; that of a
    // model of 100,000 nodes has about 100 MiB.
    constexpr std::size_t most = std::size_t{512} << 20;
    if (text.size() > most)
        return Error{ErrorCode::Unsupported, "the JSON has more than 512 MiB, too much for a description"};
    if (text.empty()) // which may be no memory at all, and the parser copies it
        return Error{ErrorCode::BadFormat, "the JSON is empty"};
    JsonDocument document;
    document.m_parser = std::make_unique<simdjson::dom::parser>();
    simdjson::error_code status = document.m_parser->parse(text.data(), text.size()).get(document.m_root);
    if (status != simdjson::SUCCESS &&
        (text.find("Infinity") != text.npos || text.find("NaN") != text.npos)) {
        const std::string quoted = withQuotedNumbers(text);
        status = document.m_parser->parse(quoted.data(), quoted.size()).get(document.m_root);
    }
    if (status == simdjson::DEPTH_ERROR)
        return Error{ErrorCode::BadFormat, "the JSON is nested too deeply"};
    if (status != simdjson::SUCCESS)
        return Error{ErrorCode::BadFormat, "the JSON is damaged"};
    return document;
}

} // namespace stagecraft
