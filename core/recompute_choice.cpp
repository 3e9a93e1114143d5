#include "core/recompute_choice.h"

#include "core/plan/evaluate.h"
#include "core/plan/node_stages.h"
#include "core/plan/stage_cost.h"
#include "core/recompute/region_choice.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace stagecraft {

namespace {

using Option = RecomputeChooser::Option;

constexpr std::size_t pricesOfRuns = 16;
constexpr std::array sharpenings{0, 2, 6};    // by effort
constexpr int mostRoomsAsked = 3;             // of a room
constexpr std::size_t workOfClimb = 200000;   // in nodes of a stage, each once an estimate
constexpr std::size_t mostNodesToClimb = 200; // with more, one round would take all of it

// Only what is best at some price of a byte.
std::vector<Option> onHull(std::vector<Option> options)
{
    std::ranges::sort(options, [](const Option& a, const Option& b) {
        return std::pair(a.saved, a.added) < std::pair(b.saved, b.added);
    });
    std::vector<Option> hull;
    const auto slope = [](const Option& from, const Option& to) {
        return (from.added - to.added).value() / (to.saved - from.saved).asDouble();
    };
    for (Option& option : options) {
        if (!hull.empty() && (option.added >= hull.back().added || option.saved == hull.back().saved))
            continue;
        while (hull.size() >= 2 && slope(hull.back(), option) >= slope(hull[hull.size() - 2], hull.back()))
            hull.pop_back();
        hull.push_back(std::move(option));
    }
    return hull;
}

std::shared_ptr<const RegionHull> asHull(const std::vector<Option>& options)
{
    auto hull = std::make_shared<RegionHull>();
    for (const Option& option : options)
        hull->choices.push_back({{}, option.saved, option.added, option.transient});
    return hull;
}

// By stage: how many microbatches are at the most between the parts of a split backward pass.
std::vector<std::int64_t> mostWaiting(const PartitionOptions& options)
{
    std::vector<std::int64_t> most;
    for (const std::vector<HeldCounts>& largest : largestCounts(scheduleOf(options).value()))
        most.push_back(
            static_cast<std::int64_t>(std::ranges::max(largest, {}, &HeldCounts::waiting).waiting));
    return most;
}

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

} // namespace

Bytes roomOfStage(Bytes limit, const PartitionOptions& options)
{
    return limit == Bytes::max() ? limit
                                 : Bytes(limit.count() / static_cast<std::int64_t>(options.stagesEach()));
}

RecomputeChooser::RecomputeChooser(RecomputeGround ground)
    : m_ground(std::move(ground)),
      m_inFlight(peakInFlight(scheduleOf(m_ground.none.options).value())),
      m_mostWaiting(mostWaiting(m_ground.none.options)),
      m_blockOf(m_ground.none.nodes.size())
{
    for (std::size_t block = 0; block < m_ground.blocks.regions.size(); ++block)
        for (const NodeId node : m_ground.blocks.regions[block].nodes)
            m_blockOf[node] = block;
    m_prices = pricesOf(m_ground.needs, pricesOfRuns);
    m_caps = capsOf(m_ground.needs);
    std::vector<std::shared_ptr<const Offered>> ofWhole;
    for (std::size_t block = 0; block < m_ground.blocks.regions.size(); ++block)
        ofWhole.push_back(offered(block, m_ground.blocks.regions[block].nodes));
    m_offered = std::move(ofWhole);
}

Seconds RecomputeChooser::again(NodeId node) const
{
    return std::max(Seconds{}, m_ground.full.nodes[node].time() - m_ground.none.nodes[node].time());
}

Option RecomputeChooser::withRegion(std::size_t block, const std::vector<NodeId>& nodes,
                                    const RegionChoice& choice) const
{
    const RecomputeRegion& region = m_ground.blocks.regions[block];
    const RegionChoice& least = m_ground.hulls[block]->choices.front();
    const bool isWhole = nodes.size() == region.nodes.size();
    Option option{.isRegion = true, .nodes = nodes};
    Bytes ofPiece, ofBlock, peak, inside;
    for (const NodeId node : region.nodes)
        ofBlock += m_ground.saved[node];
    for (const NodeId node : nodes) {
        option.saved += m_ground.savedInBlocks[node];
        option.added += again(node);
        ofPiece += m_ground.saved[node];
        peak = std::max(peak, m_ground.full.nodes[node].transient);
        inside = std::max(inside, m_ground.none.nodes[node].transient);
    }
    for (const std::size_t position : choice.kept) {
        const NodeId node = region.nodes[position];
        if (!std::ranges::binary_search(nodes, node))
            continue;
        option.kept.push_back(node);
        option.added -= again(node);
        option.saved += isWhole ? Bytes{} : m_ground.keeping[node];
    }
    if (isWhole)
        option.saved += choice.keptBytes;
    const double share = ofBlock > Bytes{} ? ofPiece.asDouble() / ofBlock.asDouble() : 1;
    const double transient = (peak - (least.transient - choice.transient)).asDouble() * share;
    option.transient = std::max(inside, Bytes(static_cast<std::int64_t>(transient)));
    option.added = std::max(Seconds{}, option.added);
    return option;
}

