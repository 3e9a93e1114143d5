#include "core/plan/evaluate.h"

#include "core/base/sort_unique.h"
#include "core/plan/node_index.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace stagecraft {

namespace {

// From the first to the last stage that holds the value's producer or a reader.
struct StageRange
{
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    bool crosses(std::size_t boundary) const { return first <= boundary && boundary < last; }
    friend bool operator==(const StageRange&, const StageRange&) = default;
};

} // namespace

struct PlanEvaluator::State
{
    State(const PartitionProblem& problem_, Partition partition_);

    StageRange rangeOf(const ProblemValue& value) const;
    void move(NodeId node, StageId stage);
    void markValue(std::size_t value, StageRange before, StageRange after);
    void refresh();
    void addNodes();
    void addShared();
    template <class Pay>
    void forEachPaid(Pay&& pay) const;
    void addTransfers();
    void finishStage(std::size_t stage);
    void collectBoundaries();
    ScheduleCosts scheduleCosts() const;
    Bytes bytesSent() const;
    std::vector<DeviceCost> deviceCosts() const;
    PlanCost cost();

    const PartitionProblem& problem;
    Partition partition;
    Schedule schedule;
    std::vector<std::size_t> inFlight;
    std::vector<StageRange> ranges; // value by value
    std::vector<std::size_t> nodeCounts;
    std::size_t lastStage = 0; // the last that is not empty: it returns what the model returns
    std::optional<NodeIndex> index;

    std::vector<StageCost> stages;
    std::vector<StageTimes> times;
    std::vector<ComputeTimes> computes; // at speed 1
    std::vector<HeldBytes> held;
    std::vector<char> recomputes; // stage by stage: has it a checkpoint region?
    std::vector<BoundaryCost> boundaries;
    std::vector<char> stageDirty;
    std::vector<char> boundaryDirty;
};

PlanEvaluator::State::State(const PartitionProblem& problem_, Partition partition_)
    : problem(problem_),
      partition(std::move(partition_)),
      schedule(scheduleOf(problem.options).value()),
      inFlight(peakInFlight(schedule)),
      nodeCounts(problem.stageCount(), 0),
      stages(problem.stageCount()),
      times(problem.stageCount()),
      computes(problem.stageCount()),
      held(problem.stageCount()),
      recomputes(problem.stageCount(), 0),
      boundaries(problem.stageCount() - 1),
      stageDirty(problem.stageCount(), 1),
      boundaryDirty(problem.stageCount() - 1, 1)
{
    assert(checkPartition(problem, partition).has_value());
    for (const StageId stage : partition.stageOf) {
        ++nodeCounts[stage.index()];
        lastStage = std::max<std::size_t>(lastStage, stage.index());
    }
    ranges.reserve(problem.values.size());
    for (const ProblemValue& value : problem.values)
        ranges.push_back(rangeOf(value));
}

StageRange PlanEvaluator::State::rangeOf(const ProblemValue& value) const
{
    const std::uint32_t producer = partition.stageOf[value.producer].index();
    StageRange range{producer, value.returned ? static_cast<std::uint32_t>(lastStage) : producer};
    for (NodeId reader : value.readers) {
        range.first = std::min(range.first, partition.stageOf[reader].index());
        range.last = std::max(range.last, partition.stageOf[reader].index());
    }
    return range;
}

void PlanEvaluator::State::move(NodeId node, StageId stage)
{
    const StageId old = partition.stageOf[node];
    if (old == stage)
        return;
    if (!index)
        index.emplace(problem);
    partition.stageOf[node] = stage;
    stageDirty[old.index()] = stageDirty[stage.index()] = 1;
    --nodeCounts[old.index()];
    ++nodeCounts[stage.index()];
    std::size_t last = partition.stageCount - 1;
    while (nodeCounts[last] == 0)
        --last;
    if (last != lastStage) {
        lastStage = last;
        for (std::size_t v = 0; v < ranges.size(); ++v)
            ranges[v] = rangeOf(problem.values[v]);
        std::ranges::fill(stageDirty, 1);
        std::ranges::fill(boundaryDirty, 1);
        return;
    }
    for (const std::size_t v : index->of(node)) {
        const StageRange before = ranges[v];
        ranges[v] = rangeOf(problem.values[v]);
        markValue(v, before, ranges[v]);
    }
}

void PlanEvaluator::State::markValue(std::size_t value, StageRange before, StageRange after)
{
    if (problem.options.send == SendKind::Direct) {
        stageDirty[partition.stageOf[problem.values[value].producer].index()] = 1;
        for (NodeId reader : problem.values[value].readers)
            stageDirty[partition.stageOf[reader].index()] = 1;
        stageDirty[lastStage] = 1;
    }
    if (before == after)
        return;
    const std::uint32_t first = std::min(before.first, after.first);
    const std::uint32_t last = std::max(before.last, after.last);
    for (std::uint32_t b = first; b < last; ++b) {
        if (before.crosses(b) != after.crosses(b))
            boundaryDirty[b] = stageDirty[b] = stageDirty[b + 1] = 1;
    }
}

