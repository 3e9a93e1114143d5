#include "core/layout/box_drawing.h"

#include "core/base/sort_unique.h"
#include "core/layout/flow_drawing.h"
#include "core/layout/operator_kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace stagecraft {

namespace {

// Space between the border of a box and what is drawn inside.
struct Margins
{
    double left = 0;
    double top = 0;
    double bottom = 0;
    double minWidth = 0;
};

class BoxDrawer
{
public:
    BoxDrawer(const DrawingSubject& subject, const DrawProblem& draw)
        : m_graph(subject.graph),
          m_tree(subject.tree),
          m_metrics(subject.metrics),
          m_page(subject.page),
          m_draw(draw),
          m_drawings(subject.tree.boxes.size())
    {
    }

    Result<Table<BoxId, BoxDrawing>> drawAll(Table<BoxId, VisibleBox> visible)
    {
        for (const BoxId box : m_tree.boxes.ids())
            m_drawings[box].visible = std::move(visible[box]);
        // Children have greater ids than their parents: from the inside out.
        for (std::size_t i = m_tree.boxes.size(); i-- > 0;)
            if (const BoxId box(i); m_tree.boxes[box].depth > 1 && !m_drawings[box].visible.items.empty())
                STAGECRAFT_TRY(drawBox(box));
        // Stages from the first to the last: the ports of each are in the order of those above.
        for (const RunItem& stage : m_tree.boxes[RunTree::root()].children) {
            if (m_page)
                drawStageOfPage(std::get<BoxId>(stage));
            else
                STAGECRAFT_TRY(drawBox(std::get<BoxId>(stage)));
        }
        return std::move(m_drawings);
    }

private:
    Result<void> drawBox(BoxId box);
    void drawStageOfPage(BoxId stage);
    DotProblem problemOf(const VisibleBox& visible, const std::optional<PageShape>& page = {}) const;
    std::vector<std::size_t> stagePortOrder(BoxId stage) const;
    DotNode nodeOf(const VisibleItem& item, const std::optional<PageShape>& page) const;
    using Ports = std::vector<double> BoxDrawing::*; // inPorts or outPorts
    DotEnd dotEnd(const VisibleBox& visible, const VisibleEnd& end, Ports side) const;
    Margins marginsOf(BoxId box) const;
    // Where an edge leaves an item by its outPorts, or comes to one by its inPorts.
    Point endPoint(const BoxDrawing& drawing, const VisibleEnd& end, Ports side) const;
    std::vector<Point> edgePath(const BoxDrawing& drawing, const VisibleEdge& edge,
                                std::vector<Point> path) const;

