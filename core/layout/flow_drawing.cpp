#include "core/layout/flow_drawing.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double stackGap = 6; // between small things that stand below each other
constexpr double cornerRadius = 7;
constexpr double laneGap = 4; // between lines that run beside each other

struct Column
{
    std::vector<std::size_t> nodes; // from top to bottom
    Size size;
    std::size_t line = 0;
    double x = 0;
};

struct Line
{
    double width = 0;
    double height = 0;
    double y = 0;
};

struct Places
{
    std::vector<Column> columns;
    std::vector<Line> lines;
    std::vector<std::size_t> columnOf; // of nodes
    std::vector<Point> nodes;
    Size size;
};

bool isOpen(const DotNode& node)
{
    return !node.ports.empty();
}

// Small things that do not wait for each other share a column, as far as a card is high.
std::vector<Column> makeColumns(const DotProblem& problem, const PageShape& shape)
{
    std::vector<std::vector<std::size_t>> sources(problem.nodes.size());
    for (const DotEdge& edge : problem.edges)
        if (edge.tail.kind == DotEnd::Kind::Node && edge.head.kind == DotEnd::Kind::Node)
            sources[edge.head.index].push_back(edge.tail.index);
    std::vector<Column> columns;
    for (std::size_t i = 0; i < problem.nodes.size(); ++i) {
        const Size size = problem.nodes[i].size;
        const auto waits = [&](std::size_t other) { return std::ranges::count(sources[i], other) > 0; };
        const bool joins = !columns.empty() && !isOpen(problem.nodes[i]) &&
                           columns.back().size.height + stackGap + size.height <= shape.card.height &&
                           std::ranges::none_of(columns.back().nodes, waits);
        if (!joins)
            columns.push_back({.size = {0, -stackGap}});
        Column& column = columns.back();
        column.nodes.push_back(i);
        column.size = {std::max(column.size.width, size.width), column.size.height + stackGap + size.height};
    }
    return columns;
}

Places placeFlow(const DotProblem& problem, const PageShape& shape)
{
    Places places{.columns = makeColumns(problem, shape)};
    places.columnOf.resize(problem.nodes.size());
    places.nodes.resize(problem.nodes.size());
    for (std::size_t c = 0; c < places.columns.size(); ++c) {
        Column& column = places.columns[c];
        const bool isNew = places.lines.empty() ||
                           places.lines.back().width + column.size.width + shape.columnGap > shape.lineWidth;
        if (isNew)
            places.lines.push_back({.width = shape.margin});
        Line& line = places.lines.back();
        column.line = places.lines.size() - 1;
        column.x = line.width;
        line.width += column.size.width + shape.columnGap;
        line.height = std::max(line.height, column.size.height);
    }
    double y = shape.padding;
    for (Line& line : places.lines) {
        line.y = y;
        y += line.height + shape.lineGap;
        places.size.width = std::max(places.size.width, line.width);
    }
    places.size.height = y - (places.lines.empty() ? 0 : shape.lineGap) + shape.padding;
    for (std::size_t c = 0; c < places.columns.size(); ++c) {
        const Column& column = places.columns[c];
        const Line& line = places.lines[column.line];
        // In the middle of the cards; what is higher than a card begins at the top.
        const double room = std::min(line.height, std::max(shape.card.height, column.size.height));
        double top = line.y + (room - column.size.height) / 2;
        for (const std::size_t node : column.nodes) {
            places.columnOf[node] = c;
            const Size size = problem.nodes[node].size;
            places.nodes[node] = {std::round(column.x + (column.size.width - size.width) / 2),
                                  std::round(top)};
            top += size.height + stackGap;
        }
    }
    return places;
}

// Leads edges round what is in their way.
class Router
{
public:
    Router(const DotProblem& problem, const PageShape& shape, const Places& places, DotDrawing& drawing)
        : m_problem(problem), m_shape(shape), m_places(places), m_drawing(drawing)
    {
    }