std::vector<Option> RecomputeChooser::optionsOf(std::size_t block, const std::vector<NodeId>& nodes) const
{
    Option none;
    for (const NodeId node : nodes) {
        none.saved += m_ground.saved[node];
        none.transient = std::max(none.transient, m_ground.none.nodes[node].transient);
    }
    std::vector<Option> options{std::move(none)};
    for (const RegionChoice& choice : m_ground.hulls[block]->choices)
        options.push_back(withRegion(block, nodes, choice));
    return onHull(std::move(options));
}

std::shared_ptr<const RecomputeChooser::Offered>
RecomputeChooser::offered(std::size_t block, const std::vector<NodeId>& nodes) const
{
    if (block < m_offered.size() && nodes.size() == m_ground.blocks.regions[block].nodes.size())
        return m_offered[block];
    auto made = std::make_shared<Offered>(Offered{optionsOf(block, nodes), nullptr});
    made->hull = asHull(made->options);
    return made;
}

RecomputeRegion RecomputeChooser::regionOf(std::size_t block, const std::vector<NodeId>& nodes,
                                           const Option& option) const
{
    RecomputeRegion region{nodes, option.kept};
    for (const NodeId node : m_ground.blocks.regions[block].kept)
        if (std::ranges::binary_search(nodes, node))
            region.kept.push_back(node);
    std::ranges::sort(region.kept);
    return region;
}

RecomputeChooser::Kept RecomputeChooser::keepMore(std::vector<Piece>& pieces, Bytes left) const
{
    struct Candidate
    {
        double worth; // seconds a byte
        std::size_t piece;
        NodeId node;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto& [block, option] = pieces[i];
        const std::vector<NodeId>& nodes = m_ground.blocks.regions[block].nodes;
        if (!option.isRegion)
            continue;
        for (const std::size_t position : m_ground.hulls[block]->choices.back().kept)
            if (const NodeId node = nodes[position];
                std::ranges::binary_search(option.nodes, node) &&
                !std::ranges::binary_search(option.kept, node) && !m_ground.needs[node].isRandom &&
                again(node) > Seconds{} && m_ground.keeping[node] <= left)
                candidates.push_back(
                    {again(node).value() / std::max(1.0, m_ground.keeping[node].asDouble()), i, node});
    }
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::worth);
    Kept kept;
    for (const Candidate& candidate : candidates) {
        const Bytes bytes = m_ground.keeping[candidate.node];
        if (kept.bytes + bytes > left)
            continue;
        kept.bytes += bytes;
        kept.saved += again(candidate.node);
        std::vector<NodeId>& of = pieces[candidate.piece].option.kept;
        of.insert(std::ranges::upper_bound(of, candidate.node), candidate.node);
    }
    return kept;
}

std::optional<RecomputeChooser::OfStage> RecomputeChooser::chooseBlocks(const std::vector<NodeId>& nodes,
                                                                        const Room& room, Within within) const
{
    Option rest{.saved = room.shared};
    std::map<std::size_t, std::vector<NodeId>> pieces;
    for (const NodeId node : nodes) {
        if (m_blockOf[node]) {
            pieces[*m_blockOf[node]].push_back(node);
            continue;
        }
        rest.saved += m_ground.saved[node];
        rest.transient = std::max(rest.transient, m_ground.none.nodes[node].transient);
    }
    std::vector<std::shared_ptr<const Offered>> offers;
    std::vector<std::shared_ptr<const RegionHull>> hulls{asHull({rest})};
    for (const auto& [block, piece] : pieces) {
        offers.push_back(offered(block, piece));
        hulls.push_back(offers.back()->hull);
    }
    auto chosen = chooseWithin(hulls, room.all - room.state, room.inFlight);
    if (!chosen && within == Within::RoomOrLeast)
        chosen = chooseWithin(hulls, leastRoom(hulls, room.inFlight), room.inFlight);
    if (!chosen)
        return std::nullopt;
    std::vector<Piece> taken;
    for (const auto& [block, piece] : pieces) {
        const std::size_t i = taken.size();
        taken.push_back({block, offers[i]->options[chosen->choices[i + 1]]});
    }
    const Bytes held = room.state + chosen->of(room.inFlight);
    const Kept more = keepMore(taken, Bytes((room.all - held).count() / room.inFlight));
    OfStage made{.saved = chosen->keptBytes + more.bytes,
                 .transient = chosen->transient,
                 .memory = held + more.bytes * room.inFlight,
                 .added = std::max(Seconds{}, chosen->added - more.saved)};
    std::size_t i = 0;
    for (const auto& [block, piece] : pieces)
        if (const Option& option = taken[i++].option; option.isRegion)
            made.regions.push_back(regionOf(block, piece, option));
    return made;
}

