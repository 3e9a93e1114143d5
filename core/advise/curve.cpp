#include "core/advise/curve.h"

#include "core/advise/infeasible.h"
#include "core/base/work_clock.h"
#include "core/plan/evaluate.h"
#include "core/search/bound/step_bound.h"
#include "core/search/improve/order_dp.h"
#include "core/search/improve/orders.h"
#include "core/search/improve/refine.h"
#include "core/search/search.h"

#include <algorithm>

namespace stagecraft {

namespace {

class CurveSolver
{
public:
    CurveSolver(const PartitionProblem& problem, const CurveOptions& options, const CurveReport& report,
                const Progress& progress)
        : m_problem(problem),
          m_known(options.known),
          m_report(report),
          m_progress(progress),
          m_isOver(overOf(progress)),
          m_limit(options.timeLimit)
    {
        m_curve.runtime = problem.options.runtime;
        for (std::size_t count = options.firstStageCount; count <= options.lastStageCount; ++count)
            m_curve.points.push_back({.stageCount = count});
    }

    PlanCurve run()
    {
        const std::size_t count = m_curve.points.size();
        for (std::size_t i = 0; i < count && (i == 0 || !m_isOver()) && !m_progress.stopRequested(); ++i) {
            (void)m_progress.step("Sketching plans", i, 5 * count);
            sketch(i);
        }
        for (std::size_t i = 0; i < count && !m_isOver(); ++i) {
            (void)m_progress.step("Searching " + std::to_string(m_curve.points[i].stageCount) + " stages",
                                  count + 4 * i, 5 * count);
            search(i);
        }
        m_curve.complete = std::ranges::all_of(m_curve.points, [](const CurvePoint& point) {
            return point.state == CurvePoint::State::Searched || point.state == CurvePoint::State::NoPlan;
        });
        return std::move(m_curve);
    }

private:
    // A search without any time slices one order and no more; limits are for the search to come.
    void sketch(std::size_t index)
    {
        PartitionProblem problem = problemOfPoint(m_problem, m_curve.points[index].stageCount);
        problem.options.timeLimit = Seconds(0);
        if (const auto checked = checkProblem(problem); !checked.has_value()) {
            refuse(index, checked.error());
            return;
        }
        auto plan = solve(withoutMemoryLimits(problem), m_progress);
        if (!plan.has_value())
            return;
        plan->iterationBound = std::max(plan->iterationBound, quickStepBound(problem, plan->bound));
        accept(index, problem, std::move(plan).value(), CurvePoint::State::Sketched);
    }

    // Of the time that is left, for this point; a little, where others took more than theirs.
    Seconds share(std::size_t index) const
    {
        const Seconds left = m_limit - m_clock.elapsed();
        return std::max(Seconds(0.05), left / static_cast<double>(m_curve.points.size() - index));
    }

    void search(std::size_t index)
    {
        CurvePoint& point = m_curve.points[index];
        if (point.state == CurvePoint::State::NoPlan)
            return;
        PartitionProblem problem = problemOfPoint(m_problem, point.stageCount);
        problem.options.timeLimit = share(index);
        PartitionProblem question = problem;
        auto plan = solveOrExplain(question, m_progress);
        point.note.clear();
        if (!plan.has_value() && plan.error().code == ErrorCode::Infeasible) {
            point.note = plan.error().message;
            question = withoutMemoryLimits(problem);
            question.options.timeLimit = share(index); // the explanation took some
            plan = solve(question, m_progress);
        }
        if (!plan.has_value()) {
            if (plan.error().code != ErrorCode::Cancelled)
                refuse(index, plan.error());
            return;
        }
        if (m_isOver() && point.hasPlan() && point.solution->cost.bottleneckTime < plan->cost.bottleneckTime)
            return;
        improveFromNeighbours(index, problem, *plan);
        accept(index, problem, withStepBound(question, *std::move(plan), m_isOver),
               CurvePoint::State::Searched);
    }

    // The orders of plans with other numbers of stages, sliced for this one. Slices are judged stage by
    // stage.
    void improveFromNeighbours(std::size_t index, const PartitionProblem& problem, Solution& solution) const
    {
        if (problem.options.sharesDevices() || problem.options.objective == Objective::Iteration)
            return;
        const bool fits = solution.cost.fits();
        const PartitionProblem freed = fits ? problem : withoutMemoryLimits(problem);
        const auto reduced = reduceProblem(freed, Joining::Lossless, m_isOver);
        if (!reduced.has_value())
            return;
        for (const std::size_t neighbour : {index - 1, index + 1, index / 2}) {
            if (neighbour >= m_curve.points.size() || neighbour == index ||
                !m_curve.points[neighbour].hasPlan() || solution.proven() || m_isOver() ||
                m_clock.hasPassed(m_limit))
                continue;
            const GroupOrder order = orderLike(*reduced, m_curve.points[neighbour].solution->partition);
            const auto sliced = sliceOrder(*reduced, order, solution.cost.bottleneckTime.value());
            if (!sliced || sliced->bottleneckSeconds >= solution.cost.bottleneckTime.value())
                continue;
            Partition partition = expand(*reduced, sliced->stages);
            if (!checkPartition(problem, partition).has_value())
                continue;
            solution.cost = evaluate(problem, partition);
            solution.partition = std::move(partition);
        }
    }

