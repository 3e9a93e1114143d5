#include "core/plan/evaluate.h"

#include "core/base/sort_unique.h"
#include "core/plan/stage_turns.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace stagecraft {

namespace {

// Of stages that are asked for.
void takeTurns(const PartitionProblem& figures, const Partition& partition, const std::vector<char>& isAsked,
               std::vector<StageTurns>& turns)
{
    if (!figures.turns)
        return;
    const std::vector<StageTurns> alive = turnsOfStages(*figures.turns, partition, figures.options.runtime,
                                                        isAsked, backwardPassOf(figures.options));
    for (std::size_t stage = 0; stage < turns.size(); ++stage)
        if (isAsked[stage] != 0)
            turns[stage] = alive[stage];
}

} // namespace

PlanEvaluator::PlanEvaluator(const PartitionProblem& problem, Partition partition)
    : m_problem(problem),
      m_partition(std::move(partition)),
      m_schedule(scheduleOf(problem.options).value()),
      m_largest(largestCounts(m_schedule)),
      m_runtime(problem.options, stepKindOf(problem)),
      m_nodeCounts(problem.stageCount(), 0),
      m_stages(problem.stageCount()),
      m_times(problem.stageCount()),
      m_computes(problem.stageCount()),
      m_held(problem.stageCount()),
      m_heldByRuntime(problem.stageCount()),
      m_transients(problem.stageCount()),
      m_turns(problem.stageCount()),
      m_recomputes(problem.stageCount(), 0),
      m_recomputations(problem.stageCount()),
      m_figures(problem.stageCount(), nullptr),
      m_boundaries(problem.stageCount() - 1),
      m_stageDirty(problem.stageCount(), 1),
      m_boundaryDirty(problem.stageCount() - 1, 1)
{
    assert(checkPartition(m_problem, m_partition).has_value());
    for (const StageId stage : m_partition.stageOf) {
        ++m_nodeCounts[stage.index()];
        m_lastStage = std::max<std::size_t>(m_lastStage, stage.index());
    }
    m_ranges.reserve(problem.values.size());
    for (const ProblemValue& value : problem.values)
        m_ranges.push_back(rangeOf(value));
}

StagesOfValue PlanEvaluator::rangeOf(const ProblemValue& value) const
{
    const std::uint32_t producer = m_partition.stageOf[value.producer].index();
    StagesOfValue range{producer, value.returned ? static_cast<std::uint32_t>(m_lastStage) : producer};
    for (NodeId reader : value.readers) {
        range.first = std::min(range.first, m_partition.stageOf[reader].index());
        range.last = std::max(range.last, m_partition.stageOf[reader].index());
    }
    return range;
}

void PlanEvaluator::move(NodeId node, StageId stage)
{
    const StageId old = m_partition.stageOf[node];
    if (old == stage)
        return;
    if (!m_index)
        m_index.emplace(m_problem);
    m_partition.stageOf[node] = stage;
    m_stageDirty[old.index()] = m_stageDirty[stage.index()] = 1;
    --m_nodeCounts[old.index()];
    ++m_nodeCounts[stage.index()];
    std::size_t last = m_partition.stageCount - 1;
    while (m_nodeCounts[last] == 0)
        --last;
    if (last != m_lastStage) {
        m_lastStage = last;
        for (std::size_t v = 0; v < m_ranges.size(); ++v)
            m_ranges[v] = rangeOf(m_problem.values[v]);
        std::ranges::fill(m_stageDirty, 1);
        std::ranges::fill(m_boundaryDirty, 1);
        return;
    }
    for (const std::size_t v : m_index->of(node)) {
        const StagesOfValue before = m_ranges[v];
        m_ranges[v] = rangeOf(m_problem.values[v]);
        markValue(v, before, m_ranges[v]);
        // What the run-time holds of a value depends on how far back it was made.
        if (m_problem.values[v].producer == node && !m_runtime.holdsNothing()) {
            const std::uint32_t first = std::min(before.first, m_ranges[v].first);
            const std::uint32_t behind = std::max(before.last, m_ranges[v].last) + 1;
            std::fill(m_stageDirty.begin() + first, m_stageDirty.begin() + behind, 1);
        }
    }
}

