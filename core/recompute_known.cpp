#include "core/recompute_known.h"

#include "core/plan/evaluate.h"
#include "core/plan/node_stages.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

constexpr std::size_t mostNodesInFrame = 160; // of which any runs are looked at
constexpr double nearlyInRoom = 0.02;         // by estimate

// What a stage of these nodes holds always: their state, and of what it shares with others its own copy.
Bytes stateOf(const PartitionProblem& problem, const std::vector<NodeId>& nodes)
{
    Bytes state;
    for (const NodeId node : nodes)
        state += heldBy(problem.nodes[node]).always();
    for (const SharedState& shared : problem.shared)
        if (std::ranges::any_of(shared.users,
                                [&](NodeId user) { return std::ranges::binary_search(nodes, user); }))
            state += heldBy(shared).always();
    return state;
}

// The backward pass of a stage, where nothing runs again.
bool isSplit(const PartitionProblem& problem, std::size_t stage)
{
    return !goesBackAtOnce(problem.options, stage, false);
}

std::vector<StageId> slowestFirst(const RecomputeChooser& chooser, const RecomputeChooser::Choice& choice)
{
    std::vector<StageId> stages;
    for (const StageId stage : choice.without.stages.ids())
        stages.push_back(stage);
    std::ranges::stable_sort(stages, std::ranges::greater(),
                             [&](StageId stage) { return chooser.loadOf(choice, stage); });
    return stages;
}

// Of each stage: as it chooses by the way, it is over its room, or takes longer than another one that has
// chosen as good as can be, and then takes so much longer than without. Where one is over in any case, no
// others need to.
template <typename Carefully>
std::vector<char> whoChooseCarefully(const RecomputeChooser& chooser, const RecomputeChooser::Choice& quick,
                                     const std::vector<Bytes>& rooms, Carefully carefully)
{
    std::vector<char> is(rooms.size(), 0);
    bool isOver = false;
    for (std::size_t i = 0; i < rooms.size(); ++i)
        if (quick.memory[i] > rooms[i]) {
            is[i] = 1;
            const Bytes least = carefully(StageId(i), quick.without.stages[StageId(i)]).memory;
            isOver = isOver || least.asDouble() > rooms[i].asDouble() * (1 + nearlyInRoom);
        }
    if (isOver)
        return is;
    Seconds slowest;
    for (const StageId stage : slowestFirst(chooser, quick)) {
        const std::size_t i = stage.index();
        if (chooser.loadOf(quick, stage) <= slowest && is[i] == 0)
            continue;
        is[i] = 1;
        const StageCost& cost = quick.without.stages[stage];
        slowest = std::max(slowest, cost.load + carefully(stage, cost).added /
                                                    chooser.ground().none.options.speeds[i]);
    }
    return is;
}

} // namespace

RecomputeChooser::Room RecomputeChooser::roomOf(const std::vector<NodeId>& nodes, std::size_t stage,
                                                Bytes all) const
{
    HeldBytes held;
    for (const NodeId node : nodes)
        held += heldBy(m_ground.none.nodes[node]);
    return {all, stateOf(m_ground.none, nodes), static_cast<std::int64_t>(m_inFlight[stage]),
            isSplit(m_ground.none, stage), held.inStage(stage, false).waiting * m_mostWaiting[stage]};
}

RecomputeChooser::Room RecomputeChooser::roomOf(const std::vector<NodeId>& nodes, std::size_t stage,
                                                const StageCost& cost, Bytes all) const
{
    const Bytes state = cost.stateBytes + cost.runtimeBytes;
    const Bytes waiting = cost.waitingBytes - cost.releasedBytes;
    Room room{all, state, cost.inFlight, isSplit(m_ground.none, stage), waiting, cost.savedBytes};
    for (const NodeId node : nodes)
        room.shared -= m_ground.saved[node];
    return room;
}

Seconds RecomputeChooser::loadOf(const Choice& choice, StageId stage) const
{
    return choice.without.stages[stage].load +
           choice.added[stage.index()] / m_ground.none.options.speeds[stage.index()];
}

// The slowest chooses first: it tells the soonest that one takes too long.
std::optional<RecomputeChooser::Choice> RecomputeChooser::chooseAll(const Partition& partition,
                                                                    const std::vector<Bytes>& rooms,
                                                                    const ChooseStage& chooseOne,
                                                                    Seconds most) const
{
    const std::vector<std::vector<NodeId>> nodes = nodesByStage(partition);
    Choice made{.without = evaluate(m_ground.none, partition)};
    made.memory.resize(partition.stageCount);
    made.added.resize(partition.stageCount);
    std::vector<std::vector<RecomputeRegion>> regions(partition.stageCount);
    const std::vector<StageId> stages = slowestFirst(*this, made);
    if (loadOf(made, stages.front()) > most)
        return std::nullopt;
    for (const StageId stage : stages) {
        const std::size_t i = stage.index();
        const StageCost& cost = made.without.stages[stage];
        std::optional<OfStage> chosen = chooseOne(i, nodes[i], roomOf(nodes[i], i, cost, rooms[i]));
        if (!chosen)
            return std::nullopt;
        regions[i] = std::move(chosen->regions);
        made.memory[i] = chosen->memory;
        made.added[i] = chosen->added;
        if (loadOf(made, stage) > most)
            return std::nullopt;
    }
    for (std::vector<RecomputeRegion>& ofStage : regions)
        std::ranges::move(ofStage, std::back_inserter(made.plan.regions));
    return made;
}

