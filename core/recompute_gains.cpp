#include "core/recompute_gains.h"

#include "core/base/sort_unique.h"
#include "core/equal_windows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace stagecraft {

namespace {

// Of who reads what backward does not need, the first pay: most likely of the stage that makes it.
constexpr std::size_t mostPaying = 3;
constexpr double nearlyThat = 1e-10; // of times

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
                m_gains.m_views.push_back(viewTime(needs[node]));
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
        m_dying.resize(place);
        m_gains.m_forward.resize(place);
        m_gains.m_kept.resize(m_linkCount, 0);
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
                m_bytes = bytesOf(node, true);
                m_others = bytesOf(node, false);
                m_bytes += m_others;
                for (const NodeNeeds::Made& made : m_needs[node].made)
                    if (made.bytes > Bytes{}) {
                        made.isNeeded ? addNeeded(node, made) : addUnneeded(node, made);
                        addToFirstRun(node, made);
                        if (m_needs[node].mayKeep)
                            addKept(node, made);
                    }
            }
        m_gains.m_storages.add(std::move(m_storages));
        m_gains.m_unneeded.add(std::move(m_unneeded));
        m_gains.m_reads.add(std::move(m_reads));
        m_gains.m_closed.add(std::move(m_closed));
        m_gains.m_dying.add(std::move(m_dying));
        for (std::vector<Crossing>& crossing : m_gains.m_needed)
            std::ranges::stable_sort(crossing, std::ranges::greater(), &Crossing::link);
    }

private:
    double viewTime(const NodeNeeds& needs)
    {
        return needs.isView && std::isfinite(needs.whole.value()) ? alike(needs.whole.value()) : 0;
    }

    // Times of equal layers, but for rounding, are equal.
    double alike(double seconds)
    {
        const auto known = m_times.lower_bound(seconds * (1 - nearlyThat));
        return known != m_times.end() && *known <= seconds * (1 + nearlyThat)
                   ? *known
                   : *m_times.insert(seconds).first;
    }

    // Of what backward needs; of the others as far as they are paid for at all.
    double bytesOf(NodeId node, bool isNeeded) const
    {
        double bytes = 0;
        for (const NodeNeeds::Made& made : m_needs[node].made)
            if (made.isNeeded == isNeeded && (isNeeded || paidAt(made)))
                bytes += made.bytes.asDouble();
        return bytes;
    }

    // A share of the seconds to run again to its end: of those up to the last of its storages that backward
    // needs with all of them, by their bytes; of the rest with the others.
    double againForOther(NodeId node, const NodeNeeds::Made& made) const
    {
        double needed = 0;
        for (const NodeNeeds::Made& each : m_needs[node].made)
            if (each.isNeeded && each.bytes > Bytes{})
                needed = std::max(needed, againOf(node, each));
        const double whole = m_needs[node].whole.value() + m_writing[node], bytes = made.bytes.asDouble();
        return std::isfinite(whole) ? std::max(0.0, whole - needed) * (bytes / m_others) +
                                          std::min(needed, whole) * (bytes / m_bytes)
                                    : whole;
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
        addToAll(node, made, std::isfinite(m_needs[node].again.value()) && std::isfinite(again));
        if (std::isfinite(m_needs[node].again.value()) && std::isfinite(again) && made.gain > Bytes{})
            // Who has one of a node's once more has those before it, too: each takes its share.
            m_storages[last].push_back({m_placeOf[node], bytes, made.gain.asDouble(),
                                        alike(again * (bytes / m_bytes)), made.atOnce});
    }

    void addToAll(NodeId node, const NodeNeeds::Made& made, bool mayRunAgain)
    {
        Needed needed{m_placeOf[node], made.bytes.asDouble(), {}, mayRunAgain, made.savers.empty()};
        for (const NodeId saver : made.savers) {
            if (isInChain(saver))
                needed.savers.push_back(m_placeOf[saver]);
            else
                needed.isSavedByFloats = true;
        }
        sortUnique(needed.savers); // who saves several views of it is named as often
        m_gains.m_neededAt[made.storage] = m_gains.m_allNeeded.size();
        m_gains.m_allNeeded.push_back(std::move(needed));
    }

    // Where a region that makes it and does not save it is over; none: nowhere.
    std::optional<std::size_t> savedAt(const NodeNeeds::Made& made) const
    {
        std::optional<std::size_t> first;
        for (const NodeId saver : made.savers)
            if (isInChain(saver))
                first = std::min(first.value_or(m_placeOf[saver]), m_placeOf[saver]);
        return first;
    }

    // Where a region that makes what backward does not need has paid for keeping it, or for making it again:
    // behind all that read it; none: nobody knows, or others pay.
    std::optional<std::size_t> paidAt(const NodeNeeds::Made& made) const
    {
        std::optional<std::size_t> last;
        if (isPaidByOthers(made))
            return last;
        const auto readers = m_readers.find(made.storage);
        if (readers == m_readers.end())
            return last;
        for (const NodeId reader : readers->second) {
            if (!isInChain(reader))
                return std::nullopt;
            last = std::max(last.value_or(0), m_placeOf[reader]);
        }
        return last;
    }

    // It is taken off what they gain.
    bool isPaidByOthers(const NodeNeeds::Made& made) const { return m_takenOff.contains(made.storage); }

    // Kept in a region that does not save it, it is let go when the second run has taken it: nobody has paid
    // for that up to there.
    void addKept(NodeId node, const NodeNeeds::Made& made)
    {
        const double bytes = made.bytes.asDouble();
        const std::size_t maker = m_placeOf[node];
        const std::optional<std::size_t> end = made.isNeeded ? savedAt(made) : paidAt(made);
        if (!end || *end > maker)
            m_gains.m_open[maker] += bytes;
        if (end && *end > maker)
            m_closed[*end].push_back({maker, bytes});
        if (m_gains.m_linkAt[m_linkOf[node] + 1] - m_gains.m_linkAt[m_linkOf[node]] > 1)
            m_gains.m_kept[m_linkOf[node]] += bytes;
    }

    void addToFirstRun(NodeId node, const NodeNeeds::Made& made)
    {
        const std::size_t maker = m_placeOf[node];
        m_gains.m_forward[maker].made += made.bytes.asDouble();
        if (made.isNeeded && !std::isfinite(m_needs[node].again.value()))
            return; // kept
        std::size_t last = maker;
        for (const NodeId reader : m_readers[made.storage])
            last = isInChain(reader) ? std::max(last, m_placeOf[reader]) : last;
        m_dying[last].push_back({maker, made.bytes.asDouble(), made.isNeeded ? made.atOnce : Bytes{}});
    }

    void addUnneeded(NodeId node, const NodeNeeds::Made& made)
    {
        const double bytes = made.bytes.asDouble();
        if (const auto last = paidAt(made))
            m_unneeded[*last].push_back({m_placeOf[node], m_needs[node].mayKeep ? bytes : infinite,
                                         alike(againForOther(node, made))});
        if (isPaidByOthers(made))
            m_gains.m_counted[made.storage] = {bytes, false, {m_linkOf[node]}};
        else
            addReads(node, made);
    }

    void addReads(NodeId node, const NodeNeeds::Made& made)
    {
        std::vector<NodeId> paying; // views alone keep nothing for anybody
        for (const NodeId reader : m_readers[made.storage])
            if (isInChain(reader) && !m_needs[reader].made.empty())
                paying.push_back(reader);
        if (paying.empty())
            return;
        std::ranges::sort(paying, {}, [this](NodeId reader) { return m_placeOf[reader]; });
        if (paying.size() > mostPaying)
            paying.erase(paying.begin() + static_cast<std::ptrdiff_t>(mostPaying), paying.end());
        const double bytes = made.bytes.asDouble();
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
    std::set<StorageId> m_takenOff; // NodeNeeds::Made::keeps
    std::set<double> m_times;
    std::vector<std::vector<Storage>> m_storages;
    std::vector<std::vector<Unneeded>> m_unneeded;
    std::vector<std::vector<Read>> m_reads;
    std::vector<std::vector<Read>> m_closed;
    std::vector<std::vector<Dying>> m_dying;
    double m_bytes = 0,
           m_others = 0; // that the node at hand makes and that are paid for; not needed of these
};

