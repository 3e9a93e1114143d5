#include "core/run/memory_guard.h"

#include "core/base/available_memory.h"
#include "core/run/scratch_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace stagecraft {

namespace {

// Pieces in files by where they lie: who takes memory from the allocator without a DataPtr gives back no more
// than that.
class PiecesInFiles
{
public:
    void add(const ScratchPiece& piece)
    {
        const std::scoped_lock lock(m_mutex);
        m_sizes[piece.data] = piece.size;
    }
    bool giveBack(void* data)
    {
        std::size_t size = 0;
        {
            const std::scoped_lock lock(m_mutex);
            const auto found = m_sizes.find(data);
            if (found == m_sizes.end())
                return false;
            size = found->second;
            m_sizes.erase(found);
        }
        ScratchMemory::giveBack({data, size});
        return true;
    }

private:
    std::mutex m_mutex;
    std::unordered_map<void*, std::size_t> m_sizes;
};

// For good: tensors may outlive all else.
PiecesInFiles& piecesInFiles()
{
    static auto* const pieces = new PiecesInFiles;
    return *pieces;
}

c10::DeleterFnPtr deleterOfOthers = nullptr; // set once, before the first allocation

void deletePiece(void* data)
{
    piecesInFiles().giveBack(data);
}

void deleteAny(void* data)
{
    if (!piecesInFiles().giveBack(data))
        deleterOfOthers(data);
}

class MemoryGuard final : public c10::Allocator
{
public:
    explicit MemoryGuard(c10::Allocator& inner) : m_inner(inner) {}

    c10::DataPtr allocate(std::size_t bytes) override
    {
        if (const std::optional<ScratchPiece> piece = ScratchMemory::take(bytes)) {
            piecesInFiles().add(*piece);
            return {piece->data, piece->data, deletePiece, c10::Device(c10::DeviceType::CPU)};
        }
        constexpr std::size_t large = std::size_t{64} << 20; // less is asked for too often to look every time
        if (bytes >= large)
            check(bytes);
        return m_inner.allocate(bytes);
    }
    c10::DeleterFnPtr raw_deleter() const override { return deleteAny; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override
    {
        m_inner.copy_data(to, from, bytes);
    }

private:
    static void check(std::size_t bytes)
    {
        const Bytes available = availableMemory();
        const Bytes reserve(available.count() / 32); // others live here, too
        const bool fits = bytes <= static_cast<std::size_t>((available - reserve).count());
        TORCH_CHECK(fits, "it needs ",
                    formatBytes(Bytes(static_cast<std::int64_t>(std::min<std::size_t>(bytes, INT64_MAX)))),
                    " of memory in one piece, and this machine has ", formatBytes(available), " free");
    }

    c10::Allocator& m_inner;
};

} // namespace

void guardMemory()
{
    static std::once_flag once;
    std::call_once(once, [] {
        constexpr std::uint8_t priority = 100;
        static MemoryGuard guard(*c10::GetCPUAllocator());
        deleterOfOthers = c10::GetCPUAllocator()->raw_deleter();
        c10::SetCPUAllocator(&guard, priority);
    });
}

} // namespace stagecraft
