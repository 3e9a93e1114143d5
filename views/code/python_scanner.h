// PythonScanner: follows Python text through quotes and brackets. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace stagecraft {

class PythonScanner
{
public:
    // The place behind what begins at `at` of `line`: a whole text, else one character.
    std::size_t next(std::string_view line, std::size_t at);
    // How deep in brackets it is.
    int depth() const { return m_depth; }
    // In a text of several lines?
    bool isInText() const { return m_triple.has_value(); }

private:
    std::size_t endOfTriple(std::string_view line, std::size_t at);
    std::size_t endOfText(std::string_view line, std::size_t at);

    std::optional<char> m_triple; // the quote of a text of several lines
    int m_depth = 0;
};

// May that byte stand in a name? Letters beyond ASCII count as such.
bool isNamePart(char c);

} // namespace stagecraft
