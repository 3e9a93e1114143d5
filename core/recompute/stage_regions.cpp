#include "core/recompute/stage_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace stagecraft {

namespace {

constexpr std::size_t longestRun = 96; // nodes
constexpr double impossible = std::numeric_limits<double>::infinity();

// Of those that are in the stage, `otherwise` at the least.
std::size_t lastOf(std::span<const NodeId> nodes, const std::map<NodeId, std::size_t>& at,
                   std::size_t otherwise)
{
    for (const NodeId node : nodes)
        if (const auto found = at.find(node); found != at.end())
            otherwise = std::max(otherwise, found->second);
    return otherwise;
}

} // namespace

StageRegions::StageRegions(const Table<NodeId, NodeNeeds>& needs, std::span<const NodeId> nodes,
                           Received received, KeptUpTo keptUpTo)
    : m_needs(needs), m_nodes(nodes.begin(), nodes.end()), m_positions(nodes.size())
{
    const std::size_t count = nodes.size();
    std::map<NodeId, std::size_t> at;
    for (std::size_t i = 0; i < count; ++i)
        at.emplace(nodes[i], i);
    std::map<StorageId, std::size_t> last; // position of its last reader
    for (const NodeId node : needs.ids()) {
        const auto found = at.find(node);
        const std::size_t position = found == at.end() ? count : found->second;
        for (const StorageId storage : needs[node].reads) {
            const auto [reader, isNew] = last.try_emplace(storage, position);
            reader->second = std::max(reader->second, position);
        }
    }
    const auto isNeeded = [&](const NodeNeeds::Made& made) {
        return made.isNeeded && (made.savers.empty() || std::ranges::any_of(made.savers, [&](NodeId saver) {
                                     return at.contains(saver);
                                 }));
    };
    std::map<StorageId, Unneeded> makers;
    const std::map<StorageId, Written> written = writtenStorages();
    for (const NodeId node : needs.ids()) {
        if (received == Received::Held && !at.contains(node))
            continue;
        for (const NodeNeeds::Made& made : needs[node].made)
            if (made.bytes > Bytes{} && !isNeeded(made))
                makers[made.storage] = {m_names++, at.contains(node) ? at[node] : count, made.bytes};
    }
    findSavers(at);
    std::map<StorageId, std::size_t> neededNames; // in m_made
    for (std::size_t i = 0; i < count; ++i) {
        const NodeNeeds& of = needs[nodes[i]];
        Position& position = m_positions[i];
        position.mayKeep = of.mayKeep && !of.isRandom;
        const auto maker = of.follows ? at.find(*of.follows) : at.end();
        (maker == at.end() ? position : m_positions[maker->second]).again += of.whole.value();
        for (const NodeNeeds::Made& made : of.made) {
            const auto reader = last.find(made.storage);
            std::size_t end = reader == last.end() ? i : std::max(i, reader->second);
            if (keptUpTo == KeptUpTo::LastSaver && isNeeded(made) && !made.savers.empty())
                end = lastOf(made.savers, at, i);
            position.needed += isNeeded(made) ? made.bytes : Bytes{};
            if (end < count)
                m_positions[end].ending.push_back(m_made.size());
            if (isNeeded(made))
                neededNames.emplace(made.storage, m_made.size());
            m_made.push_back({made.bytes, isNeeded(made), i, end});
        }
        for (const StorageId storage : of.reads) {
            if (const auto found = makers.find(storage); found != makers.end())
                position.reads.push_back(found->second);
            if (const auto found = written.find(storage); found != written.end())
                position.readsWritten.push_back(found->second);
            if (const auto found = neededNames.find(storage);
                keptUpTo == KeptUpTo::LastSaver && found != neededNames.end())
                position.readsNeeded.push_back(found->second);
        }
    }
}

std::map<StorageId, StageRegions::Written> StageRegions::writtenStorages() const
{
    std::map<StorageId, Written> written;
    for (const NodeId node : m_needs.ids())
        for (const NodeNeeds::Made& made : m_needs[node].made)
            if (m_needs[node].writtenBy)
                written.emplace(made.storage, Written{node, *m_needs[node].writtenBy});
    return written;
}

void StageRegions::findSavers(const std::map<NodeId, std::size_t>& at)
{
    const auto save = [&](NodeId saver, NodeId maker) {
        const auto found = at.find(saver);
        if (found == at.end())
            return;
        m_positions[found->second].saves = true;
        if (saver == maker)
            m_positions[found->second].againToSave = m_needs[maker].again.value();
    };
    for (const NodeId node : m_needs.ids())
        for (const NodeNeeds::Made& made : m_needs[node].made) {
            if (made.isNeeded && made.savers.empty()) // somebody does
                save(node, node);
            for (const NodeId saver : made.savers)
                save(saver, node);
        }
}