    void route()
    {
        placePorts();
        for (const DotEdge& edge : m_problem.edges)
            m_drawing.edges.push_back(path(edge));
    }

private:
    const Line& lineOf(std::size_t node) const { return m_places.lines[lineIndex(node)]; }
    std::size_t lineIndex(std::size_t node) const { return m_places.columns[m_places.columnOf[node]].line; }
    Size sizeOf(std::size_t node) const { return m_problem.nodes[node].size; }
    bool isFree(const DotEnd& end) const { return !isOpen(m_problem.nodes[end.index]); }
    double stub() const { return std::min(12.0, m_shape.columnGap / 2); }
    double lane(std::size_t node) const { return laneGap * static_cast<double>(node % 3); }
    // Where lines run below or above a line of cards.
    double below(std::size_t node) const
    {
        const Line& line = lineOf(node);
        return line.y + line.height + std::min(m_shape.lineGap, m_shape.padding * 2) / 2 - laneGap +
               lane(node);
    }
    double above(std::size_t node) const
    {
        const double gap = lineIndex(node) == 0 ? m_shape.padding : m_shape.lineGap;
        return lineOf(node).y - gap / 2;
    }
    double rightOf(std::size_t node) const { return m_places.nodes[node].x + sizeOf(node).width; }
    double columnRight(std::size_t node) const
    {
        const Column& column = m_places.columns[m_places.columnOf[node]];
        return column.x + column.size.width;
    }
    double columnLeft(std::size_t node) const { return m_places.columns[m_places.columnOf[node]].x; }
    Point middleRight(std::size_t node) const
    {
        return {rightOf(node), m_places.nodes[node].y + sizeOf(node).height / 2};
    }
    Point middleLeft(std::size_t node) const
    {
        return {m_places.nodes[node].x, m_places.nodes[node].y + sizeOf(node).height / 2};
    }
    double portX(const DotEnd& end) const
    {
        const DotNode& node = m_problem.nodes[end.index];
        return m_places.nodes[end.index].x + (end.port ? node.ports[*end.port] : node.size.width / 2);
    }
    void placePorts();
    std::vector<Point> path(const DotEdge& edge) const;
    void leave(const DotEnd& tail, std::vector<Point>& corners) const;
    void arrive(const DotEnd& head, std::vector<Point>& corners) const;
    std::vector<Point> direct(const DotEdge& edge) const;
    bool isLast(std::size_t node) const { return lineIndex(node) + 1 == m_places.lines.size(); }

    const DotProblem& m_problem;
    const PageShape& m_shape;
    const Places& m_places;
    DotDrawing& m_drawing;
};

// A port is where its first edge can go straight; one of a line further on is at the border's end.
void Router::placePorts()
{
    const double right = m_places.size.width - stub();
    m_drawing.upperPorts.assign(m_problem.upperPorts, stub());
    m_drawing.lowerPorts.assign(m_problem.lowerPorts, right);
    std::vector<char> isPlaced(m_problem.upperPorts, 0);
    for (const DotEdge& edge : m_problem.edges) {
        if (edge.tail.kind == DotEnd::Kind::Frame && edge.head.kind == DotEnd::Kind::Node &&
            isPlaced[edge.tail.index] == 0 && lineIndex(edge.head.index) == 0) {
            isPlaced[edge.tail.index] = 1;
            m_drawing.upperPorts[edge.tail.index] =
                isFree(edge.head) ? columnLeft(edge.head.index) - stub() : portX(edge.head);
        }
        if (edge.head.kind == DotEnd::Kind::Frame && edge.tail.kind == DotEnd::Kind::Node &&
            isLast(edge.tail.index))
            m_drawing.lowerPorts[edge.head.index] =
                isFree(edge.tail) ? columnRight(edge.tail.index) + stub() : portX(edge.tail);
    }
}

// To the next card of the line, or straight down to one below; empty if it is neither.
std::vector<Point> Router::direct(const DotEdge& edge) const
{
    if (!isFree(edge.tail) || !isFree(edge.head))
        return {};
    const std::size_t tail = edge.tail.index;
    const std::size_t head = edge.head.index;
    if (lineIndex(tail) == lineIndex(head) && m_places.columnOf[head] == m_places.columnOf[tail] + 1) {
        const Point from = middleRight(tail);
        const Point to = middleLeft(head);
        const double middle = (from.x + to.x) / 2;
        return {from, {middle, from.y}, {middle, to.y}, to};
    }
    const double x = m_places.nodes[tail].x + sizeOf(tail).width / 2;
    const double headX = m_places.nodes[head].x + sizeOf(head).width / 2;
    if (lineIndex(head) == lineIndex(tail) + 1 && std::abs(x - headX) < 2 && m_places.columns.size() > 1 &&
        m_places.columnOf[head] == m_places.columnOf[tail] + 1) {
        const Point from{x, m_places.nodes[tail].y + sizeOf(tail).height};
        const Point to{headX, m_places.nodes[head].y};
        const double third = (to.y - from.y) / 3;
        return {from, {x, from.y + third}, {headX, to.y - third}, to};
    }
    return {};
}

// From the tail into the room below its line; of the frame, into the stage.
void Router::leave(const DotEnd& tail, std::vector<Point>& corners) const
{
    if (tail.kind == DotEnd::Kind::Frame) {
        corners.push_back({m_drawing.upperPorts[tail.index], 0});
        return;
    }
    if (isFree(tail)) {
        corners.push_back(middleRight(tail.index));
        corners.push_back({columnRight(tail.index) + stub(), corners.back().y});
    } else {
        corners.push_back({portX(tail), m_places.nodes[tail.index].y + sizeOf(tail.index).height});
    }
}

