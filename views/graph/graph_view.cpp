#include "views/graph/graph_view.h"

#include "views/graph/graph_keys.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"
#include "views/graph/graph_scene.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

bool isModifier(int key)
{
    constexpr std::array modifiers{Qt::Key_Control, Qt::Key_Shift, Qt::Key_Alt, Qt::Key_AltGr, Qt::Key_Meta};
    return std::ranges::find(modifiers, key) != modifiers.end();
}

} // namespace

GraphView::GraphView(Selection* selection, QWidget* parent)
    : QGraphicsView(parent),
      m_selection(selection),
      m_scene(new GraphScene(m_paint, this)),
      m_camera(this, m_scene, m_paint),
      m_boundaryDrag(this, m_paint),
      m_lines(this, m_paint, selection, m_boundaryDrag),
      m_boxDrag(this, m_paint, selection, m_lines),
      m_pointer(this, m_scene, m_paint, selection, m_lines),
      m_gestures(this, selection, m_camera, m_pointer, m_lines, m_boundaryDrag, m_boxDrag),
      m_surroundings(this, m_paint, m_camera),
      m_focus(this, m_paint, selection, m_camera, m_surroundings),
      m_jumps(m_paint, m_camera)
{
    setScene(m_scene);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setOptimizationFlag(QGraphicsView::DontSavePainterState);
    // Lines and handles keep their size on the screen, so what a scroll moves is never the whole picture.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::NoAnchor);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // all of it is painted here; nothing shows through
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    setViewportMargins(GraphStrip::stripWidth, 0, 0, 0);
    connectParts();
    takeTheme();
}

void GraphView::connectParts()
{
    connect(m_selection, &Selection::hoveredChanged, this, [this] {
        m_paint.markHovered(m_selection->hovered(), m_selection->hoveredNodes());
        refresh();
    });
    connect(&m_jumps, &GraphJumps::expansionRequested, this, &GraphView::expansionRequested);
    connect(&m_jumps, &GraphJumps::leaving, this, &GraphView::leaving);
    connect(m_selection, &Selection::nodesChanged, this, [this] {
        m_jumps.leave();
        onNodesChanged();
        m_focus.followSelection();
    });
    connect(m_selection, &Selection::boundaryChanged, this, &GraphView::refresh);
    connect(m_selection, &Selection::revealRequested, this, &GraphView::reveal);
    connect(&m_focus, &GraphFocus::changed, this, &GraphView::refresh);
    connect(&m_boundaryDrag, &BoundaryDragController::changed, this, &GraphView::refresh);
    connect(&m_boundaryDrag, &BoundaryDragController::dragged, this, &GraphView::boundaryDragged);
    connect(&m_boundaryDrag, &BoundaryDragController::dropped, this,
            [this](BoundaryId boundary, std::size_t place) { m_camera.pinBoundary(boundary, place); });
    connect(&m_boundaryDrag, &BoundaryDragController::dropped, this, &GraphView::boundaryDropped);
    connect(&m_boundaryDrag, &BoundaryDragController::cancelled, this, &GraphView::dragCancelled);
    connect(strip(), &GraphStrip::boundaryDragged, this, &GraphView::boundaryDragged);
    connect(strip(), &GraphStrip::boundaryDropped, this, &GraphView::boundaryDropped);
    connect(strip(), &GraphStrip::dragCancelled, this, &GraphView::dragCancelled);
    connect(strip(), &GraphStrip::menuRequested, this, [this](auto boundary, NodeId op, const QPoint& at) {
        m_focus.choose(boundary, {op});
        emit menuRequested(boundary ? MenuSubject::Boundary : MenuSubject::Ops, at);
    });
    connect(crumbs(), &GraphCrumbs::chosen, this, &GraphView::makeCurrent);
    connect(&m_boxDrag, &BoxDragController::changed, this, &GraphView::refresh);
    connect(&m_boxDrag, &BoxDragController::dragged, this, &GraphView::boxesDragged);
    connect(&m_boxDrag, &BoxDragController::dropped, this, &GraphView::boxesDropped);
    connect(&m_boxDrag, &BoxDragController::cancelled, this, &GraphView::dragCancelled);
    connect(&m_pointer, &GraphPointer::changed, this, &GraphView::refresh);
    connect(&m_pointer, &GraphPointer::chevronClicked, this,
            [this](ItemId box) { toggleBox(box, Depth::One); });
}

