#include "app/document/constraint_edits.h"

#include <QObject>

namespace stagecraft {

ConstraintEdit withPinsToggled(const PlanState& state, std::span<const NodeId> nodes)
{
    const int count = static_cast<int>(nodes.size());
    if (arePinned(state, nodes))
        return {QObject::tr("Release %n op(s)", nullptr, count), withoutPins(state, nodes)};
    return {QObject::tr("Pin %n op(s) to the stage", nullptr, count), withPins(state, nodes)};
}

ConstraintEdit withResultsToggled(const Graph& graph, const PlanState& state, std::span<const NodeId> nodes)
{
    if (areResultsKept(graph, state, nodes))
        return {QObject::tr("Let results be sent"), withoutResultsKept(graph, state, nodes)};
    return {QObject::tr("Never send results"), withResultsKept(graph, state, nodes)};
}

ConstraintEdit withBlocksToggled(const PlanState& state, const Blocks& blocks)
{
    const int count = static_cast<int>(blocks.size());
    if (areKept(state, blocks))
        return {QObject::tr("No longer treat %n module(s) as a block", nullptr, count),
                withoutBlocks(state, blocks)};
    return {QObject::tr("Treat %n module(s) as a block", nullptr, count), withBlocks(state, blocks)};
}

} // namespace stagecraft
