// CachingAllocator: what PyTorch's CUDA caching allocator would hold, replayed without a device.
//
//     request ──round to 512 B──► best fit in its pool ──split──► block
//                                  └─ none fits ──► new segment: 2 MiB, 20 MiB, or the size rounded to 2 MiB
//
// *allocated* is the sum of the rounded requests that are alive; *reserved* the sum of the segments. Blocks
// of up to 1 MiB live in a pool of their own. Freed neighbours merge; segments stay until a limit forces them
// out. Default settings but for expandable segments: no size classes, one stream. Source:
// c10/cuda/CUDACachingAllocator.cpp, PyTorch 2.13.
//
//     expandable     a segment a pool: addresses for more than there is, memory behind as much as was needed
//                    yet, page by page: 2 MiB of the small pool, 20 MiB of the large one
//
// There nothing needs a piece of its own length, so no rest is too small to be split off, and blocks of what
// was freed lie side by side; a limit takes back pages of free blocks (find_expandable_block, map_block,
// try_allocate_expandable_block, unmap_block, should_split).
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/profile/segments.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace stagecraft {

using AllocationId = Id<struct AllocationTag>;

struct AllocatorPeaks
{
    Bytes allocated;
    Bytes reserved;
};

class CachingAllocator
{
public:
    // `capacity`: what segments may take in all before unused ones are given back.
    explicit CachingAllocator(Bytes capacity = Bytes::max(), SegmentKind segments = SegmentKind::Fixed);
    ~CachingAllocator();

    // None if it does not fit even after every unused segment has been given back. 0 bytes take nothing.
    std::optional<AllocationId> allocate(Bytes size);
    // Every allocation is released once.
    void release(AllocationId allocation);

    Bytes allocated() const { return m_allocated; }
    Bytes reserved() const { return m_reserved; }
    const AllocatorPeaks& peaks() const { return m_peaks; }

private:
    struct Block;
    struct BySize
    {
        bool operator()(const Block* a, const Block* b) const;
    };
    using Pool = std::set<Block*, BySize>;
    using Blocks = std::map<std::int64_t, std::unique_ptr<Block>>; // by address

    Pool& poolFor(std::int64_t size);
    void insert(Block* block);
    void erase(Block* block);
    std::int64_t roomOf(const Block& block) const;
    Block* takeFree(std::int64_t size);
    Block* makeSegment(std::int64_t size);
    Block* growSegment(std::int64_t size);
    Block* firstWithRoom(std::int64_t size, bool small);
    bool hasRoom(Blocks::iterator from, std::int64_t size) const;
    Block* map(Block* block, std::int64_t size);
    void unmapFreePages();
    Block* mergeAround(Block* block);
    void giveBackUnusedSegments();
    void splitOff(Block* block, std::int64_t size);
    void mergeWithNext(Block* block);

    std::int64_t m_capacity;
    SegmentKind m_segments;
    Pool m_smallPool;
    Pool m_largePool;
    Blocks m_blocks;
    std::vector<Block*> m_allocations; // null once released, and for 0 bytes
    std::int64_t m_nextAddress = 0;
    Bytes m_allocated;
    Bytes m_reserved;
    AllocatorPeaks m_peaks;
};

} // namespace stagecraft
