#include "core/profile/memory/caching_allocator.h"

#include <algorithm>
#include <tuple>

namespace stagecraft {

namespace {

// Names and values of CUDACachingAllocator.
constexpr std::int64_t minBlockSize = 512;
constexpr std::int64_t smallSize = 1 << 20;    // largest request of the small pool
constexpr std::int64_t smallBuffer = 2 << 20;  // segment of the small pool
constexpr std::int64_t largeBuffer = 20 << 20; // segment of large requests below minLargeAlloc
constexpr std::int64_t minLargeAlloc = 10 << 20;
constexpr std::int64_t roundLarge = 2 << 20;
// Beyond this, sizes are taken as they are: rounding up would overflow.
constexpr std::int64_t largestRoundable = INT64_MAX - roundLarge;

std::int64_t roundedUp(std::int64_t size, std::int64_t step)
{
    return size > largestRoundable ? size : (size + step - 1) / step * step;
}

std::int64_t segmentSize(std::int64_t size)
{
    if (size <= smallSize)
        return smallBuffer;
    return size < minLargeAlloc ? largeBuffer : roundedUp(size, roundLarge);
}

bool worthSplitting(std::int64_t blockSize, std::int64_t size, SegmentKind segments)
{
    const std::int64_t rest = blockSize - size;
    return size <= smallSize || segments == SegmentKind::Expandable ? rest >= minBlockSize : rest > smallSize;
}

// Addresses of an expandable segment, more than any device has; the small pool's come behind the large one's.
constexpr std::int64_t addressSpace = std::int64_t{1} << 61;

constexpr std::int64_t pageSize(bool small)
{
    return small ? smallBuffer : largeBuffer;
}

} // namespace

struct CachingAllocator::Block
{
    std::int64_t address = 0;
    std::int64_t size = 0;
    std::int64_t segment = 0; // address of the segment's first block: blocks merge within it only
    bool small = false;       // which pool its segment belongs to
    bool used = false;
    bool mapped = true; // is there memory behind its addresses?
};

bool CachingAllocator::BySize::operator()(const Block* a, const Block* b) const
{
    return std::tie(a->size, a->address) < std::tie(b->size, b->address);
}

CachingAllocator::CachingAllocator(Bytes capacity, SegmentKind segments)
    : m_capacity(capacity.count()), m_segments(segments)
{
    if (segments == SegmentKind::Fixed)
        return;
    for (const bool small : {false, true}) {
        const std::int64_t address = small ? addressSpace : 0;
        m_blocks.emplace(address, std::make_unique<Block>(Block{.address = address,
                                                                .size = addressSpace,
                                                                .segment = address,
                                                                .small = small,
                                                                .used = false,
                                                                .mapped = false}));
    }
}

CachingAllocator::~CachingAllocator() = default;

CachingAllocator::Pool& CachingAllocator::poolFor(std::int64_t size)
{
    return size <= smallSize ? m_smallPool : m_largePool;
}

// Free blocks are in their pool while there is memory behind them.
void CachingAllocator::insert(Block* block)
{
    if (block->mapped)
        (block->small ? m_smallPool : m_largePool).insert(block);
}

void CachingAllocator::erase(Block* block)
{
    if (block->mapped)
        (block->small ? m_smallPool : m_largePool).erase(block);
}

std::optional<AllocationId> CachingAllocator::allocate(Bytes request)
{
    const AllocationId id(m_allocations.size());
    if (request.count() <= 0) {
        m_allocations.push_back(nullptr);
        return id;
    }
    const std::int64_t size = roundedUp(request.count(), minBlockSize);
    Block* block = takeFree(size);
    if (!block)
        block = makeSegment(size);
    if (!block) {
        giveBackUnusedSegments();
        block = makeSegment(size);
    }
    if (!block)
        return std::nullopt;
    // The pool of the request decides how much may be split off; a block never leaves its segment's pool.
    if (worthSplitting(block->size, size, m_segments))
        splitOff(block, size);
    block->used = true;
    m_allocations.push_back(block);
    m_allocated += Bytes(block->size);
    m_peaks.allocated = std::max(m_peaks.allocated, m_allocated);
    return id;
}

void CachingAllocator::release(AllocationId allocation)
{
    Block*& held = m_allocations[allocation.index()];
    Block* block = held;
    if (!block)
        return;
    held = nullptr;
    block->used = false;
    m_allocated -= Bytes(block->size);

    insert(mergeAround(block));
}

// With free neighbours that are as it is; in no pool. Returns what it is part of then.
CachingAllocator::Block* CachingAllocator::mergeAround(Block* block)
{
    mergeWithNext(block);
    const auto here = m_blocks.find(block->address);
    if (here == m_blocks.begin())
        return block;
    Block* before = std::prev(here)->second.get();
    if (before->used || before->segment != block->segment || before->mapped != block->mapped)
        return block;
    erase(before);
    before->size += block->size;
    m_blocks.erase(here);
    return before;
}

// With what it can grow to, where no memory is behind it yet.
std::int64_t CachingAllocator::roomOf(const Block& block) const
{
    const auto next = std::next(m_blocks.find(block.address));
    const bool canGrow =
        next != m_blocks.end() && next->second->segment == block.segment && !next->second->mapped;
    return block.size + (canGrow ? next->second->size : 0);
}

// The smallest free block that is large enough, the lowest address first. One that can grow counts as what it
// can grow to (expandable_size in c10/cuda/CUDACachingAllocator.cpp).
CachingAllocator::Block* CachingAllocator::takeFree(std::int64_t size)
{
    Pool& pool = poolFor(size);
    Block wanted;
    wanted.size = size;
    auto found = pool.lower_bound(&wanted);
    if (found == pool.end())
        return nullptr;
    if (m_segments == SegmentKind::Expandable)
        for (auto next = std::next(found); next != pool.end() && roomOf(**next) < roomOf(**found); ++next)
            found = next;
    Block* block = *found;
    pool.erase(found);
    return block;
}

CachingAllocator::Block* CachingAllocator::makeSegment(std::int64_t size)
{
    if (m_segments == SegmentKind::Expandable)
        return growSegment(size);
    const std::int64_t length = segmentSize(size);
    if (length > m_capacity - m_reserved.count() || length > INT64_MAX - m_nextAddress)
        return nullptr;
    auto block = std::make_unique<Block>();
    block->address = block->segment = m_nextAddress;
    block->size = length;
    block->small = size <= smallSize;
    m_nextAddress += length;
    m_reserved += Bytes(length);
    m_peaks.reserved = std::max(m_peaks.reserved, m_reserved);
    Block* made = block.get();
    m_blocks.emplace(made->address, std::move(block));
    return made;
}

// A free block of that size at the lowest place without memory behind it, taken out of its pool.
CachingAllocator::Block* CachingAllocator::growSegment(std::int64_t size)
{
    Block* block = firstWithRoom(size, size <= smallSize);
    if (block && !block->mapped)
        block = map(block, std::min(block->size, size));
    while (block && block->size < size) {
        Block* next = std::next(m_blocks.find(block->address))->second.get();
        block = map(next, std::min(next->size, size - block->size));
    }
    if (block)
        erase(block);
    return block;
}

CachingAllocator::Block* CachingAllocator::firstWithRoom(std::int64_t size, bool small)
{
    for (auto it = m_blocks.begin(); it != m_blocks.end(); ++it) {
        const Block& block = *it->second;
        if (block.mapped || block.small != small)
            continue;
        auto from = it;
        if (it != m_blocks.begin())
            if (const auto before = std::prev(it);
                !before->second->used && before->second->segment == block.segment)
                from = before;
        if (hasRoom(from, size))
            return from->second.get();
    }
    return nullptr;
}

bool CachingAllocator::hasRoom(Blocks::iterator from, std::int64_t size) const
{
    const std::int64_t segment = from->second->segment;
    std::int64_t room = 0;
    for (auto it = from; it != m_blocks.end() && room < size; ++it) {
        if (it->second->used || it->second->segment != segment)
            return false;
        room += it->second->size;
    }
    return room >= size;
}

// The first pages of a block that has none, as many as the size takes. Null where there is no more memory,
// else the free block that they are part of.
CachingAllocator::Block* CachingAllocator::map(Block* block, std::int64_t size)
{
    const std::int64_t length = roundedUp(size, pageSize(block->small));
    if (length > m_capacity - m_reserved.count())
        return nullptr;
    if (length < block->size)
        splitOff(block, length);
    block->mapped = true;
    m_reserved += Bytes(length);
    m_peaks.reserved = std::max(m_peaks.reserved, m_reserved);
    Block* whole = mergeAround(block);
    insert(whole);
    return whole;
}

// Whole pages of free blocks.
void CachingAllocator::unmapFreePages()
{
    std::vector<Block*> free(m_smallPool.begin(), m_smallPool.end());
    free.insert(free.end(), m_largePool.begin(), m_largePool.end());
    for (Block* block : free) {
        const std::int64_t page = pageSize(block->small), offset = block->address - block->segment;
        const std::int64_t first = roundedUp(offset, page), end = (offset + block->size) / page * page;
        if (first >= end)
            continue;
        erase(block);
        if (first > offset) {
            splitOff(block, first - offset);
            insert(block);
            block = std::next(m_blocks.find(block->address))->second.get();
            erase(block);
        }
        if (end - first < block->size)
            splitOff(block, end - first);
        block->mapped = false;
        m_reserved -= Bytes(end - first);
        mergeAround(block);
    }
}

void CachingAllocator::giveBackUnusedSegments()
{
    if (m_segments == SegmentKind::Expandable) {
        unmapFreePages();
        return;
    }
    for (auto it = m_blocks.begin(); it != m_blocks.end();) {
        Block* block = it->second.get();
        const auto next = std::next(it);
        const bool isWhole = block->address == block->segment &&
                             (next == m_blocks.end() || next->second->segment != block->segment);
        if (block->used || !isWhole) {
            it = next;
            continue;
        }
        (block->small ? m_smallPool : m_largePool).erase(block);
        m_reserved -= Bytes(block->size);
        it = m_blocks.erase(it);
    }
}

void CachingAllocator::splitOff(Block* block, std::int64_t size)
{
    auto rest = std::make_unique<Block>(*block);
    rest->address = block->address + size;
    rest->size = block->size - size;
    block->size = size;
    Block* made = rest.get();
    m_blocks.emplace(made->address, std::move(rest));
    insert(made);
}

void CachingAllocator::mergeWithNext(Block* block)
{
    const auto next = std::next(m_blocks.find(block->address));
    if (next == m_blocks.end())
        return;
    Block* after = next->second.get();
    if (after->used || after->segment != block->segment || after->mapped != block->mapped)
        return;
    erase(after);
    block->size += after->size;
    m_blocks.erase(next);
}

} // namespace stagecraft
