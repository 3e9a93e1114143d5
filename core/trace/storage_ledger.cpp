#include "core/trace/storage_ledger.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>

#include <algorithm>
#include <limits>
#include <mutex>

namespace stagecraft {

namespace {

// What stands behind a storage of the meta device; deleted when the storage is.
struct MetaBlock
{
    std::shared_ptr<StorageLedger> ledger;
    StorageLedger::EntryIndex index;
};

thread_local std::shared_ptr<StorageLedger> threadLedger;

void deleteBlock(void* context)
{
    const std::unique_ptr<MetaBlock> block(static_cast<MetaBlock*>(context));
    if (block)
        block->ledger->release(block->index);
}

class MetaAllocator final : public c10::Allocator
{
public:
    c10::DataPtr allocate(std::size_t size) override
    {
        void* context = nullptr;
        if (threadLedger)
            context = new MetaBlock{threadLedger, threadLedger->allocate(static_cast<std::int64_t>(size))};
        return {nullptr, context, &deleteBlock, c10::Device(c10::DeviceType::Meta)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &deleteBlock; }
    void copy_data(void*, const void*, std::size_t) const override {}
};

} // namespace

StorageLedger::EntryIndex StorageLedger::allocate(std::int64_t bytes)
{
    m_entries.push_back({.bytes = bytes});
    m_allocated += bytes;
    m_highest = std::max(m_highest, m_allocated);
    return static_cast<EntryIndex>(m_entries.size() - 1);
}

void StorageLedger::release(EntryIndex index)
{
    Entry& entry = m_entries[index];
    entry.death = m_clock;
    m_allocated -= entry.bytes;
    if (entry.counts)
        m_live -= entry.bytes;
}

void StorageLedger::resize(EntryIndex index, std::int64_t bytes)
{
    Entry& entry = m_entries[index];
    m_allocated += bytes - entry.bytes;
    m_highest = std::max(m_highest, m_allocated);
    if (entry.counts)
        m_live += bytes - entry.bytes;
    entry.bytes = bytes;
}

void StorageLedger::startCounting(EntryIndex index)
{
    m_entries[index].counts = true;
    m_live += m_entries[index].bytes;
}

Bytes StorageLedger::saturated(Wide bytes)
{
    return Bytes(static_cast<std::int64_t>(
        std::clamp<Wide>(bytes, 0, Wide{std::numeric_limits<std::int64_t>::max()})));
}

void installMetaAllocator()
{
    // The highest priority there is: nobody's registration comes after it.
    static constexpr std::uint8_t priority = 255;
    static MetaAllocator allocator;
    static std::once_flag once;
    std::call_once(once, [] { c10::SetAllocator(c10::DeviceType::Meta, &allocator, priority); });
}

LedgerScope::LedgerScope(std::shared_ptr<StorageLedger> ledger) : m_previous(std::move(threadLedger))
{
    threadLedger = std::move(ledger);
}

LedgerScope::~LedgerScope()
{
    threadLedger = std::move(m_previous);
}

std::optional<StorageLedger::EntryIndex> ledgerEntry(const StorageLedger& ledger, const at::Tensor& tensor)
{
    if (!tensor.has_storage() || !tensor.is_meta())
        return std::nullopt;
    const c10::DataPtr& data = tensor.storage().data_ptr();
    if (data.get_deleter() != &deleteBlock || !data.get_context())
        return std::nullopt;
    const auto* block = static_cast<const MetaBlock*>(data.get_context());
    return block->ledger.get() == &ledger ? std::optional(block->index) : std::nullopt;
}

} // namespace stagecraft
