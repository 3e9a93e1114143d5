#include "core/workflow.h"

#include "core/advise/infeasible.h"
#include "core/advise/resolve.h"
#include "core/base/text.h"
#include "core/measure/step_record.h"
#include "core/plan/evaluate.h"
#include "core/profile/model/profile_model.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"
#include "core/search/search.h"
#include "core/trace/trace_model.h"

#include <algorithm>
#include <chrono>

namespace stagecraft {

namespace {

// Has a moment, also where the search took all the time.
Solution bounded(const PartitionProblem& problem, Solution solution, const Progress& progress)
{
    return withStepBound(problem, std::move(solution), overOf(progress, Seconds(0.3)));
}

// The best plan that the framework can say.
Result<Solution> sayablePlan(Framework framework, const Model& model, const Profile& profile,
                             const PartitionProblem& problem, const Progress& progress)
{
    STAGECRAFT_ASSIGN(modules, wholeModules(framework, model.graph));
    PartitionOptions options = problem.options;
    for (NamedNodes& module : modules)
        options.keepTogether.push_back(std::move(module.nodes));
    STAGECRAFT_ASSIGN(sayable, planProblem(model, profile, std::move(options), progress));
    STAGECRAFT_ASSIGN(found, findPlan(sayable, {}, progress));
    return std::move(found.solution);
}

std::string costText(const PlanCost& cost, const PlanCost& instead)
{
    const double longer = 100 * (cost.iteration / instead.iteration - 1);
    return formatted("a step of %s instead of %s (%+.1f %%), at most %s on a device instead of %s",
                     formatSeconds(cost.iteration).c_str(), formatSeconds(instead.iteration).c_str(), longer,
                     formatBytes(cost.peakMemory()).c_str(), formatBytes(instead.peakMemory()).c_str());
}

// What is in the way of the plan, and where it is not the same, of any other.
Error inTheWayOfBoth(Error ofPlan, const Error& ofAny, const std::string& framework)
{
    if (ofAny.message != ofPlan.message)
        ofPlan.message += "; nor is there a plan that " + framework + " can say: " + ofAny.message;
    return ofPlan;
}

} // namespace

Result<Profile> traceAndProfile(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    // A LibTorch that behaves otherwise would give wrong figures without a word. Fractions of a millisecond.
    STAGECRAFT_TRY(traceSelfTest());
    return profileModel(model, options, progress);
}

Result<PartitionProblem> planProblem(const Model& model, const Profile& profile, PartitionOptions options,
                                     const Progress& progress)
{
    for (std::vector<NodeId>& group : inseparableNodes(model))
        options.keepTogether.push_back(std::move(group));
    return makeProblem(model, profile, options, progress);
}

std::vector<Bytes> planLimits(const DeviceSpec& device)
{
    if (device.memory <= Bytes{})
        return {};
    return {std::max(Bytes{}, device.memory - device.contextMemory)};
}

Result<FoundPlan> findPlan(const PartitionProblem& problem, const FindOptions& options,
                           const Progress& progress)
{
    const auto begin = std::chrono::steady_clock::now();
    const Partition* current = options.current;
    const bool isPlan =
        current && checkProblem(problem).has_value() && checkPartition(problem, *current).has_value();
    Result<Solution> solution =
        isPlan ? resolveAround(problem, *current, {}, progress) : solveOrExplain(problem, progress);
    if (solution.has_value())
        return FoundPlan{bounded(problem, *std::move(solution), progress), {}};
    if (solution.error().code != ErrorCode::Infeasible || options.overLimit == OverLimit::Refused)
        return solution.error();
    const PartitionProblem without = withoutMemoryLimits(problem);
    STAGECRAFT_ASSIGN(found, solve(without, progress));
    Solution unlimited =
        bounded(without, std::move(found), progress); // of plans within limits there are none
    unlimited.cost = evaluate(problem, unlimited.partition);
    // With the search that found none within them.
    unlimited.solveTime =
        Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return FoundPlan{std::move(unlimited), solution.error().message};
}

Result<Solution> evaluatePlan(const PartitionProblem& problem, Partition partition, const Progress& progress)
{
    STAGECRAFT_TRY(checkPartition(problem, partition));
    Solution solution{.partition = std::move(partition)};
    solution.cost = evaluate(problem, solution.partition);
    STAGECRAFT_ASSIGN(bound, planBound(problem, solution.cost, progress));
    solution.bound = std::move(bound);
    return bounded(problem, std::move(solution), progress);
}

Result<SaidPlan> sayPlan(Framework framework, const Model& model, const Profile& profile,
                         const PartitionProblem& problem, const Partition& partition,
                         const Progress& progress)
{
    const PartitionOptions& options = problem.options;
    Result<std::string> text = frameworkText(framework, model.graph, partition, options);
    if (text.has_value())
        return SaidPlan{*std::move(text), {}, unsaidOfModel(framework, model.graph, partition)};
    const std::string name(nameOf(frameworkNames, framework));
    Result<Solution> nearest = sayablePlan(framework, model, profile, problem, progress);
    if (!nearest.has_value())
        return nearest.error().code == ErrorCode::Cancelled
                   ? nearest.error()
                   : inTheWayOfBoth(text.error(), nearest.error(), name);
    Result<std::string> said = frameworkText(framework, model.graph, nearest->partition, options);
    if (!said.has_value())
        return inTheWayOfBoth(text.error(), said.error(), name);
    std::string costs = "the best plan that " + name + " can say takes " +
                        costText(nearest->cost, evaluate(problem, partition));
    std::vector<std::string> unsaid = unsaidOfModel(framework, model.graph, nearest->partition);
    return SaidPlan{*std::move(said), SaidPlan::Instead{text.error(), *std::move(nearest), std::move(costs)},
                    std::move(unsaid)};
}

Result<MeasuredStep> readMeasuredStep(std::span<const std::filesystem::path> files, const Graph& graph,
                                      const Partition& partition, const Schedule& schedule,
                                      std::optional<ScheduleKind> kind, const Progress& progress)
{
    PlannedRun run{.microbatches = schedule.microbatches,
                   .schedule = kind ? std::string(scheduleName(*kind)) : ""};
    for (const NodeId node : graph.nodes())
        run.stageOfNode.emplace(graph[node].name, partition.stageOf[node].index());
    STAGECRAFT_ASSIGN(record, readStepRecord(files, run, progress));
    return measuredStep(schedule, record);
}

Result<Layout> drawPlan(LayoutEngine& engine, std::shared_ptr<const Graph> graph, const GroupTree& groups,
                        const Partition& partition, const Expansion& expansion, const RunTreeOptions& options,
                        const Progress& progress, const std::optional<PageShape>& page)
{
    auto tree = std::make_shared<const RunTree>(makeRunTree(*graph, groups, partition, options));
    return engine.layout(std::move(graph), std::move(tree), expansion, progress, page);
}

} // namespace stagecraft
