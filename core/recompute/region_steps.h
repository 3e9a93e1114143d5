// RegionSteps: what some regions of a stage, one behind the other, can become by one step.
//
//     nodes    0 1 2 3 4 5 6 7 8
//     regions    [     )   [ )      an end moved, one gone, split, joined with the next, or begun
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

namespace stagecraft {

// A Shape has `begin`, `end` and `kept`, positions among the stage's nodes, `kept` ascending. Each step goes
// to add(at, count, with): `count` regions from `at` on become `with`.
template <typename Shape>
class RegionSteps
{
public:
    using Shapes = std::vector<Shape>;

    RegionSteps(const Shapes& shapes, std::size_t nodeCount) : m_shapes(shapes), m_nodeCount(nodeCount) {}

    static Shape part(const Shape& shape, std::size_t begin, std::size_t end)
    {
        Shape of{begin, end, {}};
        std::ranges::copy_if(shape.kept, std::back_inserter(of.kept),
                             [&](std::size_t kept) { return kept >= begin && kept < end; });
        return of;
    }

    // Of a region and the next, which begins where it ends; none: it does not.
    std::optional<Shape> joined(std::size_t i) const
    {
        if (i + 1 == m_shapes.size() || m_shapes[i + 1].begin != m_shapes[i].end)
            return std::nullopt;
        Shape both{m_shapes[i].begin, m_shapes[i + 1].end, m_shapes[i].kept};
        std::ranges::copy(m_shapes[i + 1].kept, std::back_inserter(both.kept));
        return both;
    }

    template <typename Add>
    void ends(std::size_t i, Add add) const
    {
        const Shape& shape = m_shapes[i];
        add(i, 1, Shapes{});
        for (std::size_t nodes = 1; nodes <= mostNodes; ++nodes) {
            if (shape.begin + nodes < shape.end) {
                add(i, 1, Shapes{part(shape, shape.begin + nodes, shape.end)});
                add(i, 1, Shapes{part(shape, shape.begin, shape.end - nodes)});
            }
            if (freeFrom(i) + nodes <= shape.begin)
                add(i, 1, Shapes{{shape.begin - nodes, shape.end, shape.kept}});
            if (shape.end + nodes <= freeTo(i + 1))
                add(i, 1, Shapes{{shape.begin, shape.end + nodes, shape.kept}});
        }
    }

    template <typename Add>
    void parts(std::size_t i, Add add) const
    {
        const Shape& shape = m_shapes[i];
        for (std::size_t at = shape.begin + 1; at < shape.end; ++at)
            add(i, 1, Shapes{part(shape, shape.begin, at), part(shape, at, shape.end)});
        if (const std::optional<Shape> both = joined(i))
            add(i, 2, Shapes{*both});
    }

    // Before the region `i`, or behind the last.
    template <typename Add>
    void begun(std::size_t i, Add add) const
    {
        for (std::size_t begin = freeFrom(i); begin < freeTo(i); ++begin)
            for (std::size_t end = begin + 1; end <= std::min(freeTo(i), begin + mostNodes); ++end)
                add(i, 0, Shapes{{begin, end, {}}});
    }

private:
    static constexpr std::size_t mostNodes = 8; // by which an end is moved, or of which a region is begun

    std::size_t freeFrom(std::size_t i) const { return i > 0 ? m_shapes[i - 1].end : 0; }
    std::size_t freeTo(std::size_t i) const { return i < m_shapes.size() ? m_shapes[i].begin : m_nodeCount; }

    const Shapes& m_shapes;
    std::size_t m_nodeCount;
};

} // namespace stagecraft
