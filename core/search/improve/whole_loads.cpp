#include "core/search/improve/whole_loads.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

WholeLoads::WholeLoads(const PartitionProblem& problem, const ReducedProblem& reduced)
    : m_reduced(reduced),
      m_limitsMemory(reduced.limitsMemory),
      m_groupTimes(reduced.size()),
      m_valuesOf(reduced.size()),
      m_stages(reduced.size(), nowhere),
      m_groupCounts(reduced.stageCount(), 0),
      m_sharedCounts(reduced.shared.size() * reduced.stageCount(), 0),
      m_transients(reduced.stageCount()),
      m_sums(reduced.stageCount()),
      m_splitsBackward(splitsBackward(problem.options.schedule)),
      m_recomputes(reduced.size(), 0),
      m_recomputeCounts(reduced.stageCount(), 0),
      m_linkCounts(reduced.stageCount() * reduced.stageCount(), 0)
{
    for (GroupIndex group = 0; group < reduced.size(); ++group) {
        StageTimes& times = m_groupTimes[group];
        for (const NodeId node : reduced.groups[group].nodes) {
            times.forward += problem.nodes[node].forward;
            times.backwardInput += problem.nodes[node].backwardInput;
            times.backwardWeight += problem.nodes[node].backwardWeight;
            if (problem.nodes[node].recomputes)
                m_recomputes[group] = 1;
        }
    }
    indexValues(problem);
    // Stages that must not be empty return from the last; where they may be, from the last that is not.
    m_lastStage = reduced.allowsEmpty() ? 0 : static_cast<std::uint32_t>(reduced.stageCount() - 1);
    m_costs.stages.resize(reduced.stageCount());
    if (problem.options.objective == Objective::Overlap)
        m_costs.communication = Communication::Overlapped;
}

void WholeLoads::indexValues(const PartitionProblem& problem)
{
    if (problem.stageCount() < 2)
        return;
    std::vector<GroupIndex> groupOf(problem.nodes.size());
    for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
        for (const NodeId node : m_reduced.groups[group].nodes)
            groupOf[node.index()] = group;
    }
    for (const ProblemValue& given : problem.values) {
        Value value{.pins = {}, .producer = groupOf[given.producer.index()], .returned = given.returned};
        value.pins.push_back(value.producer);
        for (const NodeId reader : given.readers)
            value.pins.push_back(groupOf[reader.index()]);
        std::ranges::sort(value.pins);
        const auto repeated = std::ranges::unique(value.pins);
        value.pins.erase(repeated.begin(), repeated.end());
        if (value.pins.size() < 2 && !value.returned)
            continue;
        for (std::size_t boundary = 0; boundary + 1 < problem.stageCount(); ++boundary) {
            value.forward.push_back(forwardTime(problem, given, boundary));
            value.backward.push_back(backwardTime(problem, given, boundary));
        }
        const auto index = static_cast<std::uint32_t>(m_values.size());
        for (const GroupIndex pin : value.pins)
            m_valuesOf[pin].push_back(index);
        if (value.returned)
            m_returned.push_back(index);
        m_values.push_back(std::move(value));
    }
    m_pinCounts.assign(m_values.size() * m_reduced.stageCount(), 0);
}

void WholeLoads::place(GroupIndex group, std::uint32_t stage)
{
    applyAll(m_valuesOf[group], -1);
    m_stages[group] = stage;
    change(group, stage, 1);
    applyAll(m_valuesOf[group], 1);
    if (m_reduced.allowsEmpty() && stage > m_lastStage)
        changeLastStage(stage);
}

void WholeLoads::remove(GroupIndex group)
{
    const std::uint32_t stage = m_stages[group];
    applyAll(m_valuesOf[group], -1);
    m_stages[group] = nowhere;
    change(group, stage, -1);
    applyAll(m_valuesOf[group], 1);
    if (!m_reduced.allowsEmpty() || stage != m_lastStage || m_groupCounts[stage] > 0)
        return;
    std::uint32_t last = stage;
    while (last > 0 && m_groupCounts[last] == 0)
        --last;
    changeLastStage(last);
}

void WholeLoads::changeLastStage(std::uint32_t stage)
{
    applyAll(m_returned, -1);
    m_lastStage = stage;
    applyAll(m_returned, 1);
}

void WholeLoads::applyAll(const std::vector<std::uint32_t>& values, double sign)
{
    for (const std::uint32_t value : values)
        apply(m_values[value], countsOf(value), sign);
}