    const Graph& m_graph;
    const RunTree& m_tree;
    const LayoutMetrics& m_metrics;
    const std::optional<PageShape>& m_page;
    const DrawProblem& m_draw;
    Table<BoxId, BoxDrawing> m_drawings;
};

// Where edges meet a box: every port on either side, each once.
std::vector<double> allPorts(const BoxDrawing& drawing)
{
    std::vector<double> ports = drawing.inPorts;
    ports.insert(ports.end(), drawing.outPorts.begin(), drawing.outPorts.end());
    sortUnique(ports);
    return ports;
}

Result<void> BoxDrawer::drawBox(BoxId box)
{
    BoxDrawing& drawing = m_drawings[box];
    addPortals(drawing.visible);
    DotProblem problem = problemOf(drawing.visible);
    if (m_tree.boxes[box].depth == 1)
        problem.upperOrder = stagePortOrder(box);
    STAGECRAFT_ASSIGN(inside, m_draw(problem));
    const Margins margins = marginsOf(box);
    const double spare = std::max(0.0, margins.minWidth - inside.size.width - 2 * margins.left);
    const Point origin{std::floor(margins.left + spare / 2), margins.top};
    // Even, so that the middle is on a whole pixel and what dot aligns there stays aligned.
    drawing.size = {2 * std::ceil((inside.size.width + 2 * margins.left + spare) / 2),
                    2 * std::ceil((inside.size.height + margins.top + margins.bottom) / 2)};
    for (std::size_t i = 0; i < inside.nodes.size(); ++i) {
        const Size size = problem.nodes[i].size;
        const Point corner = inside.nodes[i] + origin;
        drawing.items.push_back({std::round(corner.x), std::round(corner.y), size.width, size.height});
    }
    for (const double x : inside.upperPorts)
        drawing.inPorts.push_back(std::round(x + origin.x));
    for (const double x : inside.lowerPorts)
        drawing.outPorts.push_back(std::round(x + origin.x));
    for (std::size_t i = 0; i < inside.edges.size(); ++i) {
        for (Point& point : inside.edges[i])
            point = point + origin;
        drawing.edges.push_back(edgePath(drawing, drawing.visible.edges[i], std::move(inside.edges[i])));
    }
    return {};
}

// A line of text needs no rounding of places, nor ports in any order: edges are led round what is there.
void BoxDrawer::drawStageOfPage(BoxId stage)
{
    BoxDrawing& drawing = m_drawings[stage];
    const DotProblem problem = problemOf(drawing.visible, m_page);
    DotDrawing inside = flowDrawing(problem, *m_page);
    drawing.size = inside.size;
    for (std::size_t i = 0; i < inside.nodes.size(); ++i)
        drawing.items.push_back({inside.nodes[i].x, inside.nodes[i].y, problem.nodes[i].size.width,
                                 problem.nodes[i].size.height});
    drawing.inPorts = std::move(inside.upperPorts);
    drawing.outPorts = std::move(inside.lowerPorts);
    drawing.edges = std::move(inside.edges);
}

DotProblem BoxDrawer::problemOf(const VisibleBox& visible, const std::optional<PageShape>& page) const
{
    DotProblem problem;
    problem.nodeGap = m_metrics.nodeGap;
    problem.rankGap = m_metrics.rankGap;
    problem.upperPorts = visible.inPorts.size();
    problem.lowerPorts = visible.outPorts.size();
    for (const VisibleItem& item : visible.items)
        problem.nodes.push_back(nodeOf(item, page));
    for (const VisibleEdge& edge : visible.edges) {
        const bool isShort = edge.tail.item && edge.head.item;
        problem.edges.push_back({.tail = dotEnd(visible, edge.tail, &BoxDrawing::outPorts),
                                 .head = dotEnd(visible, edge.head, &BoxDrawing::inPorts),
                                 .weight = isShort ? 2 : 1});
    }
    return problem;
}

// By where the values leave the stage above; those that come from further up are last.
std::vector<std::size_t> BoxDrawer::stagePortOrder(BoxId stage) const
{
    std::vector<double> from(m_drawings[stage].visible.inPorts.size(), std::numeric_limits<double>::max());
    const auto& stages = m_tree.boxes[RunTree::root()].children;
    const std::size_t index = m_tree.boxes[stage].stage->index();
    for (const VisibleEdge& edge : m_drawings[RunTree::root()].visible.edges)
        if (edge.head.item == index && *edge.tail.item + 1 == index)
            from[*edge.head.port] =
                m_drawings[std::get<BoxId>(stages[*edge.tail.item])].outPorts[*edge.tail.port];
    std::vector<std::size_t> order(from.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t port) { return from[port]; });
    return order;
}

DotNode BoxDrawer::nodeOf(const VisibleItem& item, const std::optional<PageShape>& page) const
{
    if (item.kind == VisibleItem::Kind::OpenBox)
        return {m_drawings[*item.box].size, allPorts(m_drawings[*item.box])};
    return {itemSize(m_graph, item, m_metrics, page), {}};
}

DotEnd BoxDrawer::dotEnd(const VisibleBox& visible, const VisibleEnd& end, Ports side) const
{
    if (!end.item)
        return {.kind = DotEnd::Kind::Frame, .index = *end.port};
    DotEnd dot{.index = *end.item};
    if (end.port) {
        const BoxDrawing& inner = m_drawings[*visible.items[*end.item].box];
        const std::vector<double> ports = allPorts(inner);
        const auto port = std::ranges::lower_bound(ports, (inner.*side)[*end.port]);
        dot.port = static_cast<std::size_t>(port - ports.begin());
    }
    return dot;
}

