#include "core/chain_reaches.h"

#include "core/chain_partition.h"
#include "core/plan/saved_bytes.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr double leastRoaming = 0.1; // of a limit: less says little, and asking takes twice as long
constexpr double slack = 1e-9;       // rounding must never refute a plan that exists

std::vector<std::size_t> placesOf(const std::vector<double>& spare)
{
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < spare.size(); ++place)
        if (spare[place] > -infinite)
            places.push_back(place);
    return places;
}

bool isWithin(const ChainPlace& begin, const ChainPlace& end)
{
    if (begin.link != end.link || begin.isBetween() || begin.isSpan || end.isSpan)
        return true;
    for (std::size_t i = 0; i < begin.inside.size(); ++i)
        if (begin.inside[i] && !end.inside[i])
            return false;
    return true;
}

} // namespace

ChainReaches::ChainReaches(const KnownChain& known, Again again)
    : m_options(known.ground.none.options),
      m_chain(known.chain),
      m_floats(known.floats),
      m_shared(known.shared),
      m_roaming(known.roaming),
      m_inFlight(wholeInFlight(known.ground.none.options)),
      m_runtime(known.runtime),
      m_payments(known.ground, known.chain, known.floats, known.crossings, again)
{
    addUpFloats();
    addUpPlaces(again);
}

double ChainReaches::evenShare() const
{
    double seconds = 0, speeds = 0;
    for (const ChainNode& node : m_chain.nodes)
        seconds += node.seconds;
    for (const double speed : m_options.speeds)
        speeds += speed;
    return seconds / speeds * (1 - slack);
}

std::optional<ChainReaches::Ends>
ChainReaches::within(double most, Depth depth, std::span<const Bytes> limits, const IsOver& isOver) const
{
    most *= 1 + slack;
    const OfPlaces none(m_chain.places.size(), -infinite);
    ByRoaming<Reached> reached;
    reached.fill({none, {none}});
    Reached& begin = reached[isRoaming(limits) ? Ahead : Had];
    begin.spare.front() = begin.busy.front().front() = 0;
    Begins begins;
    Asked asked{most, depth, limits, m_payments.anyPrices()};
    for (std::size_t stage = 0; stage < m_options.stageCount; ++stage) {
        double left = 0; // what the stages behind can take
        for (std::size_t behind = stage + 1; behind < m_options.stageCount; ++behind)
            left += most * m_options.speeds[behind];
        for (Reached& each : reached)
            each.from = placesOf(each.spare);
        ByRoaming<OfPlaces> next{none, none}, worked{none, none};
        for (auto& each : begins.emplace_back())
            each.resize(none.size());
        for (std::size_t to = 0; to < none.size(); ++to) {
            if (isOver && isOver())
                return std::nullopt;
            const ChainPlace& place = m_chain.places[to];
            if (m_seconds.back() - m_most[to] > left * (1 + slack)) {
                to += place.members;
                continue;
            }
            bool isReached = false;
            for (const Roaming roaming : {Had, Ahead}) {
                if (roaming == Ahead && !mayBeAhead(to))
                    continue;
                const Spare found = spareAt(reached, roaming, stage, to, asked);
                isReached = isReached || found.seconds > -infinite;
                if (place.members > 0)
                    continue;
                const Idle idle = idleAt(reached, roaming, to, asked);
                double& with = worked[roaming][to] = endedAt(found.seconds, to);
                next[roaming][to] = std::max(with, endedAt(idle.seconds, to));
                begins.back()[roaming][to] = {found.begin, found.before,
                                              next[roaming][to] > with ? idle.stages : 0, idle.before};
            }
            if (place.members > 0 && !isReached && m_chain.places[to + 1].mostIdle == 0)
                to += place.members; // it ends in none of these
        }
        for (const Roaming roaming : {Had, Ahead}) {
            reached[roaming].spare = std::move(next[roaming]);
            reached[roaming].busy.push_back(std::move(worked[roaming]));
        }
    }
    return reached[Had].spare.back() > -infinite ? endsOf(begins) : Ends{};
}

Partition ChainReaches::partitionAt(const PartitionProblem& problem, const Ends& ends, double most) const
{
    std::vector<double> spare;
    for (std::size_t stage = 0; stage < ends.size(); ++stage)
        spare.push_back(most * m_options.speeds[stage] -
                        std::max(0.0, m_seconds[ends[stage]] - m_most[stage > 0 ? ends[stage - 1] : 0]));
    return stagecraft::partitionAt(problem, m_chain, ends, std::move(spare));
}

ChainReaches::Ends ChainReaches::endsOf(const Begins& begins) const
{
    Ends ends(begins.size(), begins.back()[Had].size() - 1);
    Roaming roaming = Had, beforeIdle = Had;
    std::size_t idle = 0; // of those that are left
    const auto takeIdle = [&](std::size_t stage) {
        const Begin& begin = begins[stage][roaming][ends[stage]];
        idle = begin.idle;
        beforeIdle = begin.beforeIdle;
    };
    takeIdle(begins.size() - 1);
    for (std::size_t stage = begins.size(); stage-- > 1;) {
        const bool isIdle = idle > 0, wasLast = idle == 1;
        const Begin& begin = begins[stage][roaming][ends[stage]];
        ends[stage - 1] = isIdle ? ends[stage] : begin.busy;
        roaming = wasLast ? beforeIdle : isIdle ? roaming : begin.before;
        if (isIdle && !wasLast)
            --idle;
        else if (wasLast && m_chain.places[ends[stage]].mostIdle <= stage) // then one was busy
            idle = 0;
        else
            takeIdle(stage - 1);
    }
    return ends;
}