    static GroupOrder orderLike(const ReducedProblem& reduced, const Partition& plan)
    {
        GroupStages stages;
        for (const ReducedGroup& group : reduced.groups) {
            std::uint32_t stage = 0;
            for (const NodeId node : group.nodes)
                stage = std::max(stage, plan.stageOf[node].index());
            for (const ReducedGroupId before : group.before)
                stage = std::max(stage, stages[before]);
            stages.add(stage);
        }
        return orderOfStages(stages);
    }

    void preferKnown(const PartitionProblem& problem, Solution& solution) const
    {
        if (!m_known || m_known->partition.stageCount != problem.stageCount() ||
            !checkPartition(problem, m_known->partition).has_value())
            return;
        PlanCost cost = evaluate(problem, m_known->partition);
        if (objectiveScore(cost) < objectiveScore(solution.cost)) {
            solution.partition = m_known->partition;
            solution.cost = std::move(cost);
        }
        if (!solution.cost.fits())
            return;
        if (m_known->bound.value > solution.bound.value)
            solution.bound = m_known->bound;
        solution.iterationBound = std::max(solution.iterationBound, m_known->iterationBound);
    }

    void accept(std::size_t index, const PartitionProblem& problem, Solution solution,
                CurvePoint::State state)
    {
        CurvePoint& point = m_curve.points[index];
        solution.cost = evaluate(problem, solution.partition);
        preferKnown(problem, solution);
        point.state = state;
        point.peakMemory = solution.cost.peakMemory();
        point.solution = std::move(solution);
        changed(index);
    }

    void refuse(std::size_t index, const Error& error)
    {
        CurvePoint& point = m_curve.points[index];
        point.state = CurvePoint::State::NoPlan;
        point.solution.reset();
        point.note = error.message;
        changed(index);
    }

    void changed(std::size_t index)
    {
        const CurvePoint* single = m_curve.find(1);
        for (CurvePoint& point : m_curve.points) {
            point.pareto =
                point.hasPlan() && std::ranges::none_of(m_curve.points, [&](const CurvePoint& other) {
                    return other.hasPlan() && dominates(other.solution->cost, point.solution->cost);
                });
            if (single != nullptr && single->hasPlan() && point.hasPlan() &&
                point.solution->cost.iteration > Seconds{})
                point.speedUp = single->solution->cost.iteration / point.solution->cost.iteration;
        }
        if (m_report)
            m_report(m_curve, index);
    }

    const PartitionProblem& m_problem;
    const std::optional<Solution>& m_known;
    const CurveReport& m_report;
    const Progress& m_progress;
    const IsOver m_isOver;
    Seconds m_limit; // of all points
    WorkClock m_clock;
    PlanCurve m_curve;
};

} // namespace

const CurvePoint* PlanCurve::find(std::size_t stageCount) const
{
    const auto point = std::ranges::find(points, stageCount, &CurvePoint::stageCount);
    return point == points.end() ? nullptr : &*point;
}

PartitionProblem problemOfPoint(const PartitionProblem& problem, std::size_t stageCount)
{
    const std::size_t last = problem.stageCount() - 1;
    PartitionProblem other = withStageCount(problem, stageCount);
    for (Pin& pin : other.options.pins) {
        if (last > 0 && pin.stage.index() == last)
            pin.stage = StageId(stageCount - 1);
    }
    return other;
}

Result<PlanCurve> solveCurve(const PartitionProblem& problem, const CurveOptions& options,
                             const CurveReport& report, const Progress& progress)
{
    STAGECRAFT_TRY(checkProblem(problem));
    if (options.firstStageCount == 0 || options.firstStageCount > options.lastStageCount)
        return Error{ErrorCode::BadUsage,
                     "a curve goes from some number of stages, at least 1, to a higher one"};
    PlanCurve curve = CurveSolver(problem, options, report, progress).run();
    if (progress.stopRequested() && std::ranges::none_of(curve.points, &CurvePoint::hasPlan))
        return cancelled();
    return curve;
}

} // namespace stagecraft
