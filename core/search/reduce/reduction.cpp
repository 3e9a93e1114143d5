#include "core/search/reduce/reduction.h"

#include "core/base/sort_unique.h"
#include "core/base/topological_order.h"
#include "core/plan/saved_bytes.h"
#include "core/plan/stage_labels.h"
#include "core/profile/turn_memory.h"
#include "core/search/reduce/light_groups.h"
#include "core/search/reduce/node_sets.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>

namespace stagecraft {

namespace {

class Reducer
{
public:
    Reducer(const PartitionProblem& problem, Joining joining, IsOver isOver, const SearchFeatures& features)
        : m_problem(problem), m_joining(joining), m_sets(problem.nodes.size())
    {
        m_reduced.features = features;
        m_reduced.isOver = std::move(isOver);
    }

    Result<ReducedProblem> run()
    {
        m_reduced.options = m_problem.options;
        m_reduced.options.objective = objectiveOfLoads(m_problem.options);
        m_reduced.nodeCount = m_problem.nodes.size();
        const Schedule schedule = scheduleOf(m_problem.options).value();
        m_reduced.inFlight = stagecraft::mayJoinBackward(m_problem) ? wholeInFlight(m_problem.options)
                                                                    : peakInFlight(schedule);
        m_reduced.largest = largestCounts(schedule);
        m_reduced.runtime = RuntimeMemory(m_problem.options, stepKindOf(m_problem));
        m_reduced.mayJoinBackward = stagecraft::mayJoinBackward(m_problem);
        m_reduced.limitsMemory = m_problem.options.limitsMemory();
        for (const Colocation& group : m_problem.groups) {
            for (NodeId node : group.nodes)
                m_sets.join(group.nodes.front().index(), node.index());
        }
        joinCycles();
        joinLight();
        buildGroups();
        buildValues();
        buildShared();
        if (m_reduced.limitsMemory && m_problem.turns)
            buildTurns();
        markSinkable();
        STAGECRAFT_TRY(applyPins());
        if (!m_reduced.allowsEmpty() && m_reduced.size() < m_reduced.stageCount())
            return Error{ErrorCode::Infeasible, "cannot make " + std::to_string(m_reduced.stageCount()) +
                                                    " stages: what must stay together leaves only " +
                                                    std::to_string(m_reduced.size()) + " parts"};
        m_reduced.uniform = areStagesAlike() && !m_reduced.limitsMemory;
        m_reduced.interchangeable = areStagesAlike() && areLimitsAlike() && !returnsEarly();
        return std::move(m_reduced);
    }

private:
    std::uint32_t setOf(NodeId node) { return m_sets.find(node.index()); }

    Adjacency adjacency()
    {
        Adjacency after(m_problem.nodes.size());
        for (const Precedence& edge : m_problem.precedences) {
            const std::uint32_t from = setOf(edge.before);
            const std::uint32_t to = setOf(edge.after);
            if (from != to)
                after[from].push_back(to);
        }
        for (auto& list : after)
            sortUnique(list);
        return after;
    }

    void joinCycles() { stagecraft::joinCycles(adjacency(), m_sets); }

    // With pins the place of a light group matters; in small graphs it may be needed to fill a stage
    // that must not be empty, and goals that are not separable by stage are searched exactly. With memory
    // limits only groups that hold no memory may go anywhere.
    bool mayMoveLight() const
    {
        const PartitionOptions& options = m_problem.options;
        const bool few = m_problem.nodes.size() < 16 * m_problem.stageCount();
        const bool matters = options.emptyStages == EmptyStages::Forbid || options.sharesDevices() ||
                             options.objective == Objective::Iteration;
        const bool holdsBuffers = m_reduced.limitsMemory && !m_reduced.runtime.holdsNothing();
        return m_joining == Joining::Lossless && options.pins.empty() && !(few && matters) && !holdsBuffers;
    }

    void joinLight()
    {
        if (!mayMoveLight() || !m_reduced.features.light)
            return;
        for (int round = 0; round < 100 && !m_reduced.over() && joinLightOnce(); ++round)
            m_reduced.joined = true;
    }

