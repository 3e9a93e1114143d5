#include "views/graph/boundary_drag_controller.h"

#include "views/base/format.h"

#include <QGraphicsView>
#include <QToolTip>

namespace stagecraft {

namespace {

constexpr int magnetReach = 14; // pixels

} // namespace

std::vector<std::size_t> BoundaryDragController::between(BoundaryId boundary) const
{
    const auto& positions = m_paint.boundaryPositions;
    const std::size_t i = boundary.index();
    const std::size_t end = i + 1 < positions.size() ? positions[i + 1] : m_paint.layout->graph->nodeCount();
    std::vector<std::size_t> legal;
    for (std::size_t position = i > 0 ? positions[i - 1] + 1 : 1; position < end; ++position)
        legal.push_back(position);
    return legal;
}

void BoundaryDragController::start(BoundaryId boundary, int grip)
{
    m_grip = grip;
    m_costBefore = m_paint.plan.cost;
    m_drag.emplace(*m_paint.layout, boundary, m_paint.boundaryPositions[boundary.index()],
                   m_legal ? m_legal(boundary) : between(boundary),
                   bytesAcross(*m_paint.layout, m_paint.plan.profile.get()));
    emit changed();
}

void BoundaryDragController::moveTo(QPoint pixel, Qt::KeyboardModifiers modifiers)
{
    QWidget* viewport = m_view->viewport();
    if (!m_drag->canMove()) {
        viewport->setCursor(Qt::ForbiddenCursor);
        QToolTip::showText(viewport->mapToGlobal(pixel),
                           isLocked(m_drag->boundary())
                               ? tr("This boundary is locked; L unlocks it")
                               : tr("This boundary cannot move: what is beside it belongs together"),
                           viewport);
        return;
    }
    const double y = m_view->mapToScene(pixel - QPoint(0, m_grip)).y();
    if (!m_drag->moveTo(y, magnetOf(modifiers), magnetReach / m_view->transform().m11()))
        return;
    emit changed();
    emit dragged(m_drag->boundary(), m_drag->position());
}

void BoundaryDragController::drop()
{
    const BoundaryDrag drag = *std::exchange(m_drag, std::nullopt);
    m_costBefore.reset();
    if (drag.position() == drag.start())
        emit cancelled();
    else
        emit dropped(drag.boundary(), drag.position());
    emit changed();
}

void BoundaryDragController::cancel()
{
    if (!std::exchange(m_drag, std::nullopt))
        return;
    m_costBefore.reset();
    emit cancelled();
    emit changed();
}

std::size_t BoundaryDragController::positionOf(BoundaryId boundary) const
{
    const bool isDragged = m_drag && m_drag->boundary() == boundary;
    return isDragged ? m_drag->position() : m_paint.boundaryPositions[boundary.index()];
}

QString BoundaryDragController::slowestText() const
{
    return hasMoved() ? slowestStageText(m_costBefore.get(), m_paint.plan.cost.get()) : QString();
}

bool BoundaryDragController::isLocked(BoundaryId boundary) const
{
    return m_paint.plan.constraints && m_paint.plan.constraints->locks(boundary);
}

} // namespace stagecraft