// All that a group brings into a stage but the values it has a part in, whose pins are only counted.
void WholeLoads::change(GroupIndex index, std::uint32_t stage, int sign)
{
    const ReducedGroup& group = m_reduced.groups[index];
    const auto step = static_cast<std::uint32_t>(sign); // -1 wraps around
    StageTimes& sum = m_sums[stage];
    const double share = sign / m_reduced.options.speeds[stage];
    sum.forward += m_groupTimes[index].forward * share;
    sum.backwardInput += m_groupTimes[index].backwardInput * share;
    sum.backwardWeight += m_groupTimes[index].backwardWeight * share;
    m_groupCounts[stage] += static_cast<std::size_t>(sign);
    m_recomputeCounts[stage] += m_recomputes[index] ? static_cast<std::size_t>(sign) : 0;
    for (const std::uint32_t value : m_valuesOf[index])
        countsOf(value)[stage] += step;
    if (!m_limitsMemory)
        return;
    sum.state += Bytes(group.state) * sign;
    sum.saved += Bytes(group.saved) * sign;
    for (const std::uint32_t shared : group.shared) {
        std::uint32_t& users = m_sharedCounts[shared * m_reduced.stageCount() + stage];
        if (users == (sign > 0 ? 0u : 1u))
            sum.state += Bytes(m_reduced.shared[shared].bytes) * sign;
        users += step;
    }
    if (sign > 0)
        m_transients[stage].insert(group.transient);
    else
        m_transients[stage].erase(m_transients[stage].find(group.transient));
}

void WholeLoads::apply(const Value& value, std::span<const std::uint32_t> counts, double sign)
{
    if (m_reduced.options.send == SendKind::Relay)
        applyRelayed(value, counts, sign);
    else
        applyDirect(value, counts, sign);
}

void WholeLoads::applyRelayed(const Value& value, std::span<const std::uint32_t> counts, double sign)
{
    const auto isHeld = [](std::uint32_t count) { return count > 0; };
    const auto first = static_cast<std::size_t>(std::ranges::find_if(counts, isHeld) - counts.begin());
    if (first == counts.size())
        return;
    std::size_t last = counts.size() - 1;
    while (counts[last] == 0)
        --last;
    if (value.returned)
        last = std::max<std::size_t>(last, m_lastStage);
    for (std::size_t boundary = first; boundary < last; ++boundary) {
        const Seconds forward = value.forward[boundary] * sign;
        const Seconds backward = value.backward[boundary] * sign;
        m_sums[boundary].sendActivations += forward;
        m_sums[boundary].receiveGradients += backward;
        m_sums[boundary + 1].receiveActivations += forward;
        m_sums[boundary + 1].sendGradients += backward;
    }
}

// Nothing is certain of it before its producer is placed.
void WholeLoads::applyDirect(const Value& value, std::span<const std::uint32_t> counts, double sign)
{
    const std::size_t home = m_stages[value.producer];
    if (home == nowhere)
        return;
    bool isSent = false;
    for (std::size_t stage = 0; stage < counts.size(); ++stage) {
        const bool holds = counts[stage] > 0 || (value.returned && stage == m_lastStage);
        if (!holds || stage == home)
            continue;
        isSent = true;
        const std::size_t in = stage == 0 ? 0 : stage - 1;
        m_sums[stage].receiveActivations += value.forward[in] * sign;
        m_sums[stage].sendGradients += value.backward[in] * sign;
        m_linkCounts[std::min(home, stage) * counts.size() + std::max(home, stage)] +=
            sign > 0 ? 1u : static_cast<std::uint32_t>(-1);
    }
    if (!isSent)
        return;
    const std::size_t out = std::min(home, counts.size() - 2);
    m_sums[home].sendActivations += value.forward[out] * sign;
    m_sums[home].receiveGradients += value.backward[out] * sign;
}

const ScheduleCosts& WholeLoads::costs()
{
    const std::size_t stages = m_reduced.stageCount();
    m_costs.links.clear();
    for (std::size_t to = 1; to < stages; ++to) {
        if (m_reduced.options.send == SendKind::Relay)
            m_costs.links.push_back({to - 1, to});
        for (std::size_t from = 0; from < to; ++from) {
            if (m_linkCounts[from * stages + to] > 0)
                m_costs.links.push_back({from, to});
        }
    }
    for (std::size_t stage = 0; stage < stages; ++stage) {
        StageTimes& times = m_costs.stages[stage] = m_sums[stage];
        if (m_splitsBackward && m_recomputeCounts[stage] > 0)
            times.backwardInput += std::exchange(times.backwardWeight, {});
        if (m_groupCounts[stage] == 0 && m_reduced.allowsEmpty())
            m_costs.stages[stage] = {};
        else if (!m_transients[stage].empty())
            m_costs.stages[stage].transient = Bytes(*m_transients[stage].rbegin());
    }
    return m_costs;
}

Seconds loadOf(const StageTimes& stage, Objective objective)
{
    const Seconds compute = stage.forward + stage.backwardInput + stage.backwardWeight;
    const Seconds receive = stage.receiveActivations + stage.sendGradients;
    const Seconds send = stage.sendActivations + stage.receiveGradients;
    switch (objective) {
    case Objective::Sum:
    case Objective::Iteration:
        return compute + receive + send;
    case Objective::Compute:
        return compute;
    case Objective::Overlap:
        return std::max({compute, receive, send});
    }
    return {};
}

} // namespace stagecraft
