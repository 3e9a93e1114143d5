#include "core/recompute_gains.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// Of longer regions less is known.
constexpr std::size_t mostStorages = 64;
constexpr std::size_t mostNodes = 128;
// Of who reads what backward does not need, the first pay: most likely of the stage that makes it.
constexpr std::size_t mostPaying = 3;

} // namespace

template <typename Each>
void RecomputeGains::ByPlace<Each>::add(std::vector<std::vector<Each>> lists)
{
    for (const std::vector<Each>& list : lists) {
        of.push_back(all.size());
        all.insert(all.end(), list.begin(), list.end());
    }
    of.push_back(all.size());
}

double RecomputeGains::Unneeded::cost(double price) const
{
    const double least = std::min(price * bytes, again);
    return std::isfinite(least) ? least : 0;
}

// Fills it in.
class RecomputeGains::Maker
{
public:
    Maker(RecomputeGains& gains, const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs)
        : m_gains(gains),
          m_needs(needs),
          m_linkCount(chain.links.size()),
          m_placeOf(needs.size()),
          m_linkOf(needs.size(), m_linkCount),
          m_writing(needs.size(), 0)
    {
        std::size_t place = 0;
        for (std::size_t link = 0; link < m_linkCount; ++link) {
            m_gains.m_linkAt.push_back(place);
            for (const NodeId node : chain.links[link]) {
                m_placeOf[node] = place++;
                m_linkOf[node] = link;
            }
        }
        m_gains.m_linkAt.push_back(place);
        m_gains.m_needed.resize(m_linkCount + 1);
        m_gains.m_read.resize(m_linkCount + 1, 0);
        m_storages.resize(place);
        m_unneeded.resize(place);
        m_reads.resize(place);
        m_gains.m_open.resize(place, 0);
        m_closed.resize(place);
        m_gains.m_kept.resize(m_linkCount, 0);
        for (const NodeId node : needs.ids()) {
            for (const StorageId storage : needs[node].reads)
                m_readers[storage].push_back(node);
            if (needs[node].follows)
                m_writing[*needs[node].follows] += needs[node].whole.value();
        }
    }

    void make(const ModelChain& chain)
    {
        for (const std::vector<NodeId>& link : chain.links)
            for (const NodeId node : link) {
                m_needed = needed(node, true);
                m_others = needed(node, false);
                for (const NodeNeeds::Made& made : m_needs[node].made)
                    if (made.bytes > Bytes{}) {
                        made.isNeeded ? addNeeded(node, made) : addUnneeded(node, made);
                        if (m_needs[node].mayKeep)
                            addKept(node, made);
                    }
            }
        m_gains.m_storages.add(std::move(m_storages));
        m_gains.m_unneeded.add(std::move(m_unneeded));
        m_gains.m_reads.add(std::move(m_reads));
        m_gains.m_closed.add(std::move(m_closed));
        for (std::vector<Crossing>& crossing : m_gains.m_needed)
            std::ranges::stable_sort(crossing, std::ranges::greater(), &Crossing::link);
    }

private:
    double needed(NodeId node, bool isNeeded) const
    {
        double bytes = 0;
        for (const NodeNeeds::Made& made : m_needs[node].made)
            bytes += made.isNeeded == isNeeded ? made.bytes.asDouble() : 0;
        return bytes;
    }

    // Seconds to run again to its end, less those up to the last of its storages that backward needs.
    double againForOthers(NodeId node) const
    {
        double needed = 0;
        for (const NodeNeeds::Made& made : m_needs[node].made)
            if (made.isNeeded && made.bytes > Bytes{})
                needed = std::max(needed, againOf(node, made));
        const double whole = m_needs[node].whole.value() + m_writing[node];
        return std::isfinite(whole) ? std::max(0.0, whole - needed) : whole;
    }

    // What others write into it runs again, too.
    double againOf(NodeId node, const NodeNeeds::Made& made) const
    {
        return m_writing[node] > 0 ? m_needs[node].whole.value() + m_writing[node] : made.again.value();
    }

    bool isInChain(NodeId node) const { return m_linkOf[node] < m_linkCount; }

    void addNeeded(NodeId node, const NodeNeeds::Made& made)
    {
        std::size_t last = m_placeOf[node];
        // Who floats can be in any stage; so can who nobody knows.
        std::size_t lastLink = made.savers.empty() ? m_linkCount : m_linkOf[node];
        for (const NodeId saver : made.savers) {
            lastLink = std::max(lastLink, m_linkOf[saver]);
            last = isInChain(saver) ? std::max(last, m_placeOf[saver]) : last;
        }
        const double bytes = made.bytes.asDouble();
        m_gains.m_counted[made.storage] = {bytes, true, {lastLink}};
        for (std::size_t link = m_linkOf[node] + 1; link <= std::min(lastLink, m_linkCount - 1); ++link)
            m_gains.m_needed[link].push_back({m_linkOf[node], bytes});
        const double again = againOf(node, made);
        if (std::isfinite(m_needs[node].again.value()) && std::isfinite(again) && made.gain > Bytes{})
            // Who has one of a node's once more has those before it, too: each takes its share.
            m_storages[last].push_back(
                {m_placeOf[node], bytes, made.gain.asDouble(), again * (bytes / m_needed), made.atOnce});
    }

