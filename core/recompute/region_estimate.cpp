#include "core/recompute/region_estimate.h"

#include "core/base/sort_unique.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Of those that are in the stage.
void addSavers(const ActivationUse& use, const Table<NodeId, std::size_t>& at, IndexLists& savers)
{
    std::vector<NodeId> sorted;
    const bool isSorted =
        std::ranges::adjacent_find(use.savers, std::ranges::greater_equal()) == use.savers.end();
    if (!isSorted)
        sortUnique(sorted = use.savers);
    for (const NodeId saver : isSorted ? use.savers : sorted)
        if (at[saver] < at.size())
            savers.add(at[saver]);
    savers.close();
}

} // namespace

struct RegionEstimate::Marks
{
    std::vector<std::size_t> regionOf; // of each position, from 1; 0: in none
    std::vector<char> keeps;           // of each position
    std::vector<char> isKept;          // of each storage
};

struct RegionEstimate::SecondRun
{
    std::int64_t peak = 0;  // above what is alive before
    std::int64_t saved = 0; // there behind it
};

RegionEstimate::RegionEstimate(std::span<const NodeId> nodes, const RegionFacts& facts, Crossing crossing)
    : m_nodes(nodes.begin(), nodes.end()), m_facts(facts)
{
    Table<NodeId, std::size_t> at(facts.needs.size(), elsewhere);
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        at[m_nodes[i]] = i;
    const Table<StorageId, std::size_t> indices = addStorages(at, crossing);
    m_keepers = IndexLists::gathered(m_storages.size(), [&](const auto& put) {
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            for (const StorageId id : facts.moments[m_nodes[i]].results)
                if (indices.contains(id) && indices[id] != elsewhere)
                    put(indices[id], i);
    });
    gatherByPosition();
    if (facts.turns != nullptr)
        addTurns(indices, at);
}

void RegionEstimate::gatherByPosition()
{
    const auto gathered = [this](const auto& putOf) {
        return IndexLists::gathered(m_nodes.size(), [&](const auto& put) {
            for (std::size_t i = 0; i < m_storages.size(); ++i)
                putOf(i, put);
        });
    };
    m_makes = gathered([this](std::size_t i, const auto& put) {
        if (m_storages[i].maker != elsewhere)
            put(m_storages[i].maker, i);
    });
    m_lets = gathered([this](std::size_t i, const auto& put) {
        if (m_storages[i].lastReader != elsewhere)
            put(m_storages[i].lastReader, i);
    });
    m_saves = gathered([this](std::size_t i, const auto& put) {
        for (const std::uint32_t saver : m_savers[i])
            put(saver, i);
    });
}

Table<StorageId, std::size_t> RegionEstimate::addStorages(const Table<NodeId, std::size_t>& at,
                                                          Crossing crossing)
{
    Table<StorageId, std::size_t> indices(m_facts.storages.size(), elsewhere);
    for (const NodeId node : m_nodes) {
        for (const NodeNeeds::Made& made : m_facts.needs[node].made)
            indices[made.storage] = 0;
        for (const StorageId read : m_facts.needs[node].reads)
            indices[read] = 0;
    }
    for (const StorageId id : indices.ids())
        if (indices[id] != elsewhere) {
            indices[id] = m_storages.size();
            addStorage(id, at, crossing);
        }
    return indices;
}

