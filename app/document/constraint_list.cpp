#include "app/document/constraint_list.h"

#include "app/document/plan_constraints.h"

#include <algorithm>

namespace stagecraft {

namespace {

using Kind = ConstraintInForce::Kind;

std::vector<NodeId> sorted(std::vector<NodeId> nodes)
{
    std::ranges::sort(nodes);
    return nodes;
}

bool isOfLock(const PlanState& state, NodeId node)
{
    return std::ranges::any_of(state.locks, [&](const std::vector<NodeId>& lock) {
        return std::ranges::find(lock, node) != lock.end();
    });
}

// Pins that other locks need stay; where it is no boundary that it held any more, its pins go.
PlanState withoutLockOf(PlanState state, const ConstraintInForce& constraint)
{
    const std::size_t before = state.locks.size();
    state = withoutLock(std::move(state), BoundaryId(constraint.stage->index()));
    return state.locks.size() < before ? state : withoutPins(std::move(state), constraint.nodes);
}

// What makes it first, then what reads it.
std::vector<NodeId> usersOf(const Graph& graph, ValueId value)
{
    std::vector<NodeId> nodes;
    if (const std::optional<NodeId> producer = graph[value].producer)
        nodes.push_back(*producer);
    nodes.insert(nodes.end(), graph[value].users.begin(), graph[value].users.end());
    return nodes;
}

} // namespace

std::vector<ConstraintInForce> constraintsInForce(const Graph& graph, const PlanState& state)
{
    const PartitionOptions& plan = state.request.plan;
    std::vector<ConstraintInForce> list;
    for (const std::vector<NodeId>& lock : state.locks) {
        const auto stage = [&](NodeId node) { return state.partition->stageOf[node]; };
        list.push_back({Kind::Lock, sorted(lock), stage(*std::ranges::min_element(lock, {}, stage))});
    }
    for (const Pin& pin : plan.pins)
        if (!isOfLock(state, pin.node))
            list.push_back({Kind::Pin, {pin.node}, pin.stage});
    for (const std::vector<NodeId>& group : plan.keepTogether)
        list.push_back({Kind::Group, sorted(group)});
    for (const ValueId value : plan.neverCut)
        list.push_back({Kind::NeverCut, usersOf(graph, value), {}, value});
    if (!plan.memoryLimits.empty())
        list.push_back({Kind::Limit, {}, {}, {}, plan.memoryLimits});
    return list;
}

PlanState withoutThese(PlanState state, std::span<const ConstraintInForce> constraints)
{
    for (const ConstraintInForce& constraint : constraints) {
        PartitionOptions& plan = state.request.plan;
        switch (constraint.kind) {
        case Kind::Lock:
            state = withoutLockOf(std::move(state), constraint);
            break;
        case Kind::Pin:
            state = withoutPins(std::move(state), constraint.nodes);
            break;
        case Kind::Group: {
            const auto isIt = [&](const std::vector<NodeId>& group) {
                return sorted(group) == constraint.nodes;
            };
            const auto found = std::ranges::find_if(plan.keepTogether, isIt);
            if (found != plan.keepTogether.end())
                plan.keepTogether.erase(found);
            break;
        }
        case Kind::NeverCut:
            std::erase(plan.neverCut, *constraint.value);
            break;
        case Kind::Limit:
            plan.memoryLimits.clear();
            break;
        }
    }
    return state;
}

} // namespace stagecraft
