#include "core/layout/stage_stack.h"

#include "core/layout/flow_drawing.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stagecraft {

namespace {

class StageStacker
{
public:
    StageStacker(const RunTree& tree, const Table<BoxId, BoxDrawing>& drawings, const LayoutMetrics& metrics,
                 const std::optional<PageShape>& page)
        : m_drawings(drawings), m_metrics(metrics), m_page(page)
    {
        m_stack.visible = drawings[RunTree::root()].visible;
        for (const RunItem& child : tree.boxes[RunTree::root()].children)
            m_stages.push_back(std::get<BoxId>(child));
    }

    StageStack stack()
    {
        placePanels();
        m_page ? connectPage() : connect();
        return std::move(m_stack);
    }

private:
    const BoxDrawing& drawing(std::size_t stage) const { return m_drawings[m_stages[stage]]; }
    void placePanels();
    double boundaryGap() const { return m_page ? m_page->boundaryGap : m_metrics.boundaryGap; }
    void connectPage();
    void connect();
    std::size_t portal(VisibleItem::Kind kind, const VisibleEnd& end, ValueId value);
    void spreadPortals(VisibleItem::Kind kind);
    void moveIntoSight();
    Point outPoint(const VisibleEnd& end) const;
    Point inPoint(const VisibleEnd& end) const;

    const Table<BoxId, BoxDrawing>& m_drawings;
    const LayoutMetrics& m_metrics;
    const std::optional<PageShape>& m_page;
    std::vector<BoxId> m_stages;
    StageStack m_stack;
    std::map<std::pair<VisibleItem::Kind, VisibleEnd>, std::size_t> m_portals;
};

std::vector<Point> gentleCurve(Point from, Point to)
{
    const double middle = (from.y + to.y) / 2;
    return {from, {from.x, middle}, {to.x, middle}, to};
}

void StageStacker::placePanels()
{
    double widest = 0;
    for (std::size_t i = 0; i < m_stages.size(); ++i)
        widest = std::max(widest, drawing(i).size.width);
    double y = 0;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Size size = drawing(i).size;
        if (i > 0) {
            m_stack.boundaries.push_back(y + boundaryGap() / 2);
            y += boundaryGap();
        }
        if (m_page)
            m_stack.panels.push_back({0, y, widest, size.height});
        else
            m_stack.panels.push_back({std::round((widest - size.width) / 2), y, size.width, size.height});
        y += size.height;
    }
    m_stack.size = {widest, y};
}

// Lines run sideways a little above the boundary, so that they cross it where they go down. What skips a
// stage has a lane of its own beside the page, one for each value.
void StageStacker::connectPage()
{
    constexpr double laneGap = 6;
    constexpr std::size_t mostLanes = 6;
    const double aside = boundaryGap() / 4;
    std::map<ValueId, std::size_t> lanes;
    for (const VisibleEdge& edge : m_stack.visible.edges) {
        const Point from = outPoint(edge.tail);
        const Point to = inPoint(edge.head);
        std::vector<Point> corners{from, {from.x, from.y + aside}};
        if (*edge.head.item != *edge.tail.item + 1) {
            const std::size_t lane = lanes.try_emplace(edge.values.front(), lanes.size()).first->second;
            const double x = m_stack.panels.front().right() +
                             laneGap * static_cast<double>(1 + std::min(lane, mostLanes - 1));
            corners.push_back({x, from.y + aside});
            corners.push_back({x, to.y - boundaryGap() + aside});
            m_stack.size.width = std::max(m_stack.size.width, x + laneGap);
        }
        corners.push_back({to.x, to.y - boundaryGap() + aside});
        corners.push_back(to);
        m_stack.edges.push_back(roundedPath(corners));
    }
}

Point StageStacker::outPoint(const VisibleEnd& end) const
{
    const Rect& panel = m_stack.panels[*end.item];
    return {panel.x + drawing(*end.item).outPorts[*end.port], panel.bottom()};
}

Point StageStacker::inPoint(const VisibleEnd& end) const
{
    const Rect& panel = m_stack.panels[*end.item];
    return {panel.x + drawing(*end.item).inPorts[*end.port], panel.y};
}

