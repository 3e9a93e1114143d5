#include "core/recompute_gains_search.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Of longer regions less is known.
constexpr std::size_t mostStorages = 64;

} // namespace

// One that grows.
class RecomputeGains::Region
{
public:
    void add(double bytes, double seconds)
    {
        const Part part{seconds / bytes, bytes};
        m_parts.insert(std::ranges::upper_bound(m_parts, part.rate, std::ranges::greater(), &Part::rate),
                       part);
        m_seconds += seconds;
        m_bytes += bytes;
    }

    // Where there is room for all.
    double seconds() const { return m_seconds; }
    // No less than the most that it gains, where it makes no more again than that: each part in full or not
    // at all. Of those that are the best for their bytes the first that has no room is left out, or takes
    // that of others (the bound of Martello and Toth).
    double seconds(double room) const
    {
        if (m_bytes <= room)
            return m_seconds;
        double seconds = 0, left = room, worst = 0;
        const Part* first = nullptr;       // that has no room
        for (const Part& part : m_parts) { // the best first
            if (part.bytes > room)
                continue;
            if (first)
                return std::max(seconds + left * part.rate,
                                seconds + first->bytes * first->rate - (first->bytes - left) * worst);
            if (part.bytes > left) {
                first = &part;
                continue;
            }
            seconds += part.rate * part.bytes;
            left -= part.bytes;
            worst = part.rate;
        }
        return first ? std::max(seconds, seconds + first->bytes * first->rate - (first->bytes - left) * worst)
                     : seconds;
    }

private:
    struct Part
    {
        double rate; // seconds a byte
        double bytes;
    };

    std::vector<Part> m_parts;
    double m_seconds = 0;
    double m_bytes = 0;
};

// What the first run of one that grows has alive at the least: of what may run again, what is still read.
class RecomputeGains::FirstRun
{
public:
    FirstRun(const RecomputeGains& gains, double cap) : m_gains(gains), m_cap(cap) {}

    // Takes the next node. isOwn(maker): does it make that?
    template <typename IsOwn>
    void add(std::size_t at, IsOwn isOwn)
    {
        const Forward& forward = m_gains.m_forward[at];
        m_peak = std::max(m_peak, m_alive + forward.step);
        m_alive += forward.made;
        for (const Dying& dying : m_gains.m_dying[at])
            if (isOwn(dying.maker) && dying.atOnce.asDouble() <= m_cap)
                m_alive -= dying.bytes;
        m_peak = std::max(m_peak, m_alive);
    }

    bool hasRoom() const { return m_peak <= m_cap; }

private:
    const RecomputeGains& m_gains;
    double m_cap;
    double m_alive = 0, m_peak = 0;
};

RecomputeGains::Search::Search(const RecomputeGains& gains, double price, Bytes cap, AtTurn turn)
    : m_gains(gains),
      m_price(price),
      m_cap(cap.asDouble()),
      m_turn(turn),
      m_begins(gains.m_linkAt.back() + 1, 0),
      m_each(m_begins.size(), 0)
{
    for (std::size_t place = 0; place < gains.m_linkAt.back(); ++place)
        weigh(place, cap);
    m_worthAt.push_back(m_worth.size());
    for (std::size_t place = 1; place < m_begins.size(); ++place)
        m_each[place] += m_each[place - 1];
    m_costs = costsAt(price * turn.share);
    m_costsFull = costsAt(std::max(0.0, price * turn.share - m_mostRate));
}

// Of a byte that is of no more use behind the node there.
double RecomputeGains::Search::priceAt(std::size_t place) const
{
    return m_price * (m_isOver ? m_turn.share : m_turn.shareAt(place));
}

RecomputeGains::Search::Costs RecomputeGains::Search::costsAt(double price) const
{
    Costs costs{std::vector<double>(m_begins.size(), 0), std::vector<double>(m_begins.size(), 0)};
    for (std::size_t place = 0; place + 1 < m_begins.size(); ++place) {
        costs.ending[place + 1] += m_gains.m_views[place];
        costs.beginning[place + 1] += m_gains.m_views[place];
        for (const Unneeded& unneeded : m_gains.m_unneeded[place]) {
            const double cost = unneeded.cost(price);
            costs.ending[place + 1] += cost;
            costs.beginning[unneeded.maker + 1] += cost;
        }
    }
    for (std::size_t place = 1; place < m_begins.size(); ++place) {
        costs.ending[place] += costs.ending[place - 1];
        costs.beginning[place] += costs.beginning[place - 1];
    }
    return costs;
}

