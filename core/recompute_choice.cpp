#include "core/recompute_choice.h"

#include "core/plan/evaluate.h"
#include "core/plan/node_stages.h"
#include "core/plan/stage_cost.h"
#include "core/recompute/region_choice.h"
#include "core/recompute/trial_prices.h"

#include <algorithm>
#include <array>
#include <iterator>

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

// What a stage has of each block, ascending, and what the nodes beside them hold.
struct RecomputeChooser::Pieces
{
    struct Piece
    {
        std::size_t block = 0;
        std::vector<NodeId> nodes;
        std::shared_ptr<const Offered> offered;
    };
    std::vector<Piece> all;
    Option rest;
    std::vector<std::shared_ptr<const RegionHull>> hulls; // of the rest, and then of all
};

namespace {

struct TakenPiece
{
    const Option* option;
    std::vector<NodeId> kept; // of a region
};

struct KeptMore // of one microbatch
{
    Bytes bytes;
    Seconds saved;
};

RecomputeRegion regionOfPiece(const RecomputeGround& ground, const RecomputeChooser::Pieces::Piece& piece,
                              const TakenPiece& taken)
{
    RecomputeRegion region{piece.nodes, taken.kept};
    for (const NodeId node : ground.blocks.regions[piece.block].kept)
        if (std::ranges::binary_search(piece.nodes, node))
            region.kept.push_back(node);
    std::ranges::sort(region.kept);
    return region;
}

// Choices on a hull leave some of a stage's memory: single nodes that fit into it are kept, too, those first
// that take the longest for their bytes.
KeptMore keepMore(const RecomputeChooser& chooser, const RecomputeChooser::Pieces& pieces,
                  std::vector<TakenPiece>& taken, Bytes left)
{
    const RecomputeGround& ground = chooser.ground();
    struct Candidate
    {
        double worth; // seconds a byte
        std::size_t piece;
        NodeId node;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const std::size_t block = pieces.all[i].block;
        const std::vector<NodeId>& nodes = ground.blocks.regions[block].nodes;
        const Option& option = *taken[i].option;
        if (!option.isRegion)
            continue;
        for (const std::size_t position : ground.hulls[block]->choices.back().kept)
            if (const NodeId node = nodes[position];
                ground.keeping[node] <= left && chooser.again(node) > Seconds{} &&
                !ground.needs[node].isRandom && std::ranges::binary_search(option.nodes, node) &&
                !std::ranges::binary_search(option.kept, node))
                candidates.push_back(
                    {chooser.again(node).value() / std::max(1.0, ground.keeping[node].asDouble()), i, node});
    }
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::worth);
    KeptMore kept;
    for (const Candidate& candidate : candidates) {
        const Bytes bytes = ground.keeping[candidate.node];
        if (kept.bytes + bytes > left)
            continue;
        kept.bytes += bytes;
        kept.saved += chooser.again(candidate.node);
        std::vector<NodeId>& of = taken[candidate.piece].kept;
        of.insert(std::ranges::upper_bound(of, candidate.node), candidate.node);
    }
    return kept;
}

} // namespace

RecomputeChooser::Pieces RecomputeChooser::piecesOf(const std::vector<NodeId>& nodes, Bytes shared) const
{
    Pieces pieces{.all = {}, .rest = {.saved = shared}, .hulls = {}};
    std::map<std::size_t, std::vector<NodeId>> ofBlocks;
    std::pair<std::size_t, std::vector<NodeId>*> last{0, nullptr}; // most follow one of their block
    for (const NodeId node : nodes) {
        if (const std::optional<std::size_t> block = m_blockOf[node]) {
            if (last.second == nullptr || last.first != *block)
                last = {*block, &ofBlocks[*block]};
            last.second->push_back(node);
            continue;
        }
        pieces.rest.saved += m_ground.saved[node];
        pieces.rest.transient = std::max(pieces.rest.transient, m_ground.none.nodes[node].transient);
    }
    pieces.hulls.push_back(asHull({pieces.rest}));
    for (auto& [block, piece] : ofBlocks) {
        std::shared_ptr<const Offered> offers = offered(block, piece);
        pieces.hulls.push_back(offers->hull);
        pieces.all.push_back({block, std::move(piece), std::move(offers)});
    }
    return pieces;
}

