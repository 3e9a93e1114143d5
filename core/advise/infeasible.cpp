#include "core/advise/infeasible.h"

#include "core/advise/least_limit.h"
#include "core/base/text.h"
#include "core/plan/evaluate.h"
#include "core/plan/stage_labels.h"
#include "core/search/reduce/loads.h"
#include "core/search/search.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

// Unknown once the time of `isOver` has passed.
Feasibility feasibilityUnder(PartitionProblem problem, const PartitionOptions& options, const IsOver& isOver)
{
    if (isOver && isOver())
        return Feasibility::Unknown;
    problem.options = options;
    if (!checkProblem(problem).has_value())
        return Feasibility::Impossible;
    const auto reduced = reduceProblem(problem, Joining::Lossless, isOver);
    return reduced.has_value() ? feasibilityOf(problem, *reduced) : Feasibility::Impossible;
}

bool worksUnder(const PartitionProblem& problem, const PartitionOptions& options, const IsOver& isOver)
{
    return feasibilityUnder(problem, options, isOver) == Feasibility::Possible;
}

// The least number of stages, as far as it can be told, under which there is a plan.
void findStagesThatWouldDo(const PartitionProblem& problem, const IsOver& isOver, Infeasibility& found)
{
    if (!problem.options.pins.empty())
        return;
    const std::size_t most = std::min(problem.nodes.size(), 4 * problem.stageCount() + 8);
    // Parameters are in some stage, however many there are.
    HeldBytes held;
    for (const ProblemNode& node : problem.nodes)
        held += heldBy(node);
    for (const SharedState& shared : problem.shared)
        held += heldBy(shared);
    const double limit = std::max(1.0, std::ranges::max(problem.options.memoryLimits).asDouble());
    const double few = std::min(held.always().asDouble() / limit, static_cast<double>(most));
    const auto fewest = std::max<std::size_t>(1, static_cast<std::size_t>(few));
    const auto verdict = [&](std::size_t stages) {
        return feasibilityUnder(problem, withStageCount(problem, stages).options, isOver);
    };
    // By steps, then back to those between.
    std::size_t enough = fewest;
    std::size_t tooFew = fewest; // all before it have been tried
    while (enough <= most && verdict(enough) != Feasibility::Possible) {
        tooFew = enough + 1;
        enough += std::max<std::size_t>(1, enough / 16);
    }
    if (enough > most)
        return;
    while (tooFew < enough && verdict(tooFew) != Feasibility::Possible)
        ++tooFew;
    found.sufficientStages = tooFew;
    found.stagesAreLeast = true;
    for (std::size_t stages = fewest; stages < tooFew && found.stagesAreLeast; ++stages)
        found.stagesAreLeast = verdict(stages) == Feasibility::Impossible;
}

std::optional<std::size_t> microbatchesThatWouldDo(const PartitionProblem& problem, const IsOver& isOver)
{
    PartitionOptions options = problem.options;
    for (options.microbatches /= 2; options.microbatches > 0; options.microbatches /= 2) {
        if (worksUnder(problem, options, isOver))
            return options.microbatches;
    }
    return std::nullopt;
}

std::optional<ScheduleKind> scheduleThatWouldDo(const PartitionProblem& problem, const IsOver& isOver)
{
    PartitionOptions options = problem.options;
    if (!traitsOf(options.schedule).isProposed || options.schedule == ScheduleKind::OneFOneB)
        return std::nullopt;
    options.schedule = ScheduleKind::OneFOneB; // of these it holds the fewest microbatches
    return worksUnder(problem, options, isOver) ? std::optional(options.schedule) : std::nullopt;
}

