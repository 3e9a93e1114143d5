#include "core/search/reduce/loads.h"

#include "core/plan/stage_turns.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

void MostOfGroups::add(const Transients& transients)
{
    m_whole.insert(transients.whole);
    m_input.insert(transients.split.input);
    m_weight.insert(transients.split.weight);
    m_waiting.insert(transients.split.waiting);
    m_behind.insert(transients.split.behind);
}

void MostOfGroups::remove(const Transients& transients)
{
    m_whole.erase(m_whole.find(transients.whole));
    m_input.erase(m_input.find(transients.split.input));
    m_weight.erase(m_weight.find(transients.split.weight));
    m_waiting.erase(m_waiting.find(transients.split.waiting));
    m_behind.erase(m_behind.find(transients.split.behind));
}

Transients MostOfGroups::most() const
{
    if (m_whole.empty())
        return {};
    return {*m_whole.rbegin(),
            {*m_input.rbegin(), *m_weight.rbegin(), *m_waiting.rbegin(), *m_behind.begin()}};
}

Loads::Loads(const ReducedProblem& reduced)
    : m_reduced(reduced),
      m_splitsBackward(splitsBackward(reduced.options.schedule)),
      m_stages(reduced.size(), nowhere),
      m_groupCounts(reduced.stageCount(), 0),
      m_parts(reduced.values.size() * reduced.stageCount(), 0),
      m_sharedUsers(reduced.shared.size() * reduced.stageCount(), 0),
      m_recomputeCounts(reduced.stageCount(), 0),
      m_linkCounts(reduced.options.send == SendKind::Direct ? reduced.stageCount() * reduced.stageCount()
                                                            : 0),
      m_sums(reduced.stageCount()),
      m_held(reduced.stageCount()),
      m_heldByRuntime(reduced.stageCount()),
      m_transients(reduced.stageCount()),
      m_mostInTurns(reduced.stageCount()),
      m_turns(reduced.stageCount())
{
    for (const double speed : reduced.options.speeds)
        m_slowness.push_back(1 / speed);
    // Stages that must not be empty return from the last; where they may be, from the last that is not.
    m_lastStage = reduced.allowsEmpty() ? 0 : static_cast<std::uint32_t>(reduced.stageCount() - 1);
    priceValues();
}

Loads::Loads(const ReducedProblem& reduced, GroupStages stages) : Loads(reduced)
{
    for (const ReducedGroupId group : m_stages.ids()) {
        m_stages[group] = stages[group];
        change(group, m_stages[group], 1);
        m_lastStage = std::max(m_lastStage, m_stages[group]);
    }
    for (std::uint32_t value = 0; value < reduced.values.size(); ++value)
        pay(value, 1);
}

void Loads::priceValues()
{
    const PartitionOptions& options = m_reduced.options;
    std::vector<std::size_t> links; // the first of each kind
    for (std::size_t boundary = 0; boundary + 1 < m_reduced.stageCount(); ++boundary) {
        const auto same = std::ranges::find_if(links, [&](std::size_t other) {
            return options.links[boundary] == options.links[other] &&
                   options.crossesDevices(boundary) == options.crossesDevices(other);
        });
        m_linkKinds.push_back(static_cast<std::size_t>(same - links.begin()));
        if (same == links.end())
            links.push_back(boundary);
    }
    m_kindCount = links.size();
    m_prices.reserve(m_reduced.values.size() * m_kindCount);
    for (const ReducedValue& value : m_reduced.values) {
        for (const std::size_t boundary : links)
            m_prices.push_back(
                {linkTime(options, value.forward, boundary), linkTime(options, value.backward, boundary)});
    }
}

void Loads::place(ReducedGroupId group, std::uint32_t stage)
{
    payAll(group, -1);
    m_stages[group] = stage;
    change(group, stage, 1);
    payAll(group, 1);
    if (m_reduced.allowsEmpty() && stage > m_lastStage)
        changeLastStage(stage);
}

void Loads::remove(ReducedGroupId group)
{
    payAll(group, -1);
    change(group, std::exchange(m_stages[group], nowhere), -1);
    payAll(group, 1);
    lowerLastStage();
}

void Loads::move(ReducedGroupId group, std::uint32_t stage)
{
    payAll(group, -1);
    change(group, std::exchange(m_stages[group], stage), -1);
    change(group, stage, 1);
    payAll(group, 1);
    if (m_reduced.allowsEmpty() && stage > m_lastStage)
        changeLastStage(stage);
    else
        lowerLastStage();
}

bool Loads::mayMove(ReducedGroupId group, std::uint32_t stage) const
{
    const ReducedGroup& item = m_reduced.groups[group];
    return stage >= item.firstStage && stage <= item.lastStage &&
           std::ranges::all_of(item.before,
                               [&](ReducedGroupId before) { return m_stages[before] <= stage; }) &&
           std::ranges::all_of(item.after, [&](ReducedGroupId after) { return m_stages[after] >= stage; });
}