void PlanEvaluator::State::addNodes()
{
    for (NodeId node : problem.nodes.ids()) {
        const std::size_t stage = partition.stageOf[node].index();
        if (!stageDirty[stage])
            continue;
        const ProblemNode& cost = problem.nodes[node];
        StageCost& sum = stages[stage];
        ++sum.nodeCount;
        computes[stage] += computeOf(cost);
        held[stage] += heldBy(cost);
        sum.transientBytes = std::max(sum.transientBytes, cost.transient);
        if (cost.recomputes)
            recomputes[stage] = 1;
    }
}

void PlanEvaluator::State::addShared()
{
    std::vector<std::size_t> counted(stages.size(), static_cast<std::size_t>(-1));
    for (std::size_t i = 0; i < problem.shared.size(); ++i) {
        for (NodeId user : problem.shared[i].users) {
            const std::size_t stage = partition.stageOf[user].index();
            if (!stageDirty[stage] || counted[stage] == i)
                continue;
            counted[stage] = i;
            stages[stage].parameterBytes += problem.shared[i].parameterBytes;
            held[stage] += heldBy(problem.shared[i]);
        }
    }
}

// pay(value, stage, Payment, boundary) for all that any stage pays; values are indices.
template <class Pay>
void PlanEvaluator::State::forEachPaid(Pay&& pay) const
{
    std::vector<std::size_t> holds(stages.size(), ranges.size()); // of each stage, the last value seen in it
    for (std::size_t v = 0; v < ranges.size(); ++v) {
        if (ranges[v].first == ranges[v].last)
            continue;
        const ProblemValue& value = problem.values[v];
        for (const NodeId reader : value.readers)
            holds[partition.stageOf[reader].index()] = v;
        if (value.returned)
            holds[lastStage] = v;
        forEachPayment(
            problem.options, {ranges[v].first, ranges[v].last, partition.stageOf[value.producer].index()},
            [&](std::size_t stage) { return holds[stage] == v; },
            [&](std::size_t stage, Payment way, std::size_t boundary) { pay(v, stage, way, boundary); });
    }
}

void PlanEvaluator::State::addTransfers()
{
    forEachPaid([this](std::size_t v, std::size_t stage, Payment way, std::size_t boundary) {
        if (!stageDirty[stage])
            return;
        StageTimes& time = times[stage];
        const bool sends = way == Payment::Send;
        (sends ? time.sendActivations : time.receiveActivations) +=
            forwardTime(problem, problem.values[v], boundary);
        (sends ? time.receiveGradients : time.sendGradients) +=
            backwardTime(problem, problem.values[v], boundary);
    });
}

void PlanEvaluator::State::finishStage(std::size_t stage)
{
    const PartitionOptions& options = problem.options;
    StageCost& cost = stages[stage];
    StageTimes& time = times[stage];
    ComputeTimes& compute = computes[stage];
    if (recomputes[stage] && splitsBackward(options.schedule))
        compute.backwardInput += std::exchange(compute.backwardWeight, {});
    cost.inFlight = static_cast<int>(inFlight[stage]);
    cost.memoryLimit = options.memoryLimits[stage];
    if (cost.nodeCount == 0) {
        time = {};
        return;
    }
    const double speed = options.speeds[stage];
    cost.forward = time.forward = compute.forward / speed;
    cost.backwardInput = time.backwardInput = compute.backwardInput / speed;
    cost.backwardWeight = time.backwardWeight = compute.backwardWeight / speed;
    cost.receive = time.receiveActivations + time.sendGradients;
    cost.send = time.sendActivations + time.receiveGradients;
    cost.load = stageLoad(options.objective, time);
    cost.stateBytes = time.state = held[stage].always();
    cost.savedBytes = time.saved = held[stage].perMicrobatch();
    time.transient = cost.transientBytes;
    cost.peakMemory = stageMemory(held[stage], cost.transientBytes, inFlight[stage]);
}

void PlanEvaluator::State::collectBoundaries()
{
    std::vector<std::vector<std::size_t>> crossing(boundaries.size());
    for (std::size_t v = 0; v < ranges.size(); ++v) {
        for (std::size_t b = ranges[v].first; b < ranges[v].last; ++b) {
            if (boundaryDirty[b])
                crossing[b].push_back(v);
        }
    }
    for (std::size_t b = 0; b < boundaries.size(); ++b) {
        if (!boundaryDirty[b])
            continue;
        boundaries[b] = {};
        std::ranges::stable_sort(crossing[b], [&](std::size_t left, std::size_t right) {
            return problem.values[left].forwardBytes > problem.values[right].forwardBytes;
        });
        for (const std::size_t v : crossing[b]) {
            const ProblemValue& value = problem.values[v];
            boundaries[b].values.push_back(value.value);
            boundaries[b].forwardBytes += value.forwardBytes;
            boundaries[b].backwardBytes += value.backwardBytes;
            boundaries[b].time += transferTime(problem, value, b);
        }
    }
}

