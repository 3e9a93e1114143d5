#include "core/advise/trade_offs.h"

#include "core/advise/infeasible.h"
#include "core/base/text.h"
#include "core/base/work_budget.h"
#include "core/plan/evaluate.h"
#include "core/plan/sources/bounds_json.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace stagecraft {

namespace {

class Collector
{
public:
    Collector(const PartitionProblem& problem, const Progress& progress)
        : m_problem(problem), m_progress(progress)
    {
    }

    // Asks `question`; the plan is kept at the cost that it has in the problem itself. What bounds the answer
    // to the question need not bound those to the problem.
    Result<Bound> ask(PartitionProblem question, std::string text)
    {
        question.options.timeLimit = m_problem.options.timeLimit / questionCount;
        STAGECRAFT_TRY(m_progress.step("Comparing plans", m_asked++, questionCount));
        if (!m_plans.empty() && m_progress.isLate())
            return cancelled();
        // Where limits are tightened until nothing fits, nobody asks why.
        STAGECRAFT_ASSIGN(solution, m_plans.empty() ? solveOrExplain(question, m_progress)
                                                    : solve(question, m_progress));
        PlanCost cost = evaluate(m_problem, solution.partition);
        const Bytes peak = cost.peakMemory();
        m_plans.push_back({.text = std::move(text),
                           .solution = {.partition = std::move(solution.partition), .cost = std::move(cost)},
                           .peakMemory = peak});
        return std::move(solution.bound);
    }

    // Each limit a little below what the plan before needs, until there is none.
    void askForLessMemory()
    {
        for (int step = 0; step < memorySteps; ++step) {
            const Bytes peak = m_plans.back().peakMemory;
            PartitionProblem tighter = m_problem;
            const Bytes limit(static_cast<std::int64_t>(peak.asDouble() * 0.93));
            for (Bytes& own : tighter.options.memoryLimits)
                own = std::min(own, limit);
            if (!ask(std::move(tighter), "at most " + formatBytes(limit) + " a device").has_value())
                return;
        }
    }

    void askForFewerBytes()
    {
        for (const double factor : {4.0, 16.0, 64.0, 256.0}) {
            PartitionProblem slower = m_problem;
            for (Link& link : slower.options.links) {
                link.bandwidth /= factor;
                link.latency = link.latency * factor;
            }
            if (!ask(std::move(slower),
                     "as if links were " + std::to_string(static_cast<int>(factor)) + " times slower")
                     .has_value())
                return;
        }
    }

    // What no plan of the problem beats; `slowest`, where it is known already.
    Result<void> bound(std::optional<Bound> slowest)
    {
        Solution& fastest = std::ranges::min_element(m_plans, {}, [](const TradeOff& plan) {
                                return plan.solution.cost.iteration;
                            })->solution;
        if (!slowest) {
            STAGECRAFT_ASSIGN(quick, planBound(m_problem, fastest.cost, m_progress));
            slowest = std::move(quick);
        }
        fastest.bound = std::move(*slowest);
        fastest = withStepBound(m_problem, std::move(fastest), overOf(m_progress, Seconds(0.2)));
        for (TradeOff& plan : m_plans) {
            plan.solution.bound = fastest.bound;
            plan.solution.iterationBound = fastest.iterationBound;
        }
        return {};
    }

    std::vector<TradeOff> best()
    {
        std::vector<TradeOff> kept;
        for (std::size_t i = 0; i < m_plans.size(); ++i) {
            const bool repeats =
                std::any_of(m_plans.begin(), m_plans.begin() + static_cast<std::ptrdiff_t>(i),
                            [&](const TradeOff& other) {
                                return other.solution.cost.iteration == m_plans[i].solution.cost.iteration &&
                                       other.peakMemory == m_plans[i].peakMemory &&
                                       other.solution.cost.bytesSent == m_plans[i].solution.cost.bytesSent;
                            });
            if (!repeats && std::ranges::none_of(m_plans, [&](const TradeOff& other) {
                    return dominates(other.solution.cost, m_plans[i].solution.cost);
                }))
                kept.push_back(m_plans[i]);
        }
        std::ranges::stable_sort(kept, {}, [](const TradeOff& plan) { return plan.solution.cost.iteration; });
        return kept;
    }

private:
    static constexpr int memorySteps = 10;
    static constexpr std::size_t questionCount = memorySteps + 6;