std::optional<RecomputeChooser::Choice>
RecomputeChooser::choose(const Partition& partition, const std::vector<Bytes>& rooms, Ways ways) const
{
    const auto chooseOne = [&](std::size_t, const std::vector<NodeId>& nodes, const Room& room) {
        return chooseStage(nodes, room, {ways, Within::Room});
    };
    return chooseAll(partition, rooms, chooseOne);
}

std::optional<RecomputeChooser::Choice> RecomputeChooser::choose(const Partition& partition,
                                                                 const std::vector<Bytes>& rooms,
                                                                 Known& known, Seconds most) const
{
    const auto chooseOne = [&](std::size_t stage, const std::vector<NodeId>& nodes, const Room& room) {
        return chooseStage(nodes, stage, room, known);
    };
    return chooseAll(partition, rooms, chooseOne, most);
}

const std::optional<RecomputeChooser::OfStage>&
RecomputeChooser::chooseStage(const std::vector<NodeId>& nodes, std::size_t stage, const Room& room,
                              Known& known) const
{
    const auto [found, isNew] = known.m_stages.try_emplace({nodes, room});
    if (!isNew)
        return found->second;
    const auto last = known.m_prices.find(stage);
    found->second = chooseStage(
        nodes, room,
        {.firstPrice = last == known.m_prices.end() ? std::nullopt : std::optional(last->second)});
    if (found->second->price)
        known.m_prices[stage] = *found->second->price;
    return found->second;
}

std::optional<Seconds> RecomputeChooser::loadOf(const Partition& partition, StageId stage, Bytes room,
                                                Known& known) const
{
    const StageCost cost = evaluate(m_ground.none, partition).stages[stage];
    const std::vector<NodeId> nodes = nodesOf(partition, stage);
    const std::optional<OfStage>& chosen =
        chooseStage(nodes, stage.index(), roomOf(nodes, stage.index(), cost, room), known);
    if (!chosen || (room != Bytes::max() && chosen->memory > room))
        return std::nullopt;
    return cost.load + chosen->added / m_ground.none.options.speeds[stage.index()];
}

const RecomputeChooser::OfStage& RecomputeChooser::chooseCarefully(const std::vector<NodeId>& nodes,
                                                                   const Room& room, Known& known,
                                                                   Ways ways) const
{
    const auto [found, isNew] = known.m_best.try_emplace({ways, nodes, room});
    if (isNew)
        found->second = chooseStage(nodes, room, {ways, Within::RoomOrLeast, Effort::Climb}).value();
    return found->second;
}

const RecomputeChooser::OfStage& RecomputeChooser::chooseOrLeast(const Partition& partition, StageId stage,
                                                                 Bytes room, Known& known, Ways ways) const
{
    const StageCost cost = evaluate(m_ground.none, partition).stages[stage];
    const std::vector<NodeId> nodes = nodesOf(partition, stage);
    return chooseCarefully(nodes, roomOf(nodes, stage.index(), cost, room), known, ways);
}

RecomputeChooser::Choice RecomputeChooser::chooseOrLeast(const Partition& partition,
                                                         const std::vector<Bytes>& rooms, Known& known,
                                                         Ways ways, Careful careful) const
{
    const auto carefully = [&](StageId stage, const StageCost& cost) -> const OfStage& {
        const std::vector<NodeId> nodes = nodesOf(partition, stage);
        return chooseCarefully(nodes, roomOf(nodes, stage.index(), cost, rooms[stage.index()]), known, ways);
    };
    std::vector<char> isCareful(partition.stageCount, 1);
    if (careful == Careful::Slowest && ways == Ways::Any)
        isCareful = whoChooseCarefully(*this, choose(partition, rooms, known).value(), rooms, carefully);
    return chooseAll(partition, rooms,
                     [&](std::size_t stage, const auto& nodes, const Room& room) {
                         return isCareful[stage] != 0
                                    ? std::optional(chooseCarefully(nodes, room, known, ways))
                                    : chooseStage(nodes, stage, room, known);
                     })
        .value();
}

RecomputeChooser::OfStage RecomputeChooser::chooseOrLeast(const Partition& partition, StageId stage,
                                                          Bytes room) const
{
    const std::vector<NodeId> nodes = nodesOf(partition, stage);
    const bool isLarge = nodes.size() > mostNodesInFrame && !m_ground.blocks.regions.empty();
    const Manner manner{.ways = isLarge ? Ways::WholeBlocks : Ways::Any, .effort = Effort::Frame};
    return chooseStage(nodes, roomOf(nodes, stage.index(), room), manner).value();
}

} // namespace stagecraft