void RegionEstimate::addTurns(const Table<StorageId, std::size_t>& indices,
                              const Table<NodeId, std::size_t>& at)
{
    const TurnMemory& memory = *m_facts.turns;
    const auto isInStage = [&](NodeId node) { return at[node] != elsewhere; };
    const auto indexIn = [&](std::uint32_t activation) {
        const StorageId storage = memory.activations[activation].storage;
        return indices.contains(storage) ? indices[storage] : elsewhere;
    };
    const auto rangeSince = [](std::size_t first, const auto& all) {
        return TurnMemory::Range{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(all.size())};
    };
    const auto add = [&](const std::vector<std::uint32_t>& passed, const TurnMemory::Range& range) {
        const std::size_t first = m_passed.size();
        for (std::uint32_t i = range.first; i < range.end; ++i)
            if (const std::size_t index = indexIn(passed[i]); index != elsewhere)
                m_passed.push_back(static_cast<std::uint32_t>(index));
        return rangeSince(first, m_passed);
    };
    m_forward.reserve(m_nodes.size());
    m_backward.reserve(m_nodes.size());
    for (const TurnMemory::Turn& turn : memory.forward.turns)
        if (isInStage(turn.node))
            m_forward.push_back({.position = at[turn.node],
                                 .turn = turn,
                                 .makes = add(memory.forward.made, turn.makes),
                                 .drops = add(memory.forward.dropped, turn.drops)});
    for (const TurnMemory::Turn& turn : memory.backward.turns) {
        if (!isInStage(turn.node))
            continue;
        const std::size_t first = m_letGo.size();
        for (std::uint32_t i = turn.letsGo.first; i < turn.letsGo.end; ++i) {
            const TurnMemory::LetGo& letGo = memory.letGo[i];
            const NodeId keeper = memory.activations[letGo.activation].keepers[letGo.keeper];
            const std::size_t index = indexIn(letGo.activation);
            if (index != elsewhere && isInStage(keeper))
                m_letGo.push_back({index, at[keeper]});
        }
        m_backward.push_back({.position = at[turn.node], .turn = turn, .letsGo = rangeSince(first, m_letGo)});
    }
}

void RegionEstimate::addStorage(StorageId id, const Table<NodeId, std::size_t>& at, Crossing crossing)
{
    const ActivationUse& use = m_facts.storages[id];
    const std::size_t maker = at[use.maker];
    Storage storage{.bytes = use.bytes.count(), .maker = maker, .lastReader = maker};
    storage.isAlwaysKept = use.isNeeded && use.savers.empty() && maker != elsewhere;
    addSavers(use, at, m_savers);
    bool crosses = maker == elsewhere;
    for (const NodeId reader : use.readers)
        if (at[reader] != elsewhere)
            m_readers.add(at[reader]);
        else
            crosses = crosses || reader > use.maker;
    m_readers.close();
    if (crosses)
        storage.lastReader = elsewhere;
    else if (const auto readers = m_readers[m_storages.size()]; !readers.empty())
        storage.lastReader = std::max<std::size_t>(maker, readers.back());
    storage.isHeld = crosses && crossing == Crossing::Held && !use.isCopied;
    m_storages.push_back(storage);
}

bool RegionEstimate::isKept(std::size_t index, const Marks& marks) const
{
    const Storage& storage = m_storages[index];
    if (storage.isAlwaysKept || storage.isHeld)
        return true;
    const auto isOutside = [&](std::size_t region) {
        return storage.maker == elsewhere || marks.regionOf[storage.maker] != region;
    };
    for (const std::size_t saver : m_savers[index])
        if (marks.regionOf[saver] == 0 || isOutside(marks.regionOf[saver]))
            return true;
    for (const std::size_t reader : m_readers[index])
        if (marks.regionOf[reader] != 0 && isOutside(marks.regionOf[reader]))
            return true;
    return std::ranges::any_of(m_keepers[index],
                               [&](std::size_t keeper) { return marks.keeps[keeper] != 0; });
}

// What is no more behind the node, in the forward pass.
std::int64_t RegionEstimate::letGoAt(std::size_t position, const Marks& marks) const
{
    std::int64_t bytes = 0;
    for (const std::size_t storage : m_lets[position])
        bytes += marks.isKept[storage] ? 0 : m_storages[storage].bytes;
    return bytes;
}

std::int64_t RegionEstimate::forwardPeak(const Shape& shape, const Marks& marks) const
{
    std::int64_t alive = 0, peak = 0;
    for (std::size_t i = shape.begin; i < shape.end; ++i) {
        peak = std::max(peak, alive + m_facts.moments[m_nodes[i]].forwardPeak.count());
        for (const std::size_t storage : m_makes[i])
            alive += m_storages[storage].bytes;
        alive -= letGoAt(i, marks);
    }
    return peak;
}