// `seconds` to run again.
StageRegions::Taken StageRegions::takenAt(std::size_t position, double seconds, double price, Bytes needed,
                                          Bytes unneeded) const
{
    const Position& of = m_positions[position];
    const double again = seconds - price * needed.asDouble();
    const double kept = price * unneeded.asDouble();
    if (!of.mayKeep)
        return {true, again};
    return seconds > 0 && kept <= again ? Taken{false, kept} : Taken{true, again};
}

// A run that grows at its end.
class StageRegions::Region
{
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

public:
    Region(const StageRegions& runs, std::size_t begin, double price, Stop stop)
        : m_runs(runs), m_begin(begin), m_price(price), m_stop(stop), m_isRead(runs.m_names, 0)
    {
    }

    // Behind its last.
    void add(std::size_t position)
    {
        const Position& added = m_runs.m_positions[position];
        const NodeId first = m_runs.m_nodes[m_begin];
        if (std::ranges::any_of(added.readsWritten, [&](const Written& written) {
                return written.maker < first && written.last >= first;
            }))
            cost = impossible;
        m_nodes.push_back({});
        m_last = added.saves && m_stop == Stop::AtLastSaved ? position : m_last;
        take(position);
        for (const Unneeded& read : added.reads)
            if ((read.maker < m_begin || read.maker >= m_runs.m_nodes.size()) && !m_isRead[read.name]) {
                m_isRead[read.name] = 1;
                inputs += read.bytes;
                cost += m_price * read.bytes.asDouble();
            }
        for (const std::size_t index : added.readsNeeded)
            if (const Made& storage = m_runs.m_made[index];
                storage.maker < m_begin && storage.last < m_begin && !m_isNeededRead.contains(index)) {
                m_isNeededRead.insert(index); // it may have been let go
                inputs += storage.bytes;
                cost += m_price * storage.bytes.asDouble();
            }
        for (const std::size_t index : added.ending) {
            const Made& storage = m_runs.m_made[index];
            if (storage.maker < m_begin)
                continue;
            Member& maker = m_nodes[storage.maker - m_begin];
            (storage.isNeeded ? maker.needed : maker.unneeded) += storage.bytes;
            take(storage.maker);
        }
    }

    struct Member
    {
        Bytes needed; // of what nobody behind the region reads
        Bytes unneeded;
        Taken taken;
    };
    const Member& node(std::size_t position) const { return m_nodes[position - m_begin]; }
    // Where the region ends here.
    double againAtEnd(std::size_t position) const
    {
        const Position& of = m_runs.m_positions[position];
        if (m_last == none || position < m_last || !std::isfinite(of.again))
            return of.again;
        return position == m_last ? std::min(of.again, of.againToSave) : 0;
    }
    Taken takenAtEnd(std::size_t position) const
    {
        const Member& node = m_nodes[position - m_begin];
        return m_last == none || position < m_last
                   ? node.taken
                   : m_runs.takenAt(position, againAtEnd(position), m_price, node.needed, node.unneeded);
    }
    struct Whole
    {
        double cost = 0;
        Bytes made;       // again, and saved
        Bytes madeBefore; // the last that saves: as much as longer regions make at the least
    };
    Whole atEnd() const
    {
        Whole whole{cost, {}, m_made};
        for (std::size_t i = m_last; m_last != none && i < m_begin + m_nodes.size(); ++i) {
            const Taken& before = m_nodes[i - m_begin].taken;
            const Taken taken = takenAtEnd(i);
            whole.cost += taken.cost - before.cost;
            whole.madeBefore -= before.runsAgain ? m_runs.m_positions[i].needed : Bytes{};
            whole.made += taken.runsAgain && againAtEnd(i) > 0 ? m_runs.m_positions[i].needed : Bytes{};
        }
        whole.made += whole.madeBefore;
        return whole;
    }

    double cost = 0;
    Bytes inputs;

private:
    void take(std::size_t position)
    {
        Member& node = m_nodes[position - m_begin];
        const Bytes needed = m_runs.m_positions[position].needed;
        cost -= node.taken.cost;
        m_made -= node.taken.runsAgain ? needed : Bytes{};
        node.taken =
            m_runs.takenAt(position, m_runs.m_positions[position].again, m_price, node.needed, node.unneeded);
        cost += node.taken.cost;
        m_made += node.taken.runsAgain ? needed : Bytes{};
    }

    const StageRegions& m_runs;
    std::size_t m_begin;
    double m_price;
    Stop m_stop;
    std::size_t m_last = none; // that saves
    Bytes m_made;
    std::vector<Member> m_nodes;
    std::vector<char> m_isRead;
    std::set<std::size_t> m_isNeededRead;
};