void PlanEvaluator::setRecomputation(StageId stage, const std::optional<RecomputedStage>& recomputation)
{
    if (!recomputation && !m_recomputations[stage.index()])
        return;
    m_recomputations[stage.index()] = recomputation;
    m_stageDirty[stage.index()] = 1;
}

void PlanEvaluator::setFigures(StageId stage, const PartitionProblem* figures)
{
    assert(!figures || (figures->nodes.size() == m_problem.nodes.size() &&
                        std::ranges::equal(figures->values, m_problem.values, {}, &ProblemValue::value,
                                           &ProblemValue::value)));
    if (std::exchange(m_figures[stage.index()], figures) != figures)
        m_stageDirty[stage.index()] = 1;
}

const PartitionProblem& PlanEvaluator::figuresOf(std::size_t stage) const
{
    return m_figures[stage] ? *m_figures[stage] : m_problem;
}

// visit(figures, isAsked): each that stages have which are to be added up anew, and which do.
template <class Visit>
void PlanEvaluator::forEachFigures(Visit&& visit) const
{
    std::vector<char> isLeft = m_stageDirty;
    for (std::size_t first = 0; first < isLeft.size(); ++first) {
        if (!isLeft[first])
            continue;
        std::vector<char> isAsked(isLeft.size(), 0);
        for (std::size_t stage = first; stage < isLeft.size(); ++stage)
            if (isLeft[stage] && m_figures[stage] == m_figures[first]) {
                isAsked[stage] = 1;
                isLeft[stage] = 0;
            }
        visit(figuresOf(first), std::span<const char>(isAsked));
    }
}

void PlanEvaluator::markValue(std::size_t value, StagesOfValue before, StagesOfValue after)
{
    if (m_problem.options.send == SendKind::Direct) {
        m_stageDirty[m_partition.stageOf[m_problem.values[value].producer].index()] = 1;
        for (NodeId reader : m_problem.values[value].readers)
            m_stageDirty[m_partition.stageOf[reader].index()] = 1;
        m_stageDirty[m_lastStage] = 1;
    }
    if (before == after)
        return;
    const std::uint32_t first = std::min(before.first, after.first);
    const std::uint32_t last = std::max(before.last, after.last);
    for (std::uint32_t b = first; b < last; ++b) {
        if (before.crosses(b) != after.crosses(b))
            m_boundaryDirty[b] = m_stageDirty[b] = m_stageDirty[b + 1] = 1;
    }
}

void PlanEvaluator::addNodes()
{
    for (NodeId node : m_problem.nodes.ids()) {
        const std::size_t stage = m_partition.stageOf[node].index();
        if (!m_stageDirty[stage])
            continue;
        const ProblemNode& cost = figuresOf(stage).nodes[node];
        StageCost& sum = m_stages[stage];
        ++sum.nodeCount;
        m_computes[stage] += computeOf(cost);
        m_held[stage] += heldBy(cost);
        m_transients[stage].add(transientsOf(cost));
        sum.recomputed += cost.recomputed;
        if (cost.recomputes)
            m_recomputes[stage] = 1;
    }
}

void PlanEvaluator::addShared()
{
    forEachFigures([this](const PartitionProblem& figures, std::span<const char> isAsked) {
        std::vector<std::size_t> counted(m_stages.size(), static_cast<std::size_t>(-1));
        for (std::size_t i = 0; i < figures.shared.size(); ++i) {
            for (NodeId user : figures.shared[i].users) {
                const std::size_t stage = m_partition.stageOf[user].index();
                if (!isAsked[stage] || counted[stage] == i)
                    continue;
                counted[stage] = i;
                m_stages[stage].parameterBytes += figures.shared[i].parameterBytes;
                m_held[stage] += heldBy(figures.shared[i]);
            }
        }
        for (const PartedState& state : figures.parted)
            for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
                if (isAsked[stage])
                    m_held[stage] += heldBeside(state.bytes, state.parts, state.isReleased, [&](NodeId node) {
                        return m_partition.stageOf[node].index() == stage;
                    });
    });
}

