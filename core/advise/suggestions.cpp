#include "core/advise/suggestions.h"

#include "core/advise/infeasible.h"
#include "core/advise/least_limit.h"
#include "core/base/text.h"
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/plan/stage_labels.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Tries plans, all under the same options, and keeps the best.
class Trials
{
public:
    Trials(const PartitionProblem& problem, const Partition& start)
        : m_problem(problem), m_evaluator(problem, start)
    {
    }

    // `what` is made only where the plan is the best so far.
    template <class What>
    void offer(Edit edit, What&& what)
    {
        m_evaluator.moveTo(edit.partition);
        PlanCost cost = m_evaluator.cost();
        const PlanScore score = objectiveScore(cost);
        if (m_best && score >= m_score)
            return;
        m_score = score;
        m_best.emplace(
            Suggestion{.text = what(edit),
                       .options = m_problem.options,
                       .solution = {.partition = std::move(edit.partition), .cost = std::move(cost)},
                       .moved = std::move(edit.moved)});
    }
    std::optional<Suggestion> best(Suggestion::Kind kind)
    {
        if (m_best)
            m_best->kind = kind;
        return std::exchange(m_best, std::nullopt);
    }

private:
    const PartitionProblem& m_problem;
    PlanEvaluator m_evaluator;
    std::optional<Suggestion> m_best;
    PlanScore m_score{};
};

class Suggester
{
public:
    Suggester(const PartitionProblem& problem, const Solution& current, const SuggestionOptions& options,
              const Progress& progress)
        : m_problem(problem),
          m_current(current),
          m_partition(current.partition),
          m_cost(current.cost),
          m_options(options),
          m_progress(progress),
          m_isOver(overOf(progress))
    {
    }

    std::vector<Suggestion> run()
    {
        using Step = std::optional<Suggestion> (Suggester::*)() const;
        const Step steps[] = {&Suggester::movedBoundary,   &Suggester::sentNodes,   &Suggester::addedStage,
                              &Suggester::changedSchedule, &Suggester::changedSend, &Suggester::replan,
                              &Suggester::oneStageEach,    &Suggester::raisedLimit};
        std::size_t done = 0;
        for (const Step step : steps) {
            if (!m_progress.step("Looking for changes", done++, std::size(steps)).has_value() || m_isOver())
                break;
            if (auto suggestion = (this->*step)())
                keepIfBetter(std::move(*suggestion));
        }
        std::ranges::stable_sort(m_found, {}, [](const Suggestion& suggestion) {
            return objectiveScore(suggestion.solution.cost);
        });
        return std::move(m_found);
    }

private:
    void keepIfBetter(Suggestion suggestion)
    {
        const PlanCost& cost = suggestion.solution.cost;
        suggestion.bottleneckGain = m_cost.bottleneckTime - cost.bottleneckTime;
        suggestion.iterationGain = m_cost.iteration - cost.iteration;
        const PlanScore before = iterationScore(m_cost);
        const PlanScore after = iterationScore(cost);
        constexpr double worthwhile = 1e-4;
        const bool fitsBetter = after[0] < before[0];
        const bool faster = suggestion.bottleneckGain > worthwhile * m_cost.bottleneckTime ||
                            suggestion.iterationGain > worthwhile * m_cost.iteration;
        if ((fitsBetter || (after[0] <= before[0] && faster)) && bound(suggestion))
            m_found.push_back(std::move(suggestion));
    }

    // The bounds of the question that it answers: those of the plan as it is where the question is the same,
    // else what a search has found, or what is found without one. False: cancelled before there were any.
    bool bound(Suggestion& suggestion)
    {
        Solution& solution = suggestion.solution;
        const bool isSame = suggestion.options == m_problem.options;
        if (isSame && solution.bound.value < m_current.bound.value)
            solution.bound = m_current.bound;
        PartitionProblem question = m_problem;
        question.options = suggestion.options;
        if (solution.bound.kind.empty()) {
            auto quick = planBound(question, solution.cost, m_progress);
            if (!quick.has_value())
                return false;
            solution.bound = std::move(quick).value();
        }
        const Seconds known = isSame ? std::max(m_stepBound, m_current.iterationBound) : Seconds{};
        solution.iterationBound = std::max(solution.iterationBound, known);
        solution = withStepBound(question, std::move(solution), overOf(m_progress, Seconds(0.1)));
        if (isSame)
            m_stepBound = solution.iterationBound;
        return true;
    }

