#include "core/plan/problem.h"

#include "core/plan/stage_labels.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stagecraft {

namespace {

Error badProblem(std::string message)
{
    return Error{ErrorCode::BadUsage, std::move(message)};
}

Result<void> checkNodes(const PartitionProblem& problem)
{
    if (problem.nodes.empty())
        return badProblem("there is nothing to split: no nodes");
    for (NodeId node : problem.nodes.ids()) {
        const ProblemNode& cost = problem.nodes[node];
        for (const Seconds time : {cost.forward, cost.backwardInput, cost.backwardWeight}) {
            if (!(time >= Seconds{}) || !std::isfinite(time.value()))
                return badProblem("node '" + cost.name + "' has a time that is negative or not a number");
        }
        if (std::min({cost.state, cost.saved, cost.transient}) < Bytes{})
            return badProblem("node '" + cost.name + "' needs a negative number of bytes");
    }
    const std::size_t stages = problem.stageCount();
    if (stages > problem.nodes.size())
        return Error{ErrorCode::Infeasible, "cannot make " + std::to_string(stages) + " stages of " +
                                                std::to_string(problem.nodes.size()) +
                                                (problem.nodes.size() == 1 ? " node" : " nodes")};
    return {};
}

Result<void> checkReferences(const PartitionProblem& problem)
{
    const auto known = [&](NodeId node) { return problem.nodes.contains(node); };
    const auto allKnown = [&](const std::vector<NodeId>& nodes) { return std::ranges::all_of(nodes, known); };
    for (const ProblemValue& value : problem.values) {
        if (!known(value.producer) || !allKnown(value.readers))
            return badProblem("value " + std::to_string(value.value.index()) +
                              " names a node that is not there");
        if (std::min(value.forwardBytes, value.backwardBytes) < Bytes{} || !(value.fixedTime >= Seconds{}))
            return badProblem("what '" + problem.nodes[value.producer].name +
                              "' makes has a negative size or time");
    }
    for (const SharedState& shared : problem.shared) {
        if (!allKnown(shared.users) ||
            std::min({shared.parameterBytes, shared.stateBytes, shared.savedBytes}) < Bytes{})
            return badProblem("'" + shared.name + "' has a negative size or an unknown user");
    }
    for (const PartedState& state : problem.parted) {
        const auto isKnown = [&](const KeptPart<NodeId>& part) {
            return known(part.maker) && allKnown(part.keepers) && part.bytes >= Bytes{};
        };
        if (!std::ranges::all_of(state.parts, isKnown))
            return badProblem("a part of '" + state.name + "' has a negative size or an unknown node");
    }
    for (const Precedence& precedence : problem.precedences) {
        if (!known(precedence.before) || !known(precedence.after))
            return badProblem("an order between nodes names one that is not there");
    }
    for (const Colocation& group : problem.groups) {
        if (!allKnown(group.nodes))
            return badProblem("a group of nodes (" + group.reason + ") names one that is not there");
    }
    return {};
}

Result<void> checkPins(const PartitionProblem& problem)
{
    Table<NodeId, std::optional<StageId>> pinned(problem.nodes.size());
    for (const Pin& pin : problem.options.pins) {
        if (!problem.nodes.contains(pin.node))
            return badProblem("a pin names node " + std::to_string(pin.node.index()) +
                              ", which is not there");
        const std::string& name = problem.nodes[pin.node].name;
        if (pin.stage.index() >= problem.stageCount())
            return badProblem("'" + name + "' is pinned to " + stageLabel(pin.stage) + " of " +
                              std::to_string(problem.stageCount()));
        if (pinned[pin.node].value_or(pin.stage) != pin.stage)
            return badProblem("'" + name + "' is pinned to two stages");
        pinned[pin.node] = pin.stage;
    }
    return {};
}

} // namespace

std::string placeText(const PartitionProblem& problem, NodeId node)
{
    const ProblemNode& found = problem.nodes[node];
    return "'" + found.name + "'" + (found.module.empty() ? "" : " in " + found.module);
}

std::vector<NodeId> withoutLookers(const PartitionProblem& problem, std::span<const NodeId> nodes)
{
    std::vector<NodeId> kept;
    std::ranges::copy_if(nodes, std::back_inserter(kept), [&](NodeId node) {
        return node.index() >= problem.nodes.size() || !problem.nodes[node].onlyLooks;
    });
    return kept.empty() ? std::vector<NodeId>(nodes.begin(), nodes.end()) : kept;
}

