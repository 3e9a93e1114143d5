#include "core/base/csv_text.h"

#include <algorithm>

namespace stagecraft {

bool CsvRows::next()
{
    while (!m_rest.empty()) {
        const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
        split(m_rest.substr(0, end));
        m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
        ++m_line;
        if (m_fields.size() > 1 || !m_fields.front().empty())
            return true;
    }
    return false;
}

// A quote within quotes is written twice.
void CsvRows::split(std::string_view row)
{
    constexpr std::size_t mostFields = 256;
    m_fields.assign(1, {});
    bool isQuoted = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const char c = row[i];
        if (c == '"' && isQuoted && i + 1 < row.size() && row[i + 1] == '"')
            m_fields.back() += row[++i];
        else if (c == '"')
            isQuoted = !isQuoted;
        else if (c == ',' && !isQuoted && m_fields.size() == mostFields)
            return;
        else if (c == ',' && !isQuoted)
            m_fields.emplace_back();
        else if (c != '\r')
            m_fields.back() += c;
    }
}

} // namespace stagecraft
