// Text that came from outside (names in a model, paths, messages about them), made harmless where it is
// shown: in a terminal, a label, a title.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stagecraft {

enum class LineBreaks {
    Escape, // of a name, which has none
    Keep,   // of a text of several lines, also where they end in "\r\n"; tabs are kept, too
};

// `text` in which every character that would act instead of being seen is written as \u001b is, the way JSON
// and Python do: control characters (also those above 127), separators of lines and paragraphs, and what
// turns the direction of the text around it or cannot be seen. So JSON stays the JSON that it was. Bytes that
// are not UTF-8 become U+FFFD.
std::string printable(std::string_view text, LineBreaks lineBreaks = LineBreaks::Escape);

// printable(), where nearly every text is so already.
std::string oneLine(std::string text);

// How many bytes at its end begin a character, or the end of a line, that may not be whole: 0 to 3.
std::size_t unfinishedBytes(std::string_view text);

} // namespace stagecraft
