#include "core/base/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace stagecraft {

namespace {

constexpr int pollMilliseconds = 20; // how soon a cancel is heard
constexpr std::size_t keptBytes = 1 << 16;

// Signals that this program waits for in a thread of its own are not blocked in the child.
Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
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

// Until the other side closes; false where it was not waited for.
bool readAll(int descriptor, std::string& text, const Progress& progress)
{
    std::array<char, 4096> buffer;
    while (!progress.stopRequested()) {
        pollfd file{descriptor, POLLIN, 0};
        if (::poll(&file, 1, pollMilliseconds) <= 0)
            continue;
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count <= 0)
            return true;
        text.append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() > 2 * keptBytes)
            text.erase(0, text.size() - keptBytes);
    }
    return false;
}

} // namespace

Result<ChildResult> runChild(const std::string& program, const std::vector<std::string>& arguments,
                             const Progress& progress)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return Error{ErrorCode::Failed, program + ": cannot be given a pipe: " + std::strerror(errno)};
    const Result<pid_t> child = spawn(program, arguments, ends[1]);
    ::close(ends[1]);
    ChildResult result;
    if (child.has_value()) {
        const bool isDone = readAll(ends[0], result.errors, progress);
        if (!isDone)
            ::kill(*child, SIGKILL);
        result.status = waitFor(*child);
    }
    ::close(ends[0]);
    if (!child.has_value())
        return child.error();
    if (progress.stopRequested())
        return cancelled();
    return result;
}

} // namespace stagecraft
