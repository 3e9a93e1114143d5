#include "core/run/scratch_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t smallest = std::size_t{1} << 20; // less would be lost in pages and calls

// LibTorch's allocator is one for all, a run is one thread's.
thread_local const std::filesystem::path* scratchFolder = nullptr;

} // namespace

ScratchMemory::ScratchMemory(std::filesystem::path folder)
    : m_folder(std::move(folder)), m_previous(std::exchange(scratchFolder, &m_folder))
{
}

ScratchMemory::~ScratchMemory()
{
    scratchFolder = m_previous;
}

std::optional<ScratchPiece> ScratchMemory::take(std::size_t bytes)
{
    if (!scratchFolder || bytes < smallest || !std::in_range<off_t>(bytes))
        return {};
    const int file = ::open(scratchFolder->c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0)
        return {};
    // Room is taken now: a disk that is full when a page is written would end the program.
    void* data = MAP_FAILED;
    if (::fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0)
        data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (data == MAP_FAILED)
        return {};
    return ScratchPiece{data, bytes};
}

void ScratchMemory::giveBack(const ScratchPiece& piece)
{
    ::munmap(piece.data, piece.size);
}

} // namespace stagecraft