// pay(value, stage, Payment, boundary) for all that any stage pays; values are indices.
template <class Pay>
void PlanEvaluator::forEachPaid(Pay&& pay) const
{
    std::vector<std::size_t> holds(m_stages.size(),
                                   m_ranges.size()); // of each stage, the last value seen in it
    for (std::size_t v = 0; v < m_ranges.size(); ++v) {
        if (m_ranges[v].first == m_ranges[v].last)
            continue;
        const ProblemValue& value = m_problem.values[v];
        for (const NodeId reader : value.readers)
            holds[m_partition.stageOf[reader].index()] = v;
        if (value.returned)
            holds[m_lastStage] = v;
        forEachPayment(
            m_problem.options,
            {m_ranges[v].first, m_ranges[v].last, m_partition.stageOf[value.producer].index()},
            [&](std::size_t stage) { return holds[stage] == v; },
            [&](std::size_t stage, Payment way, std::size_t boundary) { pay(v, stage, way, boundary); });
    }
}

// What a stage that pays for a value holds of it.
HeldBytes PlanEvaluator::heldByRuntime(std::size_t index, std::size_t stage, Payment way) const
{
    const ProblemValue& value = figuresOf(stage).values[index];
    const std::size_t home = m_partition.stageOf[value.producer].index();
    const auto hasAny = [&](const std::vector<NodeId>& nodes, std::size_t other) {
        return std::ranges::any_of(nodes,
                                   [&](NodeId node) { return m_partition.stageOf[node].index() == other; });
    };
    const bool isKept = hasAny(value.keepers, stage);
    return m_runtime.heldOf({.forward = value.forwardBytes,
                             .backward = value.backwardBytes,
                             .kept = isKept,
                             .letGo = isKept && value.isReleased ? value.forwardBytes : Bytes{},
                             .inFront = value.inFront},
                            home, stage, way, [&](std::size_t other) {
                                return hasAny(value.readers, other) ||
                                       (value.returned && other == m_lastStage);
                            });
}

void PlanEvaluator::addTransfers()
{
    forEachPaid([this](std::size_t v, std::size_t stage, Payment way, std::size_t boundary) {
        if (!m_stageDirty[stage])
            return;
        StageTimes& time = m_times[stage];
        const bool sends = way == Payment::Send;
        (sends ? time.sendActivations : time.receiveActivations) +=
            forwardTime(m_problem, m_problem.values[v], boundary);
        (sends ? time.receiveGradients : time.sendGradients) +=
            backwardTime(m_problem, m_problem.values[v], boundary);
        if (!m_runtime.holdsNothing())
            m_heldByRuntime[stage] += heldByRuntime(v, stage, way);
    });
}

void PlanEvaluator::addTurns()
{
    forEachFigures([this](const PartitionProblem& figures, std::span<const char> isDirty) {
        std::vector<char> isAsked(isDirty.begin(), isDirty.end()); // what was set has its own
        for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
            if (m_recomputations[stage])
                isAsked[stage] = 0;
        takeTurns(figures, m_partition, isAsked, m_turns);
    });
}

void PlanEvaluator::takeRecomputation(std::size_t stage)
{
    if (!m_recomputations[stage])
        return;
    const auto& [added, saved, transient, turns] = *m_recomputations[stage];
    m_computes[stage].backwardInput += added;
    m_held[stage].saved = saved;
    m_stages[stage].recomputed = added;
    m_transients[stage].whole = transient;
    m_turns[stage] = turns;
    m_recomputes[stage] = added > Seconds{};
}

