#include "core/search/improve/stage_loads.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

StageLoads::StageLoads(const ReducedProblem& reduced, GroupStages stages)
    : m_reduced(reduced),
      m_stages(std::move(stages)),
      m_figures(reduced.stageCount()),
      m_groupCounts(reduced.stageCount(), 0),
      m_pins(reduced.values.size() * reduced.stageCount(), 0),
      m_sharedUsers(reduced.shared.size() * reduced.stageCount(), 0),
      m_transients(reduced.stageCount())
{
    for (GroupIndex group = 0; group < reduced.size(); ++group)
        addGroup(group, m_stages[group], 1);
    for (std::uint32_t v = 0; v < reduced.values.size(); ++v) {
        for (const GroupIndex pin : reduced.values[v].pins)
            ++pins(v, m_stages[pin]);
        addValue(v, 1);
    }
}

void StageLoads::addGroup(GroupIndex group, std::uint32_t stage, int sign)
{
    const ReducedGroup& item = m_reduced.groups[group];
    StageFigures& figures = m_figures[stage];
    m_groupCounts[stage] = sign > 0 ? m_groupCounts[stage] + 1 : m_groupCounts[stage] - 1;
    figures.compute += sign * item.time;
    if (!m_reduced.limitsMemory)
        return;
    figures.state += sign * item.state;
    figures.saved += sign * item.saved;
    for (const std::uint32_t shared : item.shared) {
        std::uint32_t& users = m_sharedUsers[shared * m_reduced.stageCount() + stage];
        if (users == (sign > 0 ? 0u : 1u))
            figures.state += sign * m_reduced.shared[shared].bytes;
        users = sign > 0 ? users + 1 : users - 1;
    }
    auto& transients = m_transients[stage];
    if (sign > 0)
        transients.insert(item.transient);
    else
        transients.erase(transients.find(item.transient));
    figures.transient = transients.empty() ? 0 : *transients.rbegin();
}

// What the value costs each stage, added or, with a sign of -1, taken away.
void StageLoads::addValue(std::uint32_t index, double sign)
{
    const ReducedValue& value = m_reduced.values[index];
    const std::size_t stages = m_reduced.stageCount();
    std::size_t first = stages;
    std::size_t last = 0;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        if (pins(index, stage) > 0) {
            first = std::min(first, stage);
            last = stage;
        }
    }
    if (value.returned)
        last = stages - 1;
    if (first >= last)
        return;
    const TransferSize size{sign * value.size.messages, sign * value.size.bytes, sign * value.size.fixed};
    if (m_reduced.options.send == SendKind::Relay) {
        for (std::size_t boundary = first; boundary < last; ++boundary) {
            m_figures[boundary].out += size;
            m_figures[boundary + 1].in += size;
        }
        return;
    }
    for (std::size_t stage = first; stage <= last; ++stage) {
        if (stage == m_stages[value.producer])
            m_figures[stage].out += size;
        else if (pins(index, stage) > 0 || (value.returned && stage == last))
            m_figures[stage].in += size;
    }
}

void StageLoads::move(GroupIndex group, std::uint32_t stage)
{
    const std::uint32_t old = m_stages[group];
    const ReducedGroup& item = m_reduced.groups[group];
    for (const std::uint32_t v : item.values)
        addValue(v, -1);
    addGroup(group, old, -1);
    m_stages[group] = stage;
    addGroup(group, stage, 1);
    for (const std::uint32_t v : item.values) {
        --pins(v, old);
        ++pins(v, stage);
        addValue(v, 1);
    }
}

bool StageLoads::mayMove(GroupIndex group, std::uint32_t stage) const
{
    const ReducedGroup& item = m_reduced.groups[group];
    return stage >= item.firstStage && stage <= item.lastStage &&
           std::ranges::all_of(item.before, [&](GroupIndex before) { return m_stages[before] <= stage; }) &&
           std::ranges::all_of(item.after, [&](GroupIndex after) { return m_stages[after] >= stage; });
}

double StageLoads::load(std::size_t stage) const
{
    return m_groupCounts[stage] == 0 ? 0 : m_reduced.load(stage, m_figures[stage]);
}

double StageLoads::excess(std::size_t stage) const
{
    if (!m_reduced.limitsMemory || m_reduced.fits(stage, m_figures[stage]))
        return 0;
    const StageFigures& figures = m_figures[stage];
    return static_cast<double>(figures.state) +
           static_cast<double>(figures.saved) * static_cast<double>(m_reduced.inFlight[stage]) +
           static_cast<double>(figures.transient) - m_reduced.options.memoryLimits[stage].asDouble();
}

} // namespace stagecraft
