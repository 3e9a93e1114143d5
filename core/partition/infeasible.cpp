#include "core/partition/infeasible.h"

#include "core/partition/order_dp.h"
#include "core/partition/orders.h"
#include "core/partition/stage_labels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

// Of the orders that the search begins with, so that it finds what is promised here.
std::vector<GroupOrder> firstOrders(const ReducedProblem& reduced)
{
    return {makeOrder(reduced, OrderRule::Program, OrderDirection::Forward),
            makeOrder(reduced, OrderRule::LeastCut, OrderDirection::Backward)};
}

bool canBeSliced(const ReducedProblem& reduced)
{
    return std::ranges::any_of(firstOrders(reduced), [&](const GroupOrder& order) {
        return sliceOrder(reduced, order, infinite).has_value();
    });
}

Bytes memoryOf(const ReducedProblem& reduced, const StageFigures& figures, std::size_t stage)
{
    return Bytes(figures.state) + Bytes(figures.saved) * static_cast<std::int64_t>(reduced.inFlight[stage]) +
           Bytes(figures.transient);
}

// The least limit, the same for all stages, under which some order can be sliced, and the plan.
struct LeastPlan
{
    Bytes limit;
    GroupStages stages;
};

// Along one order, to within half a per cent; then the others, only if they do with less.
std::optional<LeastPlan> leastPlan(ReducedProblem reduced)
{
    reduced.limitsMemory = true;
    reduced.uniform = false;
    std::optional<LeastPlan> best;
    const auto works = [&](const GroupOrder& order, Bytes limit) {
        reduced.options.memoryLimits.assign(reduced.stageCount(), limit);
        const auto plan = sliceOrder(reduced, order, infinite);
        if (!plan)
            return false;
        const auto figures = stageFigures(reduced, plan->stages);
        Bytes need;
        for (std::size_t stage = 0; stage < figures.size(); ++stage)
            need = std::max(need, memoryOf(reduced, figures[stage], stage));
        best = LeastPlan{need, plan->stages};
        return true;
    };
    for (const GroupOrder& order : firstOrders(reduced)) {
        std::int64_t low = 0; // does not
        const bool isFirst = !best;
        const Bytes less = isFirst ? Bytes::max() : Bytes(best->limit.count() - best->limit.count() / 100);
        if (!works(order, less))
            continue;
        while (best->limit.count() - low > std::max<std::int64_t>(1, best->limit.count() / 200)) {
            const std::int64_t middle = low + (best->limit.count() - low) / 2;
            if (!works(order, Bytes(middle)))
                low = middle;
        }
    }
    return best;
}

std::optional<ReducedProblem> reducedUnder(PartitionProblem problem, const PartitionOptions& options)
{
    problem.options = options;
    if (!checkProblem(problem).has_value())
        return std::nullopt;
    auto reduced = reduceProblem(problem);
    return reduced.has_value() ? std::optional(std::move(reduced).value()) : std::nullopt;
}

bool worksUnder(const PartitionProblem& problem, const PartitionOptions& options)
{
    const auto reduced = reducedUnder(problem, options);
    return reduced && canBeSliced(*reduced);
}

std::optional<std::size_t> stagesThatWouldDo(const PartitionProblem& problem)
{
    if (!problem.options.pins.empty() || problem.options.sharesDevices())
        return std::nullopt;
    const std::size_t most = std::min(problem.nodes.size(), 4 * problem.stageCount() + 8);
    // Parameters are in some stage, however many there are.
    Bytes state;
    for (const ProblemNode& node : problem.nodes)
        state += node.state;
    for (const SharedState& shared : problem.shared)
        state += shared.stateBytes;
    const double limit = std::max(1.0, std::ranges::max(problem.options.memoryLimits).asDouble());
    const double least = std::min(state.asDouble() / limit, static_cast<double>(most));
    for (std::size_t stages = std::max(problem.stageCount(), static_cast<std::size_t>(least)) + 1;
         stages <= most; stages += std::max<std::size_t>(1, stages / 16)) {
        if (worksUnder(problem, withStageCount(problem, stages).options))
            return stages;
    }
    return std::nullopt;
}

std::optional<std::size_t> microbatchesThatWouldDo(const PartitionProblem& problem)
{
    PartitionOptions options = problem.options;
    for (options.microbatches /= 2; options.microbatches > 0; options.microbatches /= 2) {
        if (worksUnder(problem, options))
            return options.microbatches;
    }
    return std::nullopt;
}

std::optional<ScheduleKind> scheduleThatWouldDo(const PartitionProblem& problem)
{
    PartitionOptions options = problem.options;
    if (options.schedule != ScheduleKind::GPipe && options.schedule != ScheduleKind::ZeroBubble1)
        return std::nullopt;
    options.schedule = ScheduleKind::OneFOneB;
    return worksUnder(problem, options) ? std::optional(options.schedule) : std::nullopt;
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
        if (std::ranges::any_of(shared.users, [&](NodeId user) { return partition.stageOf[user] == stage; }))
            add(MemoryShare::Kind::State, shared.name, shared.stateBytes);
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, &MemoryShare::bytes);
    return shares;
}