bool RegionEstimate::isCached(std::size_t storage, const Shape& shape, const Marks& marks) const
{
    return std::ranges::any_of(m_keepers[storage],
                               [&](std::size_t keeper) { return shape.has(keeper) && marks.keeps[keeper]; });
}

// `last`: of its nodes the last that saves.
RegionEstimate::SecondRun RegionEstimate::secondRun(const Shape& shape, std::size_t last,
                                                    const Marks& marks) const
{
    const auto isSavedInside = [&](std::size_t storage) {
        return std::ranges::any_of(m_savers[storage], [&](std::size_t saver) { return shape.has(saver); });
    };
    SecondRun run;
    std::int64_t alive = 0;
    for (std::size_t i = shape.begin; i <= last; ++i) {
        if (!marks.keeps[i]) {
            run.peak = std::max(run.peak, alive + m_facts.moments[m_nodes[i]].forwardPeak.count());
            for (const std::size_t index : m_makes[i]) {
                const std::int64_t bytes = m_storages[index].bytes;
                const bool isMade = !isCached(index, shape, marks);
                alive += isMade ? bytes : 0;
                run.saved += isMade && isSavedInside(index) ? bytes : 0;
            }
        }
        for (const std::size_t index : m_lets[i]) {
            const Storage& storage = m_storages[index];
            if (shape.has(storage.maker) && !marks.keeps[storage.maker] && !isCached(index, shape, marks) &&
                !isSavedInside(index))
                alive -= storage.bytes;
        }
    }
    return run;
}

std::int64_t RegionEstimate::backwardPeak(const Shape& shape, std::size_t last, const Marks& marks) const
{
    const SecondRun again = secondRun(shape, last, marks);
    std::int64_t alive = again.saved, peak = again.peak;
    for (std::size_t i = last + 1; i-- > shape.begin;) {
        const NodeMoments& of = m_facts.moments[m_nodes[i]];
        if (!of.hasBackward)
            continue;
        peak = std::max(peak, alive + of.backwardPeak.count());
        alive += (of.gradientsMade - of.gradientsLetGo).count();
        for (const std::size_t index : m_saves[i]) {
            const Storage& storage = m_storages[index];
            const bool isLast = std::ranges::none_of(
                m_savers[index], [&](std::size_t saver) { return saver < i && shape.has(saver); });
            if (isLast && shape.has(storage.maker))
                alive -= storage.bytes;
        }
    }
    return peak;
}

// Of each storage that is kept, the position up to which, as the stage goes back, what has been there since
// the forward pass is needed: by a node that saves it, or a region that reads it. A region that makes it
// again holds that instead.
std::vector<std::size_t> RegionEstimate::neededUpTo(const Shapes& shapes, const Marks& marks) const
{
    std::vector<std::size_t> ends(shapes.size(), elsewhere);
    for (const Turn& turn : m_backward)
        if (const std::size_t region = marks.regionOf[turn.position]; region > 0)
            ends[region - 1] = std::min(ends[region - 1], turn.position);
    std::vector<std::size_t> upTo(m_storages.size(), elsewhere);
    for (std::size_t i = 0; i < m_storages.size(); ++i) {
        const Storage& storage = m_storages[i];
        if (marks.isKept[i] == 0 || storage.maker == elsewhere || storage.isHeld)
            continue;
        const auto isOther = [&](std::size_t region) {
            return region > 0 && !shapes[region - 1].has(storage.maker);
        };
        for (const std::size_t saver : m_savers[i])
            if (const std::size_t region = marks.regionOf[saver];
                region == 0 || isOther(region) || isCached(i, shapes[region - 1], marks))
                upTo[i] = std::min(upTo[i], saver);
        for (const std::size_t reader : m_readers[i])
            if (const std::size_t region = marks.regionOf[reader]; isOther(region))
                upTo[i] = std::min(upTo[i], ends[region - 1]);
        for (const std::size_t keeper : m_keepers[i]) // up to the second run, which takes it
            if (marks.keeps[keeper] != 0)
                upTo[i] = std::min(upTo[i], lastThatSaves(shapes[marks.regionOf[keeper] - 1]));
    }
    return upTo;
}

