// Where a line of Python may be broken to be short. Columns are bytes of UTF-8: no letter is wider than its
// own. Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// How far a line is indented by spaces.
std::size_t indentOf(std::string_view line);

// A statement in lines of at most `columns`, which together do the same: broken behind commas in brackets;
// where that is not enough at other places in brackets; outside of them with a backslash; and in a text
// that stands in brackets, of which Python makes one again. A name stays whole, however long.
std::vector<std::string> brokenStatement(std::string_view code, std::size_t columns);

// A comment, which begins with #, in lines of at most `columns` that begin so, too. Further ones begin with
// "#   ". A word stays whole.
std::vector<std::string> brokenComment(std::size_t indent, std::string_view comment, std::size_t columns);

// Any line as an editor wraps it: at a space, else behind a mark within a word, else anywhere: no Python any
// more.
std::vector<std::string> wrappedLine(std::string_view line, std::size_t columns);

} // namespace stagecraft
