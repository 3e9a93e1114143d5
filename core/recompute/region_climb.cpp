#include "core/recompute/region_climb.h"

#include "core/recompute/region_steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace stagecraft {

namespace {

using Shape = RegionEstimate::Shape;
using Shapes = RegionEstimate::Shapes;

constexpr std::size_t mostFirsts = 6; // changes that a second is looked for behind
constexpr double leastGain = 1e-6;

// Some regions that follow each other are replaced.
struct Change
{
    std::size_t at = 0;
    std::size_t count = 0;
    Shapes with;
};

Shapes changed(const Shapes& shapes, const Change& change)
{
    Shapes made(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(change.at));
    made.insert(made.end(), change.with.begin(), change.with.end());
    made.insert(made.end(), shapes.begin() + static_cast<std::ptrdiff_t>(change.at + change.count),
                shapes.end());
    return made;
}

bool canRunAgain(const RegionEstimate& estimate, std::size_t position)
{
    return std::isfinite(estimate.needsOf(position).whole.value());
}

// Does it read what others made, and something at or behind its begin writes? A second run would not find it
// as it was.
bool readsWhatIsWritten(const RegionEstimate& estimate, const Shape& shape)
{
    const NodeId first = estimate.node(shape.begin);
    for (std::size_t i = shape.begin; i < shape.end; ++i)
        for (const StorageId storage : estimate.needsOf(i).reads)
            if (const auto writer = estimate.lastWriterOf(storage);
                writer && *writer >= first && estimate.makerOf(storage) < first)
                return true;
    return false;
}

// Does a node of the shape run again that reads what this one makes? Before something behind the shape writes
// it, where this one is kept.
bool isReadTooEarly(const RegionEstimate& estimate, const Shape& shape, std::size_t position)
{
    const NodeNeeds& needs = estimate.needsOf(position);
    if (!needs.writtenBy || *needs.writtenBy <= estimate.node(shape.end - 1))
        return false;
    for (std::size_t i = position + 1; i < shape.end; ++i)
        if (!std::ranges::binary_search(shape.kept, i) &&
            std::ranges::any_of(needs.made, [&](const NodeNeeds::Made& made) {
                return std::ranges::binary_search(estimate.needsOf(i).reads, made.storage);
            }))
            return true;
    return false;
}

// Whose result it writes, if the region has that, too.
std::optional<std::size_t> makerOf(const RegionEstimate& estimate, const Shape& shape, std::size_t position)
{
    const auto& follows = estimate.needsOf(position).follows;
    for (std::size_t i = shape.begin; follows && i < position; ++i)
        if (estimate.node(i) == *follows)
            return i;
    return std::nullopt;
}

// With what must be kept; none: it can be no region.
std::optional<Shape> legal(const RegionEstimate& estimate, Shape shape)
{
    if (shape.begin >= shape.end || readsWhatIsWritten(estimate, shape))
        return std::nullopt;
    std::vector<std::size_t> kept;
    for (std::size_t i = shape.begin; i < shape.end; ++i) {
        const NodeNeeds& needs = estimate.needsOf(i);
        const auto maker = makerOf(estimate, shape, i);
        const bool isKept = maker ? std::ranges::binary_search(kept, *maker)
                                  : std::ranges::binary_search(shape.kept, i) || !canRunAgain(estimate, i);
        if (!isKept && !canRunAgain(estimate, i))
            return std::nullopt;
        if (isKept && (!needs.mayKeep || needs.isRandom))
            return std::nullopt;
        if (isKept)
            kept.push_back(i);
    }
    shape.kept = std::move(kept);
    if (std::ranges::any_of(shape.kept, [&](std::size_t i) { return isReadTooEarly(estimate, shape, i); }))
        return std::nullopt;
    return shape;
}

class Changes
{
public:
    Changes(const RegionEstimate& estimate, const Shapes& shapes)
        : m_estimate(estimate), m_shapes(shapes), m_steps(shapes, estimate.size())
    {
    }

    std::vector<Change> all()
    {
        const auto step = [this](std::size_t at, std::size_t count, Shapes with) {
            add(at, count, std::move(with));
        };
        for (std::size_t i = 0; i < m_shapes.size(); ++i) {
            m_steps.ends(i, step);
            m_steps.parts(i, step);
            addMovedBetween(i);
            addKept(i);
        }
        for (std::size_t i = 0; i <= m_shapes.size(); ++i)
            m_steps.begun(i, step);
        return std::move(m_changes);
    }

private:
    void add(std::size_t at, std::size_t count, const Shapes& with)
    {
        Change change{at, count, {}};
        for (const Shape& shape : with) {
            std::optional<Shape> made = legal(m_estimate, shape);
            if (!made)
                return;
            change.with.push_back(*std::move(made));
        }
        m_changes.push_back(std::move(change));
    }
    // The end between two that lie against each other.
    void addMovedBetween(std::size_t i)
    {
        const std::optional<Shape> both = m_steps.joined(i);
        for (std::size_t at = both ? both->begin + 1 : 0; both && at < both->end; ++at)
            if (at != m_shapes[i].end)
                add(i, 2, {m_steps.part(*both, both->begin, at), m_steps.part(*both, at, both->end)});
    }
    void addKept(std::size_t i)
    {
        for (std::size_t at = m_shapes[i].begin; at < m_shapes[i].end; ++at) {
            Shape shape = m_shapes[i];
            if (std::erase(shape.kept, at) == 0)
                shape.kept.insert(std::ranges::lower_bound(shape.kept, at), at);
            else if (!canRunAgain(m_estimate, at))
                continue;
            if (!makerOf(m_estimate, shape, at))
                add(i, 1, {shape});
        }
    }

