#include "core/run/memory_guard.h"

#include "core/base/available_memory.h"
#include "core/run/scratch_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>

namespace stagecraft {

namespace {

c10::DataPtr inFile(const ScratchPiece& piece)
{
    const auto giveBack = [](void* context) {
        const std::unique_ptr<ScratchPiece> own(static_cast<ScratchPiece*>(context));
        ScratchMemory::giveBack(*own);
    };
    return {piece.data, new ScratchPiece(piece), giveBack, c10::Device(c10::DeviceType::CPU)};
}

class MemoryGuard final : public c10::Allocator
{
public:
    explicit MemoryGuard(c10::Allocator& inner) : m_inner(inner) {}

    c10::DataPtr allocate(std::size_t bytes) override
    {
        if (const std::optional<ScratchPiece> piece = ScratchMemory::take(bytes))
            return inFile(*piece);
        constexpr std::size_t large = std::size_t{64} << 20; // less is asked for too often to look every time
        if (bytes >= large)
            check(bytes);
        return m_inner.allocate(bytes);
    }
    c10::DeleterFnPtr raw_deleter() const override { return m_inner.raw_deleter(); }
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
        c10::SetCPUAllocator(&guard, priority);
    });
}

} // namespace stagecraft