void RecomputeGains::Search::weigh(std::size_t place, Bytes cap)
{
    m_worthAt.push_back(m_worth.size());
    for (const Storage& storage : m_gains.m_storages[place]) {
        const double seconds = priceAt(place) * storage.gain - storage.again;
        if (seconds <= 0 || storage.atOnce > cap)
            continue;
        const double over = m_price * m_turn.share * storage.gain - storage.again;
        m_worth.push_back({storage.maker, storage.bytes, seconds, over});
        m_each[place + 1] += seconds;
        m_begins[storage.maker] = 1;
        m_mostRate = std::max(m_mostRate, seconds / storage.bytes);
    }
    // Who begins with a reader pays for what it reads; who begins with its maker may run that again.
    for (const Read& read : m_gains.m_reads[place])
        m_begins[read.maker] = 1;
}

const RecomputeGains::Search::Gains& RecomputeGains::Search::all()
{
    if (!m_all)
        m_all = run(0, m_gains.m_linkAt.size() - 1, Begins::Anywhere);
    return *m_all;
}

const RecomputeGains::Search::Gains& RecomputeGains::Search::from(std::size_t link, Begin begin,
                                                                  std::size_t to)
{
    Gains& known = m_from[{link, begin}];
    if (link + known.upTo.size() <= to)
        known = run(link, fartherThan(link, to), begin == Begin::Between ? Begins::Between : Begins::Inside);
    return known;
}

const RecomputeGains::Search::Gains& RecomputeGains::Search::from(std::size_t place, const ChainPlace& within,
                                                                  std::size_t to)
{
    Gains& known = m_fromWithin[place];
    if (within.link + known.upTo.size() <= to)
        known = run(within.link, fartherThan(within.link, to), Begins::Between, within.inside);
    return known;
}

// Somewhat farther than to there, for who asks next.
std::size_t RecomputeGains::Search::fartherThan(std::size_t link, std::size_t to) const
{
    return std::min(m_gains.m_linkAt.size() - 1, to + (to - link) / 4 + 1);
}

// Seconds that its nodes cost where they run again.
double RecomputeGains::Search::costOf(const Outside& outside) const
{
    double cost = 0;
    for (std::size_t place = outside.first; place < outside.first + outside.nodes.size(); ++place)
        cost += outside.has(place) ? m_costs.beginning[place + 1] - m_costs.beginning[place] : 0;
    return cost;
}

RecomputeGains::Search::Gains RecomputeGains::Search::run(std::size_t link, std::size_t to, Begins begins,
                                                          std::span<const char> outside)
{
    m_first = m_gains.m_linkAt[link];
    m_outside = {m_first, outside};
    m_costOutside = costOf(m_outside);
    m_end = m_gains.m_linkAt[to];
    m_best.assign(m_end + 1, 0);
    m_into.assign(m_end + 1, -infinite);
    m_longFrom.assign(m_end + 1, {});
    m_long = m_longFull = -infinite;
    for (std::size_t each = link; each <= to; ++each)
        m_into[m_gains.m_linkAt[each]] = 0;
    std::size_t next = link;
    double opened = 0;
    for (std::size_t place = m_first; place <= m_end; ++place) {
        if (place > m_first) {
            opened += openedAt(place - 1, m_first);
            m_best[place] = std::max({m_best[place], m_best[place - 1], longGain(place, opened)});
        }
        // A region that began in the link before may let go what that made, too.
        const bool isLink = place == m_gains.m_linkAt[next];
        const bool isCut =
            isLink && next > 0 && (begins == Begins::Anywhere || (begins == Begins::Inside && next == link));
        const double letGo = isCut ? m_gains.m_kept[next - 1] : 0;
        if (place < m_end && !m_outside.has(place) && (m_begins[place] != 0 || letGo > 0))
            begin(place, letGo);
        next += isLink ? 1 : 0;
    }
    Gains gains{link, {}, {}};
    for (std::size_t each = link; each <= to; ++each) {
        const std::size_t at = m_gains.m_linkAt[each];
        gains.upTo.push_back(m_best[at]);
        gains.into.push_back(std::max(m_best[at], m_into[at]));
    }
    for (std::vector<double>* const done : {&m_best, &m_into})
        *done = {};
    m_longFrom = {};
    return gains;
}

