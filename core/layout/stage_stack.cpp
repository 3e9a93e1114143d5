#include "core/layout/stage_stack.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stagecraft {

namespace {

class StageStacker
{
public:
    StageStacker(const RunTree& tree, const Table<BoxId, BoxDrawing>& drawings, const LayoutMetrics& metrics)
        : m_drawings(drawings), m_metrics(metrics)
    {
        m_stack.visible = drawings[RunTree::root()].visible;
        for (const RunItem& child : tree.boxes[RunTree::root()].children)
            m_stages.push_back(std::get<BoxId>(child));
    }

    StageStack stack()
    {
        placePanels();
        connect();
        return std::move(m_stack);
    }

private:
    const BoxDrawing& drawing(std::size_t stage) const { return m_drawings[m_stages[stage]]; }
    void placePanels();
    double offsetBelow(std::size_t stage) const;
    void connect();
    std::size_t portal(VisibleItem::Kind kind, const VisibleEnd& end, ValueId value);
    void spreadPortals(VisibleItem::Kind kind);
    void moveIntoSight();
    Point outPoint(const VisibleEnd& end) const;
    Point inPoint(const VisibleEnd& end) const;

    const Table<BoxId, BoxDrawing>& m_drawings;
    const LayoutMetrics& m_metrics;
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
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Size size = drawing(i).size;
        if (i > 0) {
            x = m_stack.panels[i - 1].x + offsetBelow(i - 1);
            m_stack.boundaries.push_back(y + m_metrics.boundaryGap / 2);
            y += m_metrics.boundaryGap;
        }
        m_stack.panels.push_back({x, y, size.width, size.height});
        y += size.height;
    }
    double left = 0;
    double right = 0;
    for (const Rect& panel : m_stack.panels)
        left = std::min(left, panel.x);
    for (Rect& panel : m_stack.panels) {
        panel.x -= left;
        right = std::max(right, panel.right());
    }
    m_stack.size = {right, y};
}

// How far right of this stage's panel the next one begins: the middle one of what the values would like.
double StageStacker::offsetBelow(std::size_t stage) const
{
    std::vector<double> offsets;
    for (const VisibleEdge& edge : m_stack.visible.edges)
        if (edge.tail.item == stage && edge.head.item == stage + 1 && edge.tail.port && edge.head.port)
            offsets.push_back(drawing(stage).outPorts[*edge.tail.port] -
                              drawing(stage + 1).inPorts[*edge.head.port]);
    if (offsets.empty())
        return std::round((drawing(stage).size.width - drawing(stage + 1).size.width) / 2);
    std::ranges::sort(offsets);
    return offsets[offsets.size() / 2];
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
                       const LayoutMetrics& metrics)
{
    return StageStacker(tree, drawings, metrics).stack();
}

} // namespace stagecraft