void PlanEvaluator::finishStage(std::size_t stage)
{
    takeRecomputation(stage);
    const PartitionOptions& options = m_problem.options;
    StageCost& cost = m_stages[stage];
    StageTimes& time = m_times[stage];
    ComputeTimes& compute = m_computes[stage];
    const bool joinsBackward = m_recomputes[stage] != 0 && splitsBackward(options.schedule);
    if (joinsBackward)
        compute.backwardInput += std::exchange(compute.backwardWeight, {});
    cost.inFlight = static_cast<int>(m_largest[stage].front().inFlight);
    cost.memoryLimit = options.memoryLimits[stage];
    if (cost.nodeCount == 0) {
        time = {};
        return;
    }
    const double speed = options.speeds[stage];
    cost.recomputed = cost.recomputed / speed;
    cost.forward = time.forward = compute.forward / speed;
    cost.backwardInput = time.backwardInput = compute.backwardInput / speed;
    cost.backwardWeight = time.backwardWeight = compute.backwardWeight / speed;
    cost.receive = time.receiveActivations + time.sendGradients;
    cost.send = time.sendActivations + time.receiveGradients;
    cost.load = stageLoad(options.objective, time);
    StageHold hold = stageHold(m_held[stage], m_transients[stage], stage, joinsBackward, m_turns[stage],
                               goesBackAtOnce(options, stage, m_recomputes[stage] != 0));
    cost.stateBytes = hold.held.always();
    cost.savedBytes = hold.held.perMicrobatch();
    cost.transientBytes = hold.transient();
    cost.nodeBytes = hold.whole;
    cost.turns = hold.turns;
    const Bytes without = stageMemory(hold, m_largest[stage]);
    const Bytes most = stageMemory(hold.held, hold.transient(), m_largest[stage].front().inFlight);
    cost.waitingBytes = std::max(Bytes{}, without - most);
    cost.releasedBytes = std::max(Bytes{}, most - without);
    hold.addRuntime(m_heldByRuntime[stage], stage, joinsBackward);
    cost.peakMemory = stageMemory(hold, m_largest[stage]);
    cost.runtimeBytes = cost.peakMemory - without;
    setMemory(time, hold);
}

void PlanEvaluator::collectBoundaries()
{
    std::vector<std::vector<std::size_t>> crossing(m_boundaries.size());
    for (std::size_t v = 0; v < m_ranges.size(); ++v) {
        for (std::size_t b = m_ranges[v].first; b < m_ranges[v].last; ++b) {
            if (m_boundaryDirty[b])
                crossing[b].push_back(v);
        }
    }
    for (std::size_t b = 0; b < m_boundaries.size(); ++b) {
        if (!m_boundaryDirty[b])
            continue;
        m_boundaries[b] = {};
        std::ranges::stable_sort(crossing[b], [&](std::size_t left, std::size_t right) {
            return m_problem.values[left].forwardBytes > m_problem.values[right].forwardBytes;
        });
        for (const std::size_t v : crossing[b]) {
            const ProblemValue& value = m_problem.values[v];
            m_boundaries[b].values.push_back(value.value);
            m_boundaries[b].forwardBytes += value.forwardBytes;
            m_boundaries[b].backwardBytes += value.backwardBytes;
            m_boundaries[b].time += transferTime(m_problem, value, b);
        }
    }
}

void PlanEvaluator::refresh()
{
    if (std::ranges::find(m_stageDirty, 1) == m_stageDirty.end())
        return;
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
        if (m_stageDirty[stage]) {
            m_stages[stage] = {};
            m_times[stage] = {};
            m_computes[stage] = {};
            m_held[stage] = {};
            m_heldByRuntime[stage] = {};
            m_transients[stage] = {};
            m_recomputes[stage] = 0;
        }
    }
    addNodes();
    addShared();
    addTransfers();
    addTurns();
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
        if (m_stageDirty[stage])
            finishStage(stage);
    }
    collectBoundaries();
    std::ranges::fill(m_stageDirty, 0);
    std::ranges::fill(m_boundaryDirty, 0);
}

