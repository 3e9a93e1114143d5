#include "core/recompute_bound.h"

#include "core/chain_partition.h"
#include "core/float_holdings.h"
#include "core/least_runtime.h"
#include "core/plan/saved_bytes.h"
#include "core/plan/stage_cost.h"
#include "core/shared_of_chain.h"
#include "core/stage_payments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace stagecraft {

namespace {

constexpr double nearlyEqual = 5e-4;   // where the search for T ends
constexpr double firstStep = 1.0 / 32; // of what is between
constexpr double slack = 1e-9;         // rounding must never refute a plan that exists

// A model's chain, and what is there whatever runs again.
struct KnownChain
{
    KnownChain(const RecomputeGround& of, Members members) : ground(of), chain(chainOf(of, members)) {}

    const RecomputeGround& ground;
    ModelChain chain;
    ChainCrossings crossings{ground, chain};
    FloatHoldings floats{ground, chain};
    SharedOfChain shared{ground.none, chain};
    LeastRuntime runtime{ground.none, chain, crossings};
};

class Reaches
{
public:
    using Ends = std::vector<std::size_t>; // the place of each stage
    using Again = StagePayments::Again;
    using Depth = StagePayments::Depth;
    // Both must outlive it.
    Reaches(const RecomputeGround& ground, const KnownChain& known, Again again = Again::Any)
        : m_options(ground.none.options),
          m_chain(known.chain),
          m_floats(known.floats),
          m_shared(known.shared),
          m_inFlight(wholeInFlight(ground.none.options)),
          m_runtime(known.runtime),
          m_payments(ground, known.chain, known.floats, known.crossings, again)
    {
        addUpPlaces(again);
    }

    // Can each of places that take nearly the same be looked at, too, by nodes alone?
    bool hasMembers() const { return m_chain.hasMembers; }
    // What devices take at the least that part all nodes.
    double evenShare() const
    {
        double seconds = 0, speeds = 0;
        for (const ChainNode& node : m_chain.nodes)
            seconds += node.seconds;
        for (const double speed : m_options.speeds)
            speeds += speed;
        return seconds / speeds * (1 - slack);
    }

    // Where stages that take no more than that and keep their limits can end which come to the end; empty:
    // there are none. None: it was over before that was known.
    std::optional<Ends> within(double most, Depth depth, std::span<const Bytes> limits,
                               const IsOver& isOver) const
    {
        most *= 1 + slack;
        std::vector<double> spare(m_chain.places.size(), -infinite); // the most there is for what floats
        spare.front() = 0;
        std::vector<std::vector<double>> busy{spare}; // likewise, where the last stage has nodes of links
        std::vector<std::vector<Begin>> begins;       // of each stage, by where it ends
        Asked asked{most, depth, limits, m_payments.anyPrices()};
        for (std::size_t stage = 0; stage < m_options.stageCount; ++stage) {
            double left = 0; // what the stages behind can take
            for (std::size_t behind = stage + 1; behind < m_options.stageCount; ++behind)
                left += most * m_options.speeds[behind];
            std::vector<double> next(spare.size(), -infinite), worked(next);
            const std::vector<std::size_t> from = reached(spare);
            begins.emplace_back(spare.size());
            for (std::size_t to = 0; to < next.size(); ++to) {
                if (isOver && isOver())
                    return std::nullopt;
                const ChainPlace& place = m_chain.places[to];
                if (m_seconds.back() - m_most[to] > left * (1 + slack)) {
                    to += place.members;
                    continue;
                }
                Spare found = spareAt(spare, from, stage, to, asked);
                if (place.members > 0) { // it ends in one of these, or in none
                    to +=
                        found.seconds > -infinite || m_chain.places[to + 1].mostIdle > 0 ? 0 : place.members;
                    continue;
                }
                const auto ended = [&](const Spare& at) {
                    return at.seconds < m_due[to] * (1 - slack) ? -infinite
                                                                : std::min(at.seconds, m_ready[to]);
                };
                worked[to] = ended(found);
                const Idle idle = idleAt(spare, busy, to, asked);
                next[to] = std::max(worked[to], ended({idle.seconds, to}));
                begins.back()[to] = {found.begin, next[to] > worked[to] ? idle.stages : 0};
                to += place.members;
            }
            spare = std::move(next);
            busy.push_back(std::move(worked));
        }
        return spare.back() > -infinite ? endsOf(begins) : Ends{};
    }
    // `most`: that none takes more than.
    Partition partitionAt(const PartitionProblem& problem, const Ends& ends, double most) const
    {
        std::vector<double> spare;
        for (std::size_t stage = 0; stage < ends.size(); ++stage)
            spare.push_back(most * m_options.speeds[stage] -
                            std::max(0.0, m_seconds[ends[stage]] - m_most[stage > 0 ? ends[stage - 1] : 0]));
        return stagecraft::partitionAt(problem, m_chain, ends, std::move(spare));
    }

private:
    // Of all stages.
    struct Asked
    {
        double most; // seconds
        Depth depth;
        std::span<const Bytes> limits;
        StagePayments::Prices prices;
    };

