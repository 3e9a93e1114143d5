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

bool worthSplitting(std::int64_t blockSize, std::int64_t size)
{
    const std::int64_t rest = blockSize - size;
    return size <= smallSize ? rest >= minBlockSize : rest > smallSize;
}

} // namespace

struct CachingAllocator::Block
{
    std::int64_t address = 0;
    std::int64_t size = 0;
    std::int64_t segment = 0; // address of the segment's first block: blocks merge within it only
    bool small = false;       // which pool its segment belongs to
    bool used = false;
};

bool CachingAllocator::BySize::operator()(const Block* a, const Block* b) const
{
    return std::tie(a->size, a->address) < std::tie(b->size, b->address);
}

CachingAllocator::CachingAllocator(Bytes capacity) : m_capacity(capacity.count()) {}

CachingAllocator::~CachingAllocator() = default;

CachingAllocator::Pool& CachingAllocator::poolFor(std::int64_t size)
{
    return size <= smallSize ? m_smallPool : m_largePool;
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
    if (worthSplitting(block->size, size))
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

    mergeWithNext(block);
    const auto here = m_blocks.find(block->address);
    if (here != m_blocks.begin()) {
        Block* before = std::prev(here)->second.get();
        if (!before->used && before->segment == block->segment) {
            (before->small ? m_smallPool : m_largePool).erase(before);
            before->size += block->size;
            m_blocks.erase(here);
            block = before;
        }
    }
    (block->small ? m_smallPool : m_largePool).insert(block);
}

// The smallest free block that is large enough, the lowest address first.
CachingAllocator::Block* CachingAllocator::takeFree(std::int64_t size)
{
    Pool& pool = poolFor(size);
    Block wanted;
    wanted.size = size;
    const auto found = pool.lower_bound(&wanted);
    if (found == pool.end())
        return nullptr;
    Block* block = *found;
    pool.erase(found);
    return block;
}

CachingAllocator::Block* CachingAllocator::makeSegment(std::int64_t size)
{
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

void CachingAllocator::giveBackUnusedSegments()
{
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
    (made->small ? m_smallPool : m_largePool).insert(made);
}

void CachingAllocator::mergeWithNext(Block* block)
{
    const auto next = std::next(m_blocks.find(block->address));
    if (next == m_blocks.end())
        return;
    Block* after = next->second.get();
    if (after->used || after->segment != block->segment)
        return;
    (after->small ? m_smallPool : m_largePool).erase(after);
    block->size += after->size;
    m_blocks.erase(next);
}

} // namespace stagecraft