void takeLookersAlong(const PartitionProblem& problem, Partition& partition)
{
    for (const Colocation& group : problem.groups) {
        const auto maker =
            std::ranges::find_if(group.nodes, [&](NodeId node) { return !problem.nodes[node].onlyLooks; });
        for (const NodeId node : group.nodes)
            if (maker != group.nodes.end() && problem.nodes[node].onlyLooks)
                partition.stageOf[node] = partition.stageOf[*maker];
    }
}

bool mayJoinBackward(const PartitionProblem& problem)
{
    return splitsBackward(problem.options.schedule) &&
           std::ranges::any_of(problem.nodes, &ProblemNode::recomputes);
}

Result<void> checkProblem(const PartitionProblem& problem)
{
    STAGECRAFT_TRY(checkOptions(problem.options));
    STAGECRAFT_TRY(checkNodes(problem));
    STAGECRAFT_TRY(checkReferences(problem));
    return checkPins(problem);
}

Result<void> checkPartition(const PartitionProblem& problem, const Partition& partition)
{
    const auto bad = [](std::string message) { return Error{ErrorCode::Infeasible, std::move(message)}; };
    const auto name = [&](NodeId node) { return "'" + problem.nodes[node].name + "'"; };
    if (partition.stageCount != problem.stageCount() || partition.stageOf.size() != problem.nodes.size())
        return bad("the plan is for other stages or other nodes");
    std::vector<char> used(partition.stageCount, 0);
    for (const StageId stage : partition.stageOf) {
        if (stage.index() >= partition.stageCount)
            return bad("the plan names " + stageLabel(stage) + ", which is not there");
        used[stage.index()] = 1;
    }
    const auto empty = std::ranges::find(used, 0);
    if (problem.options.emptyStages == EmptyStages::Forbid && empty != used.end())
        return bad(stageLabel(StageId(static_cast<std::size_t>(empty - used.begin()))) + " would be empty");
    for (const Precedence& edge : problem.precedences) {
        if (partition.stageOf[edge.before] > partition.stageOf[edge.after])
            return bad(name(edge.before) + " in " + stageLabel(partition.stageOf[edge.before]) +
                       " must not come after " + name(edge.after) + " in " +
                       stageLabel(partition.stageOf[edge.after]));
    }
    for (const Colocation& group : problem.groups) {
        for (NodeId node : group.nodes) {
            if (partition.stageOf[node] != partition.stageOf[group.nodes.front()])
                return bad(name(group.nodes.front()) + " and " + name(node) +
                           " must share a stage: " + group.reason);
        }
    }
    for (const Pin& pin : problem.options.pins) {
        if (partition.stageOf[pin.node] != pin.stage)
            return bad(name(pin.node) + " is pinned to " + stageLabel(pin.stage));
    }
    return {};
}

PartitionProblem withStageCount(PartitionProblem problem, std::size_t stageCount)
{
    PartitionOptions& options = problem.options;
    const auto resize = [](auto& items, std::size_t count) {
        if (!items.empty())
            items.resize(count, items.back());
    };
    resize(options.speeds, stageCount);
    resize(options.memoryLimits, stageCount);
    if (options.links.empty() && stageCount > 1)
        options.links.push_back(problem.link);
    resize(options.links, stageCount > 0 ? stageCount - 1 : 0);
    options.stageCount = stageCount;
    options.recompute = withinStages(std::move(options.recompute), stageCount);
    return problem;
}

PartitionProblem withoutMemoryLimits(PartitionProblem problem)
{
    problem.options.memoryLimits.assign(problem.stageCount(), Bytes::max());
    return problem;
}

void completeOptions(PartitionOptions& options, Link link)
{
    const std::size_t stages = options.stageCount;
    const auto complete = [](auto& items, std::size_t count, auto value) {
        if (items.size() != count)
            items.assign(count, items.empty() ? value : items.front());
    };
    complete(options.speeds, stages, 1.0);
    complete(options.memoryLimits, stages, Bytes::max());
    complete(options.links, stages - 1, link);
}

} // namespace stagecraft
