#include "core/base/writing.h"

#include <cstdlib>
#include <mutex>
#include <unistd.h>

namespace stagecraft {

namespace {

// Those who write now. Who ends the program holds the mutex, and never gives it back.
struct Writers
{
    std::mutex mutex;
    std::size_t count = 0;
};

Writers& writers()
{
    static Writers all;
    return all;
}

} // namespace

Writing::Writing()
{
    const std::lock_guard lock(writers().mutex);
    ++writers().count;
}

Writing::~Writing()
{
    const std::lock_guard lock(writers().mutex);
    --writers().count;
}

void endAtOnce(int status, std::string_view lastWords)
{
    const std::lock_guard lock(writers().mutex);
    if (writers().count > 0)
        return;
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, lastWords.data(), lastWords.size());
    std::_Exit(status);
}

} // namespace stagecraft