std::optional<RecomputeChooser::OfStage> RecomputeChooser::chooseBlocks(const Pieces& pieces,
                                                                        const Room& room, Within within) const
{
    auto chosen = chooseWithin(pieces.hulls, room.all - room.state, room.inFlight);
    if (!chosen && within == Within::RoomOrLeast)
        chosen = chooseWithin(pieces.hulls, leastRoom(pieces.hulls, room.inFlight), room.inFlight);
    if (!chosen)
        return std::nullopt;
    std::vector<TakenPiece> taken;
    taken.reserve(pieces.all.size());
    for (std::size_t i = 0; i < pieces.all.size(); ++i) {
        const Option& option = pieces.all[i].offered->options[chosen->choices[i + 1]];
        taken.push_back({&option, option.kept});
    }
    const Bytes held = room.state + chosen->of(room.inFlight);
    const KeptMore more = keepMore(*this, pieces, taken, Bytes((room.all - held).count() / room.inFlight));
    OfStage made{.saved = chosen->keptBytes + more.bytes,
                 .transient = chosen->transient,
                 .memory = held + more.bytes * room.inFlight,
                 .added = std::max(Seconds{}, chosen->added - more.saved)};
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i].option->isRegion)
            made.regions.push_back(regionOfPiece(m_ground, pieces.all[i], taken[i]));
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
          m_estimate(nodes,
                     {ground.needs, ground.moments, ground.storages, ground.none.turns.get(), &ground.paces},
                     ground.none.options.runtime == PipelineRuntime::Ideal ? RegionEstimate::Crossing::IsLetGo
                                                                           : RegionEstimate::Crossing::Held),
          m_room{room.all - room.state, room.inFlight, {}, room.shared, room.isSplit},
          m_nothing(m_estimate.of({})),
          m_waiting(room.waiting)
    {
        for (const NodeId node : nodes) {
            m_room.saved += ground.saved[node];
            m_room.transient = std::max(m_room.transient, ground.none.nodes[node].transient);
        }
        m_room.saved -= m_nothing.saved;
    }

    OfStage nothing() const { return of(m_nothing, {}); }
    OfStage of(const RegionEstimate::Shapes& shapes) const
    {
        return of(m_estimate.of(shapes), regionsOf(m_estimate, shapes));
    }
    OfStage of(const RegionEstimate::Figures& figures, std::vector<RecomputeRegion> regions) const
    {
        const Bytes waiting = regions.empty() ? m_waiting : Bytes{};
        return {.regions = std::move(regions),
                .saved = figures.saved + m_room.saved,
                .transient = std::max(m_room.transient, figures.transient),
                .turns = {figures.forward, m_room.backward(figures)},
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
    RegionEstimate::Figures m_nothing; // is run again
    Bytes m_waiting;                   // there
};

RecomputeChooser::OfStage RecomputeChooser::chooseRuns(const std::vector<NodeId>& nodes,
                                                       const Reckoner& reckoner, const Manner& manner) const
{
    const auto received = m_ground.none.options.runtime == PipelineRuntime::Ideal
                              ? StageRegions::Received::IsLetGo
                              : StageRegions::Received::Held;
    const bool isSmall = nodes.size() <= mostNodesToClimb;
    const bool isLast = manner.effort == Effort::Climb;
    using Stop = StageRegions::Stop;
    const std::vector<Bytes> caps = capsOf(m_ground.needs, nodes);
    const RegionTrials asked{.prices = m_prices,
                             .caps = caps,
                             .estimates = isLast && isSmall ? workOfClimb / nodes.size() : 0,
                             .stop = manner.ways == Ways::Any ? Stop::AtLastSaved : Stop::AtEnd,
                             .firstPrice = manner.firstPrice.value_or(m_prices.size() / 2),
                             .sharpenings = sharpenings[static_cast<std::size_t>(manner.effort)],
                             .keepsForCaps = isLast && !isSmall,
                             .fills = isLast};
    const auto chosenFor = [&](StageRegions::KeptUpTo keptUpTo, std::optional<ChosenRegions> atHand) {
        const StageRegions runs(m_ground.needs, m_ground.storages, nodes, received, keptUpTo);
        return chooseRegions(reckoner.estimate(), runs, reckoner.room(), asked, std::move(atHand));
    };
    ChosenRegions best = chosenFor(StageRegions::KeptUpTo::LastReader, {});
    if (isSmall && manner.effort == Effort::Quick)
        best = chosenFor(StageRegions::KeptUpTo::LastSaver, std::move(best));
    if (isLast) // from each where it leads
        if (ChosenRegions other = chosenFor(StageRegions::KeptUpTo::LastSaver, {}); other.worth < best.worth)
            best = std::move(other);
    OfStage made = reckoner.of(best.shapes);
    made.price = best.price;
    return made;
}

Bytes RecomputeChooser::memoryOf(const Partition& partition, StageId stage,
                                 const std::vector<RecomputeRegion>& regions) const
{
    const std::vector<NodeId> nodes = nodesOf(partition, stage);
    const StageCost cost = evaluate(m_ground.none, partition).stages[stage];
    return Reckoner(m_ground, nodes, roomOf(nodes, stage.index(), cost, Bytes::max())).of(regions).memory;
}

// Within the room the one that takes less time, else the one that holds less.
std::optional<RecomputeChooser::OfStage>
RecomputeChooser::chooseStage(const std::vector<NodeId>& nodes, const Room& room, const Manner& manner) const
{
    const Reckoner reckoner(m_ground, nodes, room);
    OfStage chosen = reckoner.nothing();
    if (reckoner.fits(chosen))
        return chosen;
    const auto worth = [&](const OfStage& of) {
        return std::pair(std::max(Bytes{}, of.memory - room.all), of.added);
    };
    const Pieces pieces = piecesOf(nodes, room.shared);
    Room asked = room; // corrected by what the choice comes to
    for (int i = 0; i < mostRoomsAsked; ++i) {
        const std::optional<OfStage> blocks = chooseBlocks(pieces, asked, manner.within);
        if (!blocks)
            break;
        OfStage reckoned = reckoner.of(blocks->regions);
        const Bytes next = room.all - (reckoned.memory - blocks->memory);
        if (worth(reckoned) < worth(chosen))
            chosen = std::move(reckoned);
        if (next == asked.all)
            break;
        asked.all = next;
    }
    if (manner.ways != Ways::WholeBlocks && !m_prices.empty())
        if (OfStage runs = chooseRuns(nodes, reckoner, manner); worth(runs) < worth(chosen))
            chosen = std::move(runs);
    return manner.within == Within::RoomOrLeast || reckoner.fits(chosen) ? std::optional(std::move(chosen))
                                                                         : std::nullopt;
}

} // namespace stagecraft
