#include "core/recompute/stage_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ranges>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t longestRun = 96; // nodes
constexpr std::int64_t manyReaders = 4;
constexpr double impossible = std::numeric_limits<double>::infinity();

} // namespace

// Fills it in.
class StageRegions::Maker
{
public:
    Maker(StageRegions& runs, const ActivationUses& storages, Received received, KeptUpTo keptUpTo)
        : m_runs(runs),
          m_storages(storages),
          m_received(received),
          m_keptUpTo(keptUpTo),
          m_count(runs.m_nodes.size()),
          m_at(runs.m_needs.size(), m_count),
          m_nameOf(storages.size()),
          m_madeAs(storages.size())
    {
        for (std::size_t i = 0; i < m_count; ++i)
            m_at[runs.m_nodes[i]] = i;
    }

    void make()
    {
        for (std::size_t i = 0; i < m_count; ++i) {
            const NodeNeeds& of = m_runs.m_needs[m_runs.m_nodes[i]];
            Position& position = m_runs.m_positions[i];
            position.mayKeep = of.mayKeep && !of.isRandom && !of.isView;
            (of.follows && isInStage(*of.follows) ? m_runs.m_positions[m_at[*of.follows]] : position).again +=
                of.whole.value();
            for (const NodeNeeds::Made& made : of.made)
                addMade(i, made);
            for (const StorageId storage : of.reads)
                addRead(position, storage);
        }
    }

private:
    bool isInStage(NodeId node) const { return m_at[node] < m_count; }

    bool isNeeded(bool byBackward, const std::vector<NodeId>& savers) const
    {
        return byBackward && (savers.empty() ||
                              std::ranges::any_of(savers, [&](NodeId saver) { return isInStage(saver); }));
    }

    // Of those that are in the stage, `otherwise` at the least.
    std::size_t lastOf(const std::vector<NodeId>& nodes, std::size_t otherwise) const
    {
        for (const NodeId node : nodes)
            otherwise = isInStage(node) ? std::max(otherwise, m_at[node]) : otherwise;
        return otherwise;
    }

    void addMade(std::size_t maker, const NodeNeeds::Made& made)
    {
        const bool needed = isNeeded(made.isNeeded, made.savers);
        std::size_t end = maker;
        if (m_keptUpTo == KeptUpTo::LastSaver && needed && !made.savers.empty())
            end = lastOf(made.savers, maker);
        else
            for (const NodeId reader : m_storages[made.storage].readers) // the stage's end: a later one
                end = std::max(end, m_at[reader]);
        m_runs.m_positions[maker].needed += needed ? made.bytes : Bytes{};
        if (end < m_count)
            m_runs.m_positions[end].ending.push_back(m_runs.m_made.size());
        if (needed && !m_madeAs[made.storage])
            m_madeAs[made.storage] = m_runs.m_made.size();
        m_runs.m_made.push_back({made.bytes, needed, maker, end});
        if (made.isNeeded && made.savers.empty()) // somebody does
            addSaver(maker, m_runs.m_nodes[maker]);
        addSavers(made.storage);
    }

    void addRead(Position& position, StorageId storage)
    {
        const ActivationUse& use = m_storages[storage];
        if (const auto& last = m_runs.m_needs[use.maker].writtenBy; last && use.bytes > Bytes{})
            position.readsWritten.push_back({use.maker, *last});
        if (use.bytes == Bytes{})
            return;
        addSavers(storage);
        if (isNeeded(use.isNeeded, use.savers)) {
            if (m_keptUpTo == KeptUpTo::LastSaver && m_madeAs[storage])
                position.readsNeeded.push_back(*m_madeAs[storage]);
        } else if (m_received == Received::IsLetGo || isInStage(use.maker)) {
            if (!m_nameOf[storage])
                m_nameOf[storage] = m_runs.m_names++;
            position.reads.push_back({*m_nameOf[storage], m_at[use.maker], shareOf(use)});
        }
    }

