#include "core/recompute_climb.h"

#include "core/plan/editing.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

constexpr double leastGain = 5e-4; // of a move of a boundary
constexpr std::array<std::ptrdiff_t, 8> steps{-64, 64, -16, 16, -4, 4, -1, 1};

// Moves the boundary to the first place that is better.
bool moveOne(const PartitionProblem& problem, BoundaryId boundary, const PlanEstimate& estimate,
             const IsOver& isOver, Partition& partition, Seconds& best)
{
    const std::vector<std::size_t> places = legalPositions(problem, partition, boundary);
    const std::size_t here = stageOrder(partition).boundaries[boundary.index()];
    const auto at = std::ranges::lower_bound(places, here) - places.begin();
    for (const std::ptrdiff_t step : steps) {
        if (isOver() || at + step < 0 || at + step >= std::ssize(places))
            continue;
        Result<Edit> moved =
            moveBoundary(problem, partition, boundary, places[static_cast<std::size_t>(at + step)]);
        const auto found = moved.has_value() ? estimate(moved->partition) : std::nullopt;
        if (!found || *found >= best * (1 - leastGain))
            continue;
        best = *found;
        partition = std::move(moved->partition);
        return true;
    }
    return false;
}

} // namespace

Partition climbed(const PartitionProblem& problem, Partition partition, const PlanEstimate& estimate,
                  const IsOver& isOver)
{
    std::optional<Seconds> best = estimate(partition);
    for (bool again = best.has_value(); again && !isOver();) {
        again = false;
        for (std::size_t boundary = 0; boundary + 1 < partition.stageCount; ++boundary)
            again = moveOne(problem, BoundaryId(boundary), estimate, isOver, partition, *best) || again;
    }
    return partition;
}

} // namespace stagecraft