void PlanEvaluator::State::refresh()
{
    if (std::ranges::find(stageDirty, 1) == stageDirty.end())
        return;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        if (stageDirty[stage]) {
            stages[stage] = {};
            times[stage] = {};
            computes[stage] = {};
            held[stage] = {};
            recomputes[stage] = 0;
        }
    }
    addNodes();
    addShared();
    addTransfers();
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        if (stageDirty[stage])
            finishStage(stage);
    }
    collectBoundaries();
    std::ranges::fill(stageDirty, 0);
    std::ranges::fill(boundaryDirty, 0);
}

ScheduleCosts PlanEvaluator::State::scheduleCosts() const
{
    ScheduleCosts costs{.stages = times};
    if (problem.options.objective == Objective::Overlap)
        costs.communication = Communication::Overlapped;
    if (problem.options.send == SendKind::Relay) {
        for (std::size_t stage = 1; stage < stages.size(); ++stage)
            costs.links.push_back({stage - 1, stage});
        return costs;
    }
    forEachPaid([&](std::size_t v, std::size_t stage, Payment way, std::size_t) {
        const std::size_t home = partition.stageOf[problem.values[v].producer].index();
        if (way == Payment::Receive)
            costs.links.push_back({std::min(home, stage), std::max(home, stage)});
    });
    sortUnique(costs.links);
    return costs;
}

Bytes PlanEvaluator::State::bytesSent() const
{
    Bytes sent;
    if (problem.options.send == SendKind::Relay) {
        for (std::size_t b = 0; b < boundaries.size(); ++b) {
            if (problem.options.crossesDevices(b))
                sent += boundaries[b].forwardBytes + boundaries[b].backwardBytes;
        }
        return sent;
    }
    forEachPaid([&](std::size_t v, std::size_t, Payment way, std::size_t) {
        if (way == Payment::Receive)
            sent += problem.values[v].forwardBytes + problem.values[v].backwardBytes;
    });
    return sent;
}

// Peaks of memory and idle shares are left to the simulator.
std::vector<DeviceCost> PlanEvaluator::State::deviceCosts() const
{
    std::vector<DeviceCost> devices(schedule.deviceCount());
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        DeviceCost& device = devices[schedule.deviceOfStage[stage]];
        device.stages.push_back(StageId(stage));
        device.load += stages[stage].load;
        device.memoryLimit = std::min(device.memoryLimit, stages[stage].memoryLimit);
    }
    return devices;
}

PlanCost PlanEvaluator::State::cost()
{
    refresh();
    PlanCost plan;
    plan.stages = Table<StageId, StageCost>(stages);
    plan.boundaries = Table<BoundaryId, BoundaryCost>(boundaries);
    plan.devices = deviceCosts();
    plan.objective = problem.options.objective;
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
    const auto timeline = simulate(schedule, scheduleCosts());
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

PlanEvaluator::PlanEvaluator(const PartitionProblem& problem, Partition partition)
    : m_state(std::make_unique<State>(problem, std::move(partition)))
{
}

PlanEvaluator::~PlanEvaluator() = default;
PlanEvaluator::PlanEvaluator(PlanEvaluator&&) noexcept = default;
PlanEvaluator& PlanEvaluator::operator=(PlanEvaluator&&) noexcept = default;

const Partition& PlanEvaluator::partition() const
{
    return m_state->partition;
}

void PlanEvaluator::move(NodeId node, StageId stage)
{
    m_state->move(node, stage);
}

void PlanEvaluator::moveTo(const Partition& partition)
{
    for (NodeId node : partition.stageOf.ids())
        m_state->move(node, partition.stageOf[node]);
}

PlanCost PlanEvaluator::cost() const
{
    return m_state->cost();
}

Result<Timeline> PlanEvaluator::timeline() const
{
    m_state->refresh();
    return simulate(m_state->schedule, m_state->scheduleCosts());
}

ScheduleCosts PlanEvaluator::scheduleCosts() const
{
    m_state->refresh();
    return m_state->scheduleCosts();
}

Seconds PlanEvaluator::bottleneckTime() const
{
    m_state->refresh();
    Seconds slowest;
    for (const DeviceCost& device : m_state->deviceCosts())
        slowest = std::max(slowest, device.load);
    return slowest;
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
