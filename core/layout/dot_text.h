// What is said to dot, and what it answers. Sizes are pixels here and inches there. No text of the model is
// said to it: nodes are called by number.
#pragma once

#include "core/base/result.h"
#include "core/layout/geometry.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// A box to be placed. Ports are offsets from its left edge where edges may be attached, ascending.
struct DotNode
{
    Size size;
    std::vector<double> ports;
};

// The end of an edge: a node; one of its ports, or its middle; or one of the frame's ports.
struct DotEnd
{
    enum class Kind { Node, Frame };
    Kind kind = Kind::Node;
    std::size_t index = 0;           // of the node; of the frame's port
    std::optional<std::size_t> port; // of the node
};

struct DotEdge
{
    DotEnd tail; // Frame: a port of the upper border
    DotEnd head; // Frame: a port of the lower border
    int weight = 1;
};

struct DotProblem
{
    std::vector<DotNode> nodes;
    std::vector<DotEdge> edges;
    std::size_t upperPorts = 0;
    std::size_t lowerPorts = 0;
    std::vector<std::size_t> upperOrder; // all upper ports from left to right; empty: any order
    double nodeGap = 18;
    double rankGap = 24;
};

// Upper left corner at (0, 0), y downwards.
struct DotDrawing
{
    Size size;
    std::vector<Point> nodes;              // upper left corners
    std::vector<std::vector<Point>> edges; // cubic Bezier paths, from tail to head
    std::vector<double> upperPorts;        // x
    std::vector<double> lowerPorts;
};

// The same problem gives the same text.
std::string dotText(const DotProblem& problem);
// Reads what `dot -Tplain` says to dotText(problem).
Result<DotDrawing> parsePlain(std::string_view plain, const DotProblem& problem);
// Rows in order of the edges, without dot: for when it is not there or takes too long. Edges are straight.
DotDrawing rowsDrawing(const DotProblem& problem);

} // namespace stagecraft