StageRegions::Choice StageRegions::at(double price, Bytes cap, Stop stop) const
{
    const std::size_t count = m_nodes.size();
    std::vector<double> best(count + 1, 0);
    std::vector<std::size_t> from(count + 1);
    for (std::size_t i = 0; i <= count; ++i)
        from[i] = i == 0 ? 0 : i - 1;
    for (std::size_t end = 1; end <= count; ++end)
        best[end] = impossible;
    for (std::size_t begin = 0; begin < count; ++begin) {
        if (best[begin] < best[begin + 1]) {
            best[begin + 1] = best[begin];
            from[begin + 1] = begin;
        }
        const Position& first = m_positions[begin];
        if (first.again == 0 || !std::isfinite(first.again))
            continue; // no region is better for it
        Region region(*this, begin, price, stop);
        for (std::size_t end = begin + 1; end <= std::min(count, begin + longestRun); ++end) {
            region.add(end - 1);
            if (!std::isfinite(region.cost))
                break;
            // Behind the last that saves nothing runs again: no region is better for it.
            if (stop == Stop::AtLastSaved && !m_positions[end - 1].saves)
                continue;
            const Region::Whole whole = region.atEnd();
            if (whole.madeBefore > cap)
                break;
            if (whole.made > cap || best[begin] + whole.cost >= best[end])
                continue;
            best[end] = best[begin] + whole.cost;
            from[end] = begin;
        }
    }
    Choice choice{.least = best[count]};
    std::vector<std::size_t> ends;
    for (std::size_t end = count; end > 0; end = from[end])
        ends.push_back(end);
    for (auto end = ends.rbegin(); end != ends.rend(); ++end)
        if (best[*end] < best[from[*end]])
            addRun(from[*end], *end, price, stop, choice);
    return choice;
}

void StageRegions::addRun(std::size_t begin, std::size_t end, double price, Stop stop, Choice& choice) const
{
    Region region(*this, begin, price, stop);
    for (std::size_t i = begin; i < end; ++i)
        region.add(i);
    Run run{.region = {}, .made = region.atEnd().made};
    const auto free = [&](NodeId node, Bytes bytes) {
        choice.freed += bytes;
        choice.freedAt.push_back({node, bytes});
    };
    free(m_nodes[begin], Bytes{} - region.inputs);
    for (std::size_t i = begin; i < end; ++i) {
        const NodeId node = m_nodes[i];
        run.region.nodes.push_back(node);
        const Region::Member& of = region.node(i);
        const auto& follows = m_needs[node].follows;
        const bool isFollower = follows && *follows >= m_nodes[begin];
        if (isFollower) { // its maker says
            if (std::ranges::binary_search(run.region.kept, *follows))
                run.region.kept.push_back(node);
            continue;
        }
        if (!region.takenAtEnd(i).runsAgain) {
            run.region.kept.push_back(node);
            free(node, Bytes{} - of.unneeded);
            continue;
        }
        free(node, of.needed);
        const Seconds again(region.againAtEnd(i));
        choice.added += again;
        if (again > Seconds{})
            choice.again.push_back(
                {choice.runs.size(), node, of.needed + of.unneeded, again, m_positions[i].mayKeep});
    }
    choice.runs.push_back(std::move(run));
}

void StageRegions::keepMore(Choice& choice, Bytes left)
{
    std::ranges::stable_sort(choice.again, std::ranges::greater(), [](const Again& each) {
        return each.seconds.value() / std::max(1.0, each.bytes.asDouble());
    });
    for (const Again& each : choice.again) {
        if (!each.mayKeep || each.bytes > left)
            continue;
        left -= each.bytes;
        choice.freed -= each.bytes;
        choice.added -= each.seconds;
        std::vector<NodeId>& kept = choice.runs[each.region].region.kept;
        kept.insert(std::ranges::upper_bound(kept, each.node), each.node);
    }
    choice.added = std::max(Seconds{}, choice.added);
}

std::vector<double> pricesOf(const Table<NodeId, NodeNeeds>& needs, std::size_t most)
{
    std::vector<std::pair<double, double>> turns; // prices, and the bytes that turn there
    for (const NodeNeeds& node : needs)
        if (const double bytes = node.needed().asDouble(); bytes > 0 && std::isfinite(node.again.value()))
            turns.emplace_back(node.again.value() / bytes, bytes);
    std::ranges::sort(turns);
    double all = 0, since = 0;
    for (const auto& [price, bytes] : turns)
        all += bytes;
    std::vector<double> prices;
    for (const auto& [price, bytes] : turns) {
        since += bytes;
        const double above = price * (1 + 1e-9);
        if ((prices.empty() || above > prices.back()) && since * static_cast<double>(most) >= all) {
            prices.push_back(above);
            since = 0;
        }
    }
    if (!turns.empty())
        prices.push_back(turns.back().first * 4);
    return prices;
}

std::vector<Bytes> capsOf(const Table<NodeId, NodeNeeds>& needs)
{
    Bytes largest, all;
    for (const NodeNeeds& node : needs)
        for (const NodeNeeds::Made& made : node.made)
            if (made.isNeeded) {
                largest = std::max(largest, made.bytes);
                all += made.bytes;
            }
    std::vector<Bytes> caps;
    for (const int quarters : {2, 4, 6, 10, 18})
        caps.push_back(Bytes(largest.count() * quarters / 4));
    caps.push_back(std::max(all, largest));
    return caps;
}

} // namespace stagecraft
