// StorageLedger: every storage of the meta device that is born, resized or dies while a model is traced.
//
// The meta allocator gives each storage a block with its entry's number, so that a storage has an identity
// that no reuse of addresses can confuse. An entry *counts* from the moment an operator returns it; what
// operators use inside and never return is only seen in `highest`.
#pragma once

#include "core/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace at {
class Tensor;
}

namespace stagecraft {

class StorageLedger
{
public:
    using EntryIndex = std::uint32_t;

    struct Entry
    {
        std::int64_t bytes = 0;
        bool counts = false;
        std::optional<StorageId> id; // in the trace, once an operator has touched it
        std::optional<std::uint32_t> death;
    };

    EntryIndex allocate(std::int64_t bytes);
    void release(EntryIndex index);
    void resize(EntryIndex index, std::int64_t bytes);
    void startCounting(EntryIndex index);

    Entry& operator[](EntryIndex index) { return m_entries[index]; }
    const std::vector<Entry>& entries() const { return m_entries; }

    // The number of operators that have run; deaths carry it.
    void setClock(std::uint32_t operators) { m_clock = operators; }
    std::uint32_t clock() const { return m_clock; }

    // Sums may pass 64 bits at absurd batch sizes: they are kept wider, and saturate only where they are
    // read.
    Bytes live() const { return saturated(m_live); }
    // Of everything that is allocated, counted or not: now, and the most since the last resetHighest().
    Bytes allocated() const { return saturated(m_allocated); }
    Bytes highest() const { return saturated(m_highest); }
    void resetHighest() { m_highest = m_allocated; }
    // As if so much had been allocated and given back.
    void passThrough(Bytes bytes) { m_highest = std::max(m_highest, m_allocated + bytes.count()); }

private:
    using Wide = __int128;
    static Bytes saturated(Wide bytes);

    std::vector<Entry> m_entries;
    std::uint32_t m_clock = 0;
    Wide m_live = 0;
    Wide m_allocated = 0;
    Wide m_highest = 0;
};

// Makes the allocator of the meta device ours, once in a process; later calls do nothing. Its memory is never
// touched by anyone: storages have a size and no bytes, as with LibTorch's own.
void installMetaAllocator();

// While this lives, storages made on this thread are entered into `ledger`. Storages made before and
// elsewhere have no entry; those that outlive this keep the ledger alive.
class LedgerScope
{
public:
    explicit LedgerScope(std::shared_ptr<StorageLedger> ledger);
    ~LedgerScope();
    LedgerScope(const LedgerScope&) = delete;
    LedgerScope& operator=(const LedgerScope&) = delete;

private:
    std::shared_ptr<StorageLedger> m_previous;
};

// The entry of a tensor's storage; none where it is not in this ledger (a number on the CPU).
std::optional<StorageLedger::EntryIndex> ledgerEntry(const StorageLedger& ledger, const at::Tensor& tensor);

} // namespace stagecraft