    // Where a stage begins that ends at some place and has nodes of links, and how many without, the last of
    // them that stage, are better.
    struct Begin
    {
        std::size_t busy = 0;
        std::size_t idle = 0;
    };

    Ends endsOf(const std::vector<std::vector<Begin>>& begins) const
    {
        Ends ends(begins.size(), begins.back().size() - 1);
        std::size_t idle = begins.back().back().idle; // of those that are left
        for (std::size_t stage = begins.size(); stage-- > 1;) {
            const bool isIdle = idle > 0, wasLast = idle == 1;
            ends[stage - 1] = isIdle ? ends[stage] : begins[stage][ends[stage]].busy;
            const bool mustBeBusy = wasLast && m_chain.places[ends[stage]].mostIdle <= stage;
            idle = isIdle && !wasLast ? idle - 1 : mustBeBusy ? 0 : begins[stage - 1][ends[stage - 1]].idle;
        }
        return ends;
    }

    // Of each place what is before it, and of each link the largest transient.
    void addUpPlaces(Again again)
    {
        std::vector<double> seconds{0}, state{0};
        for (const std::vector<NodeId>& link : m_chain.links) {
            double takes = 0, holds = 0, transient = 0;
            std::vector<double> transients;
            for (const NodeId node : link) {
                takes += m_chain.nodes[node].seconds;
                holds += m_chain.nodes[node].state;
                transients.push_back(again == Again::Nothing ? m_chain.nodes[node].transientWithout
                                                             : m_chain.nodes[node].transient);
                transient = std::max(transient, transients.back());
            }
            m_transients.push_back(std::move(transients));
            seconds.push_back(seconds.back() + takes);
            state.push_back(state.back() + holds);
            m_transient.push_back(transient);
        }
        std::vector<double> due(m_chain.links.size() + 1, 0), ready(due);
        for (const ChainFloat& each : m_chain.floats) {
            due[each.due] += each.seconds;
            ready[each.ready] += each.seconds;
        }
        for (std::size_t link = 1; link < due.size(); ++link) {
            due[link] += due[link - 1];
            ready[link] += ready[link - 1];
        }
        for (const ChainPlace& place : m_chain.places) {
            m_spanOf.push_back(m_spanOf.size());
            m_due.push_back(due[place.link]);
            m_ready.push_back(ready[place.link]);
            m_seconds.push_back(seconds[place.link] + place.least);
            m_most.push_back(seconds[place.link] + place.most);
            m_latest.push_back(std::max(m_latest.empty() ? 0 : m_latest.back(), m_most.back()));
            double holds = state[place.link];
            for (std::size_t i = 0; i < place.inside.size(); ++i)
                holds += place.inside[i] ? m_chain.nodes[m_chain.links[place.link][i]].state : 0;
            m_state.push_back(holds);
            m_mostState.push_back(place.isSpan ? state[place.link + 1] : holds);
        }
        for (std::size_t span = 0; span < m_spanOf.size(); ++span)
            for (std::size_t i = 1; i <= m_chain.places[span].members; ++i)
                m_spanOf[span + i] = span;
    }