    bool joinLightOnce()
    {
        const LightMemory memory = m_reduced.limitsMemory ? LightMemory::None : LightMemory::Any;
        const auto pairs =
            joinableLightGroups(m_problem, memory, [this](NodeId node) { return setOf(node); });
        for (const auto& [group, neighbour] : pairs)
            m_sets.join(group, neighbour);
        return !pairs.empty();
    }

    void buildGroups()
    {
        const Adjacency after = adjacency();
        auto order = topologicalOrder<std::uint32_t>(
            after.size(), [&](std::uint32_t set) -> const auto& { return after[set]; }, std::greater{});
        std::erase_if(order, [this](std::uint32_t set) { return m_sets.find(set) != set; });
        m_groupOfSet.assign(after.size(), ReducedGroupId(0));
        for (const std::uint32_t set : order)
            m_groupOfSet[set] = m_reduced.groups.add({});
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            for (const std::uint32_t next : after[order[group.index()]]) {
                m_reduced.groups[group].after.push_back(m_groupOfSet[next]);
                m_reduced.groups[m_groupOfSet[next]].before.push_back(group);
            }
            std::ranges::sort(m_reduced.groups[group].after);
        }
        for (NodeId node : m_problem.nodes.ids()) {
            const ProblemNode& cost = m_problem.nodes[node];
            ReducedGroup& group = m_reduced.groups[groupOf(node)];
            group.nodes.push_back(node);
            group.seconds += computeOf(cost).total().value();
            group.compute += computeOf(cost);
            group.held += heldBy(cost);
            group.transients.add(transientsOf(cost));
            group.recomputes |= cost.recomputes;
        }
        for (const ReducedGroup& group : m_reduced.groups)
            m_reduced.totalSeconds += group.seconds;
    }

    ReducedGroupId groupOf(NodeId node) { return m_groupOfSet[setOf(node)]; }

    // Values with the same ends are one.
    void buildValues()
    {
        if (m_problem.stageCount() < 2)
            return;
        using Ends = std::tuple<std::vector<ReducedGroupId>, ReducedGroupId, bool, bool,
                                std::vector<ReducedGroupId>, bool>;
        std::map<Ends, std::uint32_t> known;
        const bool holdsBuffers = !m_reduced.runtime.holdsNothing();
        for (const ProblemValue& value : m_problem.values) {
            std::vector<ReducedGroupId> pins{groupOf(value.producer)};
            for (NodeId reader : value.readers)
                pins.push_back(groupOf(reader));
            const ReducedGroupId producer = pins.front();
            const bool isReadThere = holdsBuffers && std::ranges::count(pins, producer) > 1;
            sortUnique(pins);
            const TransferSize forward = forwardSize(value);
            const TransferSize backward = backwardSize(value);
            // With direct sends also what costs nothing says which stage waits for which.
            const bool counts = m_problem.options.send == SendKind::Direct || holdsBuffers ||
                                !isFree(forward) || !isFree(backward);
            if ((pins.size() < 2 && !value.returned) || !counts)
                continue;
            const auto next = static_cast<std::uint32_t>(m_reduced.values.size());
            std::vector<ReducedGroupId> keepers;
            for (std::size_t i = 0; holdsBuffers && i < value.keepers.size(); ++i)
                keepers.push_back(groupOf(value.keepers[i]));
            sortUnique(keepers);
            const auto [place, isNew] = known.try_emplace(
                {pins, producer, value.returned, isReadThere, keepers, value.isReleased}, next);
            if (isNew)
                m_reduced.values.push_back({.pins = pins,
                                            .producer = producer,
                                            .forward = {},
                                            .backward = {},
                                            .size = {},
                                            .returned = value.returned,
                                            .readByProducer = isReadThere,
                                            .keepers = keepers,
                                            .isReleased = value.isReleased,
                                            .inFront = {}});
            ReducedValue& sum = m_reduced.values[place->second];
            sum.inFront += value.inFront;
            m_reduced.mostInFront = std::max(m_reduced.mostInFront, sum.inFront);
            sum.forward += forward;
            sum.backward += backward;
            (sum.size += forward) += backward;
        }
        for (std::uint32_t v = 0; v < m_reduced.values.size(); ++v) {
            const ReducedValue& value = m_reduced.values[v];
            for (const ReducedGroupId pin : value.pins)
                m_reduced.groups[pin].values.push_back(v);
            for (const ReducedGroupId keeper : value.keepers)
                if (!std::ranges::binary_search(value.pins, keeper))
                    m_reduced.groups[keeper].keeps.push_back(v);
        }
    }

