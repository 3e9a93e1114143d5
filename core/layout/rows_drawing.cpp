#include "core/layout/dot_text.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Longest path from above; nodes are numbered so that edges go forwards.
std::vector<std::size_t> rowsOf(const DotProblem& problem)
{
    std::vector<std::vector<std::size_t>> above(problem.nodes.size());
    for (const DotEdge& edge : problem.edges)
        if (edge.tail.kind == DotEnd::Kind::Node && edge.head.kind == DotEnd::Kind::Node &&
            edge.tail.index < edge.head.index)
            above[edge.head.index].push_back(edge.tail.index);
    std::vector<std::size_t> rows(problem.nodes.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const std::size_t source : above[i])
            rows[i] = std::max(rows[i], rows[source] + 1);
    return rows;
}

void spreadPorts(std::vector<double>& ports, std::size_t count, double width)
{
    for (std::size_t i = 0; i < count; ++i)
        ports.push_back(width * static_cast<double>(i + 1) / static_cast<double>(count + 1));
}

Point tailPoint(const DotProblem& problem, const DotDrawing& drawing, const DotEnd& end)
{
    if (end.kind == DotEnd::Kind::Frame)
        return {drawing.upperPorts[end.index], 0};
    const DotNode& node = problem.nodes[end.index];
    const double port = end.port ? node.ports[*end.port] : node.size.width / 2;
    return drawing.nodes[end.index] + Point{port, node.size.height};
}

Point headPoint(const DotProblem& problem, const DotDrawing& drawing, const DotEnd& end)
{
    if (end.kind == DotEnd::Kind::Frame)
        return {drawing.lowerPorts[end.index], drawing.size.height};
    const DotNode& node = problem.nodes[end.index];
    const double port = end.port ? node.ports[*end.port] : node.size.width / 2;
    return drawing.nodes[end.index] + Point{port, 0};
}

std::vector<Point> straightPath(Point from, Point to)
{
    const auto between = [&](double share) {
        return Point{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
    };
    return {from, between(1.0 / 3), between(2.0 / 3), to};
}

} // namespace

DotDrawing rowsDrawing(const DotProblem& problem)
{
    const std::vector<std::size_t> rowOf = rowsOf(problem);
    const std::size_t rowCount = rowOf.empty() ? 0 : *std::ranges::max_element(rowOf) + 1;
    std::vector<Size> rows(rowCount, Size{-problem.nodeGap, 0});
    for (std::size_t i = 0; i < rowOf.size(); ++i) {
        Size& row = rows[rowOf[i]];
        row.width += problem.nodes[i].size.width + problem.nodeGap;
        row.height = std::max(row.height, problem.nodes[i].size.height);
    }
    DotDrawing drawing;
    drawing.size = {0, problem.rankGap};
    std::vector<double> top;
    for (const Size& row : rows) {
        drawing.size.width = std::max(drawing.size.width, row.width);
        top.push_back(drawing.size.height);
        drawing.size.height += row.height + problem.rankGap;
    }
    std::vector<double> nextX;
    for (const Size& row : rows)
        nextX.push_back((drawing.size.width - row.width) / 2);
    for (std::size_t i = 0; i < rowOf.size(); ++i) {
        drawing.nodes.push_back({nextX[rowOf[i]], top[rowOf[i]]});
        nextX[rowOf[i]] += problem.nodes[i].size.width + problem.nodeGap;
    }
    spreadPorts(drawing.upperPorts, problem.upperPorts, drawing.size.width);
    spreadPorts(drawing.lowerPorts, problem.lowerPorts, drawing.size.width);
    for (const DotEdge& edge : problem.edges)
        drawing.edges.push_back(
            straightPath(tailPoint(problem, drawing, edge.tail), headPoint(problem, drawing, edge.head)));
    return drawing;
}

} // namespace stagecraft
