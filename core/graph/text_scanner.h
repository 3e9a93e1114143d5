// TextScanner: takes tokens off the front of a text. For parsers of small texts.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

class TextScanner
{
public:
    explicit TextScanner(std::string_view text) : m_text(text) {}

    // Spaces are skipped before every token; a line break is a token like any other.
    bool atEnd() { return rest().empty(); }
    bool sees(char c) { return !atEnd() && m_text.front() == c; }
    bool take(std::string_view token)
    {
        if (!rest().starts_with(token))
            return false;
        m_text.remove_prefix(token.size());
        return true;
    }
    // Letters, digits, underscores and `alsoTakes`; empty if there are none.
    std::string_view word(std::string_view alsoTakes = "")
    {
        const std::string_view text = rest();
        std::size_t size = 0;
        while (size < text.size() && (std::isalnum(static_cast<unsigned char>(text[size])) ||
                                      text[size] == '_' || alsoTakes.find(text[size]) != alsoTakes.npos))
            ++size;
        m_text.remove_prefix(size);
        return text.substr(0, size);
    }
    std::optional<std::int64_t> integer() { return number<std::int64_t>(); }
    std::optional<double> floating() { return number<double>(); }
    // A text between `quote`s, with backslash escapes taken off.
    std::optional<std::string> quoted(char quote)
    {
        if (!sees(quote))
            return std::nullopt;
        std::string result;
        for (std::size_t i = 1; i < m_text.size(); ++i) {
            if (m_text[i] == quote) {
                m_text.remove_prefix(i + 1);
                return result;
            }
            const bool escapes = m_text[i] == '\\' && i + 1 < m_text.size();
            const char c = m_text[escapes ? ++i : i];
            result += escapes && c == 'n' ? '\n' : c;
        }
        return std::nullopt;
    }
    // Everything up to the next of `stops`.
    std::string_view until(std::string_view stops)
    {
        const std::string_view result = m_text.substr(0, m_text.find_first_of(stops));
        m_text.remove_prefix(result.size());
        return result;
    }
    // What is left, behind the spaces.
    std::string_view rest()
    {
        m_text.remove_prefix(std::min(m_text.find_first_not_of(" \t\r"), m_text.size()));
        return m_text;
    }

protected:
    std::string_view m_text; // what is left

private:
    template <class Number>
    std::optional<Number> number()
    {
        const std::string_view text = rest();
        Number value{};
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (status != std::errc())
            return std::nullopt;
        m_text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return value;
    }
};

// The text between double quotes, as quoted('"') reads it back.
inline std::string inQuotes(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return result + '"';
}

} // namespace stagecraft