    void buildTurns()
    {
        const TurnMemory& memory = *m_problem.turns;
        m_reduced.turns = m_problem.turns;
        m_reduced.groupOf = Table<NodeId, ReducedGroupId>(m_problem.nodes.size(), ReducedGroupId(0));
        for (const ReducedGroupId group : m_reduced.groups.ids())
            for (const NodeId node : m_reduced.groups[group].nodes)
                m_reduced.groupOf[node] = group;
        const auto add = [&](const TurnMemory::Way& way, auto turnsOf, const auto& bytesOf) {
            for (std::uint32_t i = 0; i < way.turns.size(); ++i) {
                const TurnMemory::Turn& turn = way.turns[i];
                ReducedGroup& group = m_reduced.groups[m_reduced.groupOf[turn.node]];
                (group.*turnsOf).push_back(i);
                group.mostInTurns += turn.peak + std::max(Bytes{}, turn.left);
                for (std::uint32_t k = turn.makes.first; k < turn.makes.end; ++k)
                    group.mostInTurns += bytesOf(way.made[k]);
            }
        };
        add(memory.forward, &ReducedGroup::forward,
            [&](std::uint32_t i) { return memory.activations[i].bytes; });
        add(memory.backward, &ReducedGroup::backward, [&](std::uint32_t i) { return memory.gradients[i]; });
        if (splitsBackward(m_problem.options.schedule))
            add(memory.firstPart, &ReducedGroup::firstPart,
                [&](std::uint32_t i) { return memory.flowing[i]; });
    }

    // A group whose time and inputs cost no more than sending what it makes may as well wait for the first
    // that needs it: up to there its inputs travel instead. Only where each boundary counts for itself.
    void markSinkable()
    {
        const PartitionOptions& options = m_problem.options;
        if (!mayMoveLight() || !m_reduced.features.sinkable || m_reduced.over() ||
            (options.send == SendKind::Direct && options.objective != Objective::Compute))
            return;
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            m_reduced.groups[group].sinkable = isSinkable(group);
            m_reduced.joined |= m_reduced.groups[group].sinkable;
        }
    }

    bool isSinkable(ReducedGroupId index) const
    {
        const ReducedGroup& group = m_reduced.groups[index];
        const bool hasMemory = group.held != HeldBytes{} || group.transients.whole > Bytes{} ||
                               !group.shared.empty() || !group.parted.empty();
        if ((group.seconds > 0 && !mayTradeTime(m_problem.options)) || group.after.empty() ||
            (m_reduced.limitsMemory && hasMemory))
            return false;
        std::vector<double> gain;
        for (std::size_t boundary = 0; boundary + 1 < m_problem.stageCount(); ++boundary)
            gain.push_back(-group.seconds / m_problem.options.speeds[boundary + 1]);
        for (const std::uint32_t v : group.values) {
            const ReducedValue& value = m_reduced.values[v];
            const std::size_t behind = countCommon(value.pins, group.after);
            const bool all = behind + 1 == value.pins.size();
            if (value.returned || (behind > 0 && !all))
                continue; // crosses in any case
            for (std::size_t boundary = 0; boundary < gain.size(); ++boundary)
                gain[boundary] += (behind > 0 ? 1 : -1) * m_reduced.transfer(value.size, boundary);
        }
        return m_problem.options.objective == Objective::Compute ||
               std::ranges::all_of(gain, [](double boundary) { return boundary >= 0; });
    }

    bool isFree(const TransferSize& size) const
    {
        for (std::size_t boundary = 0; boundary + 1 < m_problem.stageCount(); ++boundary) {
            if (m_reduced.transfer(size, boundary) > 0)
                return false;
        }
        return true;
    }