    double transferAt(std::size_t place, std::size_t boundary) const
    {
        if (place == 0 || place + 1 == m_chain.places.size() || m_options.objective == Objective::Compute)
            return 0;
        return std::max(0.0, linkTime(m_options, m_chain.places[place].crosses, boundary).value());
    }

    // Bytes of a stage's links.
    struct OfLinks
    {
        double transient = 0; // of whole ones
        double shared = 0;    // state that several have
    };

    static std::vector<std::size_t> reached(const std::vector<double>& spare)
    {
        std::vector<std::size_t> places;
        for (std::size_t place = 0; place < spare.size(); ++place)
            if (spare[place] > -infinite)
                places.push_back(place);
        return places;
    }

    // The most seconds for what floats that are left up to there, where the stage ends; below 0: it cannot.
    struct Spare
    {
        double seconds = -infinite;
        std::size_t begin = 0; // where the stage does

        auto operator<=>(const Spare&) const = default;
    };
    Spare spareAt(const std::vector<double>& spare, std::span<const std::size_t> begins, std::size_t stage,
                  std::size_t to, Asked& asked) const
    {
        const double speed = m_options.speeds[stage];
        const double send = stage + 1 < m_options.stageCount ? transferAt(to, stage) : 0;
        const ChainPlace& end = m_chain.places[to];
        Spare best;
        OfLinks links;
        std::size_t whole = end.link;
        const ChainPlace* shares = nullptr; // `links`, where it begins
        const auto leftFrom = [&](std::size_t from, double spared) {
            const double receive = stage > 0 ? transferAt(from, stage - 1) : 0;
            const double room = (asked.most - send - receive) * speed;
            // Not as much as is there already?
            if (spared + room - std::max(0.0, m_seconds[to] - m_most[from]) <= best.seconds)
                return -infinite;
            const double compute = leastCompute(stage, from, to, links, room, asked);
            return compute <= room ? spared + room - compute : -infinite;
        };
        std::size_t tried = m_chain.places.size(); // of spans the last
        for (auto next = std::ranges::lower_bound(begins, to + end.members); next != begins.begin();) {
            const std::size_t from = *--next, span = m_spanOf[from];
            const ChainPlace& begin = m_chain.places[from];
            while (whole > begin.firstWhole())
                links.transient = std::max(links.transient, m_transient[--whole]);
            // Likewise what begins before it.
            if ((m_seconds[to] - m_latest[from]) / speed + send > asked.most)
                break;
            if (!shares || shares->link != begin.link || shares->firstWhole() != begin.firstWhole())
                links.shared = m_shared.besides(*(shares = &begin), end);
            if (span != from && span != tried) {
                tried = span;
                if (leftFrom(span, m_ready[span]) <= best.seconds) { // nor from any of its members
                    next = std::lower_bound(begins.begin(), next, span);
                    continue;
                }
            }
            if (isWithin(begin, end))
                best = std::max(best, {leftFrom(from, spare[from]), from});
            if (best.seconds >= m_ready[to])
                break;
        }
        return best;
    }

    // Likewise, of some stages without nodes of links, no more in a row than there may be there. `spare`:
    // before the last of them; `busy`: of each stage before it, from the chain's begin.
    struct Idle
    {
        double seconds = -infinite;
        std::size_t stages = 0;

        auto operator<=>(const Idle&) const = default;
    };
    Idle idleAt(const std::vector<double>& spare, const std::vector<std::vector<double>>& busy,
                std::size_t to, const Asked& asked) const
    {
        const std::size_t mostIdle = m_chain.places[to].mostIdle;
        if (mostIdle == 0 || spare[to] == -infinite)
            return {};
        if (mostIdle >= busy.size())
            return {spare[to] + idleRoom(busy.size() - 1, to, asked), 1};
        Idle best;
        double room = 0;
        for (std::size_t count = 1; count <= mostIdle && room > -infinite; ++count) {
            const std::size_t stage = busy.size() - count;
            room += idleRoom(stage, to, asked);
            best = std::max(best, {busy[stage][to] + room, count});
        }
        return best;
    }

