// The curve: the best plan for every number of stages at once, to see what more stages bring and what they
// cost.
//
//     bottleneck │ ×
//                │   ×
//                │      ×   ×  ×   a point a number of stages, each with its own bound
//                └────────────────► K
#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"
#include "core/plan/runtime.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct CurveOptions
{
    std::size_t firstStageCount = 1;
    std::size_t lastStageCount = 16;
    Seconds timeLimit{10};         // of all points together
    std::optional<Solution> known; // a plan of the problem and its bound: its point will be no worse
};

struct CurvePoint
{
    enum class State : std::uint8_t {
        Open,     // nothing is known yet
        Sketched, // a first plan, its bounds from a glance: the search is to come, or was stopped
        Searched,
        NoPlan, // no plan of that many stages keeps the constraints; `note` says why
    };

    std::size_t stageCount = 1;
    State state = State::Open;
    // Where Sketched or Searched. Its cost is under the limits of the problem, so cost.fits() says whether
    // the plan keeps them: where none does, this is the best plan without them, its bounds are of all such,
    // and `note` says what would do.
    std::optional<Solution> solution;
    std::string note; // one line, or nothing
    bool pareto =
        false;        // no other point is at least as good in time, memory and bytes sent, and better in one
    Bytes peakMemory; // of the fullest device
    double speedUp = 0; // iteration of one stage / iteration of this plan; 0: not known

    bool hasPlan() const { return solution.has_value(); }
    bool fits() const { return hasPlan() && solution->cost.fits(); }
};

struct PlanCurve
{
    std::vector<CurvePoint> points;                   // stage count by stage count, ascending, without gaps
    PipelineRuntime runtime = PipelineRuntime::Ideal; // whose buffers its peaks count
    bool complete = false;                            // every point is Searched or NoPlan

    const CurvePoint* find(std::size_t stageCount) const;
};

// The curve so far, whenever a point has changed (`changed` is its index): called from the working thread.
using CurveReport = std::function<void(const PlanCurve& curve, std::size_t changed)>;

// The problem that the point of `stageCount` stages is about: withStageCount, but a pin to the last stage is
// a pin to the last stage there too.
PartitionProblem problemOfPoint(const PartitionProblem& problem, std::size_t stageCount);

// First a plan for every number of stages, which takes moments, then the search for each in turn; what one
// point does not need of its share of the time, the later ones get. A plan of one point is a beginning for
// its neighbours. If `progress` asks to stop or is late, the curve as it stands. Fails where the problem
// itself is wrong (checkProblem), options.firstStageCount is 0 or above the last, or stopped before there was
// a plan at all.
Result<PlanCurve> solveCurve(const PartitionProblem& problem, const CurveOptions& options = {},
                             const CurveReport& report = {}, const Progress& progress = {});

} // namespace stagecraft
