#include "core/profile/model/largest_batch.h"

#include "core/profile/memory/device_memory.h"
#include "core/profile/model/profile_model.h"

#include <algorithm>
#include <functional>

namespace stagecraft {

namespace {

std::optional<SymInt> batchDimension(const Model& model)
{
    for (const InputSpec& input : model.signature.inputs) {
        if (input.kind != InputSpec::Kind::User || !input.value)
            continue;
        const std::optional<TensorMeta>& meta = model.graph[*input.value].meta;
        if (meta && !meta->sizes.empty())
            return meta->sizes.front();
    }
    return std::nullopt;
}

// What a batch takes.
using MemoryOfBatch = std::function<Result<StepMemory>(std::int64_t)>;

// Of a symbolic batch: the step is traced with it.
MemoryOfBatch traced(const Model& model, ProfileOptions options, const std::string& symbol,
                     const Progress& progress)
{
    return [&model, &progress, symbol, options](std::int64_t batch) mutable -> Result<StepMemory> {
        if (progress.stopRequested())
            return cancelled();
        options.bindings[symbol] = batch;
        STAGECRAFT_ASSIGN(profile, profileModel(model, options));
        return profile.stepMemory;
    };
}

bool growsWithBatch(const TraceStorage& storage, std::int64_t batch)
{
    switch (storage.storageClass) {
    case StorageClass::Input:
    case StorageClass::Activation:
    case StorageClass::Gradient:
        return !storage.weightGradientOnly && storage.bytes.count() % batch == 0;
    default:
        return false;
    }
}

Trace scaled(const Trace& trace, std::int64_t from, std::int64_t to)
{
    Trace larger = trace;
    for (const StorageId id : larger.storages.ids())
        if (TraceStorage& storage = larger.storages[id]; growsWithBatch(storage, from))
            storage.bytes = Bytes(storage.bytes.count() / from) * to;
    return larger;
}

// Of a batch that the file fixes.
MemoryOfBatch replayed(const StepTraceSet& traces, const ProfileOptions& options, std::int64_t fixed,
                       const Progress& progress)
{
    return [&traces, &options, &progress, fixed](std::int64_t batch) -> Result<StepMemory> {
        if (progress.stopRequested())
            return cancelled();
        const Trace later = scaled(traces.later, fixed, batch);
        if (!traces.first)
            return replaySteps({later, later, traces.optimizer}, options);
        return replaySteps({scaled(*traces.first, fixed, batch), later, traces.optimizer}, options);
    };
}

// The largest batch known to fit, and what it takes; the smallest known not to.
class Search
{
public:
    Search(const MemoryOfBatch& memoryOf, LargestBatch found, SymbolRange range)
        : m_memoryOf(memoryOf),
          m_found(std::move(found)),
          m_smallest(std::max<std::int64_t>(range.min.value_or(1), 1)),
          m_largest(std::min<std::int64_t>(range.max.value_or(INT64_MAX), std::int64_t{1} << 40)),
          m_failing(m_largest + 1)
    {
    }

    Result<LargestBatch> run()
    {
        STAGECRAFT_ASSIGN(any, fits(m_smallest));
        if (any) {
            STAGECRAFT_TRY(doubled());
            STAGECRAFT_TRY(halved());
            STAGECRAFT_TRY(leapt());
        }
        m_found.limitedByFile = m_found.basis == LargestBatch::Basis::Traced && m_found.batch == m_largest;
        return std::move(m_found);
    }

private:
    Result<bool> fits(std::int64_t batch)
    {
        STAGECRAFT_ASSIGN(memory, m_memoryOf(batch));
        if (memory.fits) {
            m_found.batch = batch;
            m_found.total = memory.laterSteps.total;
        }
        return memory.fits;
    }

    Result<void> doubled()
    {
        while (m_found.batch < m_largest) {
            const std::int64_t next = m_found.batch > m_largest / 2 ? m_largest : 2 * m_found.batch;
            STAGECRAFT_ASSIGN(more, fits(next));
            if (!more) {
                m_failing = next;
                break;
            }
        }
        return {};
    }

    Result<void> halved()
    {
        while (m_failing - m_found.batch > 1) {
            const std::int64_t middle = m_found.batch + (m_failing - m_found.batch) / 2;
            STAGECRAFT_ASSIGN(more, fits(middle));
            if (!more)
                m_failing = middle;
        }
        return {};
    }

    // A batch may fail to fit where a somewhat larger one fits, whose blocks fall into segments more happily:
    // up to a half more is looked at, in steps of 1/32.
    Result<void> leapt()
    {
        constexpr std::int64_t parts = 32;
        const std::int64_t step = m_found.batch / parts;
        for (std::int64_t leap = m_found.batch + step * parts / 2; step > 0 && leap > m_failing;
             leap -= step) {
            if (leap > m_largest)
                continue;
            STAGECRAFT_ASSIGN(more, fits(leap));
            if (more) {
                m_failing = std::min(leap + step, m_largest + 1);
                return halved();
            }
        }
        return {};
    }

    const MemoryOfBatch& m_memoryOf;
    LargestBatch m_found;
    std::int64_t m_smallest;
    std::int64_t m_largest;
    std::int64_t m_failing;
};

} // namespace

Result<std::optional<LargestBatch>> largestBatch(const Model& model, const ProfileOptions& options,
                                                 const Progress& progress)
{
    const std::optional<SymInt> batch = batchDimension(model);
    if (!batch)
        return std::optional<LargestBatch>();
    if (batch->isConstant()) {
        if (batch->constant() <= 0)
            return std::optional<LargestBatch>();
        STAGECRAFT_ASSIGN(traces, traceSteps(model, options, progress));
        const MemoryOfBatch memoryOf = replayed(traces, options, batch->constant(), progress);
        STAGECRAFT_ASSIGN(found, Search(memoryOf, {.basis = LargestBatch::Basis::Scaled}, {}).run());
        return std::optional<LargestBatch>(found);
    }
    std::set<std::string> symbols;
    batch->collectSymbols(symbols);
    const std::string symbol = *symbols.begin();
    const auto range = model.graph.symbolRanges().find(symbol);
    const MemoryOfBatch memoryOf = traced(model, options, symbol, progress);
    const bool isBounded = range != model.graph.symbolRanges().end();
    STAGECRAFT_ASSIGN(found,
                      Search(memoryOf, {.symbol = symbol}, isBounded ? range->second : SymbolRange{}).run());
    return std::optional<LargestBatch>(found);
}

} // namespace stagecraft
