#include "core/recompute_gains.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace stagecraft {

namespace {

// Of longer regions less is known.
constexpr std::size_t mostStorages = 64;
constexpr std::size_t mostNodes = 128;

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
        for (const NodeId node : needs.ids()) {
            for (const StorageId storage : needs[node].reads)
                m_readers[storage].push_back(node);
            for (const NodeNeeds::Made& made : needs[node].made)
                m_takenOff.insert(made.keeps.begin(), made.keeps.end());
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
                    if (made.bytes > Bytes{} && made.isNeeded)
                        addNeeded(node, made);
                    else if (made.bytes > Bytes{})
                        addUnneeded(node, made);
            }
        m_gains.m_storages.add(std::move(m_storages));
        m_gains.m_unneeded.add(std::move(m_unneeded));
        m_gains.m_reads.add(std::move(m_reads));
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

    void addUnneeded(NodeId node, const NodeNeeds::Made& made)
    {
        if (m_takenOff.contains(made.storage)) { // of what others gain, and so paid for
            m_gains.m_counted[made.storage] = {made.bytes.asDouble(), false, {m_linkOf[node]}};
            return;
        }
        std::vector<std::size_t> at; // who is worth a share: views alone keep nothing for anybody
        Counted counted{made.bytes.asDouble(), false, {}};
        std::size_t last = 0;
        bool floats = false;
        for (const NodeId reader : m_readers[made.storage]) {
            floats = floats || !isInChain(reader);
            last = isInChain(reader) ? std::max(last, m_placeOf[reader]) : last;
            if (m_needs[reader].made.empty())
                continue;
            counted.links.push_back(isInChain(reader) ? m_linkOf[reader] : 0);
            if (isInChain(reader))
                at.push_back(m_placeOf[reader]);
        }
        const double bytes = made.bytes.asDouble();
        if (!floats && last > 0)
            m_unneeded[last].push_back({m_placeOf[node], m_needs[node].mayKeep ? bytes : infinite,
                                        againForOthers(node) * (bytes / m_others)});
        if (at.empty())
            return;
        std::ranges::sort(at);
        const double share = bytes / static_cast<double>(counted.links.size());
        m_gains.m_counted[made.storage] = std::move(counted);
        for (const std::size_t reader : at)
            m_reads[reader].push_back({m_placeOf[node], share});
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
    std::set<StorageId> m_takenOff; // NodeNeeds::Made::keeps
    std::vector<std::vector<Storage>> m_storages;
    std::vector<std::vector<Unneeded>> m_unneeded;
    std::vector<std::vector<Read>> m_reads;
    double m_needed = 0, m_others = 0; // bytes that the node at hand makes
};

RecomputeGains::RecomputeGains(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                               const Table<NodeId, NodeMoments>& moments)
{
    Maker(*this, chain, needs).make(chain);
    for (const std::vector<NodeId>& link : chain.links)
        for (const NodeId node : link)
            m_moment.push_back(moments[node].hasBackward ? moments[node].backwardPeak.asDouble() : 0);
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
    void clear()
    {
        m_parts.clear();
        m_seconds = m_bytes = 0;
    }

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

// At a price, under a cap. Each place is one that regions can end or begin in front of.
class RecomputeGains::Search
{
public:
    Search(const RecomputeGains& gains, double price, Bytes cap)
        : m_gains(gains),
          m_price(price),
          m_cap(cap.asDouble()),
          m_count(gains.m_linkAt.back()),
          m_begins(m_count + 1, 0),
          m_each(m_count + 1, 0),
          m_costs(m_count + 1, 0),
          m_costsFrom(m_count + 1, 0),
          m_best(m_count + 1, 0),
          m_longFrom(m_count + 2)
    {
        for (std::size_t place = 0; place < m_count; ++place)
            weigh(place, cap);
        m_worthAt.push_back(m_worth.size());
        for (std::size_t place = 1; place <= m_count; ++place) {
            m_each[place] += m_each[place - 1];
            m_costs[place] += m_costs[place - 1];
            m_costsFrom[place] += m_costsFrom[place - 1];
        }
    }

    std::vector<double> run()
    {
        for (std::size_t place = 0; place <= m_count; ++place) {
            if (place > 0)
                m_best[place] = std::max({m_best[place], m_best[place - 1], longGain(place)});
            if (m_begins[place] != 0)
                begin(place);
        }
        return std::move(m_best);
    }

private:
    struct Worth
    {
        std::size_t maker;
        double bytes;
        double seconds; // above 0
    };

    void weigh(std::size_t place, Bytes cap)
    {
        m_worthAt.push_back(m_worth.size());
        for (std::size_t i = m_gains.m_storages.of[place]; i < m_gains.m_storages.of[place + 1]; ++i) {
            const Storage& storage = m_gains.m_storages.all[i];
            const double seconds = m_price * storage.gain - storage.again;
            if (seconds <= 0 || storage.atOnce > cap)
                continue;
            m_worth.push_back({storage.maker, storage.bytes, seconds});
            m_each[place + 1] += seconds;
            m_begins[storage.maker] = 1;
            m_mostRate = std::max(m_mostRate, seconds / storage.bytes);
        }
        // Who begins with a reader pays for what it reads; who begins with its maker may run that again.
        for (std::size_t i = m_gains.m_reads.of[place]; i < m_gains.m_reads.of[place + 1]; ++i)
            m_begins[m_gains.m_reads.all[i].maker] = 1;
        for (std::size_t i = m_gains.m_unneeded.of[place]; i < m_gains.m_unneeded.of[place + 1]; ++i) {
            const Unneeded& unneeded = m_gains.m_unneeded.all[i];
            m_unneeded.push_back(unneeded.cost(m_price));
            m_costs[place + 1] += m_unneeded.back();
            m_costsFrom[unneeded.maker + 1] += m_unneeded.back();
        }
    }

    // Of regions that are longer than is looked at one by one: all that ends in them, or the best of it that
    // has room; what is begun before them and ends in them costs nothing.
    double longGain(std::size_t place)
    {
        for (const std::size_t from : m_longFrom[place]) {
            m_long = std::max(m_long, m_best[from] - m_each[from] + m_costsFrom[from]);
            m_longFull = std::max(m_longFull, m_best[from] + m_mostRate * m_cap + m_costsFrom[from]);
        }
        return std::min(m_long + m_each[place], m_longFull) - m_costs[place];
    }

    void begin(std::size_t place)
    {
        m_region.clear();
        std::size_t taken = 0;
        double cost = 0;
        for (std::size_t at = place; at < m_count; ++at) {
            if (taken >= mostStorages || at >= place + mostNodes) {
                m_longFrom[at + 1].push_back(place);
                return;
            }
            for (std::size_t i = m_gains.m_reads.of[at]; i < m_gains.m_reads.of[at + 1]; ++i)
                if (const Read& read = m_gains.m_reads.all[i]; read.maker < place)
                    cost += m_price * read.bytes;
            for (std::size_t i = m_gains.m_unneeded.of[at]; i < m_gains.m_unneeded.of[at + 1]; ++i)
                cost += m_gains.m_unneeded.all[i].maker >= place ? m_unneeded[i] : 0;
            const std::size_t before = taken;
            for (std::size_t i = m_worthAt[at]; i < m_worthAt[at + 1]; ++i)
                if (m_worth[i].maker >= place) {
                    m_region.add(m_worth[i].bytes, m_worth[i].seconds);
                    ++taken;
                }
            if (taken == before)
                continue;
            const double gain = m_region.seconds(m_cap - m_gains.m_moment[at]) - cost;
            m_best[at + 1] = std::max(m_best[at + 1], m_best[place] + gain);
        }
    }

    const RecomputeGains& m_gains;
    double m_price;
    double m_cap;
    std::size_t m_count;
    std::vector<Worth> m_worth; // by the last that saves them
    std::vector<std::size_t> m_worthAt;
    std::vector<double> m_unneeded; // seconds
    std::vector<char> m_begins;
    std::vector<double> m_each;      // what all gain that ends before each place
    std::vector<double> m_costs;     // what all costs that ends before it
    std::vector<double> m_costsFrom; // or begins before it
    std::vector<double> m_best;
    std::vector<std::vector<std::size_t>> m_longFrom; // begins of regions, by where they are long
    double m_long = -infinite;
    double m_longFull = -infinite;
    double m_mostRate = 0; // seconds a byte
    Region m_region;
};

std::vector<double> RecomputeGains::upTo(double price, Bytes cap) const
{
    const std::vector<double> best = Search(*this, price, cap).run();
    std::vector<double> gains;
    for (const std::size_t at : m_linkAt)
        gains.push_back(best[at]);
    return gains;
}

} // namespace stagecraft