    std::optional<Suggestion> movedBoundary() const
    {
        Trials trials(m_problem, m_partition);
        const std::size_t slow = m_cost.bottleneck.index();
        for (const std::size_t boundary : {slow - 1, slow}) {
            if (boundary >= m_partition.stageCount - 1)
                continue;
            const BoundaryId id(boundary);
            for (const std::size_t position : legalPositions(m_problem, m_partition, id)) {
                auto edit = moveBoundary(m_problem, m_partition, id, position);
                if (m_isOver())
                    return trials.best(Suggestion::Kind::MoveBoundary);
                if (edit.has_value() && !edit->moved.empty())
                    trials.offer(std::move(edit).value(), [&](const Edit& moved) {
                        const NodeId first = stageOrder(moved.partition).nodes[position];
                        return "move " + boundaryLabel(id) + " to stand before " +
                               placeText(m_problem, first) + " (" + counted(moved.moved.size(), "node") + ")";
                    });
            }
        }
        return trials.best(Suggestion::Kind::MoveBoundary);
    }

    // The parts of the slowest stage, and its nodes, the longest first.
    std::vector<NamedNodes> partsOfSlowest() const
    {
        const auto here = [&](NodeId node) { return m_partition.stageOf[node] == m_cost.bottleneck; };
        std::vector<std::pair<double, NamedNodes>> parts;
        const auto add = [&](const NamedNodes& part) {
            std::pair<double, NamedNodes> mine{0, {part.name, {}}};
            for (const NodeId node : part.nodes) {
                if (!here(node))
                    continue;
                mine.second.nodes.push_back(node);
                mine.first += m_problem.nodes[node].time().value();
            }
            if (mine.first > 0)
                parts.push_back(std::move(mine));
        };
        for (const NamedNodes& part : m_options.parts)
            add(part);
        for (const NodeId node : m_problem.nodes.ids())
            add({m_problem.nodes[node].name, {node}});
        std::ranges::stable_sort(parts, std::ranges::greater{}, &std::pair<double, NamedNodes>::first);
        constexpr std::size_t most = 300;
        std::vector<NamedNodes> longest;
        for (std::size_t i = 0; i < std::min(most, parts.size()); ++i)
            longest.push_back(std::move(parts[i].second));
        return longest;
    }

    std::optional<Suggestion> sentNodes() const
    {
        Trials trials(m_problem, m_partition);
        const std::size_t slow = m_cost.bottleneck.index();
        for (const NamedNodes& part : partsOfSlowest()) {
            for (const std::size_t stage : {slow - 1, slow + 1}) {
                if (stage >= m_partition.stageCount || m_isOver())
                    continue;
                auto edit = sendNodes(m_problem, m_partition, part.nodes, StageId(stage));
                if (!edit.has_value())
                    continue;
                trials.offer(std::move(edit).value(), [&](const Edit& sent) {
                    const std::size_t others =
                        sent.moved.size() - std::min(sent.moved.size(), part.nodes.size());
                    return "send '" + part.name + "' to " + stageLabel(StageId(stage)) +
                           (others > 0 ? ", with " + counted(others, "node") + " that must go along" : "");
                });
            }
        }
        return trials.best(Suggestion::Kind::SendNodes);
    }