std::string shareText(const MemoryShare& share)
{
    constexpr std::array<std::string_view, 3> kinds{"state of '", "activations of '", "scratch of '"};
    return std::string(kinds[static_cast<std::size_t>(share.kind)]) + share.name + "' " +
           formatBytes(share.bytes);
}

// The part that alone is too large for every stage.
std::optional<std::string> tooLargeAlone(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    const ReducedGroup* largest = nullptr;
    Bytes need;
    for (const ReducedGroup& group : reduced.groups) {
        Bytes alone = Bytes(group.state) + Bytes(group.saved) + Bytes(group.transient);
        for (const std::uint32_t shared : group.shared)
            alone += Bytes(reduced.shared[shared].bytes);
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
    return "'" + problem.nodes[largest->nodes.front()].name + "'" + others + " alone needs " +
           formatBytes(need) + ", more than the limit of " + formatBytes(limit) +
           "; no number of stages helps";
}

std::string remediesText(const Infeasibility& found)
{
    std::vector<std::string> remedies;
    if (found.sufficientLimit)
        remedies.push_back("a limit of " + formatBytes(*found.sufficientLimit));
    if (found.sufficientStages)
        remedies.push_back(std::to_string(*found.sufficientStages) + " stages");
    if (found.sufficientSchedule)
        remedies.push_back("the " + std::string(scheduleName(*found.sufficientSchedule)) + " schedule");
    if (found.sufficientMicrobatches)
        remedies.push_back(std::to_string(*found.sufficientMicrobatches) +
                           (*found.sufficientMicrobatches == 1 ? " microbatch" : " microbatches"));
    std::string text;
    for (std::size_t i = 0; i < remedies.size(); ++i)
        text += (i == 0 ? "; " : ", or ") + remedies[i];
    return text.empty() ? text : text + " would do";
}

// Which stage of the plan that needs least breaks its limit, and what fills it.
std::string nameFullestStage(const PartitionProblem& problem, const ReducedProblem& reduced,
                             const GroupStages& stages, Infeasibility& found)
{
    const auto figures = stageFigures(reduced, stages);
    Bytes most;
    for (std::size_t stage = 0; stage < figures.size(); ++stage) {
        if (reduced.fits(stage, figures[stage]))
            continue;
        const Bytes need = memoryOf(reduced, figures[stage], stage);
        if (need - reduced.options.memoryLimits[stage] <= most)
            continue;
        most = need - reduced.options.memoryLimits[stage];
        found.stage = StageId(stage);
        found.need = need;
        found.limit = reduced.options.memoryLimits[stage];
    }
    if (!found.stage)
        return {};
    found.shares = sharesOf(problem, reduced, expand(reduced, stages), *found.stage);
    std::string text = "; " + stageLabel(*found.stage) + " would need " + formatBytes(found.need);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, found.shares.size()); ++i)
        text += (i == 0 ? ", most of it for " : ", ") + shareText(found.shares[i]);
    return text;
}

} // namespace

bool exceedsAllLimits(const ReducedProblem& reduced)
{
    const auto inFlight = static_cast<std::int64_t>(std::ranges::min(reduced.inFlight));
    Bytes need;
    for (const ReducedGroup& group : reduced.groups)
        need += Bytes(group.state) + Bytes(group.saved) * inFlight;
    for (const ReducedShared& shared : reduced.shared)
        need += Bytes(shared.bytes);
    Bytes allowed;
    for (const Bytes limit : reduced.options.memoryLimits)
        allowed += limit;
    return reduced.limitsMemory && need > allowed;
}

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
    const std::string stages =
        std::to_string(reduced.stageCount()) + (reduced.stageCount() == 1 ? " stage" : " stages");
    if (!reduced.limitsMemory) {
        found.message = "no plan in " + stages + " keeps all pins and groups";
        return found;
    }
    const auto least = leastPlan(reduced);
    if (least)
        found.sufficientLimit = printedLimit(least->limit);
    if (const auto alone = tooLargeAlone(problem, reduced)) {
        found.message = *alone + remediesText(found);
        return found;
    }
    std::string fullest;
    if (least)
        fullest = nameFullestStage(problem, reduced, least->stages, found);
    found.sufficientStages = stagesThatWouldDo(problem);
    found.sufficientSchedule = scheduleThatWouldDo(problem);
    found.sufficientMicrobatches = microbatchesThatWouldDo(problem);
    found.message = "no plan in " + stages + " fits a limit of " +
                    formatBytes(std::ranges::max(reduced.options.memoryLimits)) + fullest +
                    remediesText(found);
    return found;
}

Error explainInfeasible(const PartitionProblem& problem, const ReducedProblem& reduced)
{
    return {ErrorCode::Infeasible, diagnoseInfeasible(problem, reduced).message};
}

} // namespace stagecraft
