#include "core/profile/block_figures.h"

#include "core/profile/device/dispatch_clock.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace stagecraft {

namespace {

// What is alive after an operator and not after the next is let go between them: its last reader is done.
// What goes on as another category is not.
std::vector<Bytes> aliveAtEntry(const MemoryTimeline& memory)
{
    using Key = std::tuple<std::size_t, std::int64_t, std::optional<NodeId>, std::optional<ValueId>>;
    std::map<Key, std::int64_t> ended;
    const auto keyAt = [](std::size_t sample, const LiveInterval& life) {
        return Key{sample, life.bytes.count(), life.node, life.value};
    };
    for (const LiveInterval& life : memory.lives)
        ++ended[keyAt(life.end, life)];
    for (const LiveInterval& life : memory.lives)
        if (const auto before = ended.find(keyAt(life.first, life)); before != ended.end())
            before->second = std::max<std::int64_t>(0, before->second - 1);
    std::vector<Bytes> entry(memory.samples.size());
    for (std::size_t i = 1; i < entry.size(); ++i)
        entry[i] = memory.samples[i - 1].live;
    for (const auto& [key, count] : ended)
        if (const std::size_t sample = std::get<0>(key); sample > 0 && sample < entry.size())
            entry[sample] -= Bytes(std::get<1>(key)) * count;
    return entry;
}

} // namespace

BlockMeter::BlockMeter(const Graph& graph, const Profile& profile)
    : m_graph(&graph),
      m_profile(&profile),
      m_samples(graph.nodeCount()),
      m_entry(aliveAtEntry(profile.memory))
{
    const std::vector<MemorySample>& samples = profile.memory.samples;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (samples[i].node)
            m_samples[*samples[i].node].push_back(i);
    std::vector<ValueId> returned;
    for (const Argument& output : graph.outputs())
        collectValues(output, returned);
    m_returned.insert(returned.begin(), returned.end());
}

BlockFigures BlockMeter::figuresOf(std::span<const NodeId> nodes) const
{
    const Graph& graph = *m_graph;
    const std::set<NodeId> own(nodes.begin(), nodes.end());
    const auto isElsewhere = [&](NodeId node) { return !own.contains(node); };
    std::set<ValueId> inputs, outputs;
    for (const NodeId node : nodes) {
        for (const ValueId input : graph[node].inputs)
            if (!graph[input].isStored() && (!graph[input].producer || isElsewhere(*graph[input].producer)))
                inputs.insert(input);
        for (const ValueId result : graph[node].results)
            if (m_returned.contains(result) || std::ranges::any_of(graph[result].users, isElsewhere))
                outputs.insert(result);
    }
    const std::vector<std::size_t> forward = samplesOf(nodes, Phase::Forward);
    const std::vector<std::size_t> backward = samplesOf(nodes, Phase::Backward);
    BlockFigures figures{.forwardPeak = peakOf(forward),
                         .backwardPeak = peakOf(backward),
                         .forwardTime = timeOf(forward),
                         .backwardTime = timeOf(backward)};
    const auto isTraced = [&](NodeId node) { return m_profile->nodes[node].origin == CostOrigin::Estimated; };
    if (!std::ranges::all_of(nodes, isTraced)) {
        figures.forwardTime = figures.backwardTime = {};
        for (const NodeId node : nodes) {
            figures.forwardTime += m_profile->nodes[node].forward.time;
            figures.backwardTime += m_profile->nodes[node].backward().time;
        }
    }
    for (const ValueId input : inputs)
        figures.input += m_profile->valueBytes[input];
    for (const ValueId output : outputs)
        figures.output += m_profile->valueBytes[output];
    return figures;
}

std::vector<std::size_t> BlockMeter::samplesOf(std::span<const NodeId> nodes, Phase phase) const
{
    const std::vector<MemorySample>& samples = m_profile->memory.samples;
    std::vector<std::size_t> own;
    for (const NodeId node : nodes)
        std::ranges::copy_if(m_samples[node], std::back_inserter(own),
                             [&](std::size_t sample) { return samples[sample].phase == phase; });
    std::ranges::sort(own);
    return own;
}

Seconds BlockMeter::timeOf(std::span<const std::size_t> own) const
{
    DispatchClock clock(m_profile->options.device, m_profile->options.mode);
    Seconds time;
    for (const std::size_t i : own) {
        const MemorySample& sample = m_profile->memory.samples[i];
        time += clock.run(sample.alone, sample.isRecomputed ? Phase::Forward : sample.phase,
                          DispatchClock::Turn::First, sample.handovers);
    }
    return time;
}

Bytes BlockMeter::peakOf(std::span<const std::size_t> own) const
{
    const std::vector<MemorySample>& samples = m_profile->memory.samples;
    Bytes peak, entry;
    for (std::size_t i = 0; i < own.size(); ++i) {
        // Between samples of one piece may be those of no node: accumulations of gradients.
        std::size_t next = i == 0 ? own[i] : own[i - 1] + 1;
        while (next < own[i] && !samples[next].node)
            ++next;
        if (i == 0 || next < own[i])
            entry = m_entry[own[i]];
        const MemorySample& sample = samples[own[i]];
        const Bytes before = own[i] == 0 ? Bytes{} : samples[own[i] - 1].live;
        const Bytes scratch = sample.peak - std::max(before, sample.live);
        peak = std::max(peak, std::max(m_entry[own[i]], sample.live) + scratch - entry);
    }
    return peak;
}

} // namespace stagecraft
