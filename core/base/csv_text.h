// Fields of tables as RFC 4180 has them, for spreadsheets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// In quotes where it must be.
inline std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

// The rows of a text, one after the other; empty lines are none.
//
//     for (CsvRows rows(text); rows.next();)
//         use(rows.fields(), rows.line());
class CsvRows
{
public:
    // A mark of the encoding is no part of the first field. The text must outlive this.
    explicit CsvRows(std::string_view text)
    {
        constexpr std::string_view mark = "\xef\xbb\xbf";
        m_rest = text.starts_with(mark) ? text.substr(mark.size()) : text;
    }

    // False: there is no further row.
    bool next();
    // Of the row: at least one, at most 256; what comes behind them has no name.
    const std::vector<std::string>& fields() const { return m_fields; }
    std::size_t line() const { return m_line; } // where it stands, from 1

private:
    void split(std::string_view row);

    std::string_view m_rest;
    std::vector<std::string> m_fields;
    std::size_t m_line = 0;
};

} // namespace stagecraft
