#include "views/graph/graph_navigation.h"

#include "core/base/sort_unique.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

bool isStop(ItemKind kind)
{
    return kind == ItemKind::Op || kind == ItemKind::ClosedBox || kind == ItemKind::Input ||
           kind == ItemKind::Output;
}

// Follows dependences of nodes: it needs no drawn edge, so portals and borders are no obstacle.
std::vector<ItemId> neighbours(const Layout& layout, ItemId from, WalkDirection direction)
{
    const Graph& graph = *layout.graph;
    const LayoutItem& item = layout.items[from];
    std::vector<NodeId> nodes;
    const auto addUsers = [&](ValueId value) {
        for (const NodeId user : graph[value].users)
            nodes.push_back(user);
    };
    for (const NodeId node : nodesShownBy(layout, from)) {
        if (direction == WalkDirection::Down) {
            for (const ValueId result : graph[node].results)
                addUsers(result);
            continue;
        }
        for (const ValueId input : graph[node].inputs)
            if (graph[input].producer)
                nodes.push_back(*graph[input].producer);
    }
    if (item.value && item.kind == ItemKind::Input && direction == WalkDirection::Down)
        addUsers(*item.value);
    if (item.value && item.kind == ItemKind::Output && direction == WalkDirection::Up)
        nodes.push_back(*graph[*item.value].producer);
    std::vector<ItemId> items = itemsShowing(layout, nodes);
    std::erase(items, from);
    return items;
}

double sidewaysDistance(const Layout& layout, ItemId a, ItemId b)
{
    return std::abs(layout.items[a].rect.centerX() - layout.items[b].rect.centerX());
}

std::optional<ItemId> walkAlongEdges(const Layout& layout, ItemId from, WalkDirection direction)
{
    std::optional<ItemId> best;
    for (const ItemId item : neighbours(layout, from, direction)) {
        const bool isAhead =
            (layout.items[item].rect.y > layout.items[from].rect.y) == (direction == WalkDirection::Down);
        if (!isAhead)
            continue;
        const auto better = [&](ItemId other) {
            const double far = 3; // a step sideways counts less than one ahead
            const auto cost = [&](ItemId id) {
                return far * std::abs(layout.items[id].rect.y - layout.items[from].rect.y) +
                       sidewaysDistance(layout, from, id);
            };
            return cost(item) < cost(other);
        };
        if (!best || better(*best))
            best = item;
    }
    return best;
}

std::optional<ItemId> walkSideways(const Layout& layout, ItemId from, WalkDirection direction)
{
    const LayoutItem& start = layout.items[from];
    std::optional<ItemId> best;
    for (const ItemId id : layout.items.ids()) {
        const LayoutItem& item = layout.items[id];
        const bool isLevel = item.rect.y < start.rect.bottom() && item.rect.bottom() > start.rect.y;
        const bool isAhead = direction == WalkDirection::Left ? item.rect.right() <= start.rect.x
                                                              : item.rect.x >= start.rect.right();
        if (id == from || item.stage != start.stage || !isStop(item.kind) || !isLevel || !isAhead)
            continue;
        if (!best || sidewaysDistance(layout, from, id) < sidewaysDistance(layout, from, *best))
            best = id;
    }
    return best;
}

// What of the items a view from `left` on shows.
double areaShown(const std::vector<Rect>& items, double left, Size view)
{
    double area = 0;
    for (const Rect& item : items) {
        const double width = std::min(item.x + item.width, left + view.width) - std::max(item.x, left);
        const double height = std::min(item.y + item.height, view.height) - item.y;
        if (width > 0 && height > 0)
            area += width * height;
    }
    return area;
}

} // namespace

OpeningView openingView(const Layout& layout, Size pixels, double smallestZoom, double largestZoom)
{
    constexpr double border = 24;
    constexpr double step = 0.96;
    constexpr double enough = 0.999; // of what is at the height of the view
    for (double zoom = largestZoom;; zoom = std::max(zoom * step, smallestZoom)) {
        const Size view{pixels.width / zoom, pixels.height / zoom};
        if (layout.size.width <= view.width)
            return {zoom, layout.size.width / 2};
        std::vector<Rect> items;
        for (const LayoutItem& item : layout.items)
            if (isStop(item.kind) && item.rect.y < view.height)
                items.push_back(item.rect);
        const double all = areaShown(items, 0, {layout.size.width, view.height});
        double best = 0;
        double bestArea = -1;
        for (const Rect& item : items) {
            for (const double edge : {item.x - border, item.x + item.width + border - view.width}) {
                const double left = std::clamp(edge, 0.0, layout.size.width - view.width);
                if (const double area = areaShown(items, left, view); area > bestArea) {
                    best = left;
                    bestArea = area;
                }
            }
        }
        if (zoom <= smallestZoom || bestArea >= enough * all)
            return {zoom, best + view.width / 2};
    }
}