    std::optional<Suggestion> addedStage() const
    {
        const StageOrder order = stageOrder(m_partition);
        const std::size_t slow = m_cost.bottleneck.index();
        const std::size_t begin = slow == 0 ? 0 : order.boundaries[slow - 1];
        const auto wider = addBoundary(m_problem, m_partition, begin);
        if (!wider.has_value())
            return std::nullopt;
        const BoundaryId boundary(slow);
        Trials trials(wider->problem, wider->partition);
        for (const std::size_t position : legalPositions(wider->problem, wider->partition, boundary)) {
            auto edit = moveBoundary(wider->problem, wider->partition, boundary, position);
            if (!edit.has_value() || m_isOver())
                continue;
            trials.offer(std::move(edit).value(), [&](const Edit& moved) {
                const NodeId first = stageOrder(moved.partition).nodes[position];
                return "part " + stageLabel(m_cost.bottleneck) + " before " + placeText(m_problem, first) +
                       ", which makes " + std::to_string(moved.partition.stageCount) + " stages";
            });
        }
        auto found = trials.best(Suggestion::Kind::AddStage);
        if (found)
            found->moved.clear(); // the stages were counted anew
        return found;
    }

    // The same plan under other options.
    std::optional<Suggestion> under(const PartitionOptions& options, Suggestion::Kind kind,
                                    std::string text) const
    {
        PartitionProblem other = m_problem;
        other.options = options;
        if (!checkProblem(other).has_value() || !checkPartition(other, m_partition).has_value())
            return std::nullopt;
        return Suggestion{.kind = kind,
                          .text = std::move(text),
                          .options = options,
                          .solution = {.partition = m_partition, .cost = evaluate(other, m_partition)}};
    }

    std::optional<Suggestion> changedSchedule() const
    {
        std::optional<Suggestion> best;
        for (const ScheduleTraits& schedule : scheduleTable) {
            PartitionOptions options = m_problem.options;
            if (!schedule.isProposed || schedule.kind == options.schedule || options.sharesDevices())
                continue;
            options.schedule = schedule.kind;
            auto trial = under(options, Suggestion::Kind::ChangeSchedule,
                               "run it with the " + std::string(schedule.name) + " schedule");
            if (trial &&
                (!best || iterationScore(trial->solution.cost) < iterationScore(best->solution.cost)))
                best = std::move(trial);
        }
        return best;
    }

    // Never the other way: sends straight to each reader are no part of PyTorch's own schedules.
    std::optional<Suggestion> changedSend() const
    {
        PartitionOptions options = m_problem.options;
        if (options.send == SendKind::Relay)
            return std::nullopt;
        options.send = SendKind::Relay;
        return under(options, Suggestion::Kind::ChangeSend, "hand everything on from stage to stage (relay)");
    }

    std::optional<Suggestion> solved(PartitionProblem problem, Suggestion::Kind kind) const
    {
        if (m_options.searchTime <= Seconds{})
            return std::nullopt;
        problem.options.timeLimit = m_options.searchTime;
        auto solution = solve(problem, m_progress);
        if (!solution.has_value())
            return std::nullopt;
        problem.options.timeLimit = m_problem.options.timeLimit;
        return planOf(problem, std::move(solution).value(), kind);
    }

    // Another plan, of a problem of the same nodes and as many stages.
    Suggestion planOf(const PartitionProblem& problem, Solution solution, Suggestion::Kind kind) const
    {
        solution.cost = evaluate(problem, solution.partition);
        Suggestion suggestion{.kind = kind, .options = problem.options, .solution = std::move(solution)};
        for (const NodeId node : m_problem.nodes.ids()) {
            if (suggestion.solution.partition.stageOf[node] != m_partition.stageOf[node])
                suggestion.moved.push_back(node);
        }
        return suggestion;
    }

    std::optional<Suggestion> replan() const
    {
        auto found = solved(m_problem, Suggestion::Kind::Replan);
        if (found)
            found->text = "split anew: " + counted(found->moved.size(), "node") + " change their stage";
        return found;
    }