// Of what the region of the keeper has made again.
bool RegionEstimate::isLastOfRegion(const LetGo& letGo, const Shape& shape, const Marks& marks) const
{
    const Storage& storage = m_storages[letGo.storage];
    return shape.has(storage.maker) && !marks.keeps[storage.maker] &&
           !isCached(letGo.storage, shape, marks) &&
           std::ranges::none_of(m_savers[letGo.storage],
                                [&](std::size_t saver) { return saver < letGo.keeper && shape.has(saver); });
}

// Regions run again when the last of their nodes that saves goes back.
Bytes RegionEstimate::aliveBackward(const Shapes& shapes, const Marks& marks) const
{
    std::vector<char> hasRun(shapes.size(), 0);
    const TurnMemory& memory = *m_facts.turns;
    TurnWalk walk(memory.backward, memory.gradients.size());
    const std::vector<std::size_t> upTo = neededUpTo(shapes, marks);
    std::vector<std::int64_t> unsaved(m_nodes.size(), 0); // needed up to there, where no node saves them
    for (std::size_t i = 0; i < upTo.size(); ++i)
        if (upTo[i] != elsewhere && !std::ranges::binary_search(m_savers[i], upTo[i]))
            unsaved[upTo[i]] += m_storages[i].bytes;
    for (std::size_t i = 0; i < m_backward.size(); ++i) {
        const Turn& each = m_backward[i];
        const std::size_t region = marks.regionOf[each.position];
        const Shape* const shape = region > 0 ? &shapes[region - 1] : nullptr;
        if (shape != nullptr && hasRun[region - 1] == 0)
            if (const std::size_t last = lastThatSaves(*shape); each.position <= last) {
                const SecondRun again = secondRun(*shape, last, marks);
                walk.note(Bytes(again.peak));
                walk.add(Bytes(again.saved));
                hasRun[region - 1] = 1;
            }
        walk.take(each.turn, [&](std::uint32_t gradient) { return memory.gradients[gradient]; });
        for (const LetGo& gone : letGoIn(each.letsGo)) {
            const Bytes bytes(m_storages[gone.storage].bytes);
            if (upTo[gone.storage] == gone.keeper)
                walk.letGo(bytes);
            if (shape != nullptr && isLastOfRegion(gone, *shape, marks))
                walk.letGo(bytes);
        }
        if (i + 1 == m_backward.size() || m_backward[i + 1].position != each.position)
            walk.letGo(Bytes(std::exchange(unsaved[each.position], 0)));
    }
    return walk.most();
}

// What is kept counts before it is there, and is never dropped. What is sent, and held by nobody, does not.
Bytes RegionEstimate::aliveForward(const Marks& marks) const
{
    std::vector<char> isAlive(m_storages.size(), 0);
    std::int64_t alive = 0, most = 0;
    for (const Turn& each : m_forward)
        for (const std::size_t made : passedIn(each.makes))
            if (std::exchange(isAlive[made], 1) == 0)
                alive -= marks.isKept[made] != 0 ? m_storages[made].bytes : 0;
    std::ranges::fill(isAlive, 0);
    const auto set = [&](std::size_t storage, char value) {
        const bool isCounted = marks.isKept[storage] != 0 || m_storages[storage].lastReader != elsewhere;
        if (isCounted && std::exchange(isAlive[storage], value) != value)
            alive += value != 0 ? m_storages[storage].bytes : -m_storages[storage].bytes;
    };
    for (std::size_t i = 0; i < m_forward.size(); ++i) {
        const Turn& each = m_forward[i];
        for (const std::size_t made : passedIn(each.makes))
            set(made, 1);
        most = std::max(most, alive + each.turn.peak.count());
        alive += each.turn.left.count();
        for (const std::size_t dropped : passedIn(each.drops))
            if (marks.isKept[dropped] == 0)
                set(dropped, 0);
        // Where nothing runs again it is kept, and nobody drops it.
        if (i + 1 == m_forward.size() || m_forward[i + 1].position != each.position)
            for (const std::size_t read : m_lets[each.position])
                if (marks.isKept[read] == 0 && !m_savers[read].empty())
                    set(read, 0);
    }
    return Bytes(most);
}

