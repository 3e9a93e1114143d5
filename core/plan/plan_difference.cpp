#include "core/plan/plan_difference.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

double figureOf(const PlanCost& cost, PlanFigure figure)
{
    switch (figure) {
    case PlanFigure::Step:
        return cost.iteration.value();
    case PlanFigure::Slowest:
        return cost.bottleneckTime.value();
    case PlanFigure::Peak:
        return cost.peakMemory().asDouble();
    case PlanFigure::Bubble:
        return cost.bubble;
    case PlanFigure::Sent:
        return cost.bytesSent.asDouble();
    }
    return 0;
}

std::vector<FigureDifference> figureDifferences(const PlanCost& from, const PlanCost& to)
{
    constexpr double closeEnough = 1e-9; // sums in another order
    std::vector<FigureDifference> differences;
    for (std::size_t i = 0; i < planFigureCount; ++i) {
        FigureDifference difference{.figure = static_cast<PlanFigure>(i)};
        difference.from = figureOf(from, difference.figure);
        difference.to = figureOf(to, difference.figure);
        const double apart = difference.to - difference.from;
        if (std::abs(apart) > closeEnough * std::max(std::abs(difference.from), std::abs(difference.to)))
            difference.verdict = apart < 0 ? Verdict::Better : Verdict::Worse;
        differences.push_back(difference);
    }
    return differences;
}

std::vector<NodeId> movedNodes(const Partition& a, const Partition& b)
{
    std::vector<NodeId> moved;
    for (const NodeId node : a.stageOf.ids())
        if (a.stageOf[node] != b.stageOf[node])
            moved.push_back(node);
    return moved;
}

Table<BoundaryId, PlacedBoundary> placedBoundaries(const Partition& plan, std::span<const NodeId> order)
{
    Table<BoundaryId, PlacedBoundary> placed;
    for (std::size_t boundary = 0; boundary + 1 < plan.stageCount; ++boundary) {
        const auto isAbove = [&](NodeId node) { return plan.stageOf[node].index() <= boundary; };
        auto astray = static_cast<std::size_t>(std::ranges::count_if(order, isAbove)); // at position 0
        PlacedBoundary best{.position = 0, .astray = astray};
        for (std::size_t i = 0; i < order.size(); ++i) {
            isAbove(order[i]) ? --astray : ++astray;
            if (astray < best.astray)
                best = {.position = i + 1, .astray = astray};
        }
        placed.add(best);
    }
    return placed;
}

} // namespace stagecraft