Bytes RecomputeChooser::transientOf(const StageRegions::Run& run) const
{
    Bytes most;
    for (const NodeId node : run.region.nodes)
        most = std::max(most, m_ground.none.nodes[node].transient);
    return most + run.made;
}

// A stage's nodes in its room.
class RecomputeChooser::Reckoner
{
public:
    Reckoner(const RecomputeGround& ground, const std::vector<NodeId>& nodes, const Room& room)
        : m_all(room.all),
          m_state(room.state),
          m_estimate(nodes, {ground.needs, ground.moments, ground.storages},
                     ground.none.options.runtime == PipelineRuntime::Ideal ? RegionEstimate::Crossing::IsLetGo
                                                                           : RegionEstimate::Crossing::Held),
          m_room{.bytes = room.all - room.state,
                 .inFlight = room.inFlight,
                 .transient = {},
                 .saved = room.shared},
          m_waiting(room.waiting)
    {
        for (const NodeId node : nodes) {
            m_room.saved += ground.saved[node];
            m_room.transient = std::max(m_room.transient, ground.none.nodes[node].transient);
        }
        m_room.saved -= m_estimate.of({}).saved;
    }

    OfStage of(const RegionEstimate::Shapes& shapes) const
    {
        const RegionEstimate::Figures figures = m_estimate.of(shapes);
        std::vector<RecomputeRegion> regions = m_estimate.regionsOf(shapes);
        const Bytes waiting = regions.empty() ? m_waiting : Bytes{};
        return {.regions = std::move(regions),
                .saved = figures.saved + m_room.saved,
                .transient = std::max(m_room.transient, figures.transient),
                .memory = m_state + m_room.held(figures) + waiting,
                .added = figures.added};
    }
    OfStage of(const std::vector<RecomputeRegion>& regions) const
    {
        return of(legalShapes(m_estimate, m_estimate.shapesOf(regions)));
    }
    bool fits(const OfStage& stage) const { return stage.memory <= m_all; }

    const RegionEstimate& estimate() const { return m_estimate; }
    const RegionRoom& room() const { return m_room; }

private:
    Bytes m_all;
    Bytes m_state;
    RegionEstimate m_estimate;
    RegionRoom m_room;
    Bytes m_waiting; // where nothing is run again
};

RecomputeChooser::OfStage RecomputeChooser::chooseRuns(const std::vector<NodeId>& nodes,
                                                       const Reckoner& reckoner, const Manner& manner) const
{
    const auto received = m_ground.none.options.runtime == PipelineRuntime::Ideal
                              ? StageRegions::Received::IsLetGo
                              : StageRegions::Received::Held;
    const bool isSmall = nodes.size() <= mostNodesToClimb;
    const bool climbs = manner.effort == Effort::Climb && isSmall;
    using Stop = StageRegions::Stop;
    const std::vector<Bytes> caps = capsOf(m_ground.needs, nodes);
    const RegionTrials asked{.prices = m_prices,
                             .caps = caps,
                             .estimates = climbs ? workOfClimb / nodes.size() : 0,
                             .stop = manner.ways == Ways::Any ? Stop::AtLastSaved : Stop::AtEnd,
                             .firstPrice = manner.firstPrice.value_or(m_prices.size() / 2),
                             .sharpenings = sharpenings[static_cast<std::size_t>(manner.effort)],
                             .fills = manner.effort == Effort::Climb};
    const auto chosenFor = [&](StageRegions::KeptUpTo keptUpTo, std::optional<ChosenRegions> atHand) {
        const StageRegions runs(m_ground.needs, m_ground.storages, nodes, received, keptUpTo);
        return chooseRegions(reckoner.estimate(), runs, reckoner.room(), asked, std::move(atHand));
    };
    ChosenRegions best = chosenFor(StageRegions::KeptUpTo::LastReader, {});
    if (isSmall && manner.effort == Effort::Quick)
        best = chosenFor(StageRegions::KeptUpTo::LastSaver, std::move(best));
    if (manner.effort == Effort::Climb) // from each where it leads
        if (ChosenRegions other = chosenFor(StageRegions::KeptUpTo::LastSaver, {}); other.worth < best.worth)
            best = std::move(other);
    OfStage made = reckoner.of(best.shapes);
    made.price = best.price;
    return made;
}