void GraphView::setLegalPositions(const LegalPositions& legal)
{
    m_boundaryDrag.setLegalPositions(legal);
    strip()->setLegalPositions(legal);
}

void GraphView::setPlan(const PlanView& plan)
{
    const bool isRecoloured = plan.profile != m_paint.plan.profile || plan.graph != m_paint.plan.graph;
    const bool isRestaged = m_paint.boundaryCount() + 1 != (plan.partition ? plan.partition->stageCount : 1);
    const std::shared_ptr<const Graph> before = std::exchange(m_paint.plan, plan).graph;
    if (isRestaged)
        m_gestures.cancel(); // what was dragged, or where to, may be no more
    if (before && before != plan.graph)
        forgetGraph();
    if (m_paint.layout && m_paint.layout->graph != plan.graph) {
        m_gestures.cancel();
        m_paint.setLayout(nullptr);
        m_scene->rebuild();
        m_camera.forget();
    }
    takePlan();
    if (isRecoloured || isRestaged)
        takeColors();
    refresh();
}

// Ids of one graph mean nothing in another.
void GraphView::forgetGraph()
{
    m_camera.forget();
    m_jumps.forget();
    m_paint.clickedValues.clear();
    m_matches.reset();
    m_lines.setHovered({});
    emit roomChanged(m_camera.pageRoom());
}

void GraphView::setGraphLayout(std::shared_ptr<const Layout> layout)
{
    m_gestures.cancel();
    if (layout && m_paint.plan.graph && layout->graph != m_paint.plan.graph)
        layout = nullptr;
    m_camera.pinCenter();
    m_paint.setLayout(std::move(layout));
    m_scene->rebuild();
    takePlan();
    m_paint.markMatches(m_matches);
    onNodesChanged();
    m_camera.takeDrawing();
    m_jumps.takeLayout();
}

void GraphView::setCompared(std::shared_ptr<const Partition> other)
{
    m_paint.setCompared(std::move(other));
    setPlan(PlanView(m_paint.plan));
}

void GraphView::takePlan()
{
    m_paint.markPlan(m_boxDrag.isDragging() ? Lines::Stay : Lines::Move);
    strip()->setMatches(m_matches);
}

void GraphView::setColorBy(ColorBy colorBy)
{
    m_colorBy = colorBy;
    takeColors();
    viewport()->update();
}

void GraphView::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    m_paint.overlay = std::move(overlay);
    takeColors();
    viewport()->update();
}

void GraphView::takeTheme()
{
    m_paint.theme = themeOf(palette());
    m_paint.font = font();
    takeColors();
    viewport()->update();
}

void GraphView::takeColors()
{
    m_paint.setColors(graphColors(m_paint.plan, m_colorBy, m_paint.theme, m_paint.overlay.get()));
    m_surroundings.refresh();
}

void GraphView::setMatches(std::optional<std::vector<NodeId>> matches)
{
    m_matches = std::move(matches);
    m_paint.markMatches(m_matches);
    strip()->setMatches(m_matches);
    viewport()->update();
}

void GraphView::refresh()
{
    std::optional<std::size_t> position; // of the boundary that is dragged or chosen
    if (m_boundaryDrag.isDragging())
        position = m_boundaryDrag.drag()->position();
    else if (const auto chosen = m_selection->boundary(); chosen && chosen->index() < m_paint.boundaryCount())
        position = m_paint.boundaryPositions[chosen->index()];
    m_paint.lightEdges(position);
    viewport()->update();
}

