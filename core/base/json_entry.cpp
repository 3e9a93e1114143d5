#include "core/base/json_entry.h"

#include <cmath>

namespace stagecraft {

JsonEntry JsonEntry::operator[](std::string_view key) const
{
    std::string place = m_place + (m_place.empty() ? "" : ".") + std::string(key);
    const bool isThere = m_json && m_json->is_object() && m_json->contains(key);
    return {isThere ? &m_json->at(std::string(key)) : nullptr, m_file, std::move(place)};
}

Error JsonEntry::wrong(const std::string& expected) const
{
    if (m_place.empty())
        return {ErrorCode::BadFormat, m_file + ": is not " + expected};
    return {ErrorCode::BadFormat,
            m_file + ": '" + m_place + "' is " + (m_json ? "not " : "missing; it must be ") + expected};
}

Result<std::string> JsonEntry::text() const
{
    if (!isText())
        return wrong("a text");
    return m_json->get<std::string>();
}

Result<std::vector<std::string>> JsonEntry::texts() const
{
    STAGECRAFT_ASSIGN(list, elements());
    std::vector<std::string> texts;
    for (const JsonEntry& element : list) {
        STAGECRAFT_ASSIGN(text, element.text());
        texts.push_back(std::move(text));
    }
    return texts;
}

Result<std::int64_t> JsonEntry::integer() const
{
    const bool isTooLarge = m_json && m_json->is_number_unsigned() &&
                            m_json->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    if (!m_json || !m_json->is_number_integer() || isTooLarge)
        return wrong("a whole number of 64 bits");
    return m_json->get<std::int64_t>();
}

Result<std::size_t> JsonEntry::count() const
{
    if (!m_json || !m_json->is_number_unsigned())
        return wrong("a whole number, 0 or more");
    return m_json->get<std::size_t>();
}

Result<bool> JsonEntry::truth() const
{
    if (!m_json || !m_json->is_boolean())
        return wrong("true or false");
    return m_json->get<bool>();
}

Result<double> JsonEntry::number() const
{
    if (!m_json || !m_json->is_number() || !std::isfinite(m_json->get<double>()))
        return wrong("a number");
    return m_json->get<double>();
}

Result<std::vector<std::pair<std::string, JsonEntry>>> JsonEntry::members() const
{
    if (!m_json || !m_json->is_object())
        return wrong("an object");
    std::vector<std::pair<std::string, JsonEntry>> members;
    members.reserve(m_json->size());
    for (const auto& entry : m_json->items())
        members.emplace_back(entry.key(), (*this)[entry.key()]);
    return members;
}

Result<std::vector<JsonEntry>> JsonEntry::elements() const
{
    if (!m_json || !m_json->is_array())
        return wrong("a list");
    std::vector<JsonEntry> list;
    list.reserve(m_json->size());
    for (const nlohmann::json& element : *m_json)
        list.push_back({&element, m_file, m_place + '[' + std::to_string(list.size()) + ']'});
    return list;
}

} // namespace stagecraft
