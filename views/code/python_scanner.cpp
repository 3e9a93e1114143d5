#include "views/code/python_scanner.h"

#include <algorithm>
#include <string>

namespace stagecraft {

std::size_t PythonScanner::next(std::string_view line, std::size_t at)
{
    const char c = line[at];
    if (m_triple)
        return endOfTriple(line, at);
    if (c == '"' || c == '\'')
        return endOfText(line, at);
    if (c == '(' || c == '[' || c == '{')
        ++m_depth;
    else if (c == ')' || c == ']' || c == '}')
        --m_depth;
    return at + 1;
}

std::size_t PythonScanner::endOfTriple(std::string_view line, std::size_t at)
{
    const std::size_t end = line.find(std::string(3, *m_triple), at);
    if (end == std::string_view::npos)
        return line.size();
    m_triple.reset();
    return end + 3;
}

std::size_t PythonScanner::endOfText(std::string_view line, std::size_t at)
{
    const char quote = line[at];
    if (line.substr(at, 3) == std::string(3, quote)) {
        m_triple = quote;
        return endOfTriple(line, at + 3);
    }
    for (++at; at < line.size() && line[at] != quote; ++at)
        if (line[at] == '\\')
            ++at;
    return std::min(at + 1, line.size());
}

bool isNamePart(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

} // namespace stagecraft