    std::optional<Suggestion> oneStageEach() const
    {
        if (!m_problem.options.sharesDevices() || !m_problem.options.pins.empty())
            return std::nullopt;
        PartitionOptions options = m_problem.options;
        setSchedule(options, ScheduleKind::OneFOneB);
        PartitionProblem plain = withStageCount(m_problem, options.stageCount);
        plain.options.schedule = options.schedule;
        plain.options.stagesPerDevice = options.stagesPerDevice;
        plain.options.objective = options.objective;
        auto found = solved(plain, Suggestion::Kind::OneStageEach);
        if (!found || found->solution.cost.iteration >= m_cost.iteration * (1 - 1e-4))
            return std::nullopt;
        found->text = "run one stage on each of the " + std::to_string(options.stageCount) +
                      " devices, with the 1f1b schedule";
        found->moved.clear(); // the stages were counted anew
        return found;
    }

    std::optional<Suggestion> raisedLimit() const
    {
        if (!m_problem.options.limitsMemory())
            return std::nullopt;
        if (auto least = m_cost.fits() ? std::nullopt : raisedToLeast())
            return least;
        auto found = solved(withoutMemoryLimits(m_problem), Suggestion::Kind::RaiseLimit);
        if (!found || found->solution.cost.bottleneckTime >= m_cost.bottleneckTime * (1 - 1e-4))
            found = under(m_problem.options, Suggestion::Kind::RaiseLimit, {});
        const Bytes need = printedLimit(found->solution.cost.peakMemory());
        found->options = withLimit(need).options;
        found->text = raiseText(need);
        PartitionProblem raised = m_problem;
        raised.options = found->options;
        found->solution.cost = evaluate(raised, found->solution.partition);
        return found;
    }

    // Where no plan fits, to the limit of which the message says that it would do (infeasible.h): the least.
    std::optional<Suggestion> raisedToLeast() const
    {
        const auto reduced = reduceProblem(m_problem, Joining::Lossless, m_isOver);
        const auto least = reduced.has_value() ? leastLimit(m_problem, *reduced) : std::nullopt;
        if (!least)
            return std::nullopt;
        const Bytes need = printedLimit(least->sufficient);
        if (need <= std::ranges::min(m_problem.options.memoryLimits))
            return std::nullopt; // a plan fits as it is
        const PartitionProblem raised = withLimit(need);
        auto found = solved(raised, Suggestion::Kind::RaiseLimit);
        if (!found)
            found =
                planOf(raised, {.partition = expand(*reduced, least->stages)}, Suggestion::Kind::RaiseLimit);
        found->text = raiseText(need);
        return found;
    }

    static std::string raiseText(Bytes limit) { return "allow " + formatBytes(limit) + " a device"; }

    PartitionProblem withLimit(Bytes least) const
    {
        PartitionProblem raised = m_problem;
        for (Bytes& limit : raised.options.memoryLimits)
            limit = std::max(limit, least);
        return raised;
    }

    const PartitionProblem& m_problem;
    const Solution& m_current;
    const Partition& m_partition;
    const PlanCost& m_cost;
    const SuggestionOptions& m_options;
    const Progress& m_progress;
    const IsOver m_isOver;
    Seconds m_stepBound; // of the problem; 0: not looked for yet
    std::vector<Suggestion> m_found;
};

} // namespace

std::vector<Suggestion> suggestChanges(const PartitionProblem& problem, const Solution& current,
                                       const SuggestionOptions& options, const Progress& progress)
{
    return Suggester(problem, current, options, progress).run();
}

Result<PlanAdvice> advisePlan(const PartitionProblem& problem, const Solution& solution,
                              const SuggestionOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(report,
                      reportBottleneck(problem, solution, {.isOver = overOf(progress, Seconds(0.2))}));
    std::vector<Suggestion> suggestions = suggestChanges(problem, solution, options, progress);
    if (progress.stopRequested())
        return cancelled();
    return PlanAdvice{std::move(report), std::move(suggestions)};
}

} // namespace stagecraft