void Loads::lowerLastStage()
{
    if (!m_reduced.allowsEmpty() || m_groupCounts[m_lastStage] > 0)
        return;
    std::uint32_t last = m_lastStage;
    while (last > 0 && m_groupCounts[last] == 0)
        --last;
    changeLastStage(last);
}

void Loads::changeLastStage(std::uint32_t stage)
{
    const auto payReturned = [this](double sign) {
        for (std::uint32_t value = 0; value < m_reduced.values.size(); ++value) {
            if (m_reduced.values[value].returned)
                pay(value, sign);
        }
    };
    payReturned(-1);
    m_lastStage = stage;
    payReturned(1);
}

// For all values whose stages or keepers a group is one of.
void Loads::payAll(ReducedGroupId group, double sign)
{
    for (const std::uint32_t value : m_reduced.groups[group].values)
        pay(value, sign);
    for (const std::uint32_t value : m_reduced.groups[group].keeps)
        pay(value, sign);
}

// All that a group brings into a stage but the values it has a part in, whose parts are only counted.
void Loads::change(ReducedGroupId index, std::uint32_t stage, int sign)
{
    const ReducedGroup& group = m_reduced.groups[index];
    const auto step = static_cast<std::uint32_t>(sign); // -1 wraps around
    StageTimes& sum = m_sums[stage];
    const double share = sign * m_slowness[stage];
    sum.forward += group.compute.forward * share;
    sum.backwardInput += group.compute.backwardInput * share;
    sum.backwardWeight += group.compute.backwardWeight * share;
    m_groupCounts[stage] += static_cast<std::size_t>(sign);
    m_placed += static_cast<std::size_t>(sign);
    m_turns[stage] = std::nullopt;
    m_mostInTurns[stage] += sign > 0 ? group.mostInTurns : Bytes{} - group.mostInTurns;
    m_recomputeCounts[stage] += group.recomputes ? static_cast<std::size_t>(sign) : 0;
    for (const std::uint32_t value : group.values)
        partsOf(value)[stage] += step;
    if (!m_reduced.limitsMemory)
        return;
    hold(m_held[stage], group.held, sign > 0);
    for (const std::uint32_t shared : group.shared) {
        std::uint32_t& users = m_sharedUsers[shared * m_reduced.stageCount() + stage];
        if (users == (sign > 0 ? 0u : 1u))
            hold(m_held[stage], m_reduced.shared[shared].held, sign > 0);
        users += step;
    }
    for (const std::uint32_t parted : group.parted) {
        const auto held = [&](bool isIn) {
            return m_reduced.parted[parted].heldIn(
                [&](ReducedGroupId other) { return other == index ? isIn : m_stages[other] == stage; });
        };
        m_held[stage] += held(sign > 0) - held(sign < 0);
    }
    if (sign > 0)
        m_transients[stage].add(group.transients);
    else
        m_transients[stage].remove(group.transients);
}

void Loads::hold(HeldBytes& sum, const HeldBytes& held, bool isMore)
{
    if (isMore)
        sum += held;
    else
        sum -= held;
}

// None where groups are still to come: of those that are there it may be more.
StageTurns Loads::turnsOf(std::size_t stage) const
{
    if (!m_reduced.turns || m_placed < m_reduced.size())
        return {};
    if (!m_turns[stage]) {
        std::vector<std::uint32_t> forward, backward, firstPart;
        for (const ReducedGroupId group : m_stages.ids())
            if (const ReducedGroup& of = m_reduced.groups[group]; m_stages[group] == stage) {
                forward.insert(forward.end(), of.forward.begin(), of.forward.end());
                backward.insert(backward.end(), of.backward.begin(), of.backward.end());
                firstPart.insert(firstPart.end(), of.firstPart.begin(), of.firstPart.end());
            }
        std::ranges::sort(forward);
        std::ranges::sort(backward);
        std::ranges::sort(firstPart);
        const auto isInStage = [&](NodeId node) { return m_stages[m_reduced.groupOf[node]] == stage; };
        const PipelineRuntime runtime = m_reduced.options.runtime;
        m_turns[stage] = {aliveForward(*m_reduced.turns, forward, isInStage, runtime),
                          aliveBackward(*m_reduced.turns, backward, isInStage, runtime),
                          aliveInFirstPart(*m_reduced.turns, firstPart, isInStage)};
    }
    return *m_turns[stage];
}

StageHold Loads::hold(std::size_t stage, const StageTurns& turns) const
{
    StageHold hold = stageHold(m_held[stage], m_transients[stage].most(), stage, joinsBackward(stage), turns,
                               goesBackAtOnce(m_reduced.options, stage, m_recomputeCounts[stage] > 0));
    hold.addRuntime(m_heldByRuntime[stage], stage, joinsBackward(stage));
    return hold;
}

