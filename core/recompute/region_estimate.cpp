#include "core/recompute/region_estimate.h"

#include "core/base/sort_unique.h"

#include <algorithm>

namespace stagecraft {

struct RegionEstimate::Marks
{
    std::vector<std::size_t> regionOf; // of each position, from 1; 0: in none
    std::vector<char> keeps;           // of each position
    std::vector<char> isKept;          // of each storage
};

RegionEstimate::RegionEstimate(std::span<const NodeId> nodes, const RegionFacts& facts, Crossing crossing)
    : m_nodes(nodes.begin(), nodes.end()), m_facts(facts), m_positions(nodes.size())
{
    Table<NodeId, std::size_t> at(facts.needs.size());
    for (std::size_t& position : at)
        position = elsewhere;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        at[m_nodes[i]] = i;
    std::vector<StorageId> touched;
    for (const NodeId node : m_nodes) {
        for (const NodeNeeds::Made& made : facts.needs[node].made)
            touched.push_back(made.storage);
        touched.insert(touched.end(), facts.needs[node].reads.begin(), facts.needs[node].reads.end());
    }
    sortUnique(touched);
    for (const StorageId id : touched)
        addStorage(id, at, crossing);
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        for (const StorageId id : facts.moments[m_nodes[i]].results)
            if (const auto found = std::ranges::lower_bound(touched, id);
                found != touched.end() && *found == id)
                m_storages[static_cast<std::size_t>(found - touched.begin())].keepers.push_back(i);
    for (std::size_t i = 0; i < m_storages.size(); ++i) {
        const Storage& storage = m_storages[i];
        if (storage.maker != elsewhere)
            m_positions[storage.maker].makes.push_back(i);
        if (storage.lastReader != elsewhere)
            m_positions[storage.lastReader].lets.push_back(i);
        for (const std::size_t saver : storage.savers)
            m_positions[saver].saves.push_back(i);
    }
}

void RegionEstimate::addStorage(StorageId id, const Table<NodeId, std::size_t>& at, Crossing crossing)
{
    const ActivationUse& use = m_facts.storages[id];
    const std::size_t maker = at[use.maker];
    Storage storage{.bytes = use.bytes.count(), .maker = maker, .lastReader = maker};
    storage.isAlwaysKept = use.isNeeded && use.savers.empty() && maker != elsewhere;
    for (const NodeId saver : use.savers)
        if (at[saver] != elsewhere)
            storage.savers.push_back(at[saver]);
    sortUnique(storage.savers);
    bool crosses = maker == elsewhere;
    for (const NodeId reader : use.readers)
        if (at[reader] != elsewhere)
            storage.readers.push_back(at[reader]);
        else
            crosses = crosses || reader > use.maker;
    if (crosses)
        storage.lastReader = elsewhere;
    else if (!storage.readers.empty())
        storage.lastReader = std::max(maker, storage.readers.back());
    storage.isHeld = crosses && crossing == Crossing::Held;
    m_storages.push_back(std::move(storage));
}

bool RegionEstimate::isKept(const Storage& storage, const Marks& marks) const
{
    if (storage.isAlwaysKept || storage.isHeld)
        return true;
    const auto isOutside = [&](std::size_t region) {
        return storage.maker == elsewhere || marks.regionOf[storage.maker] != region;
    };
    for (const std::size_t saver : storage.savers)
        if (marks.regionOf[saver] == 0 || isOutside(marks.regionOf[saver]))
            return true;
    for (const std::size_t reader : storage.readers)
        if (marks.regionOf[reader] != 0 && isOutside(marks.regionOf[reader]))
            return true;
    return std::ranges::any_of(storage.keepers, [&](std::size_t keeper) { return marks.keeps[keeper] != 0; });
}

// What is no more behind the node, in the forward pass.
std::int64_t RegionEstimate::letGoAt(std::size_t position, const Marks& marks) const
{
    std::int64_t bytes = 0;
    for (const std::size_t storage : m_positions[position].lets)
        bytes += marks.isKept[storage] ? 0 : m_storages[storage].bytes;
    return bytes;
}

std::int64_t RegionEstimate::forwardPeak(const Shape& shape, const Marks& marks) const
{
    std::int64_t alive = 0, peak = 0;
    for (std::size_t i = shape.begin; i < shape.end; ++i) {
        peak = std::max(peak, alive + m_facts.moments[m_nodes[i]].forwardPeak.count());
        for (const std::size_t storage : m_positions[i].makes)
            alive += m_storages[storage].bytes;
        alive -= letGoAt(i, marks);
    }
    return peak;
}

// `last`: of its nodes the last that saves.
std::int64_t RegionEstimate::backwardPeak(const Shape& shape, std::size_t last, const Marks& marks) const
{
    const auto isInside = [&](std::size_t position) {
        return position >= shape.begin && position < shape.end;
    };
    const auto isSavedInside = [&](const Storage& storage) {
        return std::ranges::any_of(storage.savers, isInside);
    };
    const auto isCached = [&](const Storage& storage) {
        return std::ranges::any_of(
            storage.keepers, [&](std::size_t keeper) { return isInside(keeper) && marks.keeps[keeper]; });
    };
    std::int64_t alive = 0, peak = 0, saved = 0;
    for (std::size_t i = shape.begin; i <= last; ++i) {
        if (!marks.keeps[i]) {
            peak = std::max(peak, alive + m_facts.moments[m_nodes[i]].forwardPeak.count());
            for (const std::size_t index : m_positions[i].makes) {
                const Storage& storage = m_storages[index];
                alive += isCached(storage) ? 0 : storage.bytes;
                saved += !isCached(storage) && isSavedInside(storage) ? storage.bytes : 0;
            }
        }
        for (const std::size_t index : m_positions[i].lets) {
            const Storage& storage = m_storages[index];
            if (isInside(storage.maker) && !marks.keeps[storage.maker] && !isCached(storage) &&
                !isSavedInside(storage))
                alive -= storage.bytes;
        }
    }
    alive = saved;
    for (std::size_t i = last + 1; i-- > shape.begin;) {
        const NodeMoments& of = m_facts.moments[m_nodes[i]];
        if (!of.hasBackward)
            continue;
        peak = std::max(peak, alive + of.backwardPeak.count());
        alive += (of.gradientsMade - of.gradientsLetGo).count();
        for (const std::size_t index : m_positions[i].saves) {
            const Storage& storage = m_storages[index];
            const bool isLast = std::ranges::none_of(
                storage.savers, [&](std::size_t saver) { return saver < i && isInside(saver); });
            if (isLast && isInside(storage.maker))
                alive -= storage.bytes;
        }
    }
    return peak;
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
    if (!marks.keeps[last] && m_facts.moments[m_nodes[last]].savesOwn)
        again += needsOf(last).again;
    return again;
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
        if (isKept(m_storages[i], marks)) {
            marks.isKept[i] = 1;
            figures.saved += Bytes(m_storages[i].bytes);
        }
    for (const Shape& shape : shapes)
        if (const std::size_t last = lastThatSaves(shape); last < shape.end) {
            figures.added += againOf(shape, last, marks);
            figures.transient = std::max({figures.transient, Bytes(forwardPeak(shape, marks)),
                                          Bytes(backwardPeak(shape, last, marks))});
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
                static_cast<std::size_t>(std::ranges::lower_bound(m_nodes, node) - m_nodes.begin());
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

std::vector<RecomputeRegion> RegionEstimate::regionsOf(const Shapes& shapes) const
{
    std::vector<RecomputeRegion> regions;
    for (const Shape& shape : shapes) {
        RecomputeRegion& region = regions.emplace_back();
        for (std::size_t i = shape.begin; i < shape.end; ++i)
            region.nodes.push_back(m_nodes[i]);
        for (const std::size_t i : shape.kept)
            region.kept.push_back(m_nodes[i]);
    }
    return regions;
}

} // namespace stagecraft