Margins BoxDrawer::marginsOf(BoxId box) const
{
    // Ports have a rank of their own, which leaves room above and below what is inside.
    const bool hasIn = !m_drawings[box].visible.inPorts.empty();
    const bool hasOut = !m_drawings[box].visible.outPorts.empty();
    const bool isStage = m_tree.boxes[box].depth == 1;
    const double top = isStage ? m_metrics.padding : m_metrics.header;
    return {.left = m_metrics.padding,
            .top = hasIn ? std::max(0.0, top - m_metrics.rankGap + 6) : top,
            .bottom = hasOut ? 0 : m_metrics.padding,
            .minWidth = isStage ? 0 : m_metrics.closedBox.width};
}

Point BoxDrawer::endPoint(const BoxDrawing& drawing, const VisibleEnd& end, Ports side) const
{
    const bool isTail = side == &BoxDrawing::outPorts;
    if (!end.item)
        return isTail ? Point{drawing.inPorts[*end.port], 0}
                      : Point{drawing.outPorts[*end.port], drawing.size.height};
    const Rect& rect = drawing.items[*end.item];
    const double y = isTail ? rect.bottom() : rect.y;
    if (!end.port)
        return {rect.centerX(), y};
    return {rect.x + (m_drawings[*drawing.visible.items[*end.item].box].*side)[*end.port], y};
}

void prependStraight(std::vector<Point>& path, Point start)
{
    const Point end{start.x, path.front().y};
    path.front() = end;
    const double third = (end.y - start.y) / 3;
    path.insert(path.begin(), {start, {start.x, start.y + third}, {start.x, start.y + 2 * third}});
}

void appendStraight(std::vector<Point>& path, Point end)
{
    const Point start{end.x, path.back().y};
    path.back() = start;
    const double third = (end.y - start.y) / 3;
    path.insert(path.end(), {{end.x, start.y + third}, {end.x, start.y + 2 * third}, end});
}

// dot's curve from exactly where the edge begins to exactly where it ends: dot rounds, knows no border, and
// leaves a bend of a pixel where a straight line was meant.
std::vector<Point> BoxDrawer::edgePath(const BoxDrawing& drawing, const VisibleEdge& edge,
                                       std::vector<Point> path) const
{
    const Point from = endPoint(drawing, edge.tail, &BoxDrawing::outPorts);
    const Point to = endPoint(drawing, edge.head, &BoxDrawing::inPorts);
    constexpr double almostStraight = 2;
    const bool isStraight = std::ranges::all_of(path, [&](Point point) {
        return std::abs(point.x - from.x) <= almostStraight && std::abs(point.x - to.x) <= almostStraight;
    });
    if (isStraight) {
        const double third = (to.y - from.y) / 3;
        return {from, {from.x, from.y + third}, {to.x, to.y - third}, to};
    }
    if (edge.tail.item)
        path.front() = from;
    else
        prependStraight(path, from);
    if (edge.head.item)
        path.back() = to;
    else
        appendStraight(path, to);
    return path;
}

} // namespace

Size itemSize(const Graph& graph, const VisibleItem& item, const LayoutMetrics& metrics,
              const std::optional<PageShape>& page)
{
    const auto onPage = [&](Size size) {
        return page ? Size{std::min(size.width, page->card.width), std::min(size.height, page->card.height)}
                    : size;
    };
    switch (item.kind) {
    case VisibleItem::Kind::Op:
        if (isMinorOperator(graph[*item.node]))
            return onPage(metrics.minorOp);
        return page ? page->card : metrics.op;
    case VisibleItem::Kind::ClosedBox:
    case VisibleItem::Kind::OpenBox:
        return page ? page->card : metrics.closedBox;
    case VisibleItem::Kind::Input:
    case VisibleItem::Kind::Output:
        return onPage(metrics.terminal);
    case VisibleItem::Kind::PortalOut:
    case VisibleItem::Kind::PortalIn:
        break;
    }
    return onPage(metrics.portal);
}

Result<Table<BoxId, BoxDrawing>> drawBoxes(const DrawingSubject& subject, const DrawProblem& draw)
{
    return BoxDrawer(subject, draw).drawAll(makeVisibleGraph(subject.graph, subject.tree, subject.expansion));
}

} // namespace stagecraft