// Of a value that the stage pays for.
HeldBytes Loads::heldByRuntime(std::uint32_t index, std::size_t stage, Payment way)
{
    const ReducedValue& value = m_reduced.values[index];
    const std::size_t home = m_stages[value.producer];
    const auto bytes = [](double size) { return Bytes(static_cast<std::int64_t>(size)); };
    const bool isKept =
        std::ranges::any_of(value.keepers, [&](ReducedGroupId group) { return m_stages[group] == stage; });
    const CrossingBytes crossing{.forward = bytes(value.forward.bytes),
                                 .backward = bytes(value.backward.bytes),
                                 .kept = isKept,
                                 .letGo = isKept && value.isReleased ? bytes(value.forward.bytes) : Bytes{},
                                 .inFront = value.inFront};
    if (home == nowhere && way == Payment::Send) // by whom it is made or passed on
        return m_reduced.runtime.leastSent(stage, crossing);
    return m_reduced.runtime.heldOf(crossing, home, stage, way, [&](std::size_t other) {
        const std::uint32_t makers = other == home && !value.readByProducer ? 1 : 0;
        return other < m_reduced.stageCount() &&
               (partsOf(index)[other] > makers || (value.returned && other == m_lastStage));
    });
}

// What the value costs each stage, added or, with a sign of -1, taken away.
void Loads::pay(std::uint32_t index, double sign)
{
    const ReducedValue& value = m_reduced.values[index];
    const PartitionOptions& options = m_reduced.options;
    const auto parts = partsOf(index);
    ValueStages place{0, parts.size() - 1, m_stages[value.producer]};
    while (place.first < parts.size() && parts[place.first] == 0)
        ++place.first;
    // Nothing is certain of it before a part is placed, or, sent directly, its producer.
    if (place.first == parts.size() || (options.send == SendKind::Direct && place.home == nowhere))
        return;
    while (parts[place.last] == 0)
        --place.last;
    if (value.returned)
        place.last = std::max<std::size_t>(place.last, m_lastStage);
    const Price* const prices = m_prices.data() + index * m_kindCount;
    const bool holdsBuffers = m_reduced.limitsMemory && !m_reduced.runtime.holdsNothing();
    forEachPayment(
        options, place,
        [&](std::size_t stage) { return parts[stage] > 0 || (value.returned && stage == m_lastStage); },
        [&](std::size_t stage, Payment way, std::size_t boundary) {
            const Price& price = prices[m_linkKinds[boundary]];
            StageTimes& sum = m_sums[stage];
            const bool sends = way == Payment::Send;
            (sends ? sum.sendActivations : sum.receiveActivations) += price.forward * sign;
            (sends ? sum.receiveGradients : sum.sendGradients) += price.backward * sign;
            if (holdsBuffers)
                hold(m_heldByRuntime[stage], heldByRuntime(index, stage, way), sign > 0);
            if (!sends && options.send == SendKind::Direct)
                m_linkCounts[std::min(place.home, stage) * parts.size() + std::max(place.home, stage)] +=
                    sign > 0 ? 1u : static_cast<std::uint32_t>(-1);
        });
}

// Without a look at its turns, whatever they have.
bool Loads::fitsForSure(std::size_t stage, Bytes limit) const
{
    return m_groupCounts[stage] == 0 ||
           stageMemory(hold(stage, {}), m_reduced.largest[stage]) + m_mostInTurns[stage] <= limit;
}

double Loads::excess(std::size_t stage) const
{
    if (!m_reduced.limitsMemory)
        return 0;
    const Bytes limit = m_reduced.options.memoryLimits[stage];
    if (fitsForSure(stage, limit))
        return 0;
    const Bytes need = memory(stage);
    return need <= limit ? 0 : (need - limit).asDouble();
}

const ScheduleCosts& Loads::costs()
{
    const std::size_t stages = m_reduced.stageCount();
    const bool direct = m_reduced.options.send == SendKind::Direct;
    m_costs.communication = m_reduced.options.objective == Objective::Overlap ? Communication::Overlapped
                                                                              : Communication::Blocking;
    m_costs.links.clear();
    for (std::size_t to = 1; to < stages; ++to) {
        for (std::size_t from = direct ? 0 : to - 1; from < to; ++from) {
            if (!direct || m_linkCounts[from * stages + to] > 0)
                m_costs.links.push_back({from, to});
        }
    }
    m_costs.stages = m_sums;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        StageTimes& times = m_costs.stages[stage];
        if (joinsBackward(stage))
            times.backwardInput += std::exchange(times.backwardWeight, {});
        if (m_groupCounts[stage] == 0 && m_reduced.allowsEmpty())
            times = {};
        setMemory(times, m_groupCounts[stage] == 0 ? StageHold{} : hold(stage, turnsOf(stage)));
    }
    return m_costs;
}

double bottleneckOf(const ReducedProblem& reduced, const GroupStages& stages)
{
    const Loads loads(reduced, stages);
    double slowest = 0;
    for (std::size_t stage = 0; stage < reduced.stageCount(); ++stage) {
        if ((loads.groupCount(stage) == 0 && !reduced.allowsEmpty()) || loads.excess(stage) > 0)
            return infinite;
        slowest = std::max(slowest, loads.load(stage));
    }
    return slowest;
}

} // namespace stagecraft