const StageCost& PlanEvaluator::costOf(StageId stage)
{
    refresh();
    return m_stages[stage.index()];
}

ScheduleCosts PlanEvaluator::scheduleCosts()
{
    refresh();
    ScheduleCosts costs{.stages = m_times};
    if (m_problem.options.objective == Objective::Overlap)
        costs.communication = Communication::Overlapped;
    if (m_problem.options.send == SendKind::Relay) {
        for (std::size_t stage = 1; stage < m_stages.size(); ++stage)
            costs.links.push_back({stage - 1, stage});
        return costs;
    }
    forEachPaid([&](std::size_t v, std::size_t stage, Payment way, std::size_t) {
        const std::size_t home = m_partition.stageOf[m_problem.values[v].producer].index();
        if (way == Payment::Receive)
            costs.links.push_back({std::min(home, stage), std::max(home, stage)});
    });
    sortUnique(costs.links);
    return costs;
}

Bytes PlanEvaluator::bytesSent() const
{
    Bytes sent;
    if (m_problem.options.send == SendKind::Relay) {
        for (std::size_t b = 0; b < m_boundaries.size(); ++b) {
            if (m_problem.options.crossesDevices(b))
                sent += m_boundaries[b].forwardBytes + m_boundaries[b].backwardBytes;
        }
        return sent;
    }
    forEachPaid([&](std::size_t v, std::size_t, Payment way, std::size_t) {
        if (way == Payment::Receive)
            sent += m_problem.values[v].forwardBytes + m_problem.values[v].backwardBytes;
    });
    return sent;
}

// Peaks of memory and idle shares are left to the simulator.
std::vector<DeviceCost> PlanEvaluator::deviceCosts() const
{
    std::vector<DeviceCost> devices(m_schedule.deviceCount());
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
        DeviceCost& device = devices[m_schedule.deviceOfStage[stage]];
        device.stages.push_back(StageId(stage));
        device.load += m_stages[stage].load;
        device.memoryLimit = std::min(device.memoryLimit, m_stages[stage].memoryLimit);
    }
    return devices;
}

PlanCost PlanEvaluator::cost()
{
    refresh();
    PlanCost plan;
    plan.stages = Table<StageId, StageCost>(m_stages);
    plan.boundaries = Table<BoundaryId, BoundaryCost>(m_boundaries);
    plan.devices = deviceCosts();
    plan.objective = m_problem.options.objective;
    plan.bytesSent = bytesSent();
    for (std::size_t i = 0; i < plan.devices.size(); ++i) {
        const DeviceCost& device = plan.devices[i];
        if (device.load <= plan.bottleneckTime)
            continue;
        plan.slowestDevice = i;
        plan.bottleneckTime = device.load;
        plan.bottleneck = *std::ranges::max_element(device.stages, {},
                                                    [&](StageId stage) { return plan.stages[stage].load; });
    }
    const auto timeline = simulate(m_schedule, scheduleCosts());
    assert(timeline.has_value());
    if (timeline.has_value()) {
        plan.iteration = timeline->makespan;
        plan.bubble = timeline->bubble();
        for (std::size_t device = 0; device < plan.devices.size(); ++device) {
            plan.devices[device].idle = timeline->idleShare(device);
            plan.devices[device].peakMemory = timeline->devices[device].peakMemory;
        }
    }
    return plan;
}

void PlanEvaluator::moveTo(const Partition& partition)
{
    for (NodeId node : partition.stageOf.ids())
        move(node, partition.stageOf[node]);
}

PlanCost evaluate(const PartitionProblem& problem, const Partition& partition)
{
    return PlanEvaluator(problem, partition).cost();
}

ScheduleCosts scheduleCosts(const PartitionProblem& problem, const Partition& partition)
{
    return PlanEvaluator(problem, partition).scheduleCosts();
}

} // namespace stagecraft