// Of regions that are longer than is looked at one by one: all that ends in them, or the best of it that
// has room; what is begun before them and ends in them costs nothing.
double RecomputeGains::Search::longGain(std::size_t place, double opened)
{
    for (const std::size_t from : m_longFrom[place]) {
        const double best =
            m_best[from] + (from < m_outside.first + m_outside.nodes.size() ? m_costOutside : 0);
        m_long = std::max(m_long, best - m_each[from] + m_costs.beginning[from]);
        m_longFull = std::max(m_longFull, best + m_costsFull.beginning[from]);
    }
    const double full = m_longFull + m_mostRate * (m_cap + opened + m_gains.m_mostKept);
    return std::min(m_long + m_each[place] - m_costs.ending[place], full - m_costsFull.ending[place]);
}

// What a region that begins there keeps of what the node reads.
double RecomputeGains::Search::readBy(std::size_t at, std::size_t begin) const
{
    double cost = 0;
    for (const Read& read : m_gains.m_reads[at])
        cost += read.maker < begin && isOwn(read.maker, m_first) ? priceAt(at) * read.bytes : 0;
    return cost;
}

// Bytes of what a region that begins there makes and others may need: more of them, behind the node.
double RecomputeGains::Search::openedAt(std::size_t at, std::size_t begin) const
{
    double opened = m_outside.has(at) ? 0 : m_gains.m_open[at];
    for (const Read& closed : m_gains.m_closed[at])
        opened -= isOwn(closed.maker, begin) ? closed.bytes : 0;
    return opened;
}

// What it may have of storages whose last saver the node is; returns how many. At the turn a region whose
// second run is over has there again what nodes before it save: so much less it gains.
std::size_t RecomputeGains::Search::take(std::size_t at, std::size_t begin, Region& region,
                                         double& less) const
{
    std::size_t taken = 0;
    for (std::size_t i = m_worthAt[at]; i < m_worthAt[at + 1]; ++i)
        if (isOwn(m_worth[i].maker, begin)) {
            const double seconds = m_isOver ? std::max(0.0, m_worth[i].over) : m_worth[i].seconds;
            less += m_worth[i].seconds - seconds;
            if (seconds > 0)
                region.add(m_worth[i].bytes, seconds);
            ++taken;
        }
    return taken;
}

// Of those that nobody reads behind the node; returns what they cost. What is kept is let go as soon as the
// second run has taken it: as if it ran again where there is room for it.
double RecomputeGains::Search::takeUnneeded(std::size_t at, std::size_t begin, Region& region,
                                            double& letGo) const
{
    double cost = 0;
    for (const Unneeded& unneeded : m_gains.m_unneeded[at]) {
        if (!isOwn(unneeded.maker, begin))
            continue;
        if (!unneeded.mayKeep()) {
            cost += unneeded.cost(priceAt(at));
            continue;
        }
        const double kept = priceAt(at) * unneeded.bytes;
        cost += kept;
        letGo += unneeded.bytes;
        if (kept > unneeded.again)
            region.add(unneeded.bytes, kept - unneeded.again);
    }
    return cost;
}

void RecomputeGains::Search::begin(std::size_t place, double letGo)
{
    if (beginLikeOthers(place, letGo))
        return;
    const auto atEnd = [&](std::size_t end, const Region& region, double cost, const Rooms& rooms) {
        const double before = m_best[place] - cost, most = before + region.seconds();
        if (rooms.upTo && most > m_best[end])
            m_best[end] = std::max(m_best[end], before + region.seconds(*rooms.upTo));
        if (m_into[end] > -infinite && most > m_into[end])
            m_into[end] = std::max(m_into[end], before + region.seconds(rooms.into));
    };
    grow(place, m_end, letGo, atEnd, [&](std::size_t end) { m_longFrom[end].push_back(place); });
}