    void buildShared()
    {
        addShared();
        addParted();
        for (ReducedGroup& group : m_reduced.groups)
            group.least = group.held.atLeast();
        for (const ReducedShared& shared : m_reduced.shared)
            m_reduced.groups[shared.users.front()].least += shared.held.atLeast();
    }

    void addShared()
    {
        for (const SharedState& state : m_problem.shared) {
            std::vector<ReducedGroupId> users;
            for (NodeId user : state.users)
                users.push_back(groupOf(user));
            sortUnique(users);
            if (users.size() == 1)
                m_reduced.groups[users.front()].held += heldBy(state);
            if (users.size() < 2)
                continue;
            for (const ReducedGroupId user : users)
                m_reduced.groups[user].shared.push_back(static_cast<std::uint32_t>(m_reduced.shared.size()));
            m_reduced.shared.push_back({heldBy(state), std::move(users)});
        }
    }

    void addParted()
    {
        for (const PartedState& state : m_problem.parted) {
            ReducedParted reduced{.bytes = state.bytes, .parts = {}, .isReleased = state.isReleased};
            std::vector<ReducedGroupId> groups;
            for (const KeptPart<NodeId>& part : state.parts) {
                KeptPart<ReducedGroupId> of{part.bytes, groupOf(part.maker), {}};
                for (const NodeId keeper : part.keepers)
                    of.keepers.push_back(groupOf(keeper));
                sortUnique(of.keepers);
                groups.push_back(of.maker);
                groups.insert(groups.end(), of.keepers.begin(), of.keepers.end());
                reduced.parts.push_back(std::move(of));
            }
            sortUnique(groups);
            for (const ReducedGroupId group : groups)
                m_reduced.groups[group].parted.push_back(static_cast<std::uint32_t>(m_reduced.parted.size()));
            m_reduced.parted.push_back(std::move(reduced));
        }
    }

    Result<void> applyPins()
    {
        for (ReducedGroup& group : m_reduced.groups)
            group.lastStage = m_reduced.stageCount() - 1;
        for (const Pin& pin : m_problem.options.pins) {
            ReducedGroup& group = m_reduced.groups[groupOf(pin.node)];
            group.firstStage = std::max<std::size_t>(group.firstStage, pin.stage.index());
            group.lastStage = std::min<std::size_t>(group.lastStage, pin.stage.index());
        }
        for (ReducedGroup& group : m_reduced.groups) {
            for (const ReducedGroupId before : group.before)
                group.firstStage = std::max(group.firstStage, m_reduced.groups[before].firstStage);
        }
        for (const ReducedGroupId index : std::views::reverse(m_reduced.groups.ids())) {
            ReducedGroup& group = m_reduced.groups[index];
            for (const ReducedGroupId after : group.after)
                group.lastStage = std::min(group.lastStage, m_reduced.groups[after].lastStage);
        }
        for (const ReducedGroup& group : m_reduced.groups) {
            if (group.firstStage > group.lastStage)
                return Error{ErrorCode::Infeasible,
                             "the pins contradict each other or the order at '" +
                                 m_problem.nodes[group.nodes.front()].name + "': it would have to be in " +
                                 stageLabel(StageId(group.firstStage)) + " or later and in " +
                                 stageLabel(StageId(group.lastStage)) + " or earlier"};
        }
        return {};
    }

    template <class Items>
    static bool areAlike(const Items& items)
    {
        return std::ranges::all_of(items, [&](const auto& item) { return item == items.front(); });
    }

    bool areStagesAlike() const
    {
        const PartitionOptions& options = m_reduced.options;
        const bool allCross = options.stageCount < 2 || options.crossesDevices(options.stageCount / 2 - 1);
        return options.pins.empty() && allCross && areAlike(options.speeds) && areAlike(options.links);
    }

    bool areLimitsAlike() const
    {
        const bool savesNothing = std::ranges::all_of(
            m_reduced.groups, [](const auto& group) { return group.least.perMicrobatch() == Bytes{}; });
        return !m_reduced.limitsMemory ||
               (m_reduced.runtime.holdsNothing() && areAlike(m_reduced.options.memoryLimits) &&
                (savesNothing || areAlike(m_reduced.inFlight)));
    }