// Within the room the one that takes less time, else the one that holds less.
std::optional<RecomputeChooser::OfStage>
RecomputeChooser::chooseStage(const std::vector<NodeId>& nodes, const Room& room, const Manner& manner) const
{
    const Reckoner reckoner(m_ground, nodes, room);
    if (OfStage nothing = reckoner.of(RegionEstimate::Shapes{}); reckoner.fits(nothing))
        return nothing;
    const auto worth = [&](const OfStage& of) {
        return std::pair(std::max(Bytes{}, of.memory - room.all), of.added);
    };
    std::optional<OfStage> chosen;
    Room asked = room; // corrected by what the choice comes to
    for (int i = 0; i < mostRoomsAsked; ++i) {
        const std::optional<OfStage> blocks = chooseBlocks(nodes, asked, manner.within);
        if (!blocks)
            break;
        OfStage reckoned = reckoner.of(blocks->regions);
        const Bytes next = room.all - (reckoned.memory - blocks->memory);
        if (!chosen || worth(reckoned) < worth(*chosen))
            chosen = std::move(reckoned);
        if (next == asked.all)
            break;
        asked.all = next;
    }
    if (manner.ways != Ways::WholeBlocks && !m_prices.empty())
        if (OfStage runs = chooseRuns(nodes, reckoner, manner); !chosen || worth(runs) < worth(*chosen))
            chosen = std::move(runs);
    return chosen && (manner.within == Within::RoomOrLeast || reckoner.fits(*chosen)) ? std::move(chosen)
                                                                                      : std::nullopt;
}

RecomputeChooser::Room RecomputeChooser::roomOf(const std::vector<NodeId>& nodes, std::size_t stage,
                                                Bytes all) const
{
    HeldBytes held;
    for (const NodeId node : nodes)
        held += heldBy(m_ground.none.nodes[node]);
    return {all, stateOf(m_ground.none, nodes), static_cast<std::int64_t>(m_inFlight[stage]),
            held.inStage(stage, false).waiting * m_mostWaiting[stage]};
}

RecomputeChooser::Room RecomputeChooser::roomOf(const std::vector<NodeId>& nodes, const StageCost& cost,
                                                Bytes all) const
{
    Room room{all, cost.stateBytes + cost.runtimeBytes, cost.inFlight, cost.waitingBytes - cost.releasedBytes,
              cost.savedBytes};
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
    std::vector<StageId> stages;
    for (const StageId stage : made.without.stages.ids())
        stages.push_back(stage);
    std::ranges::stable_sort(stages, std::ranges::greater(),
                             [&](StageId stage) { return loadOf(made, stage); });
    if (loadOf(made, stages.front()) > most)
        return std::nullopt;
    for (const StageId stage : stages) {
        const std::size_t i = stage.index();
        const StageCost& cost = made.without.stages[stage];
        std::optional<OfStage> chosen = chooseOne(i, nodes[i], roomOf(nodes[i], cost, rooms[i]));
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
        chooseStage(nodes, stage.index(), roomOf(nodes, cost, room), known);
    if (!chosen || (room != Bytes::max() && chosen->memory > room))
        return std::nullopt;
    return cost.load + chosen->added / m_ground.none.options.speeds[stage.index()];
}

RecomputeChooser::Choice RecomputeChooser::chooseOrLeast(const Partition& partition,
                                                         const std::vector<Bytes>& rooms, Ways ways) const
{
    const auto chooseOne = [&](std::size_t, const std::vector<NodeId>& nodes, const Room& room) {
        return chooseStage(nodes, room, {ways, Within::RoomOrLeast, Effort::Climb});
    };
    return chooseAll(partition, rooms, chooseOne).value();
}

RecomputeChooser::OfStage RecomputeChooser::chooseOrLeast(const Partition& partition, StageId stage,
                                                          Bytes room) const
{
    const Ways ways = m_ground.blocks.regions.empty() ? Ways::Any : Ways::WholeBlocks;
    const std::vector<NodeId> nodes = nodesOf(partition, stage);
    const Room within = roomOf(nodes, stage.index(), room);
    return chooseStage(nodes, within, {ways, Within::RoomOrLeast, Effort::Frame}).value();
}

} // namespace stagecraft
