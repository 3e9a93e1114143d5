#include "fuzz/sandbox.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stagecraft::testing {

namespace {

constexpr long secondsEach = 20;

// Where the child is, in memory that parent and child share.
class SharedCounter
{
public:
    SharedCounter()
        : m_place(static_cast<volatile std::size_t*>(
              mmap(nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
    {
    }
    ~SharedCounter() { munmap(const_cast<std::size_t*>(m_place), sizeof(std::size_t)); }
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;

    void set(std::size_t value) { *m_place = value; }
    std::size_t get() const { return *m_place; }

private:
    volatile std::size_t* m_place;
};

// What is asked for beyond it fails, as it would on a small machine. Sanitizers need all addresses there are.
void limitMemory()
{
#ifndef __SANITIZE_ADDRESS__
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    const rlimit limit{used + (rlim_t{4} << 30), used + (rlim_t{4} << 30)};
    setrlimit(RLIMIT_AS, &limit);
#endif
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

[[noreturn]] void runChild(std::size_t first, std::size_t count, const std::function<void(std::size_t)>& work,
                           SharedCounter& at)
{
    limitMemory();
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    for (std::size_t piece = first; piece < count; ++piece) {
        at.set(piece);
        const itimerval share{.it_interval = {}, .it_value = {secondsEach, 0}};
        setitimer(ITIMER_PROF, &share, nullptr);
        work(piece);
    }
    at.set(count);
    _exit(0);
}

std::string reasonOf(int status)
{
    if (WIFEXITED(status))
        return "ended the program with status " + std::to_string(WEXITSTATUS(status));
    if (WTERMSIG(status) == SIGPROF)
        return "took more than " + std::to_string(secondsEach) + " s";
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
}

} // namespace

std::vector<SandboxFailure> runInSandbox(std::size_t count, const std::function<void(std::size_t)>& work)
{
    SharedCounter at;
    std::vector<SandboxFailure> failures;
    for (std::size_t first = 0; first < count;) {
        at.set(first);
        const pid_t child = fork();
        if (child == 0)
            runChild(first, count, work, at);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            failures.push_back({first, "no process could be started"});
            return failures;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return failures;
        failures.push_back({at.get(), reasonOf(status)});
        first = at.get() + 1;
    }
    return failures;
}

} // namespace stagecraft::testing