// The index of the item.
std::size_t StageStacker::portal(VisibleItem::Kind kind, const VisibleEnd& end, ValueId value)
{
    auto& items = m_stack.visible.items;
    const auto [entry, isNew] = m_portals.try_emplace({kind, end}, items.size());
    if (!isNew)
        return entry->second;
    constexpr double distance = 7; // between a panel and the stub
    const bool isOut = kind == VisibleItem::Kind::PortalOut;
    const Point at = isOut ? outPoint(end) : inPoint(end);
    const Size size = m_metrics.portal;
    items.push_back({.kind = kind, .value = value, .anchor = end.item});
    m_stack.portals.push_back({at.x - size.width / 2, isOut ? at.y + distance : at.y - distance - size.height,
                               size.width, size.height});
    return entry->second;
}

// Moves the stubs of one row apart, left to right.
void StageStacker::spreadPortals(VisibleItem::Kind kind)
{
    constexpr double gap = 8;
    const std::size_t first = m_stages.size();
    std::vector<std::size_t> row;
    for (std::size_t i = 0; i < m_stack.portals.size(); ++i)
        if (m_stack.visible.items[first + i].kind == kind)
            row.push_back(i);
    std::ranges::sort(row, {},
                      [&](std::size_t i) { return std::pair(m_stack.portals[i].y, m_stack.portals[i].x); });
    for (std::size_t i = 1; i < row.size(); ++i) {
        const Rect& before = m_stack.portals[row[i - 1]];
        Rect& rect = m_stack.portals[row[i]];
        if (rect.y == before.y)
            rect.x = std::max(rect.x, before.right() + gap);
    }
}

// Everything to the right of 0, and the width that it takes.
void StageStacker::moveIntoSight()
{
    double left = 0;
    double right = m_stack.size.width;
    for (const Rect& rect : m_stack.portals) {
        left = std::min(left, rect.x);
        right = std::max(right, rect.right());
    }
    for (Rect& rect : m_stack.panels)
        rect.x -= left;
    for (Rect& rect : m_stack.portals)
        rect.x -= left;
    m_stack.size.width = right - left;
}

void StageStacker::connect()
{
    std::vector<VisibleEdge> edges;
    for (VisibleEdge& edge : m_stack.visible.edges) {
        if (*edge.head.item == *edge.tail.item + 1) {
            edges.push_back(std::move(edge));
            continue;
        }
        const ValueId value = edge.values.front();
        const std::size_t known = m_stack.visible.items.size();
        const std::size_t out = portal(VisibleItem::Kind::PortalOut, edge.tail, value);
        if (out == known)
            edges.push_back({edge.tail, {.item = out}, edge.values});
        const std::size_t in = portal(VisibleItem::Kind::PortalIn, edge.head, value);
        edges.push_back({{.item = in}, edge.head, edge.values});
    }
    m_stack.visible.edges = std::move(edges);
    spreadPortals(VisibleItem::Kind::PortalOut);
    spreadPortals(VisibleItem::Kind::PortalIn);
    moveIntoSight();
    const std::size_t first = m_stages.size();
    for (const VisibleEdge& edge : m_stack.visible.edges) {
        const bool fromPortal = *edge.tail.item >= first;
        const bool toPortal = *edge.head.item >= first;
        const Rect* portal = fromPortal ? &m_stack.portals[*edge.tail.item - first]
                             : toPortal ? &m_stack.portals[*edge.head.item - first]
                                        : nullptr;
        const Point from = fromPortal ? Point{portal->centerX(), portal->bottom()} : outPoint(edge.tail);
        const Point to = toPortal ? Point{portal->centerX(), portal->y} : inPoint(edge.head);
        m_stack.edges.push_back(gentleCurve(from, to));
    }
}

} // namespace

StageStack stackStages(const RunTree& tree, const Table<BoxId, BoxDrawing>& drawings,
                       const LayoutMetrics& metrics, const std::optional<PageShape>& page)
{
    return StageStacker(tree, drawings, metrics, page).stack();
}

} // namespace stagecraft