    // May what the model returns come from a stage that is not the last, and cost nothing?
    bool returnsEarly() const
    {
        return m_reduced.allowsEmpty() &&
               std::ranges::any_of(m_reduced.values, [](const auto& value) { return value.returned; });
    }

    const PartitionProblem& m_problem;
    Joining m_joining;
    NodeSets m_sets;
    std::vector<ReducedGroupId> m_groupOfSet;
    ReducedProblem m_reduced;
};

} // namespace

double ReducedProblem::load(std::size_t stage, const StageFigures& figures) const
{
    const double compute = figures.compute / options.speeds[stage];
    if (options.objective == Objective::Compute || stageCount() < 2)
        return compute;
    return stageLoad(options.objective, Seconds(compute), linkTime(options, figures.in, receivingLink(stage)),
                     linkTime(options, figures.out, sendingLink(stage, stageCount())))
        .value();
}

// A stage that may do both parts at once holds no less than one that has let go of all after the first, and
// has no more while they run.
StageHold ReducedProblem::holdOf(std::size_t stage, const StageFigures& figures) const
{
    if (!mayJoinBackward)
        return stageHold(figures.held, figures.transients, stage, false);
    return {figures.held.inStage(stage, true), figures.transients.whole, {}, {}};
}

bool ReducedProblem::fits(std::size_t stage, const StageFigures& figures) const
{
    return stageMemory(holdOf(stage, figures), largest[stage]) <= options.memoryLimits[stage];
}

bool ReducedProblem::fitsExchanging(std::size_t stage, const StageFigures& figures,
                                    const HeldBytes& exchanged) const
{
    StageHold hold = holdOf(stage, figures);
    hold.addRuntime(exchanged, stage, mayJoinBackward);
    return stageMemory(hold, largest[stage]) <= options.memoryLimits[stage];
}

// As if the stage kept for backward all that it receives, and nothing that it sends, and read all late.
HeldBytes ReducedProblem::mostExchanged(std::size_t stage, const StageFigures& figures) const
{
    const auto bytesOf = [](const TransferSize& size) {
        return CrossingBytes{
            .forward = Bytes(static_cast<std::int64_t>(std::max(0.0, size.bytes - size.gradientBytes))),
            .backward = Bytes(static_cast<std::int64_t>(std::max(0.0, size.gradientBytes)))};
    };
    HeldBytes held;
    CrossingBytes in = bytesOf(figures.in);
    in.kept = figures.held.saved >= in.forward;
    if (in.forward > Bytes{})
        (held += runtime.received(stage, in)) += runtime.gradientSum(in);
    if (const CrossingBytes out = bytesOf(figures.out); out.forward > Bytes{})
        (held += runtime.sent(stage, out)) += runtime.gradientSum(out);
    held.inFront = runtime.holdsNothing() ? Bytes{} : mostInFront;
    return held;
}

Result<ReducedProblem> reduceProblem(const PartitionProblem& problem, Joining joining, IsOver isOver,
                                     const SearchFeatures& features)
{
    auto reduced = Reducer(problem, joining, isOver, features).run();
    // Few groups may not fill stages that must not be empty.
    constexpr std::size_t enough = 4;
    const bool mayBeFew = joining == Joining::Lossless && problem.options.emptyStages == EmptyStages::Forbid;
    if (mayBeFew &&
        (!reduced.has_value() || (reduced->joined && reduced->size() < enough * problem.stageCount())))
        return Reducer(problem, Joining::None, std::move(isOver), features).run();
    return reduced;
}

Partition expand(const ReducedProblem& reduced, const GroupStages& stages)
{
    Partition partition{.stageCount = reduced.stageCount(),
                        .stageOf = Table<NodeId, StageId>(reduced.nodeCount, StageId(0))};
    for (const ReducedGroupId group : reduced.groups.ids()) {
        for (NodeId node : reduced.groups[group].nodes)
            partition.stageOf[node] = StageId(stages[group]);
    }
    return partition;
}

} // namespace stagecraft