// Where the same nodes follow elsewhere, and what they read of the stage is read there, too.
bool RecomputeGains::Search::beginLikeOthers(std::size_t place, double letGo)
{
    if (!m_gains.m_like[place] || place < m_first + m_outside.nodes.size() + m_gains.m_readsBack[place])
        return false;
    const std::size_t turn = std::min(m_turn.place - std::min(place, m_turn.place), mostNodes);
    const auto [found, isNew] = m_grown.try_emplace({*m_gains.m_like[place], turn, letGo});
    Grown& grown = found->second;
    if (isNew) {
        const auto atEnd = [&](std::size_t end, const Region& region, double cost, const Rooms& rooms) {
            grown.ends.push_back({end - place, rooms.upTo ? region.seconds(*rooms.upTo) - cost : -infinite,
                                  region.seconds(rooms.into) - cost});
        };
        grow(place, m_gains.m_linkAt.back(), letGo, atEnd,
             [&](std::size_t end) { grown.longFrom.push_back(end - place); });
    }
    for (const auto& [nodes, upTo, into] : grown.ends) {
        const std::size_t end = place + nodes;
        if (end > m_end)
            break;
        m_best[end] = std::max(m_best[end], m_best[place] + upTo);
        if (m_into[end] > -infinite)
            m_into[end] = std::max(m_into[end], m_best[place] + into);
    }
    for (const std::size_t nodes : grown.longFrom)
        if (place + nodes <= m_end)
            m_longFrom[place + nodes].push_back(place);
    return true;
}

// Regions that begin there and end before `end`.
template <typename AtEnd, typename AtLong>
void RecomputeGains::Search::grow(std::size_t place, std::size_t end, double letGo, AtEnd atEnd,
                                  AtLong atLong)
{
    const bool maySpan = place < m_turn.place && m_turn.place < end && m_turn.place - place <= mostNodes;
    grow(place, place, maySpan ? m_turn.place : end, letGo, atEnd, atLong);
    if (!maySpan)
        return;
    m_isOver = true; // of those that have the node of the turn
    grow(place, m_turn.place, end, letGo, atEnd, atLong);
    m_isOver = false;
}

// Those whose last nodes are from one to another: atEnd(end, region, cost, rooms), atLong(end).
template <typename AtEnd, typename AtLong>
void RecomputeGains::Search::grow(std::size_t place, std::size_t firstEnd, std::size_t lastEnd, double letGo,
                                  AtEnd atEnd, AtLong atLong)
{
    Region region;
    FirstRun firstRun(m_gains, m_cap);
    const auto isItsOwn = [&](std::size_t maker) { return isOwn(maker, place); };
    std::size_t taken = 0;
    double cost = 0, top = 0, less = 0;
    bool isRunAgain = false; // by the turn, for certain: what is saved behind it went back before
    for (std::size_t at = place; at < lastEnd; ++at) {
        if (taken >= mostStorages || at >= place + mostNodes)
            return atLong(std::max(at, firstEnd) + 1);
        if (m_outside.has(at))
            continue;
        firstRun.add(at, isItsOwn);
        if (!firstRun.hasRoom())
            return; // nor has one that is longer
        letGo += openedAt(at, place);
        cost += m_gains.m_views[at] + readBy(at, place) + takeUnneeded(at, place, region, letGo);
        taken += take(at, place, region, less);
        const Backward& last = m_gains.m_backward[at];
        isRunAgain = isRunAgain || (last.saves && at > m_turn.place);
        top = std::max(top, last.top);
        if (taken == 0 || at < firstEnd)
            continue;
        const double room = m_cap + letGo;
        Rooms rooms{std::nullopt, room + m_gains.keptFrom(at + 1)};
        if (last.saves)
            rooms.upTo = room - last.notLetGo - std::max(0.0, top - last.entry);
        atEnd(at + 1, region, isRunAgain ? cost : cost - less, rooms);
    }
}

} // namespace stagecraft