std::optional<ItemId> walk(const Layout& layout, ItemId from, WalkDirection direction)
{
    if (direction == WalkDirection::Up || direction == WalkDirection::Down)
        return walkAlongEdges(layout, from, direction);
    return walkSideways(layout, from, direction);
}

std::vector<NodeId> nodesShownBy(const Layout& layout, ItemId id)
{
    return nodesShownBy(layout, layout.items[id]);
}

std::vector<NodeId> nodesShownBy(const Layout& layout, const LayoutItem& item)
{
    if (item.node)
        return {*item.node};
    return item.box ? layout.tree->nodesOf(*item.box) : std::vector<NodeId>();
}

std::vector<NodeId> nearestCopies(const RunTree& tree, const std::vector<NodeId>& nodes,
                                  StageDirection direction)
{
    Table<NodeId, char> isChosen(tree.order.size(), 0);
    for (const NodeId node : nodes)
        isChosen[node] = 1;
    // Of each node that is drawn: how many copies are not among `nodes`, and the one that is nearest.
    Table<NodeId, std::size_t> missing(tree.order.size(), 0);
    Table<NodeId, std::optional<NodeId>> nearest(tree.order.size());
    for (const NodeId node : tree.order) {
        const NodeId drawn = tree.standIn[node];
        missing[drawn] += isChosen[node] != 0 ? 0 : 1;
        if (direction == StageDirection::Next || !nearest[drawn])
            nearest[drawn] = node;
    }
    std::vector<NodeId> chosen;
    for (const NodeId node : nodes) {
        const NodeId drawn = tree.standIn[node];
        chosen.push_back(missing[drawn] == 0 || drawn != node ? node : *nearest[drawn]);
    }
    sortUnique(chosen);
    return chosen;
}

std::vector<ItemId> itemsShowing(const Layout& layout, const std::vector<NodeId>& nodes)
{
    std::vector<ItemId> items;
    for (const NodeId node : nodes)
        if (layout.itemOf.contains(node) && layout.itemOf[node])
            items.push_back(*layout.itemOf[node]);
    sortUnique(items);
    return items;
}

std::optional<std::size_t> nextEdge(const Layout& layout, ItemId item, std::optional<std::size_t> from,
                                    int step)
{
    std::vector<std::size_t> edges;
    for (std::size_t i = 0; i < layout.edges.size(); ++i)
        if (layout.edges[i].tail == item || layout.edges[i].head == item)
            edges.push_back(i);
    if (edges.empty())
        return {};
    const auto found = from ? std::ranges::find(edges, *from) : edges.end();
    if (found == edges.end())
        return step > 0 ? edges.front() : edges.back();
    const auto count = static_cast<std::ptrdiff_t>(edges.size());
    return edges[static_cast<std::size_t>((found - edges.begin() + step + count) % count)];
}

std::optional<ItemId> edgeEnd(const Layout& layout, std::size_t edge, ItemId from, WalkDirection direction)
{
    const Value& value = (*layout.graph)[layout.edges[edge].values.front()];
    if (direction == WalkDirection::Up)
        return value.producer ? layout.itemOf[*value.producer] : std::nullopt;
    for (const NodeId user : value.users)
        if (layout.itemOf[user] && layout.itemOf[user] != from)
            return layout.itemOf[user];
    return {};
}

std::optional<ItemId> nextInOrder(const Layout& layout, ItemId from, WalkDirection direction)
{
    const LayoutItem& item = layout.items[from];
    const auto& order = layout.tree->order;
    const auto shows = [&](std::size_t position) -> std::optional<ItemId> {
        const std::optional<ItemId> shown = layout.itemOf[order[position]];
        const bool isCopy = layout.tree->standIn[order[position]] != order[position];
        return shown && shown != from && !(isCopy && layout.items[*shown].node) ? shown : std::nullopt;
    };
    const bool isScattered = item.box && !layout.tree->boxes[*item.box].scattered.empty();
    if (direction == WalkDirection::Right) {
        for (std::size_t i = isScattered ? item.first + 1 : item.end; i < order.size(); ++i)
            if (const auto shown = shows(i))
                return shown;
        return {};
    }
    for (std::size_t i = item.first; i-- > 0;)
        if (const auto shown = shows(i))
            return shown;
    return {};
}

} // namespace stagecraft
