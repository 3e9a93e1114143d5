#include "core/layout/dot_process.h"

#include "core/base/work_clock.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace stagecraft {

namespace {

class FileDescriptor
{
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~FileDescriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }

    int get() const { return m_fd; }

private:
    int m_fd = -1;
};

struct Pipe
{
    FileDescriptor ours;
    FileDescriptor theirs;
};

// A socket, not a pipe: writing to a child that is gone must not raise SIGPIPE.
bool makePipe(Pipe& pipe)
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return false;
    pipe.ours = FileDescriptor(ends[0]);
    pipe.theirs = FileDescriptor(ends[1]);
    return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

// Has dot said all it will say to one graph?
bool isComplete(const std::string& plain)
{
    return plain == "stop\n" || plain.ends_with("\nstop\n");
}

// Appends what can be read at once. False if the other side has closed.
bool readAvailable(int fd, std::string& text)
{
    std::array<char, 65536> buffer;
    while (true) {
        const ssize_t count = ::read(fd, buffer.data(), buffer.size());
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0)
            return false;
        else if (errno != EINTR)
            return errno == EAGAIN || errno == EWOULDBLOCK;
    }
}

Error failed(const std::string& what)
{
    return {ErrorCode::Failed, "dot " + what};
}

} // namespace

class DotProcess::Child
{
public:
    static Result<std::unique_ptr<Child>> start(const std::string& program)
    {
        auto child = std::make_unique<Child>();
        Pipe in;
        Pipe out;
        Pipe err;
        if (!makePipe(in) || !makePipe(out) || !makePipe(err))
            return failed(std::string("could not be given a pipe: ") + std::strerror(errno));
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in.theirs.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out.theirs.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err.theirs.get(), STDERR_FILENO);
        std::string name = program;
        std::string format = "-Tplain";
        std::array<char*, 3> arguments{name.data(), format.data(), nullptr};
        const int status =
            ::posix_spawnp(&child->m_pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (status != 0) {
            child->m_pid = -1;
            return Error{ErrorCode::NotFound, "'" + program + "' could not be started (" +
                                                  std::strerror(status) +
                                                  "); install Graphviz to see graphs laid out by it"};
        }
        child->m_in = std::move(in.ours);
        child->m_out = std::move(out.ours);
        child->m_err = std::move(err.ours);
        return child;
    }

    ~Child()
    {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

    Result<std::string> draw(std::string_view text, const Progress& progress, std::chrono::milliseconds limit)
    {
        const WorkClock clock = WorkClock::ofProcess(m_pid);
        const Seconds most(std::chrono::duration<double>(limit).count());
        std::string plain;
        std::string complaint;
        bool isAlive = true;
        while (!isComplete(plain)) {
            if (progress.stopRequested())
                return cancelled();
            if (clock.hasPassed(most))
                return failed("took longer than " + std::to_string(limit.count()) + " ms");
            if (!isAlive)
                return failed(complaint.empty() ? "ended before it was done" : "failed: " + complaint);
            waitForChild(!text.empty());
            if (!text.empty())
                isAlive = send(text);
            isAlive = readAvailable(m_out.get(), plain) && isAlive;
            isAlive = readAvailable(m_err.get(), complaint) && isAlive;
        }
        // What it complained of, it wrote before the drawing.
        readAvailable(m_err.get(), complaint);
        if (!complaint.empty())
            return failed("complained: " + complaint.substr(0, complaint.find('\n')));
        return plain;
    }

private:
    void waitForChild(bool wantsToWrite)
    {
        constexpr int milliseconds = 20; // how soon a cancel is heard
        const short writing = wantsToWrite ? POLLOUT : 0;
        std::array<pollfd, 3> files{pollfd{m_in.get(), writing, 0}, pollfd{m_out.get(), POLLIN, 0},
                                    pollfd{m_err.get(), POLLIN, 0}};
        ::poll(files.data(), files.size(), milliseconds);
    }

    // Writes what fits. False if the child no longer reads.
    bool send(std::string_view& text)
    {
        const ssize_t count = ::send(m_in.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        return count >= 0 || errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    }

    pid_t m_pid = -1;
    FileDescriptor m_in;
    FileDescriptor m_out;
    FileDescriptor m_err;
};

DotProcess::DotProcess(std::string program) : m_program(std::move(program)) {}

DotProcess::~DotProcess() = default;

Result<std::string> DotProcess::draw(std::string_view text, const Progress& progress,
                                     std::chrono::milliseconds limit)
{
    if (!m_child) {
        STAGECRAFT_ASSIGN(child, Child::start(m_program));
        m_child = std::move(child);
    }
    Result<std::string> plain = m_child->draw(text, progress, limit);
    if (!plain.has_value())
        m_child.reset();
    return plain;
}

} // namespace stagecraft