    // Seconds that one has beside what crosses it; below 0: it cannot hold that.
    double idleRoom(std::size_t stage, std::size_t at, const Asked& asked) const
    {
        const double receive = stage > 0 ? transferAt(at, stage - 1) : 0;
        const double send = stage + 1 < m_options.stageCount ? transferAt(at, stage) : 0;
        const Bytes limit = asked.limits[stage];
        const bool fits = limit == Bytes::max() || m_runtime.held(stage, at, at) <= limit.asDouble();
        const double left = asked.most - send - receive;
        return fits && left >= 0 ? left * m_options.speeds[stage] : -infinite;
    }

    static bool isWithin(const ChainPlace& begin, const ChainPlace& end)
    {
        if (begin.link != end.link || begin.isBetween() || begin.isSpan || end.isSpan)
            return true;
        for (std::size_t i = 0; i < begin.inside.size(); ++i)
            if (begin.inside[i] && !end.inside[i])
                return false;
        return true;
    }

    // The largest of nodes that it has of links that its places part.
    double transientOfParts(std::size_t from, std::size_t to) const
    {
        const ChainPlace& begin = m_chain.places[from];
        const ChainPlace& end = m_chain.places[to];
        double most = 0;
        for (const std::size_t link : {begin.link, end.link})
            if ((begin.link == link && !begin.isBetween()) || (end.link == link && !end.isBetween()))
                for (std::size_t i = 0; i < m_chain.links[link].size(); ++i)
                    if (begin.isBefore(link, i) && end.isBehind(link, i))
                        most = std::max(most, m_transients[link][i]);
        return most;
    }

    // Seconds that the stage takes at the least; of interest as far as it has no more than `most`.
    double leastCompute(std::size_t stage, std::size_t from, std::size_t to, const OfLinks& links,
                        double most, Asked& asked) const
    {
        const double seconds = std::max(0.0, m_seconds[to] - m_most[from]);
        const Bytes limit = asked.limits[stage];
        if (limit == Bytes::max() || seconds > most)
            return seconds;
        const auto inFlight = static_cast<double>(m_inFlight[stage]);
        const std::vector<FloatHoldings::Held> floats =
            m_floats.of(m_chain.places[from].firstWhole(), m_chain.places[to].link,
                        {.held = m_runtime.heldOfReceived(stage), .inFlight = inFlight});
        double ofFloats = 0; // their state
        for (const FloatHoldings::Held& each : floats)
            ofFloats += each.state;
        const StagePayments::Room room{.bytes = limit.asDouble() -
                                                std::max(0.0, m_state[to] - m_mostState[from]) -
                                                links.shared - ofFloats - m_runtime.held(stage, from, to),
                                       .transient = std::max(links.transient, transientOfParts(from, to)),
                                       .inFlight = inFlight,
                                       .copies = m_runtime.copied(from, to),
                                       .inTurns = m_runtime.alsoInTurns(stage, from, to)};
        const bool isOfMembers = m_spanOf[from] != from || m_spanOf[to] != to;
        return seconds + m_payments.least({from, to, room, floats}, most - seconds,
                                          isOfMembers ? Depth::Nodes : asked.depth, asked.prices);
    }

    const PartitionOptions& m_options;
    const ModelChain& m_chain;
    const FloatHoldings& m_floats;
    const SharedOfChain& m_shared;
    std::vector<std::size_t> m_inFlight;
    const LeastRuntime& m_runtime;
    StagePayments m_payments;
    std::vector<std::size_t> m_spanOf; // of each place: whose member it is, or itself
    std::vector<double> m_seconds;     // of each place: before it, at the least
    std::vector<double> m_most;        // at the most
    std::vector<double> m_latest;      // the most of that up to there
    std::vector<double> m_state, m_mostState;
    std::vector<double> m_due;                     // of each place, of what floats: what must be before it
    std::vector<double> m_ready;                   // what can be
    std::vector<double> m_transient;               // of each link
    std::vector<std::vector<double>> m_transients; // of each of its nodes
};

} // namespace

// What is known of a model's chain, with members of spans or without, each as soon as somebody asks.
class RecomputeBounds::Chains
{
public:
    explicit Chains(const RecomputeGround& ground) : m_ground(ground), m_chain(ground, Members::LeftOut) {}