std::vector<MemoryShare> sharesOf(const PartitionProblem& problem, const ReducedProblem& reduced,
                                  const Partition& partition, StageId stage)
{
    std::vector<MemoryShare> shares;
    const auto add = [&](MemoryShare::Kind kind, const std::string& name, Bytes bytes) {
        if (bytes > Bytes{})
            shares.push_back({kind, name, bytes});
    };
    const auto inFlight = static_cast<std::int64_t>(reduced.inFlight[stage.index()]);
    const ProblemNode* busiest = nullptr;
    for (const NodeId id : problem.nodes.ids()) {
        const ProblemNode& node = problem.nodes[id];
        if (partition.stageOf[id] != stage)
            continue;
        add(MemoryShare::Kind::Saved, node.name, node.saved * inFlight);
        add(MemoryShare::Kind::State, node.name, node.state);
        if (busiest == nullptr || node.transient > busiest->transient)
            busiest = &node;
    }
    if (busiest != nullptr)
        add(MemoryShare::Kind::Transient, busiest->name, busiest->transient);
    for (const SharedState& shared : problem.shared) {
        if (std::ranges::any_of(shared.users,
                                [&](NodeId user) { return partition.stageOf[user] == stage; })) {
            add(MemoryShare::Kind::State, shared.name, shared.stateBytes);
            add(MemoryShare::Kind::Saved, shared.name, shared.savedBytes * inFlight);
        }
    }
    for (const PartedState& parted : problem.parted)
        add(MemoryShare::Kind::Saved, parted.name, besideParts(parted.bytes, parted.parts, [&](NodeId node) {
                                                       return partition.stageOf[node] == stage;
                                                   }) * inFlight);
    const PlanCost cost = evaluate(problem, partition);
    add(MemoryShare::Kind::Waiting, std::string(scheduleName(problem.options.schedule)),
        cost.stages[stage].waitingBytes);
    add(MemoryShare::Kind::Runtime, std::string(nameOf(pipelineRuntimes, problem.options.runtime)),
        cost.stages[stage].runtimeBytes);
    std::ranges::stable_sort(shares, std::ranges::greater{}, &MemoryShare::bytes);
    return shares;
}

std::string shareText(const MemoryShare& share)
{
    constexpr std::array<std::string_view, 5> kinds{"state of '", "activations of '", "scratch of '",
                                                    "gradients that weights wait with in schedule '",
                                                    "buffers of run-time '"};
    return std::string(kinds[static_cast<std::size_t>(share.kind)]) + share.name + "' " +
           formatBytes(share.bytes);
}

// The part that alone is too large for every stage.
std::optional<std::string> tooLargeAlone(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    const ReducedGroup* largest = nullptr;
    Bytes need;
    for (const ReducedGroup& group : reduced.groups) {
        HeldBytes held = group.held;
        for (const std::uint32_t shared : group.shared)
            held += reduced.shared[shared].held;
        const Bytes alone = stageMemory(held.atLeast(), group.transients.whole, 1);
        if (largest == nullptr || alone > need) {
            largest = &group;
            need = alone;
        }
    }
    const Bytes limit = std::ranges::max(reduced.options.memoryLimits);
    if (largest == nullptr || need <= limit)
        return std::nullopt;
    const std::string others =
        largest->nodes.size() > 1
            ? " and the " + std::to_string(largest->nodes.size() - 1) + " that stay with it"
            : "";
    return "'" + problem.nodes[largest->nodes.front()].name + "'" + others +
           (others.empty() ? " alone needs " : " alone need ") + formatBytes(need) +
           ", more than the limit of " + formatBytes(limit) + "; no number of stages helps";
}

std::string remediesText(const Infeasibility& found)
{
    std::vector<std::string> remedies;
    if (found.sufficientLimit)
        remedies.push_back("a limit of " + formatBytes(*found.sufficientLimit));
    if (found.sufficientStages)
        remedies.push_back(std::to_string(*found.sufficientStages) +
                           (*found.sufficientStages == 1 ? " stage" : " stages") +
                           (found.stagesAreLeast ? "" : " (perhaps fewer)"));
    if (found.sufficientSchedule)
        remedies.push_back("the " + std::string(scheduleName(*found.sufficientSchedule)) + " schedule");
    if (found.sufficientMicrobatches)
        remedies.push_back(std::to_string(*found.sufficientMicrobatches) +
                           (*found.sufficientMicrobatches == 1 ? " microbatch" : " microbatches"));
    std::string text;
    for (std::size_t i = 0; i < remedies.size(); ++i)
        text += (i == 0 ? "; " : ", or ") + remedies[i];
    if (!text.empty())
        text += " would do";
    constexpr double worthwhile = 1.01;
    constexpr double known = 0.01; // less says nothing
    if (found.neededLimit && found.neededLimit->asDouble() * worthwhile < found.sufficientLimit->asDouble() &&
        found.neededLimit->asDouble() > known * found.sufficientLimit->asDouble())
        text += "; no limit below " + formatBytes(*found.neededLimit) + " does";
    return text;
}

// The plan that is shown with this may be another: one that is fast.
constexpr std::string_view ofLeastPlan = "; in the plan that needs least, ";