RecomputeGains::RecomputeGains(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                               const Table<NodeId, NodeMoments>& moments)
{
    Maker(*this, chain, needs).make(chain);
    findThere();
    findMoments(chain, moments);
    m_mostKept = m_kept.empty() ? 0 : std::ranges::max(m_kept);
    m_keptFrom.resize(m_linkAt.back() + 1, 0);
    for (std::size_t link = 0; link < m_kept.size(); ++link)
        m_keptFrom[m_linkAt[link]] = m_kept[link];
    findEqual();
}

// All that regions which have it gain or pay for it, whatever is before them.
std::vector<double> RecomputeGains::contentOf(std::size_t place) const
{
    // What is made farther before is of no region that has the place.
    const auto back = [&](std::size_t maker) {
        return static_cast<double>(std::min(place - std::min(place, maker), mostNodes));
    };
    // What is alive counts beside what is so before.
    std::size_t before = place;
    while (before > 0 && m_backward[--before].top <= 0)
        continue;
    const Backward& last = m_backward[place];
    const double alive = m_backward[before].top;
    std::vector<double> content{m_views[place],        m_forward[place].step,
                                m_forward[place].made, last.top > 0 ? last.top - alive : infinite,
                                last.entry - alive,    last.saves ? 1.0 : 0.0,
                                last.notLetGo,         m_open[place],
                                keptFrom(place + 1)};
    const auto add = [&](std::size_t count) { content.push_back(static_cast<double>(count)); };
    add(m_storages[place].size());
    for (const Storage& each : m_storages[place])
        content.insert(content.end(),
                       {back(each.maker), each.bytes, each.gain, each.again, each.atOnce.asDouble()});
    add(m_unneeded[place].size());
    for (const Unneeded& each : m_unneeded[place])
        content.insert(content.end(), {back(each.maker), each.bytes, each.again});
    add(m_reads[place].size());
    for (const Read& each : m_reads[place])
        content.insert(content.end(), {back(each.maker), each.bytes});
    add(m_closed[place].size());
    for (const Read& each : m_closed[place])
        content.insert(content.end(), {back(each.maker), each.bytes});
    for (const Dying& each : m_dying[place])
        content.insert(content.end(), {back(each.maker), each.bytes, each.atOnce.asDouble()});
    return content;
}

