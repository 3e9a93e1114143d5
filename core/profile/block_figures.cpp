#include "core/profile/block_figures.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

BlockMeter::BlockMeter(const Graph& graph, const Profile& profile)
    : m_graph(&graph), m_profile(&profile), m_samples(graph.nodeCount())
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
    BlockFigures figures{.forwardPeak = peakOf(nodes, Phase::Forward),
                         .backwardPeak = peakOf(nodes, Phase::Backward)};
    for (const ValueId input : inputs)
        figures.input += m_profile->valueBytes[input];
    for (const ValueId output : outputs)
        figures.output += m_profile->valueBytes[output];
    return figures;
}

Bytes BlockMeter::peakOf(std::span<const NodeId> nodes, Phase phase) const
{
    const std::vector<MemorySample>& samples = m_profile->memory.samples;
    std::vector<std::size_t> own;
    for (const NodeId node : nodes)
        std::ranges::copy_if(m_samples[node], std::back_inserter(own),
                             [&](std::size_t sample) { return samples[sample].phase == phase; });
    std::ranges::sort(own);
    Bytes peak, entry;
    for (std::size_t i = 0; i < own.size(); ++i) {
        // Between samples of one piece may be those of no node: accumulations of gradients.
        std::size_t next = i == 0 ? own[i] : own[i - 1] + 1;
        while (next < own[i] && !samples[next].node)
            ++next;
        if (i == 0 || next < own[i])
            entry = own[i] == 0 ? Bytes{} : samples[own[i] - 1].live;
        peak = std::max(peak, samples[own[i]].peak - entry);
    }
    return peak;
}

} // namespace stagecraft
