#include "core/advise/trade_offs.h"

#include "core/advise/infeasible.h"
#include "core/plan/evaluate.h"
#include "core/search/search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace stagecraft {

namespace {

class Collector
{
public:
    Collector(const PartitionProblem& problem, const Progress& progress)
        : m_problem(problem), m_progress(progress)
    {
    }

    // Asks `question`; the plan is kept at the cost that it has in the problem itself.
    Result<void> ask(PartitionProblem question, std::string text)
    {
        question.options.timeLimit = m_problem.options.timeLimit / questionCount;
        STAGECRAFT_TRY(m_progress.step("Comparing plans", m_asked++, questionCount));
        if (!m_plans.empty() && m_progress.isLate())
            return cancelled();
        // Where limits are tightened until nothing fits, nobody asks why.
        STAGECRAFT_ASSIGN(solution, m_plans.empty() ? solveOrExplain(question, m_progress)
                                                    : solve(question, m_progress));
        TradeOff plan{.text = std::move(text),
                      .partition = std::move(solution.partition),
                      .cost = {},
                      .peakMemory = {}};
        plan.cost = evaluate(m_problem, plan.partition);
        plan.peakMemory = plan.cost.peakMemory();
        m_plans.push_back(std::move(plan));
        return {};
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

    std::vector<TradeOff> best()
    {
        std::vector<TradeOff> kept;
        for (std::size_t i = 0; i < m_plans.size(); ++i) {
            const bool repeats =
                std::any_of(m_plans.begin(), m_plans.begin() + static_cast<std::ptrdiff_t>(i),
                            [&](const TradeOff& other) {
                                return other.cost.iteration == m_plans[i].cost.iteration &&
                                       other.peakMemory == m_plans[i].peakMemory &&
                                       other.cost.bytesSent == m_plans[i].cost.bytesSent;
                            });
            if (!repeats && std::ranges::none_of(m_plans, [&](const TradeOff& other) {
                    return dominates(other.cost, m_plans[i].cost);
                }))
                kept.push_back(m_plans[i]);
        }
        std::ranges::stable_sort(kept, {}, [](const TradeOff& plan) { return plan.cost.iteration; });
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
    if (collector.ask(std::move(even), slowest).has_value()) {
        collector.askForLessMemory();
        collector.askForFewerBytes();
    }
    return collector.best();
}

std::string tradeOffsText(const std::vector<TradeOff>& plans)
{
    std::string text = "      step     slowest   bubble  peak memory        sent\n";
    for (const TradeOff& plan : plans) {
        std::array<char, 128> line{};
        std::snprintf(line.data(), line.size(), "%10s  %10s  %6.1f%%  %11s  %10s  ",
                      formatSeconds(plan.cost.iteration).c_str(),
                      formatSeconds(plan.cost.bottleneckTime).c_str(), 100 * plan.cost.bubble,
                      formatBytes(plan.peakMemory).c_str(), formatBytes(plan.cost.bytesSent).c_str());
        text += line.data() + plan.text + "\n";
    }
    return text;
}

std::string tradeOffsJson(const std::vector<TradeOff>& plans)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const TradeOff& plan : plans)
        list.push_back({{"text", plan.text},
                        {"iteration_s", plan.cost.iteration.value()},
                        {"bottleneck_s", plan.cost.bottleneckTime.value()},
                        {"peak_bytes", plan.peakMemory.count()},
                        {"bytes_sent", plan.cost.bytesSent.count()},
                        {"bubble", plan.cost.bubble}});
    return Json{{"plans", std::move(list)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace stagecraft