    // Kept in a region that does not save it, it is let go when the second run has taken it.
    void addKept(NodeId node, const NodeNeeds::Made& made)
    {
        const double bytes = made.bytes.asDouble();
        const std::size_t maker = m_placeOf[node];
        // Of use until the first that saves it, or the last that reads it; who floats can be anywhere.
        std::size_t end = made.isNeeded ? m_reads.size() : maker;
        for (const NodeId saver : made.savers)
            if (isInChain(saver))
                end = std::min(end, m_placeOf[saver]);
        if (!made.isNeeded)
            for (const NodeId reader : m_readers[made.storage])
                end = isInChain(reader) ? std::max(end, m_placeOf[reader]) : m_reads.size();
        if (end > maker)
            m_gains.m_open[maker] += bytes;
        if (end > maker && end < m_closed.size())
            m_closed[end].push_back({maker, bytes});
        if (m_gains.m_linkAt[m_linkOf[node] + 1] - m_gains.m_linkAt[m_linkOf[node]] > 1)
            m_gains.m_kept[m_linkOf[node]] += bytes;
    }

    void addUnneeded(NodeId node, const NodeNeeds::Made& made)
    {
        std::vector<NodeId> paying; // views alone keep nothing for anybody
        std::size_t last = 0;
        bool floats = false;
        for (const NodeId reader : m_readers[made.storage]) {
            floats = floats || !isInChain(reader);
            last = isInChain(reader) ? std::max(last, m_placeOf[reader]) : last;
            if (isInChain(reader) && !m_needs[reader].made.empty())
                paying.push_back(reader);
        }
        const double bytes = made.bytes.asDouble();
        if (!floats && last > 0)
            m_unneeded[last].push_back({m_placeOf[node], m_needs[node].mayKeep ? bytes : infinite,
                                        againForOthers(node) * (bytes / m_others)});
        if (paying.empty())
            return;
        std::ranges::sort(paying, {}, [this](NodeId reader) { return m_placeOf[reader]; });
        if (paying.size() > mostPaying)
            paying.erase(paying.begin() + static_cast<std::ptrdiff_t>(mostPaying), paying.end());
        const double share = bytes / static_cast<double>(paying.size());
        Counted counted{bytes, false, {}};
        std::vector<std::size_t> at;
        for (const NodeId reader : paying) {
            counted.links.push_back(m_linkOf[reader]);
            at.push_back(m_placeOf[reader]);
            m_reads[at.back()].push_back({m_placeOf[node], share});
        }
        m_gains.m_counted[made.storage] = std::move(counted);
        for (std::size_t link = m_linkOf[node] + 1; link <= m_linkCount; ++link) {
            const auto behind = std::ranges::lower_bound(at, m_gains.m_linkAt[link]);
            if (behind == at.end())
                break;
            m_gains.m_read[link] += share * static_cast<double>(at.end() - behind);
        }
    }

    RecomputeGains& m_gains;
    const Table<NodeId, NodeNeeds>& m_needs;
    std::size_t m_linkCount;
    Table<NodeId, std::size_t> m_placeOf;
    Table<NodeId, std::size_t> m_linkOf; // beyond all: it floats
    Table<NodeId, double> m_writing;     // seconds of those that write what a node makes
    std::map<StorageId, std::vector<NodeId>> m_readers;
    std::vector<std::vector<Storage>> m_storages;
    std::vector<std::vector<Unneeded>> m_unneeded;
    std::vector<std::vector<Read>> m_reads;
    std::vector<std::vector<Read>> m_closed;
    double m_needed = 0, m_others = 0; // bytes that the node at hand makes
};

RecomputeGains::RecomputeGains(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                               const Table<NodeId, NodeMoments>& moments)
{
    Maker(*this, chain, needs).make(chain);
    findBackward(chain, moments);
}

// A region that ends with a node may have others behind that, which float: theirs may be the first backward.
void RecomputeGains::findBackward(const ModelChain& chain, const Table<NodeId, NodeMoments>& moments)
{
    std::vector<NodeId> row;
    for (const std::vector<NodeId>& link : chain.links)
        row.insert(row.end(), link.begin(), link.end());
    std::optional<std::size_t> last; // that saves
    for (const NodeId node : moments.ids()) {
        const NodeMoments& of = moments[node];
        const double entry = of.backwardEntry ? of.backwardEntry->asDouble() : infinite;
        if (m_backward.size() < row.size() && row[m_backward.size()] == node) {
            if (of.saves)
                last = m_backward.size();
            m_backward.push_back({of.backwardTop.asDouble(), of.saves ? entry : infinite, of.saves});
        } else if (of.saves && last) {
            m_backward[*last].entry = std::max(m_backward[*last].entry, entry);
        }
    }
}