void GraphView::onNodesChanged()
{
    m_paint.markSelected(m_selection->nodes());
    m_focus.describe();
    m_surroundings.showCrumbs();
    refresh();
}

void GraphView::toggleSelected(Depth depth)
{
    if (hasBoxSelected())
        toggleBox(*m_paint.current, depth);
}

bool GraphView::hasBoxSelected() const
{
    return m_paint.layout && m_paint.current && m_paint.layout->items[*m_paint.current].box.has_value();
}

void GraphView::toggleBox(ItemId id, Depth depth)
{
    const LayoutItem& item = m_paint.layout->items[id];
    if (item.kind != ItemKind::OpenBox && item.kind != ItemKind::ClosedBox)
        return;
    const RunTree& tree = *m_paint.layout->tree;
    Expansion expansion = m_paint.layout->expansion;
    if (item.kind == ItemKind::ClosedBox)
        depth == Depth::All ? expansion.openBelow(tree, *item.box) : expansion.open(tree, *item.box);
    else
        depth == Depth::All ? expansion.closeBelow(tree, *item.box) : expansion.close(tree, *item.box);
    m_camera.pinBox(id);
    m_jumps.forget();
    emit expansionRequested(expansion);
}

void GraphView::expandAll()
{
    if (m_paint.layout)
        emit expansionRequested(fullExpansion(*m_paint.layout->tree));
}

void GraphView::collapseAll()
{
    if (m_paint.layout)
        emit expansionRequested(Expansion());
}

std::optional<QRect> GraphView::boundaryHandle(BoundaryId boundary) const
{
    if (!m_paint.layout || boundary.index() >= m_paint.boundaryCount())
        return {};
    const std::vector<BoundaryMark> marks = m_lines.marks();
    return handleRect(*std::ranges::find(marks, boundary, &BoundaryMark::boundary), font()).toRect();
}

QPoint GraphView::itemCenter(ItemId item) const
{
    const Rect& rect = m_paint.layout->items[item].rect;
    return mapFromScene(QPointF(rect.centerX(), rect.centerY()));
}

std::optional<BoundaryId> GraphView::draggedBoundary() const
{
    return m_boundaryDrag.isDragging() ? std::optional(m_boundaryDrag.drag()->boundary()) : std::nullopt;
}

void GraphView::drawBackground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->resetTransform();
    painter->fillRect(viewport()->rect(), m_paint.theme.surface);
    m_paint.visible =
        mapToScene(viewport()->rect().adjusted(graph_metrics::gutterWidth, 0, 0, 0)).boundingRect();
    m_surroundings.showVisible();
    if (m_paint.layout)
        paintBands(*painter, m_lines.bands(), viewport()->rect(), m_paint.theme);
    painter->restore();
}