// Which device of the plan that needs least breaks its limit, where no stage of it does alone.
std::string nameFullestDevice(const PartitionProblem& problem, const Partition& plan)
{
    const PlanCost cost = evaluate(problem, plan);
    const auto over = [](const DeviceCost& device) { return device.peakMemory - device.memoryLimit; };
    const auto fullest = std::ranges::max_element(cost.devices, {}, over);
    if (fullest->fits())
        return {};
    std::string text = std::string(ofLeastPlan) + "device " +
                       std::to_string(fullest - cost.devices.begin() + 1) + " would need " +
                       formatBytes(fullest->peakMemory) + " for stages";
    for (std::size_t i = 0; i < fullest->stages.size(); ++i)
        text += (i == 0                            ? " "
                 : i + 1 == fullest->stages.size() ? " and "
                                                   : ", ") +
                std::to_string(fullest->stages[i].index() + 1);
    return text;
}

// Which stage of the plan that needs least breaks its limit, and what fills it.
std::string nameFullest(const PartitionProblem& problem, const ReducedProblem& reduced,
                        const GroupStages& stages, Infeasibility& found)
{
    const Partition plan = expand(reduced, stages);
    const Loads loads(reduced, stages);
    Bytes most;
    for (std::size_t stage = 0; stage < reduced.stageCount(); ++stage) {
        const Bytes need = loads.memory(stage);
        if (need - reduced.options.memoryLimits[stage] <= most)
            continue;
        most = need - reduced.options.memoryLimits[stage];
        found.stage = StageId(stage);
        found.need = need;
        found.limit = reduced.options.memoryLimits[stage];
    }
    if (!found.stage)
        return nameFullestDevice(problem, plan);
    found.shares = sharesOf(problem, reduced, plan, *found.stage);
    std::string text =
        std::string(ofLeastPlan) + stageLabel(*found.stage) + " would need " + formatBytes(found.need);
    Bytes rest = found.need;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, found.shares.size()); ++i) {
        text += (i == 0 ? ": " : ", ") + shareText(found.shares[i]);
        rest -= found.shares[i].bytes;
    }
    return rest > Bytes{} ? text + " and " + formatBytes(rest) + " for the rest" : text;
}

} // namespace

Bytes printedLimit(Bytes bytes)
{
    if (bytes < Bytes(1024))
        return bytes;
    double unit = 1024;
    while (bytes.asDouble() / unit >= 999.5)
        unit *= 1024;
    const double value = bytes.asDouble() / unit;
    const double digits = value < 10 ? 100 : value < 100 ? 10 : 1;
    return Bytes(static_cast<std::int64_t>(std::ceil(std::ceil(value * digits) / digits * unit)));
}

Infeasibility diagnoseInfeasible(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    Infeasibility found;
    std::string where = counted(reduced.stageCount(), "stage");
    if (problem.options.sharesDevices())
        where += " on " + counted(scheduleOf(problem.options).value().deviceCount(), "device");
    const auto least = reduced.limitsMemory ? leastLimit(problem, reduced) : std::nullopt;
    // Where less than the limit does, it is not memory that forbids a plan.
    const bool fits = least && least->sufficient <= std::ranges::min(reduced.options.memoryLimits);
    if (reduced.over() && (!least || fits)) {
        found.message = "no plan was found in " + where + " in the time there was; allow more";
        return found;
    }
    if (!least) {
        found.message = "no plan in " + where + " keeps all pins and groups";
        return found;
    }
    const Bytes limit = std::ranges::max(reduced.options.memoryLimits);
    found.sufficientLimit = printedLimit(least->sufficient);
    found.neededLimit = least->proven;
    found.isProven = least->proven > limit || feasibilityOf(problem, reduced) == Feasibility::Impossible;
    if (const auto alone = tooLargeAlone(problem, reduced)) {
        found.message = *alone + remediesText(found);
        return found;
    }
    const std::string fullest = nameFullest(problem, reduced, least->stages, found);
    findStagesThatWouldDo(problem, reduced.isOver, found);
    found.sufficientSchedule = scheduleThatWouldDo(problem, reduced.isOver);
    found.sufficientMicrobatches = microbatchesThatWouldDo(problem, reduced.isOver);
    found.message = (found.isProven ? "no plan in " + where + " fits a limit of "
                                    : "no plan was found in " + where + " that fits a limit of ") +
                    formatBytes(limit) + fullest + remediesText(found);
    if (!found.isProven && reduced.over())
        found.message += timeWasOver;
    return found;
}

Result<Solution> solveOrExplain(const PartitionProblem& problem, const Progress& progress)
{
    WorkBudget budget(problem.options.timeLimit, progress);
    Result<Solution> solution = solve(problem, progress);
    if (solution.has_value() || solution.error().code != ErrorCode::Infeasible)
        return solution;
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem, Joining::Lossless, budget.patience()));
    const std::string reason = diagnoseInfeasible(problem, reduced).message;
    return progress.stopRequested() ? cancelled() : Error{ErrorCode::Infeasible, reason};
}

} // namespace stagecraft
