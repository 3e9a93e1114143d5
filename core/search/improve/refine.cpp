#include "core/search/improve/refine.h"

#include "core/plan/editing.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <span>

namespace stagecraft {

namespace {

double overLimits(const PlanCost& cost)
{
    double over = 0;
    for (const StageCost& stage : cost.stages)
        over += std::max(0.0, (stage.peakMemory - stage.memoryLimit).asDouble());
    for (const DeviceCost& device : cost.devices)
        over += std::max(0.0, (device.peakMemory - device.memoryLimit).asDouble());
    return over;
}

class Refiner
{
public:
    Refiner(const PartitionProblem& problem, Partition start, const ScorePlan& score,
            const ShouldStop& shouldStop)
        : m_problem(problem),
          m_score(score),
          m_shouldStop(shouldStop),
          m_evaluator(problem, start),
          m_best{std::move(start), m_evaluator.cost()},
          m_bestScore(score(m_best.cost)),
          m_workOfOffer(5 * (problem.nodes.size() + problem.values.size()) +
                        200 * problem.stageCount() * problem.options.microbatches)
    {
    }

    RefinedPlan run()
    {
        for (bool better = true; better && !stop();) {
            better = false;
            for (std::size_t b = 0; b + 1 < m_best.partition.stageCount && !stop(); ++b) {
                while (moveOne(BoundaryId(b)))
                    better = true;
            }
            while (relieveSlowest() || sendFromSlowest())
                better = true;
        }
        return std::move(m_best);
    }

private:
    bool stop() const { return m_shouldStop && m_shouldStop(0); }

    // The best of the steps of one boundary.
    bool moveOne(BoundaryId boundary)
    {
        const auto positions = legalPositions(m_problem, m_best.partition, boundary);
        const std::size_t here = stageOrder(m_best.partition).boundaries[boundary.index()];
        const auto place = std::ranges::lower_bound(positions, here) - positions.begin();
        const auto count = std::ssize(positions);
        const Partition from = m_best.partition;
        bool better = false;
        for (const std::ptrdiff_t sign : {-1, 1}) {
            for (std::ptrdiff_t step = 1; place + sign * step >= 0 && place + sign * step < count;
                 step *= 2) {
                const auto to = static_cast<std::size_t>(place + sign * step);
                const auto edit = moveBoundary(m_problem, from, boundary, positions[to]);
                better = (!stop() && edit.has_value() && offer(edit->partition)) || better;
            }
        }
        return better;
    }

    // The best way to take work off a stage of the slowest device: another stage gets as much more, and those
    // between hand it on.
    bool relieveSlowest()
    {
        const Partition from = m_best.partition;
        const auto slowest = std::ranges::max_element(m_best.cost.devices, {}, &DeviceCost::load);
        const std::vector<StageId> donors = slowest->stages;
        bool better = false;
        for (const StageId donor : donors) {
            const Seconds time =
                m_best.cost.stages[donor].compute() * m_problem.options.speeds[donor.index()];
            for (std::size_t taker = 0; taker < from.stageCount; ++taker) {
                if (std::ranges::find(donors, StageId(taker)) != donors.end())
                    continue;
                for (double share = 0.5; share > 0.01 && !stop(); share /= 2)
                    better = offer(handOver(from, donor.index(), taker, time * share)) || better;
            }
        }
        return better;
    }

    // The best of its longest nodes to be sent to a stage next to theirs.
    bool sendFromSlowest()
    {
        const Partition from = m_best.partition;
        const auto slowest = std::ranges::max_element(m_best.cost.devices, {}, &DeviceCost::load);
        std::vector<NodeId> nodes;
        for (const NodeId node : from.stageOf.ids()) {
            if (std::ranges::binary_search(slowest->stages, from.stageOf[node]))
                nodes.push_back(node);
        }
        constexpr std::size_t most = 40;
        std::ranges::stable_sort(nodes, std::ranges::greater{},
                                 [&](NodeId node) { return m_problem.nodes[node].time(); });
        bool better = false;
        for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i) {
            const std::size_t stage = from.stageOf[nodes[i]].index();
            for (const std::size_t other : {stage - 1, stage + 1}) {
                if (other >= from.stageCount || stop())
                    continue;
                const auto edit = sendNodes(m_problem, from, std::span(&nodes[i], 1), StageId(other));
                better = (edit.has_value() && offer(edit->partition)) || better;
            }
        }
        return better;
    }

    // All boundaries between the two stages moved by so much time, as nearly as is legal.
    Partition handOver(const Partition& from, std::size_t donor, std::size_t taker, Seconds time) const
    {
        const StageOrder order = stageOrder(from);
        Partition plan = from;
        const bool up = taker < donor; // the taker gets what stands first
        for (std::size_t i = 0; i < (up ? donor - taker : taker - donor); ++i) {
            const std::size_t boundary = up ? donor - 1 - i : donor + i; // there is room in the donor
            std::size_t position = order.boundaries[boundary];
            for (Seconds moved; moved < time && position != (up ? order.nodes.size() : 0);)
                moved += m_problem.nodes[order.nodes[up ? position++ : --position]].time();
            auto edit = moveBoundary(m_problem, plan, BoundaryId(boundary), position);
            if (edit.has_value())
                plan = std::move(edit->partition);
        }
        return plan;
    }

    bool offer(const Partition& plan)
    {
        if (m_shouldStop)
            m_shouldStop(m_workOfOffer);
        m_evaluator.moveTo(plan);
        PlanCost cost = m_evaluator.cost();
        const PlanScore score = m_score(cost);
        if (!isBetter(score))
            return false;
        m_best = {plan, std::move(cost)};
        m_bestScore = score;
        return true;
    }

    // By more than rounding.
    bool isBetter(const PlanScore& score) const
    {
        for (std::size_t i = 0; i < score.size(); ++i) {
            const double slack = 1e-9 * std::max(score[i], m_bestScore[i]);
            if (score[i] < m_bestScore[i] - slack)
                return true;
            if (score[i] > m_bestScore[i] + slack)
                return false;
        }
        return false;
    }

    const PartitionProblem& m_problem;
    const ScorePlan& m_score;
    const ShouldStop& m_shouldStop;
    PlanEvaluator m_evaluator;
    RefinedPlan m_best;
    PlanScore m_bestScore;
    std::uint64_t m_workOfOffer = 0; // evaluating the plan
};

} // namespace

PlanScore iterationScore(const PlanCost& cost)
{
    return {overLimits(cost), cost.iteration.value(), cost.bottleneckTime.value()};
}

PlanScore bottleneckScore(const PlanCost& cost)
{
    return {overLimits(cost), cost.bottleneckTime.value(), cost.iteration.value()};
}

PlanScore objectiveScore(const PlanCost& cost)
{
    return cost.objective == Objective::Iteration ? iterationScore(cost) : bottleneckScore(cost);
}

RefinedPlan refine(const PartitionProblem& problem, Partition start, const ScorePlan& score,
                   const ShouldStop& shouldStop)
{
    return Refiner(problem, std::move(start), score, shouldStop).run();
}

} // namespace stagecraft