// Of each place what must be before it, and what can be.
void ChainReaches::addUpFloats()
{
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
        m_due.push_back(due[place.link]);
        m_ready.push_back(ready[place.link]);
    }
}

// Of each place what is before it, and of each link the largest transient.
void ChainReaches::addUpPlaces(Again again)
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
    for (const ChainPlace& place : m_chain.places) {
        m_spanOf.push_back(m_spanOf.size());
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

double ChainReaches::transferAt(std::size_t place, std::size_t boundary) const
{
    if (place == 0 || place + 1 == m_chain.places.size() || m_options.objective == Objective::Compute)
        return 0;
    return std::max(0.0, linkTime(m_options, m_chain.places[place].crosses, boundary).value());
}

// May it be more than rounding?
bool ChainReaches::isRoaming(std::span<const Bytes> limits) const
{
    return m_roaming.bytes > leastRoaming * std::ranges::min(limits).asDouble();
}

double ChainReaches::endedAt(double seconds, std::size_t place) const
{
    return seconds < m_due[place] * (1 - slack) ? -infinite : std::min(seconds, m_ready[place]);
}

// Who has had it has it, or one before did.
ChainReaches::Spare ChainReaches::spareAt(const ByRoaming<Reached>& reached, Roaming roaming,
                                          std::size_t stage, std::size_t to, Asked& asked) const
{
    Spare best = spareAt(reached[roaming], Roams::NotHere, stage, to, asked);
    best.before = roaming;
    if (roaming == Ahead || best.seconds >= m_ready[to])
        return best;
    Spare here = spareAt(reached[Ahead], Roams::Here, stage, to, asked);
    here.before = Ahead;
    return std::max(best, here);
}

ChainReaches::Spare ChainReaches::spareAt(const Reached& reached, Roams roams, std::size_t stage,
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
        const double compute = leastCompute(stage, from, to, links, roams, room, asked);
        return compute <= room ? spared + room - compute : -infinite;
    };
    std::size_t tried = m_chain.places.size(); // of spans the last
    const std::vector<std::size_t>& begins = reached.from;
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
            best = std::max(best, {leftFrom(from, reached.spare[from]), from});
        if (best.seconds >= m_ready[to])
            break;
    }
    return best;
}

// Any of these may have it, at no cost that is known.
ChainReaches::Idle ChainReaches::idleAt(const ByRoaming<Reached>& reached, Roaming roaming, std::size_t to,
                                        const Asked& asked) const
{
    Idle best = idleAt(reached[roaming], to, asked);
    best.before = roaming;
    if (roaming == Ahead)
        return best;
    Idle here = idleAt(reached[Ahead], to, asked);
    here.before = Ahead;
    return std::max(best, here);
}

ChainReaches::Idle ChainReaches::idleAt(const Reached& reached, std::size_t to, const Asked& asked) const
{
    const std::size_t mostIdle = m_chain.places[to].mostIdle;
    const auto& [spare, busy, from] = reached;
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
double ChainReaches::idleRoom(std::size_t stage, std::size_t at, const Asked& asked) const
{
    const double receive = stage > 0 ? transferAt(at, stage - 1) : 0;
    const double send = stage + 1 < m_options.stageCount ? transferAt(at, stage) : 0;
    const Bytes limit = asked.limits[stage];
    const bool fits = limit == Bytes::max() || m_runtime.held(stage, at, at) <= limit.asDouble();
    const double left = asked.most - send - receive;
    return fits && left >= 0 ? left * m_options.speeds[stage] : -infinite;
}

// The largest of nodes that it has of links that its places part.
double ChainReaches::transientOfParts(std::size_t from, std::size_t to) const
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

// Bytes of their state.
double ChainReaches::ofFloats(std::span<const FloatHoldings::Held> floats, Roams roams, std::size_t from,
                              std::size_t to) const
{
    double held = 0;
    for (const FloatHoldings::Held& each : floats)
        held += each.state;
    if (roams == Roams::NotHere || m_roaming.isUsed(m_chain.places[from], m_chain.places[to]))
        return held;
    return m_roaming.isOfFloats() ? std::max(held, m_roaming.bytes) : held + m_roaming.bytes;
}

// Seconds that the stage takes at the least; of interest as far as it has no more than `most`.
double ChainReaches::leastCompute(std::size_t stage, std::size_t from, std::size_t to, const OfLinks& links,
                                  Roams roams, double most, Asked& asked) const
{
    const double seconds = std::max(0.0, m_seconds[to] - m_most[from]);
    const Bytes limit = asked.limits[stage];
    if (limit == Bytes::max() || seconds > most)
        return seconds;
    const auto inFlight = static_cast<double>(m_inFlight[stage]);
    const std::vector<FloatHoldings::Held> floats =
        m_floats.of(m_chain.places[from].firstWhole(), m_chain.places[to].link,
                    {.held = m_runtime.heldOfReceived(stage), .inFlight = inFlight});
    const StagePayments::Room room{
        .bytes = limit.asDouble() - std::max(0.0, m_state[to] - m_mostState[from]) - links.shared -
                 ofFloats(floats, roams, from, to) - m_runtime.held(stage, from, to),
        .transient = std::max(links.transient, transientOfParts(from, to)),
        .inFlight = inFlight,
        .copies = m_runtime.copied(from, to),
        .inTurns = m_runtime.alsoInTurns(stage, from, to)};
    const bool isOfMembers = m_spanOf[from] != from || m_spanOf[to] != to;
    return seconds + m_payments.least({from, to, room, floats}, most - seconds,
                                      isOfMembers ? Depth::Nodes : asked.depth, asked.prices);
}

} // namespace stagecraft