    const PartitionProblem& m_problem;
    const Progress& m_progress;
    std::size_t m_asked = 0;
    std::vector<TradeOff> m_plans;
};

} // namespace

Result<std::vector<TradeOff>> tradeOffs(const PartitionProblem& problem, const Progress& progress)
{
    Collector collector(problem, progress);
    PartitionProblem shortest = problem;
    shortest.options.objective = Objective::Iteration;
    STAGECRAFT_TRY(collector.ask(std::move(shortest), "the shortest step"));
    PartitionProblem even = problem;
    even.options.objective = objectiveOfLoads(problem.options);
    const char* slowest =
        problem.options.sharesDevices() ? "the best at its slowest device" : "the best at its slowest stage";
    std::optional<Bound> bound;
    if (auto answered = collector.ask(std::move(even), slowest); answered.has_value()) {
        bound = std::move(answered).value();
        collector.askForLessMemory();
        collector.askForFewerBytes();
    }
    STAGECRAFT_TRY(collector.bound(std::move(bound)));
    if (progress.stopRequested()) // what was compared so far would look like all
        return cancelled();
    return collector.best();
}

double TradeOff::recomputedShare() const
{
    Seconds compute, again;
    for (const StageCost& stage : solution.cost.stages) {
        compute += stage.compute();
        again += stage.recomputed;
    }
    return compute > Seconds{} ? again / compute : 0;
}

std::string tradeOffsText(const std::vector<TradeOff>& plans, PipelineRuntime runtime)
{
    const bool recomputes =
        std::ranges::any_of(plans, [](const TradeOff& plan) { return plan.recomputedShare() > 0; });
    std::string text = "      step     slowest   bubble  peak memory        sent";
    text += recomputes ? "  run again\n" : "\n";
    for (const TradeOff& plan : plans) {
        const PlanCost& cost = plan.solution.cost;
        text += formatted("%10s  %10s  %6.1f%%  %11s  %10s  ", formatSeconds(cost.iteration).c_str(),
                          formatSeconds(cost.bottleneckTime).c_str(), 100 * cost.bubble,
                          formatBytes(plan.peakMemory).c_str(), formatBytes(cost.bytesSent).c_str());
        if (recomputes)
            text += formatted("%8.1f%%  ", 100 * plan.recomputedShare());
        text += plan.text + "\n";
    }
    if (recomputes)
        text += "run again: share of all computing\n";
    if (!plans.empty()) {
        const Solution& any = plans.front().solution;
        text += "whatever it gives up, no plan takes less than " + formatSeconds(any.iterationBound) +
                " a step, or " + formatSeconds(any.bound.value) + " at its slowest (" + any.bound.kind +
                ")\n";
    }
    return text + buffersNote(runtime) + "\n";
}

std::string tradeOffsJson(const std::vector<TradeOff>& plans, PipelineRuntime runtime)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const TradeOff& plan : plans) {
        const PlanCost& cost = plan.solution.cost;
        list.push_back({{"text", plan.text},
                        {"recompute", plan.recompute.empty() ? Json(nullptr) : Json(plan.recompute)},
                        {"recomputed_share", plan.recomputedShare()},
                        {"iteration_s", cost.iteration.value()},
                        {"bottleneck_s", cost.bottleneckTime.value()},
                        {"peak_bytes", plan.peakMemory.count()},
                        {"bytes_sent", cost.bytesSent.count()},
                        {"bubble", cost.bubble}});
        addBounds(list.back(), plan.solution);
    }
    return Json{{"runtime", nameOf(pipelineRuntimes, runtime)}, {"plans", std::move(list)}}.dump(
               2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

} // namespace stagecraft
