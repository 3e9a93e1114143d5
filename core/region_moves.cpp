#include "core/region_moves.h"

#include "core/recompute/region_steps.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t mostSeconds = 256;  // changes behind another
constexpr std::size_t leastFirst = 4;     // changes that a second is looked for behind
constexpr std::size_t mostFirst = 256;    // likewise
constexpr std::size_t mostWork = 4000000; // in nodes of regions looked at, of all firsts
constexpr Seconds never(1e30);

} // namespace

// Some regions that follow each other are replaced.
struct RegionMoves::Change
{
    std::size_t at = 0;
    std::size_t count = 0;
    Shapes with;
    Figures figures; // more than before
};

// All changes of some regions.
class RegionMoves::Finder
{
public:
    Finder(const RegionMoves& of, const Shapes& shapes)
        : m_of(of), m_shapes(shapes), m_steps(shapes, of.m_nodes.size())
    {
        for (const Shape& shape : shapes)
            m_figures.push_back(of.figuresOf(shape));
    }

    std::vector<Change> all()
    {
        const auto step = [this](std::size_t at, std::size_t count, Shapes with) {
            add(at, count, std::move(with));
        };
        for (std::size_t i = 0; i < m_shapes.size(); ++i) {
            m_steps.ends(i, step);
            m_steps.parts(i, step);
            addKept(i);
        }
        for (std::size_t i = 0; i <= m_shapes.size(); ++i)
            m_steps.begun(i, step);
        return std::move(m_changes);
    }
    Shapes with(const Change& change) const
    {
        Shapes shapes = m_shapes;
        const auto at = shapes.begin() + static_cast<std::ptrdiff_t>(change.at);
        const auto behind = shapes.erase(at, at + static_cast<std::ptrdiff_t>(change.count));
        shapes.insert(behind, change.with.begin(), change.with.end());
        return shapes;
    }

private:
    void add(std::size_t at, std::size_t count, Shapes with)
    {
        Change change{at, count, std::move(with), {}};
        for (const Shape& shape : change.with) {
            const Figures figures = m_of.figuresOf(shape);
            change.figures.added += figures.added;
            change.figures.holds += figures.holds;
        }
        for (std::size_t i = at; i < at + count; ++i) {
            change.figures.added -= m_figures[i].added;
            change.figures.holds -= m_figures[i].holds;
        }
        if (change.figures.added < never)
            m_changes.push_back(std::move(change));
    }
    void addKept(std::size_t i)
    {
        for (std::size_t at = m_shapes[i].begin; at < m_shapes[i].end; ++at) {
            Shape shape = m_shapes[i];
            if (std::erase(shape.kept, at) == 0) {
                if (!m_of.m_needs[m_of.m_nodes[at]].mayKeep)
                    continue;
                shape.kept.insert(std::ranges::lower_bound(shape.kept, at), at);
            }
            add(i, 1, {std::move(shape)});
        }
    }

    const RegionMoves& m_of;
    const Shapes& m_shapes;
    RegionSteps<Shape> m_steps;
    std::vector<Figures> m_figures;
    std::vector<Change> m_changes;
};

RegionMoves::RegionMoves(std::span<const NodeId> nodes, const Table<NodeId, NodeNeeds>& needs,
                         const Table<NodeId, Seconds>& again, const Table<NodeId, Bytes>& keeping)
    : m_nodes(nodes), m_needs(needs), m_again(again), m_keeping(keeping)
{
    for (std::size_t position = 0; position < nodes.size(); ++position)
        for (const NodeNeeds::Made& made : needs[nodes[position]].made)
            m_storages[made.storage] = {made.bytes, made.isNeeded, position, position};
    for (const NodeId node : needs.ids()) {
        const auto at = std::ranges::lower_bound(nodes, node);
        const bool isHere = at != nodes.end() && *at == node;
        const std::size_t position =
            isHere ? static_cast<std::size_t>(at - nodes.begin()) : std::numeric_limits<std::size_t>::max();
        for (const StorageId storage : needs[node].reads)
            if (const auto found = m_storages.find(storage); found != m_storages.end())
                found->second.last = std::max(found->second.last, position);
    }
}

