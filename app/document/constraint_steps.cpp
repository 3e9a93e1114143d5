#include "app/document/constraint_steps.h"

#include "app/document/constraint_edits.h"
#include "app/document/document.h"
#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"

namespace stagecraft {

namespace {

void hold(Document& document, ConstraintEdit edit)
{
    Result<PlanState> held = underConstraints(*document.model(), std::move(edit.draft), document.timeLimit());
    held.has_value() ? document.adopt(edit.text, *std::move(held)) : document.refuse(held.error());
}

} // namespace

void toggleLock(Document& document, BoundaryId boundary)
{
    const PlanState& state = document.state();
    if (!document.canEdit() || boundary.index() + 1 >= state.partition->stageCount)
        return;
    if (document.isLocked(boundary))
        hold(document,
             {Document::tr("Unlock boundary %1").arg(boundaryName(boundary)), withoutLock(state, boundary)});
    else
        hold(document, {Document::tr("Lock boundary %1").arg(boundaryName(boundary)),
                        withLock(document.openedModel()->graph, state, boundary)});
}

void togglePins(Document& document, const std::vector<NodeId>& nodes)
{
    if (document.canEdit() && !nodes.empty())
        hold(document, withPinsToggled(document.state(), nodes));
}

void keepTogether(Document& document, const std::vector<NodeId>& nodes)
{
    if (!document.canEdit())
        return;
    if (nodes.size() < 2)
        return document.refuse(
            Error{ErrorCode::BadUsage,
                  Document::tr("Select two ops or more, or a module, to keep them together.").toStdString()});
    hold(document, {Document::tr("Keep %n op(s) together", nullptr, static_cast<int>(nodes.size())),
                    withGroup(document.state(), nodes)});
}

void toggleResultsKept(Document& document, const std::vector<NodeId>& nodes)
{
    if (document.canEdit())
        hold(document, withResultsToggled(document.openedModel()->graph, document.state(), nodes));
}

void letApart(Document& document, const std::vector<NodeId>& nodes)
{
    if (document.canEdit() && areKeptTogether(document.state(), nodes))
        hold(document, {Document::tr("No longer keep together"), withoutGroups(document.state(), nodes)});
}

void toggleBlocks(Document& document, const std::vector<std::vector<NodeId>>& blocks)
{
    if (document.canEdit() && !blocks.empty())
        hold(document, withBlocksToggled(document.state(), blocks));
}

} // namespace stagecraft