// By the link that begins there, where a stage can end in it.
double RecomputeGains::keptFrom(std::size_t linkBegin) const
{
    const auto link = std::ranges::lower_bound(m_linkAt, linkBegin) - m_linkAt.begin();
    return static_cast<std::size_t>(link) < m_kept.size() ? m_kept[static_cast<std::size_t>(link)] : 0;
}

double RecomputeGains::counted(StorageId storage, std::size_t link) const
{
    const auto found = m_counted.find(storage);
    if (found == m_counted.end())
        return 0;
    const Counted& counted = found->second;
    if (counted.isNeeded)
        return counted.links.front() >= link ? 0 : counted.bytes;
    const auto before =
        std::ranges::count_if(counted.links, [&](std::size_t reader) { return reader < link; });
    return counted.bytes * static_cast<double>(before) / static_cast<double>(counted.links.size());
}

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

    // The most that it gains, where it makes no more again than that.
    double seconds(double room) const
    {
        if (m_bytes <= room)
            return m_seconds;
        double seconds = 0, left = room;
        for (const Part& part : m_parts) { // the best first
            if (part.bytes > room)
                continue;
            const double bytes = std::clamp(left, 0.0, part.bytes);
            seconds += part.rate * bytes;
            left -= bytes;
            if (left <= 0)
                break;
        }
        return seconds;
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

RecomputeGains::Search::Search(const RecomputeGains& gains, double price, Bytes cap)
    : m_gains(gains),
      m_price(price),
      m_cap(cap.asDouble()),
      m_begins(gains.m_linkAt.back() + 1, 0),
      m_each(m_begins.size(), 0),
      m_costs(m_begins.size(), 0),
      m_costsFrom(m_begins.size(), 0)
{
    for (std::size_t place = 0; place < gains.m_linkAt.back(); ++place)
        weigh(place, cap);
    m_worthAt.push_back(m_worth.size());
    for (std::size_t place = 1; place < m_begins.size(); ++place) {
        m_each[place] += m_each[place - 1];
        m_costs[place] += m_costs[place - 1];
        m_costsFrom[place] += m_costsFrom[place - 1];
    }
}

void RecomputeGains::Search::weigh(std::size_t place, Bytes cap)
{
    m_worthAt.push_back(m_worth.size());
    for (const Storage& storage : m_gains.m_storages[place]) {
        const double seconds = m_price * storage.gain - storage.again;
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
    for (const Unneeded& unneeded : m_gains.m_unneeded[place]) {
        const double cost = unneeded.cost(m_price);
        m_costs[place + 1] += cost;
        m_costsFrom[unneeded.maker + 1] += cost;
    }
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
        m_long = std::max(m_long, m_best[from] - m_each[from] + m_costsFrom[from]);
        m_longFull = std::max(m_longFull, m_best[from]);
    }
    const double mostKept = m_gains.m_kept.empty() ? 0 : std::ranges::max(m_gains.m_kept);
    return std::min(m_long + m_each[place] - m_costs[place],
                    m_longFull + m_mostRate * (m_cap + opened + mostKept));
}

// What a region that begins there keeps of what the node reads.
double RecomputeGains::Search::readBy(std::size_t at, std::size_t begin) const
{
    double cost = 0;
    for (const Read& read : m_gains.m_reads[at])
        cost += read.maker < begin && read.maker >= m_first ? m_price * read.bytes : 0;
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
        const double kept = m_price * unneeded.bytes;
        if (!unneeded.mayKeep()) {
            cost += unneeded.cost(m_price);
            continue;
        }
        cost += kept;
        letGo += unneeded.bytes;
        if (kept > unneeded.again)
            region.add(unneeded.bytes, kept - unneeded.again);
    }
    return cost;
}

void RecomputeGains::Search::begin(std::size_t place, double letGo)
{
    Region region;
    std::size_t taken = 0;
    double cost = 0, top = 0;
    for (std::size_t at = place; at < m_end; ++at) {
        if (taken >= mostStorages || at >= place + mostNodes) {
            m_longFrom[at + 1].push_back(place);
            return;
        }
        letGo += openedAt(at, place);
        cost += readBy(at, place) + takeUnneeded(at, place, region, letGo);
        taken += take(at, place, region);
        const Backward& last = m_gains.m_backward[at];
        top = std::max(top, last.top);
        if (taken == 0)
            continue;
        const double room = m_cap + letGo;
        const auto gain = [&](double within) { return m_best[place] + region.seconds(within) - cost; };
        if (last.saves)
            m_best[at + 1] = std::max(m_best[at + 1], gain(room - std::max(0.0, top - last.entry)));
        if (m_into[at + 1] > -infinite)
            m_into[at + 1] = std::max(m_into[at + 1], gain(room + m_gains.keptFrom(at + 1)));
    }
}

} // namespace stagecraft