// Models repeat their layers.
void RecomputeGains::findEqual()
{
    const std::size_t count = m_linkAt.back();
    std::map<std::vector<double>, std::size_t> known;
    std::vector<std::size_t> contents;
    for (std::size_t place = 0; place < count; ++place)
        contents.push_back(known.try_emplace(contentOf(place), known.size()).first->second);
    const std::vector<std::size_t> first = equalWindows(contents, mostNodes);
    std::vector<std::size_t> times(count, 0);
    for (const std::size_t place : first)
        ++times[place];
    for (std::size_t place = 0; place < count; ++place) {
        m_like.push_back(times[first[place]] > 1 ? std::optional(first[place]) : std::nullopt);
        m_readsBack.push_back(0);
        for (std::size_t at = place; m_like.back() && at < place + mostNodes; ++at)
            for (const Read& read : m_reads[at])
                m_readsBack.back() = std::max(m_readsBack.back(), place - std::min(place, read.maker));
    }
}

void RecomputeGains::findThere()
{
    m_thereAt.resize(m_linkAt.back());
    for (std::size_t i = 0; i < m_allNeeded.size(); ++i) {
        const Needed& needed = m_allNeeded[i];
        if (needed.savers.empty() || needed.isSavedByFloats)
            continue;
        if (needed.mayRunAgain)
            for (const std::size_t saver : needed.savers)
                m_thereAt[saver].push_back(i);
        else
            for (std::size_t place = needed.savers.front(); place <= needed.savers.back(); ++place)
                m_thereAt[place].push_back(i);
    }
}

RecomputeGains::There RecomputeGains::thereAt(std::size_t place, std::size_t first, std::size_t end) const
{
    There there;
    for (const std::size_t i : m_thereAt[place]) {
        const Needed& needed = m_allNeeded[i];
        if (needed.maker >= m_linkAt[first] && needed.savers.back() < m_linkAt[end])
            (needed.mayRunAgain ? there.keptOrAgain : there.kept) += needed.bytes;
    }
    return there;
}

double RecomputeGains::counted(StorageId storage, std::size_t link, const AtTurn& turn) const
{
    const double bytes = counted(storage, link);
    const auto needed = m_neededAt.find(storage);
    if (needed == m_neededAt.end() || m_allNeeded[needed->second].savers.empty() ||
        std::ranges::find(m_thereAt[turn.place], needed->second) != m_thereAt[turn.place].end())
        return bytes;
    return turn.shareAt(m_allNeeded[needed->second].savers.back()) * bytes;
}

double RecomputeGains::besides(double price, Bytes cap, const AtTurn& turn, std::size_t first,
                               std::size_t end, double left) const
{
    const std::size_t from = m_linkAt[first], to = m_linkAt[end];
    double kept = 0, least = infinite;
    for (const Needed& needed : m_allNeeded)
        if (needed.maker >= from && needed.maker < to && !needed.isSavedByFloats && needed.savers.back() < to)
            kept += turn.shareAt(needed.savers.back()) * needed.bytes;
    for (std::size_t place = from; place < to; ++place)
        for (const Storage& storage : m_storages[place]) {
            const double gain = turn.shareAt(place) * storage.gain;
            if (storage.maker < from || storage.atOnce > cap || gain <= 0)
                continue;
            const double worth = price * gain - storage.again;
            kept -= worth > 0 ? gain : 0;
            least = worth > 0 ? least : std::min(least, -worth);
        }
    return kept > left ? least : 0;
}

// A region that ends with a node may have others behind that, which float: theirs may be the first backward.
void RecomputeGains::findMoments(const ModelChain& chain, const Table<NodeId, NodeMoments>& moments)
{
    std::vector<NodeId> row;
    for (const std::vector<NodeId>& link : chain.links)
        row.insert(row.end(), link.begin(), link.end());
    std::optional<std::size_t> last; // that saves
    for (const NodeId node : moments.ids()) {
        const NodeMoments& of = moments[node];
        const double entry = of.backwardEntry ? of.backwardEntry->asDouble() : infinite;
        const std::size_t place = m_backward.size();
        if (place < row.size() && row[place] == node) {
            if (of.saves)
                last = place;
            m_forward[place].step = of.forwardStep.asDouble();
            m_backward.push_back({.top = of.backwardTop.asDouble(),
                                  .entry = of.saves ? entry : infinite,
                                  .saves = of.saves,
                                  .notLetGo = of.savesFirst ? m_open[place] : 0});
        } else if (of.saves && last) {
            m_backward[*last].entry = std::max(m_backward[*last].entry, entry);
        }
    }
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

} // namespace stagecraft
