#include "core/base/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace stagecraft {

namespace {

constexpr int pollMilliseconds = 20; // how soon a cancel is heard
constexpr std::size_t keptBytes = 1 << 16;
constexpr std::size_t longestLine = 1 << 20;

// A pipe whose ends close themselves.
class Pipe
{
public:
    Pipe() { m_isOpen = ::pipe2(m_ends.data(), O_CLOEXEC) == 0; }
    ~Pipe()
    {
        if (!m_isOpen)
            return;
        ::close(m_ends[0]);
        closeInput();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    bool isOpen() const { return m_isOpen; }
    int output() const { return m_ends[0]; }
    int input() const { return m_ends[1]; }
    void closeInput()
    {
        if (m_isOpen && m_ends[1] >= 0)
            ::close(std::exchange(m_ends[1], -1));
    }

private:
    std::array<int, 2> m_ends{};
    bool m_isOpen = false;
};

// Where a child writes to: descriptors of this program's.
struct ChildStreams
{
    std::optional<int> output; // none: nowhere
    int errors = -1;
    bool isGroup = false; // what it starts is killed with it
};

// Signals that this program waits for in a thread of its own are not blocked in the child.
Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments,
                    const ChildStreams& streams)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (streams.output)
        posix_spawn_file_actions_adddup2(&actions, *streams.output, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int group = streams.isGroup ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | group));
    std::vector<std::string> texts{program};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int status =
        ::posix_spawnp(&child, program.c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0)
        return Error{ErrorCode::NotFound, program + ": cannot be started: " + std::strerror(status)};
    return child;
}

int waitFor(pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// What comes out of a pipe, handed on.
struct Stream
{
    int descriptor = -1;
    std::function<void(std::string_view)> take;
};

// Until the other side of each has closed; false where it was not waited for.
bool readAll(std::vector<Stream> streams, const Progress& progress)
{
    std::array<char, 4096> buffer;
    while (!progress.stopRequested() && !streams.empty()) {
        std::vector<pollfd> files;
        for (const Stream& stream : streams)
            files.push_back({stream.descriptor, POLLIN, 0});
        if (::poll(files.data(), files.size(), pollMilliseconds) <= 0)
            continue;
        for (std::size_t i = streams.size(); i-- > 0;) {
            if (files[i].revents == 0)
                continue;
            const ssize_t count = ::read(files[i].fd, buffer.data(), buffer.size());
            if (count > 0)
                streams[i].take({buffer.data(), static_cast<std::size_t>(count)});
            else
                streams.erase(streams.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    return streams.empty();
}

void keepEnd(std::string& text, std::string_view more)
{
    text += more;
    if (text.size() > 2 * keptBytes)
        text.erase(0, text.size() - keptBytes);
}

// Cuts a stream into lines.
class LineCutter
{
public:
    explicit LineCutter(const HearLine& hear) : m_hear(hear) {}

    void take(std::string_view text)
    {
        m_rest += text;
        std::size_t start = 0;
        for (std::size_t end = 0; (end = m_rest.find('\n', start)) != std::string::npos; start = end + 1)
            m_hear(std::string_view(m_rest).substr(start, end - start));
        m_rest.erase(0, start);
        if (m_rest.size() > longestLine)
            finish();
    }
    void finish()
    {
        if (!m_rest.empty())
            m_hear(std::exchange(m_rest, {}));
    }

private:
    const HearLine& m_hear;
    std::string m_rest;
};

Error noPipe(const std::string& program)
{
    return {ErrorCode::Failed, program + ": cannot be given a pipe: " + std::strerror(errno)};
}

} // namespace

Result<ChildResult> runChild(const std::string& program, const std::vector<std::string>& arguments,
                             const Progress& progress)
{
    Pipe errors;
    if (!errors.isOpen())
        return noPipe(program);
    STAGECRAFT_ASSIGN(child, spawn(program, arguments, {.errors = errors.input()}));
    errors.closeInput();
    ChildResult result;
    const bool isDone =
        readAll({{errors.output(), [&](std::string_view text) { keepEnd(result.errors, text); }}}, progress);
    if (!isDone)
        ::kill(child, SIGKILL);
    result.status = waitFor(child);
    if (progress.stopRequested())
        return cancelled();
    return result;
}

Result<ChildResult> runTalkingChild(const std::string& program, const std::vector<std::string>& arguments,
                                    const HearLine& hear, const Progress& progress)
{
    Pipe output;
    Pipe errors;
    if (!output.isOpen() || !errors.isOpen())
        return noPipe(program);
    STAGECRAFT_ASSIGN(child, spawn(program, arguments,
                                   {.output = output.input(), .errors = errors.input(), .isGroup = true}));
    output.closeInput();
    errors.closeInput();
    ChildResult result;
    LineCutter lines(hear);
    const bool isDone =
        readAll({{output.output(), [&](std::string_view text) { lines.take(text); }},
                 {errors.output(), [&](std::string_view text) { keepEnd(result.errors, text); }}},
                progress);
    if (!isDone)
        ::kill(-child, SIGKILL);
    result.status = waitFor(child);
    if (progress.stopRequested())
        return cancelled();
    lines.finish();
    return result;
}

} // namespace stagecraft
