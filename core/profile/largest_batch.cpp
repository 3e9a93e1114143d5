#include "core/profile/largest_batch.h"

#include "core/profile/live_memory.h"
#include "core/profile/profile_model.h"

#include <algorithm>

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

// What one batch takes.
class Probe
{
public:
    Probe(const Model& model, const ProfileOptions& options, std::string symbol, const Progress& progress)
        : m_model(model), m_options(options), m_symbol(std::move(symbol)), m_progress(progress)
    {
    }

    Result<StepMemory> operator()(std::int64_t batch)
    {
        if (m_progress.stopRequested())
            return cancelled();
        m_options.bindings[m_symbol] = batch;
        STAGECRAFT_ASSIGN(profile, profileModel(m_model, m_options));
        return profile.stepMemory;
    }

private:
    const Model& m_model;
    ProfileOptions m_options;
    std::string m_symbol;
    const Progress& m_progress;
};

// Doubles until it does not fit, then halves the gap.
Result<LargestBatch> search(Probe& probe, const std::string& symbol, SymbolRange range)
{
    const std::int64_t smallest = std::max<std::int64_t>(range.min.value_or(1), 1);
    const std::int64_t largest = std::min<std::int64_t>(range.max.value_or(INT64_MAX), std::int64_t{1} << 40);
    LargestBatch found{LargestBatch::Basis::Traced, symbol, 0, {}, false};
    std::int64_t failing = largest + 1;
    for (std::int64_t batch = smallest; batch < failing;) {
        STAGECRAFT_ASSIGN(memory, probe(batch));
        if (memory.fits) {
            found.batch = batch;
            found.total = memory.laterSteps.total;
        } else
            failing = batch;
        if (found.batch == 0)
            break;
        const bool stillDoubling = failing == largest + 1;
        const std::int64_t next =
            stillDoubling ? std::min(found.batch * 2, largest) : found.batch + (failing - found.batch) / 2;
        if (next == found.batch)
            break;
        batch = next;
    }
    found.limitedByFile = found.batch == largest;
    return found;
}

// What grows with the batch at the highest point of forward and backward.
Bytes growingBytes(const Profile& profile)
{
    std::size_t highest = 0;
    const std::vector<MemorySample>& samples = profile.memory.samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (samples[i].phase != Phase::Optimizer && samples[i].live > samples[highest].live)
            highest = i;
    const MemoryUse use = memoryAt(profile.memory, highest);
    return use[MemoryCategory::Inputs] + use[MemoryCategory::SavedActivations] +
           use[MemoryCategory::Outputs] + use[MemoryCategory::GradientsInFlight] +
           use[MemoryCategory::Temporaries];
}

// Fixed batch: what stands by itself, plus a share for every sample. The optimizer's step does not grow.
Result<LargestBatch> scale(const Model& model, const ProfileOptions& options, std::int64_t batch,
                           const Progress& progress)
{
    STAGECRAFT_ASSIGN(profile, profileModel(model, options, progress));
    const ProfileTotals& totals = profile.totals;
    const Bytes kept = totals.parameterBytes + totals.bufferBytes + totals.optimizerBytes +
                       totals.workspaceBytes + options.device.contextMemory;
    const Bytes standing = kept + totals.gradientBytes;
    const Bytes inOptimizer = kept + std::max(totals.peakOptimizer, totals.gradientBytes);
    const double perSample = growingBytes(profile).asDouble() / static_cast<double>(batch);
    const double room = (options.device.memory - standing).asDouble();
    LargestBatch found{LargestBatch::Basis::Scaled, {}, 0, {}, false};
    if (inOptimizer <= options.device.memory && room > 0 && perSample > 0)
        found.batch = static_cast<std::int64_t>(std::min(room / perSample, 9e18));
    const Bytes growing(static_cast<std::int64_t>(perSample * static_cast<double>(found.batch)));
    found.total = std::max(standing + growing, inOptimizer);
    return found;
}

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
        STAGECRAFT_ASSIGN(scaled, scale(model, options, batch->constant(), progress));
        return std::optional<LargestBatch>(scaled);
    }
    std::set<std::string> symbols;
    batch->collectSymbols(symbols);
    const std::string symbol = *symbols.begin();
    const auto range = model.graph.symbolRanges().find(symbol);
    Probe probe(model, options, symbol, progress);
    STAGECRAFT_ASSIGN(
        found,
        search(probe, symbol, range == model.graph.symbolRanges().end() ? SymbolRange{} : range->second));
    return std::optional<LargestBatch>(found);
}

} // namespace stagecraft
