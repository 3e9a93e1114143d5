#include "core/recompute_climb.h"

#include "core/plan/editing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double leastGain = 5e-4; // of a move of a boundary
constexpr double sharpness = 16;
constexpr std::array<std::ptrdiff_t, 14> steps{-64, 64, -32, 32, -16, 16, -8, 8, -4, 4, -2, 2, -1, 1};
constexpr std::array<std::ptrdiff_t, 6> smallSteps{-1, 1, -2, 2, -3, 3};

// The places of a boundary, and which of them it has.
struct Places
{
    std::vector<std::size_t> all;
    std::ptrdiff_t here = 0;

    Places(const PartitionProblem& problem, const Partition& partition, BoundaryId boundary)
        : all(legalPositions(problem, partition, boundary)),
          here(std::ranges::lower_bound(all, stageOrder(partition).boundaries[boundary.index()]) -
               all.begin())
    {
    }
    std::optional<std::size_t> at(std::ptrdiff_t step) const
    {
        const std::ptrdiff_t place = here + step;
        return place >= 0 && place < std::ssize(all) ? std::optional(all[static_cast<std::size_t>(place)])
                                                     : std::nullopt;
    }
};

// Moves the boundary to the first place that is better.
bool moveOne(const PartitionProblem& problem, BoundaryId boundary, const PlanEstimate& estimate,
             const IsOver& isOver, Partition& partition, double& best)
{
    const Places places(problem, partition, boundary);
    for (const std::ptrdiff_t step : steps) {
        const std::optional<std::size_t> place = places.at(step);
        if (isOver() || !place)
            continue;
        Result<Edit> moved = moveBoundary(problem, partition, boundary, *place);
        const double most = best * (1 - leastGain);
        const auto found = moved.has_value() ? estimate(moved->partition, Seconds(most)) : std::nullopt;
        const double slowness = found ? slownessOf(*found) : best;
        if (slowness >= most)
            continue;
        best = slowness;
        partition = std::move(moved->partition);
        return true;
    }
    return false;
}

} // namespace

Partition shaken(const PartitionProblem& problem, Partition partition, std::minstd_rand& draw)
{
    for (std::size_t i = 0; i + 1 < partition.stageCount; ++i) {
        const BoundaryId boundary(i);
        const std::vector<std::size_t> places = legalPositions(problem, partition, boundary);
        const std::size_t here = stageOrder(partition).boundaries[i];
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(places, here) - places.begin());
        const std::size_t reach = std::max<std::size_t>(1, places.size() / 4);
        const std::size_t first = at > reach ? at - reach : 0, end = std::min(places.size(), at + reach + 1);
        if (first >= end)
            continue;
        Result<Edit> moved =
            moveBoundary(problem, partition, boundary, places[first + draw() % (end - first)]);
        if (moved.has_value())
            partition = std::move(moved->partition);
    }
    return partition;
}

std::vector<Partition> nearBy(const PartitionProblem& problem, const Partition& partition, StageId stage)
{
    std::vector<Partition> found;
    for (const std::size_t i : {stage.index() - 1, stage.index()}) {
        if (i >= partition.stageCount - 1) // before the first, behind the last
            continue;
        const Places places(problem, partition, BoundaryId(i));
        for (const std::ptrdiff_t step : smallSteps)
            if (const std::optional<std::size_t> place = places.at(step))
                if (Result<Edit> moved = moveBoundary(problem, partition, BoundaryId(i), *place);
                    moved.has_value())
                    found.push_back(std::move(moved->partition));
    }
    return found;
}

double slownessOf(const std::vector<Seconds>& loads)
{
    const double slowest = std::ranges::max(loads).value();
    double sum = 0;
    for (const Seconds load : loads)
        sum += std::pow(load.value() / slowest, sharpness);
    return slowest * std::pow(sum, 1 / sharpness);
}

Partition climbed(const PartitionProblem& problem, Partition partition, const PlanEstimate& estimate,
                  const IsOver& isOver)
{
    const std::optional<std::vector<Seconds>> loads = estimate(partition, Seconds(infinite));
    double best = loads ? slownessOf(*loads) : 0;
    for (bool again = best > 0; again && !isOver();) {
        again = false;
        for (std::size_t boundary = 0; boundary + 1 < partition.stageCount; ++boundary)
            again = moveOne(problem, BoundaryId(boundary), estimate, isOver, partition, best) || again;
    }
    return partition;
}

} // namespace stagecraft
