#include "core/advise/bottleneck.h"

#include "core/base/text.h"
#include "core/plan/stage_cost.h"
#include "core/plan/stage_labels.h"
#include "core/search/bound/bounds.h"

#include <algorithm>

namespace stagecraft {

namespace {

template <class Share>
void keepLongest(std::vector<Share>& shares, std::size_t most)
{
    std::ranges::stable_sort(shares, std::ranges::greater{}, &Share::time);
    if (shares.size() > most)
        shares.erase(shares.begin() + static_cast<std::ptrdiff_t>(most), shares.end());
}

std::vector<NodeShare> nodeShares(const PartitionProblem& problem, const Partition& partition, StageId stage)
{
    std::vector<NodeShare> shares;
    for (const NodeId node : problem.nodes.ids()) {
        if (partition.stageOf[node] == stage)
            shares.push_back({node, problem.nodes[node].time() / problem.options.speeds[stage.index()]});
    }
    return shares;
}

std::vector<ValueShare> valueShares(const PartitionProblem& problem, const PlanCost& cost, StageId stage)
{
    std::vector<const ProblemValue*> byId;
    for (const ProblemValue& value : problem.values) {
        byId.resize(std::max<std::size_t>(byId.size(), value.value.index() + 1), nullptr);
        byId[value.value.index()] = &value;
    }
    std::vector<ValueShare> shares;
    for (const BoundaryId boundary : cost.boundaries.ids()) {
        if (boundary.index() != stage.index() && boundary.index() + 1 != stage.index())
            continue;
        for (const ValueId id : cost.boundaries[boundary].values) {
            const ProblemValue& value = *byId[id.index()];
            shares.push_back({id, value.producer, boundary, transferTime(problem, value, boundary.index()),
                              value.forwardBytes + value.backwardBytes});
        }
    }
    return shares;
}

// What the windows of a slightly shorter bottleneck leave no choice about.
std::optional<ForcedShare> forcedShare(const ReducedProblem& reduced, StageId stage, double bottleneck)
{
    const auto windows = BoundProver(reduced).windows(bottleneck * (1 - 1e-6));
    if (!windows)
        return std::nullopt;
    ForcedShare share;
    const std::size_t index = stage.index();
    for (const ReducedGroupId group : reduced.groups.ids()) {
        if (windows->earliest[group] != index || windows->latest[group] != index)
            continue;
        const auto& nodes = reduced.groups[group].nodes;
        share.nodes.insert(share.nodes.end(), nodes.begin(), nodes.end());
        share.compute += Seconds(reduced.groups[group].seconds / reduced.options.speeds[index]);
    }
    std::ranges::sort(share.nodes);
    if (index > 0)
        share.receive = Seconds(windows->cuts[index - 1]);
    if (index < windows->cuts.size())
        share.send = Seconds(windows->cuts[index]);
    return share;
}

// What the kind of bound says about all plans.
std::string boundReason(const PartitionProblem& problem, const Bound& bound)
{
    const std::string least = formatSeconds(bound.value);
    const std::string subject =
        bound.witness.empty()
            ? std::string()
            : quoted(problem, bound.witness.front()) +
                  (bound.witness.size() > 1
                       ? " and the " + counted(bound.witness.size() - 1, "node") + " that stay with it"
                       : "");
    if (bound.kind == "heaviest node" && !subject.empty())
        return subject + " alone take" + (bound.witness.size() > 1 ? " " : "s ") + least +
               ": no split makes a stage shorter than that";
    if (bound.kind == "area")
        return "all the work, shared out evenly, is " + least + " a stage";
    if (bound.kind.starts_with("area of devices"))
        return "all the work, shared out evenly, is " + least + " a device";
    if (bound.kind.starts_with("windows") && !subject.empty())
        return "below " + least + " there is no stage for " + subject +
               ": what it needs comes too late, or what needs it too early";
    if (bound.kind.starts_with("windows"))
        return "below " + least + " the stages have no room for all the work" +
               (bound.kind == "windows" ? "" : " and what must be sent between them");
    return "every way to split it in less than " + least + " was ruled out";
}

std::vector<std::string> reasonsOf(const PartitionProblem& problem, const PlanCost& plan,
                                   const BottleneckReport& report)
{
    const StageCost& cost = report.cost;
    std::string first = plan.sharesDevices()
                            ? slowestLabel(plan) + " takes " + formatSeconds(plan.bottleneckTime) + "; its "
                            : std::string();
    first += stageLabel(report.stage) + " takes " + formatSeconds(cost.load) + ": computes for " +
             formatSeconds(cost.compute()) + ", receives for " + formatSeconds(cost.receive) +
             ", sends for " + formatSeconds(cost.send);
    std::vector<std::string> reasons{first};
    if (!report.nodes.empty())
        reasons.push_back("its longest node is " + placeText(problem, report.nodes.front().node) + ", " +
                          formatSeconds(report.nodes.front().time));
    if (!cost.fits())
        reasons.push_back("it needs " + formatBytes(cost.peakMemory) + " where " +
                          formatBytes(cost.memoryLimit) + " are allowed");
    reasons.push_back(boundReason(problem, report.bound));
    if (!report.forced)
        reasons.push_back("no plan is faster");
    else if (!report.forced->nodes.empty())
        reasons.push_back("any faster plan has " + counted(report.forced->nodes.size(), "node") + " (" +
                          formatSeconds(report.forced->compute) + ") in " + stageLabel(report.stage) +
                          ", where at least " + formatSeconds(report.forced->receive) +
                          " go into receiving and " + formatSeconds(report.forced->send) + " into sending");
    return reasons;
}

} // namespace

Result<BottleneckReport> reportBottleneck(const PartitionProblem& problem, const Solution& solution,
                                          const BottleneckOptions& options)
{
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem, Joining::None, options.isOver));
    BottleneckReport report{
        .stage = solution.cost.bottleneck, .bound = solution.bound, .gap = solution.gap()};
    report.cost = solution.cost.stages[report.stage];
    report.nodes = nodeShares(problem, solution.partition, report.stage);
    keepLongest(report.nodes, options.mostNodes);
    report.values = valueShares(problem, solution.cost, report.stage);
    keepLongest(report.values, options.mostValues);
    if (!solution.proven())
        report.forced = forcedShare(reduced, report.stage, solution.cost.bottleneckTime.value());
    report.reasons = reasonsOf(problem, solution.cost, report);
    return report;
}

} // namespace stagecraft