RegionMoves::Shapes RegionMoves::shapesOf(const RecomputePlan& plan) const
{
    const auto positionOf = [&](NodeId node) {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_nodes, node) - m_nodes.begin());
    };
    Shapes shapes;
    for (const RecomputeRegion& region : plan.regions) {
        const std::size_t begin = positionOf(region.nodes.front());
        shapes.push_back({begin, begin + region.nodes.size()});
        std::ranges::transform(region.kept, std::back_inserter(shapes.back().kept), positionOf);
    }
    return shapes;
}

RecomputePlan RegionMoves::planOf(const Shapes& shapes) const
{
    RecomputePlan plan;
    for (const Shape& shape : shapes) {
        RecomputeRegion& region = plan.regions.emplace_back();
        for (std::size_t position = shape.begin; position < shape.end; ++position)
            region.nodes.push_back(m_nodes[position]);
        for (const std::size_t position : shape.kept)
            region.kept.push_back(m_nodes[position]);
    }
    return plan;
}

// Let go is what nobody behind the region reads; inputs that nothing else would keep are held for it.
RegionMoves::Figures RegionMoves::figuresOf(const Shape& shape) const
{
    Figures figures;
    std::set<StorageId> inputs;
    for (std::size_t position = shape.begin; position < shape.end; ++position) {
        const NodeId node = m_nodes[position];
        const NodeNeeds& needs = m_needs[node];
        if (std::ranges::binary_search(shape.kept, position)) {
            figures.holds += std::max(Bytes{}, m_keeping[node] - needs.needed());
            continue;
        }
        figures.added += m_again[node];
        for (const NodeNeeds::Made& made : needs.made)
            if (made.isNeeded && m_storages.at(made.storage).last < shape.end)
                figures.holds -= made.bytes;
        for (const StorageId storage : needs.reads)
            if (const auto found = m_storages.find(storage);
                found != m_storages.end() && !found->second.isNeeded && found->second.maker < shape.begin &&
                inputs.insert(storage).second)
                figures.holds += found->second.bytes;
    }
    return figures;
}

std::vector<RecomputePlan> RegionMoves::of(const RecomputePlan& regions, const MoveRooms& rooms,
                                           std::size_t most) const
{
    struct Found
    {
        Bytes over;
        Seconds added;
        Shapes shapes;
    };
    std::vector<Found> found;
    const auto isWorthIt = [&](Figures figures) {
        return figures.added + rooms.spared <= Seconds{} && figures.holds <= rooms.saved + rooms.doubt;
    };
    const auto sum = [](Figures a, Figures b) { return Figures{a.added + b.added, a.holds + b.holds}; };
    const auto take = [&](const Finder& finder, const Change& change, Figures figures) {
        if (isWorthIt(figures))
            found.push_back(
                {std::max(Bytes{}, figures.holds - rooms.saved), figures.added, finder.with(change)});
    };
    const Shapes shapes = shapesOf(regions);
    Finder finder(*this, shapes);
    std::vector<Change> firsts = finder.all();
    if (firsts.empty())
        return {};
    std::size_t work = firsts.size();
    for (const Change& change : firsts) {
        take(finder, change, change.figures);
        for (const Shape& shape : change.with)
            work += shape.end - shape.begin;
    }
    // Those first that take the least time for the room that they make.
    std::ranges::stable_sort(firsts, {}, [](const Change& change) {
        const Figures& figures = change.figures;
        return figures.holds < Bytes{} ? figures.added.value() / -figures.holds.asDouble() : 1e300;
    });
    firsts.resize(std::min(firsts.size(), std::clamp(mostWork / work, leastFirst, mostFirst)));
    for (const Change& first : firsts) {
        const Shapes changed = finder.with(first);
        Finder behind(*this, changed);
        std::vector<Change> seconds = behind.all();
        std::erase_if(seconds,
                      [&](const Change& change) { return !isWorthIt(sum(first.figures, change.figures)); });
        std::ranges::stable_sort(seconds, {}, [](const Change& change) { return change.figures.added; });
        seconds.resize(std::min(seconds.size(), mostSeconds));
        for (const Change& second : seconds)
            take(behind, second, sum(first.figures, second.figures));
    }
    std::ranges::stable_sort(found, {}, [](const Found& of) { return std::tuple(of.over, of.added); });
    std::vector<RecomputePlan> plans;
    for (const Found& of : found) {
        if (plans.size() == most)
            break;
        RecomputePlan plan = planOf(of.shapes);
        if (std::ranges::find(plans, plan) == plans.end())
            plans.push_back(std::move(plan));
    }
    return plans;
}

} // namespace stagecraft
