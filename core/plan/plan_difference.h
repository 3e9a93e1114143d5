// What tells two plans of a model apart: figures of the whole, nodes that change their stage, and where the
// boundaries of one stand in the order of the other.
#pragma once

#include "core/plan/partition.h"

#include <span>
#include <vector>

namespace stagecraft {

// Of a plan as a whole. Less is better of each.
enum class PlanFigure : std::uint8_t {
    Step,    // seconds, all microbatches
    Slowest, // seconds of the slowest device, one microbatch
    Peak,    // bytes on the fullest device
    Bubble,  // 0 .. 1
    Sent,    // bytes over all links, one microbatch
};
inline constexpr std::size_t planFigureCount = 5;

double figureOf(const PlanCost& cost, PlanFigure figure);

enum class Verdict : std::uint8_t { Same, Better, Worse };

struct FigureDifference
{
    PlanFigure figure = PlanFigure::Step;
    double from = 0;
    double to = 0;
    Verdict verdict = Verdict::Same; // on `to`; Same up to one in 1e9
};
// All of them, in their order.
std::vector<FigureDifference> figureDifferences(const PlanCost& from, const PlanCost& to);

// Nodes whose stage has another number in `b` than in `a`: plans of the same nodes.
std::vector<NodeId> movedNodes(const Partition& a, const Partition& b);

// Where a boundary of `plan` stands in an order of all its nodes that may be another plan's: behind the first
// `position` of them, where the fewest are on the wrong side of it; the first such place.
struct PlacedBoundary
{
    std::size_t position = 0;
    std::size_t astray = 0; // nodes on the wrong side; 0: it stands there and nowhere else

    friend bool operator==(const PlacedBoundary&, const PlacedBoundary&) = default;
};
Table<BoundaryId, PlacedBoundary> placedBoundaries(const Partition& plan, std::span<const NodeId> order);

} // namespace stagecraft
