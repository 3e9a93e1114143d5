#include "core/recompute_gains_search.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Of longer regions less is known.
constexpr std::size_t mostStorages = 64;
constexpr std::size_t mostNodes = 128;

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
    FirstRun(const RecomputeGains& gains, std::size_t begin, double cap)
        : m_gains(gains), m_begin(begin), m_cap(cap)
    {
    }

    // Takes the next node.
    void add(std::size_t at)
    {
        const Forward& forward = m_gains.m_forward[at];
        m_peak = std::max(m_peak, m_alive + forward.step);
        m_alive += forward.made;
        for (const Dying& dying : m_gains.m_dying[at])
            if (dying.maker >= m_begin && dying.atOnce.asDouble() <= m_cap)
                m_alive -= dying.bytes;
        m_peak = std::max(m_peak, m_alive);
    }

    bool hasRoom() const { return m_peak <= m_cap; }

private:
    const RecomputeGains& m_gains;
    std::size_t m_begin;
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
        m_worth.push_back({storage.maker, storage.bytes, seconds});
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
    if (link + known.upTo.size() <= to) // somewhat farther, for who asks next
        known = run(link, std::min(m_gains.m_linkAt.size() - 1, to + (to - link) / 4 + 1),
                    begin == Begin::Between ? Begins::Between : Begins::Inside);
    return known;
}

RecomputeGains::Search::Gains RecomputeGains::Search::run(std::size_t link, std::size_t to, Begins begins)
{
    m_first = m_gains.m_linkAt[link];
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
        if (place < m_end && (m_begins[place] != 0 || letGo > 0))
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
        m_long = std::max(m_long, m_best[from] - m_each[from] + m_costs.beginning[from]);
        m_longFull = std::max(m_longFull, m_best[from] + m_costsFull.beginning[from]);
    }
    const double mostKept = m_gains.m_kept.empty() ? 0 : std::ranges::max(m_gains.m_kept);
    const double full = m_longFull + m_mostRate * (m_cap + opened + mostKept);
    return std::min(m_long + m_each[place] - m_costs.ending[place], full - m_costsFull.ending[place]);
}

// What a region that begins there keeps of what the node reads.
double RecomputeGains::Search::readBy(std::size_t at, std::size_t begin) const
{
    double cost = 0;
    for (const Read& read : m_gains.m_reads[at])
        cost += read.maker < begin && read.maker >= m_first ? priceAt(at) * read.bytes : 0;
    return cost;
}

// Bytes of what a region that begins there makes and others may need: more of them, behind the node.
double RecomputeGains::Search::openedAt(std::size_t at, std::size_t begin) const
{
    double opened = m_gains.m_open[at];
    for (const Read& closed : m_gains.m_closed[at])
        opened -= closed.maker >= begin ? closed.bytes : 0;
    return opened;
}

// What it may have of storages whose last saver the node is; returns how many.
std::size_t RecomputeGains::Search::take(std::size_t at, std::size_t begin, Region& region) const
{
    std::size_t taken = 0;
    for (std::size_t i = m_worthAt[at]; i < m_worthAt[at + 1]; ++i)
        if (m_worth[i].maker >= begin) {
            region.add(m_worth[i].bytes, m_worth[i].seconds);
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
        if (unneeded.maker < begin)
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
    const bool maySpan = place < m_turn.place && m_turn.place < m_end;
    begin(place, place, maySpan ? m_turn.place : m_end, letGo);
    if (!maySpan)
        return;
    m_isOver = true; // of those that have the node of the turn
    begin(place, m_turn.place, m_end, letGo);
    m_isOver = false;
}

// Of regions whose last nodes are from one to another.
void RecomputeGains::Search::begin(std::size_t place, std::size_t firstEnd, std::size_t lastEnd, double letGo)
{
    Region region;
    FirstRun firstRun(m_gains, place, m_cap);
    std::size_t taken = 0;
    double cost = 0, top = 0;
    for (std::size_t at = place; at < lastEnd; ++at) {
        if (taken >= mostStorages || at >= place + mostNodes) {
            m_longFrom[std::max(at, firstEnd) + 1].push_back(place);
            return;
        }
        firstRun.add(at);
        if (!firstRun.hasRoom())
            return; // nor has one that is longer
        letGo += openedAt(at, place);
        cost += m_gains.m_views[at] + readBy(at, place) + takeUnneeded(at, place, region, letGo);
        taken += take(at, place, region);
        const Backward& last = m_gains.m_backward[at];
        top = std::max(top, last.top);
        if (taken == 0 || at < firstEnd)
            continue;
        const double room = m_cap + letGo;
        const auto gain = [&](double within) { return m_best[place] + region.seconds(within) - cost; };
        if (last.saves)
            m_best[at + 1] =
                std::max(m_best[at + 1], gain(room - last.notLetGo - std::max(0.0, top - last.entry)));
        if (m_into[at + 1] > -infinite)
            m_into[at + 1] = std::max(m_into[at + 1], gain(room + m_gains.keptFrom(at + 1)));
    }
}

} // namespace stagecraft
