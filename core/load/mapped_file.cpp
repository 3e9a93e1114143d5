#include "core/load/mapped_file.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>

namespace stagecraft {

// A range of addresses whose loss the program survives. The signal handler walks the list while others change
// it, so guards are never freed, only used again.
struct MappedFile::Guard
{
    std::atomic<bool> isTaken{true};
    std::atomic<std::uintptr_t> begin{0}; // 0: nothing to guard
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> isLost{false};
    Guard* next = nullptr;

    static Guard* take(std::span<const std::byte> bytes);
    static void onBusError(int number, siginfo_t* info, void* context);
    static void install();
};

namespace {

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "a signal handler reads them");

// Signals are the process's, so what handles them is, too.
std::atomic<void*> firstGuard{nullptr};
struct sigaction otherHandler
{
};
std::uintptr_t pageSize = 0;

Error unreadable(const std::filesystem::path& path)
{
    const ErrorCode code = errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable;
    return {code, path.string() + ": " + std::strerror(errno)};
}

auto contentMarks(const struct stat& status)
{
    return std::tuple(status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

auto changeMarks(const struct stat& status)
{
    return std::tuple(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

// What also sets the time of change, and leaves the content alone.
auto propertyMarks(const struct stat& status)
{
    return std::tuple(status.st_nlink, status.st_mode, status.st_uid, status.st_gid);
}

bool isSame(const struct stat& a, const struct stat& b)
{
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

} // namespace

MappedFile::Guard* MappedFile::Guard::take(std::span<const std::byte> bytes)
{
    static std::once_flag once;
    std::call_once(once, install);
    Guard* guard = static_cast<Guard*>(firstGuard.load());
    bool isFree = false;
    while (guard && !guard->isTaken.compare_exchange_strong(isFree, true)) {
        isFree = false;
        guard = guard->next;
    }
    if (!guard) {
        guard = new Guard;
        void* first = firstGuard.load();
        do
            guard->next = static_cast<Guard*>(first);
        while (!firstGuard.compare_exchange_weak(first, guard));
    }
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    guard->isLost = false;
    guard->end = address + (bytes.size() + pageSize - 1) / pageSize * pageSize;
    guard->begin = address;
    return guard;
}

// The kernel could not fetch a page of a file: zeros take the place of the rest of it, and reading goes on.
// Everything read from now on is dropped, so that it does not matter which pages were still there.
void MappedFile::Guard::onBusError(int number, siginfo_t* info, void*)
{
    const int error = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (auto* guard = static_cast<Guard*>(firstGuard.load()); guard; guard = guard->next) {
        const std::uintptr_t begin = guard->begin;
        const std::uintptr_t end = guard->end;
        if (begin == 0 || address < begin || address >= end)
            continue;
        guard->isLost = true;
        const std::uintptr_t page = address / pageSize * pageSize;
        void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        if (zeros != MAP_FAILED) {
            errno = error;
            return;
        }
    }
    ::sigaction(number, &otherHandler, nullptr); // not ours: it happens again, and is theirs
    errno = error;
}

void MappedFile::Guard::install()
{
    pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action
    {
    };
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &otherHandler);
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO must not block
    if (descriptor < 0)
        return unreadable(path);
    struct stat status
    {
    };
    const bool isKnown = ::fstat(descriptor, &status) == 0;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = nullptr;
    if (isKnown && S_ISREG(status.st_mode) && size > 0)
        address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (!isKnown || !S_ISREG(status.st_mode) || address == MAP_FAILED) {
        const bool isFile = !isKnown || S_ISREG(status.st_mode);
        const Error failure =
            isFile ? unreadable(path) : Error{ErrorCode::Unreadable, path.string() + ": not a file"};
        ::close(descriptor);
        return failure;
    }
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(address), address ? size : 0);
    return std::shared_ptr<const MappedFile>(new MappedFile(path, descriptor, status, bytes));
}

MappedFile::MappedFile(std::filesystem::path path, int descriptor, const struct stat& asOpened,
                       std::span<const std::byte> bytes)
    : m_path(std::move(path)), m_descriptor(descriptor), m_asOpened(asOpened), m_bytes(bytes)
{
    if (!m_bytes.empty())
        m_guard = Guard::take(m_bytes);
}

MappedFile::~MappedFile()
{
    if (m_guard) {
        m_guard->begin = 0;
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
        m_guard->isTaken = false;
    }
    ::close(m_descriptor);
}

// Size and time of writing tell, but for a program that sets the time back. It cannot set back the time of
// change, which a new name, owner or permission sets, too: these are told apart by what they leave behind.
bool MappedFile::wasWritten() const
{
    struct stat now
    {
    };
    if (::fstat(m_descriptor, &now) != 0 || contentMarks(now) != contentMarks(m_asOpened))
        return true;
    return changeMarks(now) != changeMarks(m_asOpened) && propertyMarks(now) == propertyMarks(m_asOpened) &&
           isAt(m_path);
}

Result<void> MappedFile::unchanged() const
{
    const std::string file = m_path.string();
    if (wasWritten())
        return Error{ErrorCode::Unreadable,
                     file + ": the file was changed after it was opened; open it again"};
    if (m_guard && m_guard->isLost)
        return Error{ErrorCode::Unreadable,
                     file + ": a part of the file could not be read; check its disk and open it again"};
    return {};
}

bool MappedFile::isAt(const std::filesystem::path& path) const
{
    struct stat there
    {
    };
    return ::stat(path.c_str(), &there) == 0 && isSame(there, m_asOpened);
}

} // namespace stagecraft