    // What many read, many regions keep, and it is there once.
    Bytes shareOf(const ActivationUse& use) const
    {
        const std::int64_t readers =
            std::ranges::count_if(use.readers, [this](NodeId reader) { return isInStage(reader); });
        return readers < manyReaders ? use.bytes : Bytes(use.bytes.count() / readers);
    }

    void addSavers(StorageId storage)
    {
        for (const NodeId saver : m_storages[storage].savers)
            if (isInStage(saver))
                addSaver(m_at[saver], m_storages[storage].maker);
    }

    void addSaver(std::size_t saver, NodeId maker)
    {
        m_runs.m_positions[saver].saves = true;
        if (m_runs.m_nodes[saver] == maker)
            m_runs.m_positions[saver].againToSave = m_runs.m_needs[maker].toSave.value();
    }

    StageRegions& m_runs;
    const ActivationUses& m_storages;
    Received m_received;
    KeptUpTo m_keptUpTo;
    std::size_t m_count;
    Table<NodeId, std::size_t> m_at;                       // beyond all: in another stage
    Table<StorageId, std::optional<std::size_t>> m_nameOf; // of what nothing keeps
    Table<StorageId, std::optional<std::size_t>> m_madeAs; // of what backward needs
};

StageRegions::StageRegions(const Table<NodeId, NodeNeeds>& needs, const ActivationUses& storages,
                           std::span<const NodeId> nodes, Received received, KeptUpTo keptUpTo)
    : m_needs(needs), m_nodes(nodes.begin(), nodes.end()), m_positions(nodes.size())
{
    Maker(*this, storages, received, keptUpTo).make();
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
    Region(const StageRegions& runs, double price, Stop stop)
        : m_runs(runs),
          m_price(price),
          m_stop(stop),
          m_readFrom(runs.m_names, none),
          m_neededFrom(runs.m_made.size(), none)
    {
    }

    // Anew, of no nodes; nowhere twice.
    void begin(std::size_t position)
    {
        m_begin = position;
        m_last = none;
        m_made = inputs = {};
        cost = 0;
        m_nodes.clear();
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
            if ((read.maker < m_begin || read.maker >= m_runs.m_nodes.size()) &&
                m_readFrom[read.name] != m_begin) {
                m_readFrom[read.name] = m_begin;
                inputs += read.bytes;
                cost += m_price * read.bytes.asDouble();
            }
        for (const std::size_t index : added.readsNeeded)
            if (const Made& storage = m_runs.m_made[index];
                storage.maker < m_begin && storage.last < m_begin && m_neededFrom[index] != m_begin) {
                m_neededFrom[index] = m_begin; // it may have been let go
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

    // What it can keep of what it would make again, as it ends now: the best first.
    struct Keep
    {
        std::size_t position = 0;
        double cost = 0;
        Bytes bytes;     // that are not made again
        double rate = 0; // cost a byte
    };
    const std::vector<Keep>& keeps()
    {
        m_keeps.clear();
        for (std::size_t i = m_begin; i < m_begin + m_nodes.size() && (m_last == none || i <= m_last); ++i) {
            const Position& of = m_runs.m_positions[i];
            if (!of.mayKeep || of.needed == Bytes{} || !takenAtEnd(i).runsAgain)
                continue;
            if (const double again = againAtEnd(i); again > 0)
                m_keeps.push_back(keepAt(i, again));
        }
        std::ranges::sort(m_keeps, {}, [](const Keep& keep) { return std::pair(keep.rate, keep.position); });
        return m_keeps;
    }

    double cost = 0;
    Bytes inputs;

private:
    Keep keepAt(std::size_t position, double again) const
    {
        const Bytes needed = m_runs.m_positions[position].needed;
        const double costs = m_price * (node(position).needed + node(position).unneeded).asDouble() - again;
        return {position, costs, needed, costs / needed.asDouble()};
    }

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
    std::size_t m_begin = none;
    double m_price;
    Stop m_stop;
    std::size_t m_last = none; // that saves
    Bytes m_made;
    std::vector<Member> m_nodes;
    std::vector<Keep> m_keeps;
    std::vector<std::size_t> m_readFrom, m_neededFrom; // of each storage, the last begin that paid for it
};

// As it is for the largest cap, and for those below what it makes again with what it has to keep for them.
void StageRegions::addCandidates(Region& region, Candidate whole, std::span<const Bytes> caps,
                                 std::vector<Candidate>& found)
{
    if (whole.cost >= 0)
        return;
    if (whole.made <= caps.back())
        found.push_back(whole);
    const auto below = std::ranges::lower_bound(caps, whole.made);
    if (below == caps.begin())
        return;
    const std::vector<Region::Keep>& keeps = region.keeps();
    auto next = keeps.begin();
    for (auto cap = below; cap-- != caps.begin();) {
        const Bytes before = whole.made;
        for (; next != keeps.end() && whole.made > *cap; ++next) {
            whole.made -= next->bytes;
            whole.cost += next->cost;
        }
        if (whole.made > *cap || whole.cost >= 0)
            return;
        if (whole.made < before)
            found.push_back(whole);
    }
}

StageRegions::Candidates StageRegions::candidates(double price, std::span<const Bytes> caps, Stop stop) const
{
    Candidates found{price, stop};
    const Bytes most = caps.back();
    Region region(*this, price, stop);
    for (std::size_t begin = 0; begin < m_nodes.size(); ++begin) {
        const Position& first = m_positions[begin];
        if (first.again == 0 || !std::isfinite(first.again))
            continue; // no region is better for it
        region.begin(begin);
        for (std::size_t end = begin + 1; end <= std::min(m_nodes.size(), begin + longestRun); ++end) {
            region.add(end - 1);
            if (!std::isfinite(region.cost))
                break;
            // Behind the last that saves nothing runs again: no region is better for it.
            if (stop == Stop::AtLastSaved && !m_positions[end - 1].saves)
                continue;
            const Region::Whole whole = region.atEnd();
            if (whole.madeBefore > most)
                break;
            addCandidates(region, {begin, end, whole.cost, whole.made}, caps, found.all);
        }
    }
    return found;
}

StageRegions::Choice StageRegions::best(const Candidates& candidates, Bytes cap) const
{
    const std::size_t count = m_nodes.size();
    std::vector<double> best(count + 1, 0);
    std::vector<const Candidate*> endsWith(count + 1, nullptr); // none: the node before it is in no region
    auto next = candidates.all.begin();
    for (std::size_t begin = 0; begin < count; ++begin) {
        if (best[begin] <= best[begin + 1]) {
            best[begin + 1] = best[begin];
            endsWith[begin + 1] = nullptr;
        }
        for (; next != candidates.all.end() && next->begin == begin; ++next)
            if (next->made <= cap && best[begin] + next->cost < best[next->end]) {
                best[next->end] = best[begin] + next->cost;
                endsWith[next->end] = &*next;
            }
    }
    Choice choice{.least = best[count]};
    std::vector<const Candidate*> chosen;
    for (std::size_t end = count; end > 0; end = endsWith[end] ? endsWith[end]->begin : end - 1)
        if (endsWith[end])
            chosen.push_back(endsWith[end]);
    for (const Candidate* const run : std::views::reverse(chosen))
        addRun(candidates, *run, choice);
    return choice;
}

void StageRegions::addRun(const Candidates& candidates, const Candidate& chosen, Choice& choice) const
{
    const std::size_t begin = chosen.begin, end = chosen.end;
    Region region(*this, candidates.price, candidates.stop);
    region.begin(begin);
    for (std::size_t i = begin; i < end; ++i)
        region.add(i);
    Run run{.region = {}, .made = region.atEnd().made};
    std::vector<char> isKept(end - begin, 0); // though it would run again
    for (const Region::Keep& keep : region.keeps()) {
        if (run.made <= chosen.made)
            break;
        run.made -= keep.bytes;
        isKept[keep.position - begin] = 1;
    }
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
        if (isKept[i - begin] || !region.takenAtEnd(i).runsAgain) {
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

} // namespace stagecraft
