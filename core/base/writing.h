// Writing: as long as one lives, files are being written that a program ended at once would leave half.
//
// A command or window that is to end at once asks endAtOnce(): it ends the program between two writings,
// never during one.
#pragma once

#include <string_view>

namespace stagecraft {

class Writing
{
public:
    Writing();
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
};

// Ends the program with this status if nothing is being written on any thread; then nothing can begin to be,
// but these words on standard error. Returns only otherwise, and has said nothing. Nothing is taken down in
// order: not even buffered output is flushed.
void endAtOnce(int status, std::string_view lastWords = {});

} // namespace stagecraft
