#include "core/recompute/region_fill.h"

#include "core/recompute/region_climb.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

using Shape = RegionEstimate::Shape;
using Shapes = RegionEstimate::Shapes;

class Fill
{
public:
    enum class First { Longest, LongestForBytes };

    Fill(const RegionEstimate& estimate, const RegionRoom& room, const Shapes& start)
        : m_estimate(estimate), m_room(room), m_now{start, estimate.of(start)}
    {
    }

    void run(First first)
    {
        std::vector<std::pair<double, std::size_t>> nodes;
        for (const Shape& shape : m_now.shapes)
            for (std::size_t i = shape.begin; i < shape.end; ++i)
                if (takesTime(shape, i))
                    nodes.emplace_back(worthOf(i, first), i);
        std::ranges::stable_sort(nodes, std::ranges::greater(), &std::pair<double, std::size_t>::first);
        for (const auto& [worth, node] : nodes)
            spare(node);
    }

    Seconds added() const { return m_now.figures.added; }
    Shapes take() && { return std::move(m_now.shapes); }

private:
    struct Tried
    {
        Shapes shapes;
        RegionEstimate::Figures figures;
    };

    bool takesTime(const Shape& shape, std::size_t position) const
    {
        return !std::ranges::binary_search(shape.kept, position) &&
               m_estimate.needsOf(position).whole > Seconds{};
    }

    double worthOf(std::size_t position, First first) const
    {
        const NodeNeeds& needs = m_estimate.needsOf(position);
        const double bytes = first == First::Longest ? 1 : std::max(1.0, needs.needed().asDouble());
        return needs.whole.value() / bytes;
    }

    // It does not run again, where that fits: in the way that holds less.
    void spare(std::size_t position)
    {
        const auto region = std::ranges::find_if(m_now.shapes, [&](const Shape& shape) {
            return position >= shape.begin && position < shape.end;
        });
        if (region == m_now.shapes.end() || !takesTime(*region, position))
            return;
        std::optional<Tried> best;
        for (const Shapes& with : {without(*region, position), keeping(*region, position)}) {
            Tried next = tried(static_cast<std::size_t>(region - m_now.shapes.begin()), with);
            if (next.figures.added < m_now.figures.added && m_room.worth(next.figures).over == Bytes{} &&
                (!best || m_room.held(next.figures) < m_room.held(best->figures)))
                best = std::move(next);
        }
        if (best)
            m_now = *std::move(best);
    }

    // The shape at `index` becomes these.
    Tried tried(std::size_t index, const Shapes& with) const
    {
        const auto at = m_now.shapes.begin() + static_cast<std::ptrdiff_t>(index);
        Shapes shapes(m_now.shapes.begin(), at);
        std::ranges::copy(legalShapes(m_estimate, with), std::back_inserter(shapes));
        shapes.insert(shapes.end(), at + 1, m_now.shapes.end());
        const RegionEstimate::Figures figures = m_estimate.of(shapes);
        return {std::move(shapes), figures};
    }

    // What is left of it on both sides, from the first that runs again.
    Shapes without(const Shape& shape, std::size_t position) const
    {
        Shapes parts;
        for (const auto& [begin, end] :
             {std::pair(shape.begin, position), std::pair(position + 1, shape.end)})
            if (const Shape part = trimmed(shape, begin, end); part.begin < part.end)
                parts.push_back(part);
        return parts;
    }

    Shape trimmed(const Shape& shape, std::size_t begin, std::size_t end) const
    {
        while (begin < end && !takesTime(shape, begin))
            ++begin;
        Shape part{begin, end, {}};
        std::ranges::copy_if(shape.kept, std::back_inserter(part.kept),
                             [&](std::size_t kept) { return kept >= begin && kept < end; });
        return part;
    }

    static Shapes keeping(Shape shape, std::size_t position)
    {
        shape.kept.insert(std::ranges::upper_bound(shape.kept, position), position);
        return {std::move(shape)};
    }

    const RegionEstimate& m_estimate;
    const RegionRoom& m_room;
    Tried m_now;
};

} // namespace

RegionEstimate::Shapes filledRegions(const RegionEstimate& estimate, const RegionRoom& room,
                                     const RegionEstimate::Shapes& start)
{
    Fill longest(estimate, room, start), longestForBytes(estimate, room, start);
    longest.run(Fill::First::Longest);
    longestForBytes.run(Fill::First::LongestForBytes);
    return (longest.added() <= longestForBytes.added() ? std::move(longest) : std::move(longestForBytes))
        .take();
}

} // namespace stagecraft
