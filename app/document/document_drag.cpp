// What Document shows while a boundary or some ops are dragged. The rest is in document.cpp.
#include "app/document/document.h"

#include "app/document/plan_edit.h"
#include "core/plan/editing.h"
#include "views/base/plain_text.h"

namespace stagecraft {

void Document::endPreview()
{
    if (std::exchange(m_drag, std::nullopt))
        emit previewChanged();
}

bool Document::beginDrag(std::optional<BoundaryId> boundary)
{
    if (!m_state.problem || (boundary && boundary->index() + 1 >= m_state.partition->stageCount))
        return false;
    if (!m_drag || m_drag->boundary != boundary || m_drag->shown.problem != m_state.problem)
        m_drag.emplace(DraggedPlan{boundary, m_state, PlanEvaluator(*m_state.problem, *m_state.partition),
                                   m_settler.dragOf(m_state)});
    return true;
}

void Document::preview(const Partition& partition)
{
    PlanState& shown = m_drag->shown;
    if (partition == *shown.partition)
        return;
    shown.cost = std::make_shared<const PlanCost>(m_drag->costOf(partition));
    shown.partition = std::make_shared<const Partition>(partition);
    emit previewChanged();
    refresh(Change::Preview);
}

void Document::pushPreview(const QString& text)
{
    PlanState dropped = std::exchange(m_drag, std::nullopt)->shown;
    if (*dropped.partition != *m_state.partition)
        return push(text, std::move(dropped));
    emit previewChanged();
    emit drawingChanged(); // one that came in meanwhile
    settle();
}

void Document::drag(BoundaryId boundary, std::size_t position)
{
    if (isLocked(boundary) || !beginDrag(boundary))
        return;
    const Result<Edit> edit =
        stagecraft::moveBoundary(*m_state.problem, *m_state.partition, boundary, position);
    if (edit.has_value())
        preview(edit->partition);
}

void Document::drop(BoundaryId boundary, std::size_t position)
{
    drag(boundary, position);
    if (isLocked(boundary))
        emit refused(tr("The boundary %1 is locked.").arg(boundaryName(boundary)));
    if (m_drag)
        pushPreview(tr("Move boundary %1").arg(boundaryName(boundary)));
}

void Document::dragNodes(const std::vector<NodeId>& nodes, StageId stage)
{
    if (!beginDrag({})) {
        emit dragRefused(tr("The costs of this model are not known yet."));
        return;
    }
    const Result<Edit> edit = sendNodes(*m_state.problem, *m_state.partition, nodes, stage);
    preview(edit.has_value() ? edit->partition : *m_state.partition);
    if (!edit.has_value())
        emit dragRefused(shownText(edit.error().message));
}

void Document::dropNodes(const std::vector<NodeId>& nodes, StageId stage)
{
    if (!beginDrag({}))
        return;
    const Result<Edit> edit = sendNodes(*m_state.problem, *m_state.partition, nodes, stage);
    if (!edit.has_value()) {
        cancelDrag();
        return refuse(edit.error());
    }
    preview(edit->partition);
    pushPreview(tr("Send %n op(s) to stage %1", nullptr, static_cast<int>(edit->moved.size()))
                    .arg(stage.index() + 1));
}

void Document::cancelDrag()
{
    if (!m_drag)
        return;
    endPreview();
    refresh(Change::Preview);
    emit drawingChanged(); // one that came in meanwhile
    settle();
}

} // namespace stagecraft