    const Reaches& coarse() { return made(m_coarse, m_chain, Reaches::Again::Any); }
    const Reaches& withoutAgain() { return made(m_withoutAgain, m_chain, Reaches::Again::Nothing); }
    const Reaches& fine()
    {
        if (!m_fineChain)
            m_fineChain.emplace(m_ground, Members::Listed);
        return made(m_fine, *m_fineChain, Reaches::Again::Any);
    }

private:
    const Reaches& made(std::optional<Reaches>& reaches, const KnownChain& chain, Reaches::Again again)
    {
        if (!reaches)
            reaches.emplace(m_ground, chain, again);
        return *reaches;
    }

    const RecomputeGround& m_ground;
    KnownChain m_chain;
    std::optional<KnownChain> m_fineChain;
    std::optional<Reaches> m_coarse, m_withoutAgain, m_fine;
};

RecomputeBounds::RecomputeBounds(const RecomputeGround& ground) : m_ground(ground) {}

RecomputeBounds::~RecomputeBounds() = default;

Bound RecomputeBounds::of(Seconds upper, const IsOver& isOver, BoundBy by, Seconds known,
                          std::optional<Partition>* cuts)
{
    Bound bound{.value = known, .kind = "cuts and recomputation", .witness = {}};
    const PartitionOptions& options = m_ground.none.options;
    if (options.sharesDevices() || upper <= Seconds{} || options.objective == Objective::Overlap)
        return bound;
    const Reaches& coarse = chains().coarse();
    double refuted = std::min(std::max(known.value(), coarse.evenShare()), upper.value());
    // From what is refuted on, in steps that grow: what is possible takes longer to know.
    const auto refute = [&](const Reaches& reaches, Reaches::Depth depth) {
        double possible = upper.value(), step = (possible - refuted) * firstStep;
        Reaches::Ends least; // of what is possible
        while (possible - refuted > nearlyEqual * possible) {
            const double most = std::min((refuted + possible) / 2, refuted + step);
            std::optional<Reaches::Ends> ends = reaches.within(most, depth, options.memoryLimits, isOver);
            if (!ends)
                break;
            step = ends->empty() ? step * 2 : possible - refuted;
            (ends->empty() ? refuted : possible) = most;
            if (!ends->empty())
                least = *std::move(ends);
        }
        if (cuts && !least.empty())
            *cuts = reaches.partitionAt(m_ground.none, least, possible);
    };
    if (by == BoundBy::Nodes || known <= Seconds{})
        refute(coarse, Reaches::Depth::Nodes);
    if (by != BoundBy::Nodes)
        refute(coarse, Reaches::Depth::Runs);
    if (by == BoundBy::Stages) {
        refute(coarse, Reaches::Depth::Stages);
        if (coarse.hasMembers() && !(isOver && isOver()))
            refute(chains().fine(), Reaches::Depth::Stages);
    }
    bound.value = Seconds(refuted);
    return bound;
}

RecomputeBounds::Chains& RecomputeBounds::chains()
{
    if (!m_chains)
        m_chains = std::make_unique<Chains>(m_ground);
    return *m_chains;
}

bool RecomputeBounds::knowsWhatFits() const
{
    const PartitionOptions& options = m_ground.none.options;
    return !options.sharesDevices() && options.objective != Objective::Overlap && options.limitsMemory();
}

bool RecomputeBounds::mayFitWithout(Seconds bottleneck, const IsOver& isOver)
{
    if (!knowsWhatFits())
        return true;
    const Reaches& reaches = chains().withoutAgain();
    const std::vector<Bytes>& limits = m_ground.none.options.memoryLimits;
    const auto ends = reaches.within(bottleneck.value(), Reaches::Depth::Nodes, limits, isOver);
    return !ends || !ends->empty();
}

bool RecomputeBounds::mayFit(std::span<const Bytes> limits, const IsOver& isOver)
{
    if (!knowsWhatFits())
        return true;
    using Depth = Reaches::Depth;
    const double slowest = slowestOf(m_ground).value();
    return std::ranges::none_of(std::array{Depth::Nodes, Depth::Runs, Depth::Stages}, [&](Depth depth) {
        const auto ends = chains().coarse().within(slowest, depth, limits, isOver);
        return ends && ends->empty();
    });
}

} // namespace stagecraft