// The last of its nodes that saves; its end: none does, and nothing runs again.
std::size_t RegionEstimate::lastThatSaves(const Shape& shape) const
{
    for (std::size_t i = shape.end; i-- > shape.begin;)
        if (m_facts.moments[m_nodes[i]].saves)
            return i;
    return shape.end;
}

// Nothing runs behind the last tensor that is saved, which may be one that the node reads.
Seconds RegionEstimate::againOf(const Shape& shape, std::size_t last, const Marks& marks) const
{
    Seconds again;
    for (std::size_t i = shape.begin; i < last; ++i)
        if (!marks.keeps[i] || needsOf(i).isView)
            again += needsOf(i).whole;
    if (m_facts.paces != nullptr) {
        const std::size_t count = last - shape.begin;
        const auto behind = shape.end < m_nodes.size() ? std::optional(m_nodes[shape.end]) : std::nullopt;
        again = std::max(again, againWithWaits(*m_facts.paces, std::span(m_nodes).subspan(shape.begin, count),
                                               std::span(marks.keeps).subspan(shape.begin, count), behind));
    }
    return again + (marks.keeps[last] ? Seconds{} : needsOf(last).toSave);
}

RegionEstimate::Figures RegionEstimate::of(const Shapes& shapes) const
{
    Marks marks{std::vector<std::size_t>(m_nodes.size(), 0), std::vector<char>(m_nodes.size(), 0),
                std::vector<char>(m_storages.size(), 0)};
    for (std::size_t region = 0; region < shapes.size(); ++region) {
        const Shape& shape = shapes[region];
        if (lastThatSaves(shape) == shape.end)
            continue;
        std::fill(marks.regionOf.begin() + static_cast<std::ptrdiff_t>(shape.begin),
                  marks.regionOf.begin() + static_cast<std::ptrdiff_t>(shape.end), region + 1);
        for (const std::size_t kept : shape.kept)
            marks.keeps[kept] = 1;
    }
    Figures figures;
    for (std::size_t i = 0; i < m_storages.size(); ++i)
        if (isKept(i, marks)) {
            marks.isKept[i] = 1;
            figures.saved += Bytes(m_storages[i].bytes);
        }
    for (const Shape& shape : shapes)
        if (const std::size_t last = lastThatSaves(shape); last < shape.end) {
            figures.added += againOf(shape, last, marks);
            figures.transient = std::max({figures.transient, Bytes(forwardPeak(shape, marks)),
                                          Bytes(backwardPeak(shape, last, marks))});
        }
    if (m_facts.turns != nullptr) {
        figures.forward = aliveForward(marks);
        figures.backward = aliveBackward(shapes, marks);
    }
    return figures;
}

// Where others lie between its nodes, a region is as many as there are runs of them.
RegionEstimate::Shapes RegionEstimate::shapesOf(std::span<const RecomputeRegion> regions) const
{
    Shapes shapes;
    for (const RecomputeRegion& region : regions) {
        std::size_t end = elsewhere;
        for (const NodeId node : region.nodes) {
            const auto position =
                end < m_nodes.size() && m_nodes[end] == node
                    ? end
                    : static_cast<std::size_t>(std::ranges::lower_bound(m_nodes, node) - m_nodes.begin());
            if (position != end)
                shapes.push_back({position, position, {}});
            shapes.back().end = end = position + 1;
            if (std::ranges::binary_search(region.kept, node))
                shapes.back().kept.push_back(position);
        }
    }
    std::ranges::sort(shapes, {}, &Shape::begin);
    return shapes;
}

std::vector<RecomputeRegion> regionsOf(const RegionEstimate& estimate, const RegionEstimate::Shapes& shapes)
{
    std::vector<RecomputeRegion> regions;
    for (const RegionEstimate::Shape& shape : shapes) {
        RecomputeRegion& region = regions.emplace_back();
        for (std::size_t i = shape.begin; i < shape.end; ++i)
            region.nodes.push_back(estimate.node(i));
        for (const std::size_t i : shape.kept)
            region.kept.push_back(estimate.node(i));
    }
    return regions;
}

} // namespace stagecraft