void GraphView::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF area = viewport()->rect();
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_paint.layout) {
        if (zoom() < zoom_level::names)
            paintFarTitles(*painter, m_paint, viewportTransform());
        if (m_boxDrag.isDragging())
            m_boxDrag.paintTarget(*painter);
        m_lines.paint(*painter);
    } else {
        painter->setFont(font());
        painter->setPen(m_paint.theme.mutedText);
        painter->drawText(area, Qt::AlignCenter,
                          m_paint.plan.graph ? tr("Laying out the graph ...") : QString());
    }
    if (m_boxDrag.isDragging())
        m_boxDrag.paintBoxes(*painter);
    if (m_surroundings.legend()->isVisible())
        paintLegendGround(*painter, m_surroundings.legend()->geometry(), m_paint.theme);
    if (hasFocus())
        drawFocusFrame(*painter, area, m_paint.theme);
    painter->restore();
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    QToolTip::hideText();
    if (event->button() == Qt::BackButton)
        return emit backRequested();
    if (event->button() == Qt::ForwardButton)
        return emit forwardRequested();
    m_camera.touch();
    m_gestures.press(*event);
    event->accept();
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    m_gestures.move(*event);
    event->accept();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    m_gestures.release(*event);
    event->accept();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint pixel = event->position().toPoint();
    if (event->button() != Qt::LeftButton || m_lines.at(pixel))
        return mousePressEvent(event);
    if (m_paint.layout && pixel.x() < graph_metrics::gutterWidth) {
        const auto& heights = m_paint.layout->placeY;
        const auto below = std::ranges::lower_bound(heights, mapToScene(pixel).y());
        emit splitRequested(static_cast<std::size_t>(std::min(below, heights.end() - 1) - heights.begin()));
        return;
    }
    // The inside of an open box is no handle of it: who misses an operator there is not to lose the place.
    const std::optional<ItemId> item = m_pointer.gripAt(pixel);
    if (item && m_paint.layout->items[*item].box)
        toggleBox(*item, event->modifiers() & Qt::AltModifier ? Depth::All : Depth::One);
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    m_camera.touch();
    event->accept();
    const QPoint pixel = event->position().toPoint();
    if (event->modifiers() & Qt::ControlModifier)
        return zoomBy(std::pow(1.0015, event->angleDelta().y()), pixel);
    QPoint delta = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    if (event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier) && delta.x() == 0)
        delta = QPoint(delta.y(), 0);
    m_camera.panBy(delta);
    m_gestures.dragTo(pixel, event->modifiers());
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space)
        return m_gestures.setSpaceHeld(true);
    if (event->key() == Qt::Key_Escape) {
        if (m_gestures.isUnderWay())
            return m_gestures.cancel();
        if (m_selection->isEmpty() && m_paint.clickedValues.empty() && !m_paint.current)
            return event->ignore(); // it may end a job
        m_paint.clickedValues.clear();
        m_paint.current.reset();
        m_selection->clear();
        return refresh();
    }
    if (isModifier(event->key())) // of a shortcut that has nothing to do with the graph, say
        return QGraphicsView::keyPressEvent(event);
    m_camera.touch();
    if (!m_paint.layout || m_gestures.isDragging())
        return;
    if (!pressGraphKey(*this, m_paint, *m_selection, *event))
        QGraphicsView::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        m_gestures.setSpaceHeld(false);
    QGraphicsView::keyReleaseEvent(event);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    MenuSubject subject = MenuSubject::View;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        subject = m_selection->boundary()         ? MenuSubject::Boundary
                  : !m_selection->nodes().empty() ? MenuSubject::Ops
                                                  : MenuSubject::View;
    } else if (const std::optional<BoundaryId> boundary = m_lines.at(event->pos())) {
        m_focus.choose(boundary, {});
        subject = MenuSubject::Boundary;
    } else if (const std::optional<ItemId> item = m_pointer.gripAt(event->pos())) {
        if (!m_paint.isSelected(*item))
            m_pointer.clickAt(event->pos(), {});
        m_paint.current = item;
        subject = m_selection->nodes().empty() ? MenuSubject::View : MenuSubject::Ops;
    }
    emit menuRequested(subject, event->globalPos());
    event->accept();
}

bool GraphView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_gestures.isUnderWay() || !m_paint.layout)
        return QGraphicsView::viewportEvent(event);
    m_pointer.showTooltip(*static_cast<QHelpEvent*>(event));
    return true;
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    m_camera.takeSize(event->oldSize());
    if (!m_camera.isTouched())
        emit roomChanged(m_camera.pageRoom());
    m_surroundings.place();
}

void GraphView::changeEvent(QEvent* event)
{
    if (isThemeChange(event) || event->type() == QEvent::FontChange)
        takeTheme();
    QGraphicsView::changeEvent(event);
}

void GraphView::leaveEvent(QEvent* event)
{
    m_pointer.leave();
    QGraphicsView::leaveEvent(event);
}

} // namespace stagecraft