    const RegionEstimate& m_estimate;
    const Shapes& m_shapes;
    RegionSteps<Shape> m_steps;
    std::vector<Change> m_changes;
};

class Climb
{
public:
    Climb(const RegionEstimate& estimate, const RegionRoom& room, Shapes start, std::size_t most)
        : m_estimate(estimate), m_room(room), m_left(most), m_shapes(std::move(start))
    {
        m_worth = m_room.worth(m_estimate.of(m_shapes));
    }

    Shapes run()
    {
        while (m_left > 0 && (step() || twoSteps()))
            ;
        return std::move(m_shapes);
    }

private:
    struct Tried
    {
        Shapes shapes;
        RegionEstimate::Figures figures;
        RegionWorth worth;
    };

    std::vector<Tried> neighboursOf(const Shapes& shapes)
    {
        std::vector<Tried> tried;
        for (const Change& change : Changes(m_estimate, shapes).all()) {
            if (m_left == 0)
                break;
            --m_left;
            Tried next{changed(shapes, change), {}, {}};
            next.figures = m_estimate.of(next.shapes);
            next.worth = m_room.worth(next.figures);
            tried.push_back(std::move(next));
        }
        return tried;
    }

    bool isBetter(const RegionWorth& worth) const
    {
        return worth.over < m_worth.over ||
               (worth.over == m_worth.over && worth.added < m_worth.added * (1 - leastGain));
    }

    bool take(std::vector<Tried>& tried)
    {
        const auto best = std::ranges::min_element(tried, {}, &Tried::worth);
        if (best == tried.end() || !isBetter(best->worth))
            return false;
        m_shapes = std::move(best->shapes);
        m_worth = best->worth;
        return true;
    }

    bool step()
    {
        m_near = neighboursOf(m_shapes);
        return take(m_near);
    }

    // Behind those that make the most room for the time that they take, and those that save the most time
    // for the room.
    bool twoSteps()
    {
        const RegionEstimate::Figures now = m_estimate.of(m_shapes);
        const double held = m_room.held(now).asDouble();
        std::vector<std::pair<double, std::size_t>> firsts;
        for (std::size_t i = 0; i < m_near.size(); ++i) {
            const double freed = held - m_room.held(m_near[i].figures).asDouble();
            if (freed > 0)
                firsts.emplace_back((m_near[i].figures.added - now.added).value() / freed, i);
        }
        std::ranges::sort(firsts);
        std::vector<Tried> near = std::move(m_near);
        for (std::size_t i = 0; i < std::min(firsts.size(), mostFirsts) && m_left > 0; ++i) {
            std::vector<Tried> behind = neighboursOf(near[firsts[i].second].shapes);
            if (take(behind))
                return true;
        }
        return false;
    }

    const RegionEstimate& m_estimate;
    const RegionRoom& m_room;
    std::size_t m_left;
    Shapes m_shapes;
    RegionWorth m_worth;
    std::vector<Tried> m_near;
};

} // namespace

RegionEstimate::Shapes legalShapes(const RegionEstimate& estimate, const RegionEstimate::Shapes& shapes)
{
    Shapes made;
    for (const Shape& shape : shapes)
        if (std::optional<Shape> of = legal(estimate, shape))
            made.push_back(*std::move(of));
    return made;
}

RegionEstimate::Shapes climbedRegions(const RegionEstimate& estimate, const RegionRoom& room,
                                      RegionEstimate::Shapes start, std::size_t most)
{
    return Climb(estimate, room, std::move(start), most).run();
}

RegionEstimate::Shapes partedAtBlocks(const RegionEstimate& estimate, const RegionEstimate::Shapes& shapes)
{
    RegionEstimate::Shapes parted;
    for (const RegionEstimate::Shape& shape : shapes)
        for (std::size_t i = shape.begin; i < shape.end; ++i) {
            if (i == shape.begin || estimate.blockAt(i) != estimate.blockAt(i - 1))
                parted.push_back({i, i, {}});
            parted.back().end = i + 1;
            if (std::ranges::binary_search(shape.kept, i))
                parted.back().kept.push_back(i);
        }
    return parted;
}

} // namespace stagecraft
