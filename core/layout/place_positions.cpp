#include "core/layout/place_positions.h"

#include <algorithm>
#include <cassert>

namespace stagecraft {

namespace {

constexpr double gapAbove = 10; // between the line and the operator below it

// A folded box's copies, and a closed box's operators, share its height evenly.
const LayoutItem& evenlySharedItem(const Layout& layout, ItemId item)
{
    const LayoutItem* shared = &layout.items[item];
    for (std::optional<ItemId> at = item; at; at = layout.items[*at].parent) {
        const LayoutItem& around = layout.items[*at];
        const bool isBox = around.kind == ItemKind::OpenBox || around.kind == ItemKind::ClosedBox;
        if (isBox && layout.tree->boxes[*around.box].copies > 1)
            shared = &around;
    }
    return *shared;
}

// On a page what stands in one line shares its height evenly, in the order of running.
void spreadLines(const Layout& layout, std::vector<double>& heights, std::size_t begin, std::size_t end)
{
    std::vector<std::pair<double, double>> lines; // upper and lower border, of the position's item
    double top = 0;
    double bottom = 0;
    for (std::size_t i = begin; i < end; ++i) {
        std::optional<ItemId> at = layout.itemOf[layout.tree->order[i]];
        while (at && layout.items[*at].depth > 1)
            at = layout.items[*at].parent;
        if (at && (lines.empty() || layout.items[*at].rect.y >= bottom)) { // a line further down
            top = layout.items[*at].rect.y;
            bottom = layout.items[*at].rect.bottom();
        } else if (at) {
            bottom = std::max(bottom, layout.items[*at].rect.bottom());
        }
        lines.emplace_back(top, bottom);
    }
    for (std::size_t i = 0; i < lines.size();) {
        std::size_t next = i + 1;
        while (next < lines.size() && lines[next].first <= lines[i].first)
            ++next;
        const double lower = lines[next - 1].second;
        for (std::size_t k = i; k < next; ++k)
            if (begin + k > 0 && k > 0)
                heights[begin + k] = lines[i].first + (lower - lines[i].first) * static_cast<double>(k - i) /
                                                          static_cast<double>(next - i);
        i = next;
    }
}

double heightOf(const LayoutItem& item, std::size_t position)
{
    if (position <= item.first || item.end <= item.first)
        return item.rect.y - gapAbove;
    const double share =
        static_cast<double>(position - item.first) / static_cast<double>(item.end - item.first);
    return item.rect.y + item.rect.height * std::min(share, 1.0);
}

// Spreads each run of equal heights evenly over the way to the next greater one.
void spreadEqualHeights(std::vector<double>& heights, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end;) {
        std::size_t next = i + 1;
        while (next < end && heights[next] <= heights[i])
            ++next;
        const double to = next < heights.size() ? heights[next] : heights[i] + 1;
        for (std::size_t k = i + 1; k < next; ++k)
            heights[k] =
                heights[i] + (to - heights[i]) * static_cast<double>(k - i) / static_cast<double>(next - i);
        i = next;
    }
}

} // namespace

std::vector<double> positionHeights(const Layout& layout)
{
    const std::vector<NodeId>& order = layout.tree->order;
    // Anchors: positions whose height is given. Between two of them heights are kept inside.
    std::vector<std::pair<std::size_t, double>> anchors{{0, 0.0}};
    for (const BoundaryLine& line : layout.boundaries)
        if (line.position > anchors.back().first)
            anchors.emplace_back(line.position, line.y);
    if (order.size() > anchors.back().first)
        anchors.emplace_back(order.size(), std::max(layout.size.height, anchors.back().second + 1));
    std::vector<double> heights(order.size() + 1, 0);
    for (const auto& [position, y] : anchors)
        heights[position] = y;
    for (std::size_t a = 0; a + 1 < anchors.size(); ++a) {
        const auto [begin, top] = anchors[a];
        const auto [end, bottom] = anchors[a + 1];
        if (layout.page)
            spreadLines(layout, heights, begin, end);
        double height = top;
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (layout.page) {
                const std::optional<ItemId> item = layout.itemOf[order[i]];
                const bool isInside = item && layout.items[*item].depth > 1;
                height = std::clamp(isInside ? heightOf(evenlySharedItem(layout, *item), i) : heights[i],
                                    height, bottom - 1e-3);
                heights[i] = height;
                continue;
            }
            if (const std::optional<ItemId> item = layout.itemOf[order[i]])
                height = std::clamp(heightOf(evenlySharedItem(layout, *item), i), height, bottom - 1e-3);
            heights[i] = std::min(height, bottom - 1e-3);
        }
        spreadEqualHeights(heights, begin, end);
    }
    return heights;
}

std::size_t nearestPosition(const std::vector<double>& placeY, const std::vector<std::size_t>& allowed,
                            double y)
{
    assert(!allowed.empty());
    const auto height = [&](std::size_t position) { return placeY[position]; };
    const auto below = std::ranges::lower_bound(allowed, y, {}, height);
    if (below == allowed.begin())
        return allowed.front();
    if (below == allowed.end())
        return allowed.back();
    const auto above = below - 1;
    return y - height(*above) < height(*below) - y ? *above : *below;
}

} // namespace stagecraft