// From where the last corner is to the head.
void Router::arrive(const DotEnd& head, std::vector<Point>& corners) const
{
    if (head.kind == DotEnd::Kind::Frame) {
        corners.push_back({m_drawing.lowerPorts[head.index], m_places.size.height});
        return;
    }
    if (isFree(head)) {
        corners.push_back({columnLeft(head.index) - stub(), middleLeft(head.index).y});
        corners.push_back(middleLeft(head.index));
    } else {
        corners.push_back({portX(head), m_places.nodes[head.index].y});
    }
}

std::vector<Point> Router::path(const DotEdge& edge) const
{
    const bool fromFrame = edge.tail.kind == DotEnd::Kind::Frame;
    const bool toFrame = edge.head.kind == DotEnd::Kind::Frame;
    if (!fromFrame && !toFrame)
        if (std::vector<Point> straight = direct(edge); !straight.empty())
            return straight;
    std::vector<Point> corners;
    leave(edge.tail, corners);
    std::vector<Point> end;
    arrive(edge.head, end);
    const double endX = end.front().x;
    const double startX = corners.back().x;
    const double right = m_places.size.width - stub() + lane(edge.tail.index) / 2;
    if (fromFrame && toFrame) {
        corners.push_back({startX, m_places.size.height / 2});
        corners.push_back({endX, m_places.size.height / 2});
    } else if (fromFrame) {
        if (startX != endX) {
            const double y = above(edge.head.index);
            corners.push_back({startX, y});
            corners.push_back({endX, y});
        }
    } else if (toFrame) {
        if (startX != endX) {
            corners.push_back({startX, below(edge.tail.index)});
            corners.push_back({endX, below(edge.tail.index)});
        }
    } else {
        const bool isNear = lineIndex(edge.head.index) <= lineIndex(edge.tail.index) + 1;
        const bool sameLine = lineIndex(edge.head.index) == lineIndex(edge.tail.index);
        // In its own line an open box is met from above.
        const double y = sameLine && !isFree(edge.head) && isFree(edge.tail) ? above(edge.head.index)
                                                                             : below(edge.tail.index);
        corners.push_back({startX, y});
        if (sameLine && !isFree(edge.head) && !isFree(edge.tail)) {
            const double between = columnRight(edge.tail.index) + stub();
            corners.push_back({between, y});
            corners.push_back({between, above(edge.head.index)});
            corners.push_back({endX, above(edge.head.index)});
        } else if (isNear) {
            corners.push_back({endX, y});
        } else {
            corners.push_back({right, y});
            corners.push_back({right, above(edge.head.index)});
            corners.push_back({endX, above(edge.head.index)});
        }
    }
    corners.insert(corners.end(), end.begin(), end.end());
    return roundedPath(corners);
}

double distance(Point a, Point b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

Point towards(Point from, Point to, double length)
{
    const double all = distance(from, to);
    const double share = all > 0 ? length / all : 0;
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

void addStraight(std::vector<Point>& path, Point to)
{
    const Point from = path.back();
    path.push_back({from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3});
    path.push_back({from.x + (to.x - from.x) * 2 / 3, from.y + (to.y - from.y) * 2 / 3});
    path.push_back(to);
}

} // namespace

std::vector<Point> roundedPath(const std::vector<Point>& given)
{
    std::vector<Point> corners;
    for (const Point& corner : given)
        if (corners.empty() || distance(corners.back(), corner) > 0.5)
            corners.push_back(corner);
    if (corners.size() == 1)
        corners.push_back(corners.front());
    std::vector<Point> path{corners.front()};
    for (std::size_t i = 1; i < corners.size(); ++i) {
        if (i + 1 == corners.size()) {
            addStraight(path, corners[i]);
            break;
        }
        const double radius = std::min({cornerRadius, distance(corners[i - 1], corners[i]) / 2,
                                        distance(corners[i], corners[i + 1]) / 2});
        addStraight(path, towards(corners[i], corners[i - 1], radius));
        const Point after = towards(corners[i], corners[i + 1], radius);
        path.insert(path.end(), {towards(corners[i], path.back(), radius * 0.45),
                                 towards(corners[i], after, radius * 0.45), after});
    }
    return path;
}

DotDrawing flowDrawing(const DotProblem& problem, const PageShape& shape)
{
    const Places places = placeFlow(problem, shape);
    DotDrawing drawing;
    drawing.size = places.size;
    drawing.nodes = places.nodes;
    Router(problem, shape, places, drawing).route();
    return drawing;
}

Size flowSize(const DotProblem& problem, const PageShape& shape)
{
    return placeFlow(problem, shape).size;
}

} // namespace stagecraft
