#include "views/graph_view.h"

#include "views/graph_scene.h"

#include <QPainter>
#include <QResizeEvent>
#include <QRubberBand>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double smallestZoom = 0.01;
constexpr double largestZoom = 4;
constexpr int margin = 28; // pixels around the drawing

} // namespace

GraphView::GraphView(Selection* selection, QWidget* parent)
    : QGraphicsView(parent),
      m_selection(selection),
      m_scene(new GraphScene(m_paint, this)),
      m_legend(new Legend(viewport()))
{
    setScene(m_scene);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setOptimizationFlag(QGraphicsView::DontSavePainterState);
    // Lines and handles keep their size on the screen, so what a scroll moves is never the whole picture.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::NoAnchor);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    m_edgeScroll.setInterval(16);
    connect(&m_edgeScroll, &QTimer::timeout, this, &GraphView::scrollAtEdges);
    connect(m_selection, &Selection::hoveredChanged, this, &GraphView::onHoveredChanged);
    connect(m_selection, &Selection::nodesChanged, this, &GraphView::onNodesChanged);
    connect(m_selection, &Selection::boundaryChanged, this, [this] {
        updateLitEdges();
        viewport()->update();
    });
    connect(m_selection, &Selection::revealRequested, this, &GraphView::reveal);
    takeTheme();
}

GraphView::~GraphView() = default;

void GraphView::setPlan(const PlanView& plan)
{
    const bool isRecoloured = plan.profile != m_paint.plan.profile || plan.graph != m_paint.plan.graph;
    const bool isRestaged = boundaryCount() + 1 != (plan.partition ? plan.partition->stageCount : 1);
    m_paint.plan = plan;
    m_paint.boundaryPositions =
        plan.partition ? boundaryPositions(*plan.partition) : std::vector<std::size_t>();
    if (m_paint.layout && m_paint.layout->graph != plan.graph) {
        cancelDrag();
        m_paint.layout.reset();
        m_scene->rebuild();
        m_isFirstLayout = true;
    }
    if (isRecoloured || isRestaged)
        takeColors();
    updateLitEdges();
    viewport()->update();
}

void GraphView::setGraphLayout(std::shared_ptr<const Layout> layout)
{
    cancelDrag();
    if (!m_pinned)
        pinCenter();
    m_paint.layout = std::move(layout);
    m_paint.hovered.reset();
    m_paint.current.reset();
    m_litValues.clear();
    m_scene->rebuild();
    onNodesChanged();
    updateSceneRect();
    if (!m_paint.layout)
        return;
    if (m_isFirstLayout)
        showOpening();
    else
        keepPinned();
    m_isFirstLayout = false;
    m_pinned.reset();
    const std::vector<NodeId> toReveal = std::exchange(m_toReveal, {});
    if (!toReveal.empty())
        reveal(toReveal);
    viewport()->update();
}

void GraphView::setLegalPositions(LegalPositions legal)
{
    m_legal = std::move(legal);
}

void GraphView::setColorBy(ColorBy colorBy)
{
    m_colorBy = colorBy;
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
    m_paint.colors = graphColors(m_paint.plan, m_colorBy, m_paint.theme);
    m_paint.longestTime = Seconds();
    if (m_paint.plan.profile)
        for (const NodeCost& cost : m_paint.plan.profile->nodes)
            m_paint.longestTime = std::max(m_paint.longestTime, cost.time());
    showLegend(*m_legend, m_paint.colors, boundaryCount() + 1);
    placeLegend();
}

std::size_t GraphView::boundaryCount() const
{
    return m_paint.boundaryPositions.size();
}

void GraphView::zoomBy(double factor, QPoint around)
{
    const double target = std::clamp(zoom() * factor, smallestZoom, largestZoom);
    const QPointF fixed = mapToScene(around);
    setTransform(QTransform::fromScale(target, target));
    updateSceneRect();
    const QPointF moved = mapFromScene(fixed) - QPointF(around);
    panBy(-moved.toPoint());
    emit zoomChanged(target);
}

// The drawing and half a view around it, so that anything can be brought anywhere: what was clicked can stay
// where it is, whatever becomes of its surroundings.
void GraphView::updateSceneRect()
{
    if (!m_paint.layout) {
        setSceneRect(QRectF());
        return;
    }
    const double x = viewport()->width() / 2.0 / zoom();
    const double y = viewport()->height() / 2.0 / zoom();
    const Size size = m_paint.layout->size;
    setSceneRect(QRectF(0, 0, size.width, size.height).adjusted(-x, -y, x, y));
}

// Where the middle of the drawing's part of the view is: right of the gutter.
void GraphView::centerAt(QPointF scene)
{
    centerOn(scene);
    panBy(QPoint(graph_metrics::gutterWidth / 2, 0));
}

void GraphView::fitAll()
{
    if (!m_paint.layout)
        return;
    const double room = viewport()->width() - graph_metrics::gutterWidth - 2 * margin;
    const double factor =
        std::min(room / std::max(1.0, m_paint.layout->size.width),
                 (viewport()->height() - 2.0 * margin) / std::max(1.0, m_paint.layout->size.height));
    zoomBy(std::min(1.0, factor) / zoom(), viewport()->rect().center());
    centerAt(QPointF(m_paint.layout->size.width / 2, m_paint.layout->size.height / 2));
}

void GraphView::fitSelection()
{
    QRectF area;
    for (const ItemId id : m_paint.selected.ids())
        if (m_paint.selected[id] != 0)
            area |= toRect(m_paint.layout->items[id].rect);
    if (area.isEmpty())
        return fitAll();
    const double room = viewport()->width() - graph_metrics::gutterWidth - 4.0 * margin;
    const double factor =
        std::min(room / area.width(), (viewport()->height() - 4.0 * margin) / area.height());
    zoomBy(std::min(1.5, factor) / zoom(), viewport()->rect().center());
    centerAt(area.center());
}

void GraphView::actualSize()
{
    zoomBy(1 / zoom(), viewport()->rect().center());
}

// The top of the model, as wide as it is or as can still be read.
void GraphView::showOpening()
{
    const double room = viewport()->width() - graph_metrics::gutterWidth - 2 * margin;
    const double factor = std::clamp(room / std::max(1.0, m_paint.layout->size.width), 0.55, 1.0);
    setTransform(QTransform::fromScale(factor, factor));
    updateSceneRect();
    double x = m_paint.layout->size.width / 2;
    if (m_paint.layout->size.width * factor > room)
        for (const LayoutItem& item : m_paint.layout->items)
            if (item.kind == ItemKind::Input)
                x = item.rect.centerX();
    const double half = room / factor / 2; // of what is seen; beyond the drawing there is nothing to see
    if (m_paint.layout->size.width > 2 * half)
        x = std::clamp(x, half, m_paint.layout->size.width - half);
    centerAt(QPointF(x, 0));
    panBy(QPoint(0, margin - viewport()->height() / 2));
    emit zoomChanged(factor);
}

// What is in the middle of the screen stays there if nothing else is asked for.
void GraphView::pinCenter()
{
    if (!m_paint.layout)
        return;
    const QPoint center = viewport()->rect().center();
    std::optional<ItemId> item = m_scene->itemIdAt(mapToScene(center));
    while (item && !m_paint.layout->items[*item].box)
        item = m_paint.layout->items[*item].parent;
    if (!item || m_paint.layout->items[*item].kind == ItemKind::Stage)
        return;
    const LayoutItem& box = m_paint.layout->items[*item];
    m_pinned = Pinned{m_paint.layout->tree->boxes[*box.box].group, box.first,
                      QPointF(mapFromScene(QPointF(box.rect.x, box.rect.y)))};
}

void GraphView::keepPinned()
{
    if (!m_pinned)
        return;
    std::optional<ItemId> best;
    for (const ItemId id : m_paint.layout->items.ids()) {
        const LayoutItem& item = m_paint.layout->items[id];
        if (!item.box || m_paint.layout->tree->boxes[*item.box].group != m_pinned->group)
            continue;
        const auto distance = [&](ItemId of) {
            const std::size_t first = m_paint.layout->items[of].first;
            return first > m_pinned->first ? first - m_pinned->first : m_pinned->first - first;
        };
        if (!best || distance(id) < distance(*best))
            best = id;
    }
    if (!best)
        return;
    const Rect& rect = m_paint.layout->items[*best].rect;
    panBy((m_pinned->viewportPosition - QPointF(mapFromScene(QPointF(rect.x, rect.y)))).toPoint());
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

void GraphView::reveal(const std::vector<NodeId>& nodes)
{
    if (!m_paint.layout || nodes.empty())
        return;
    Expansion expansion = m_paint.layout->expansion;
    constexpr std::size_t mostOpened = 8; // boxes opened for one request; the rest is shown closed
    for (std::size_t i = 0; i < std::min(nodes.size(), mostOpened); ++i)
        expansion.reveal(*m_paint.layout->tree, nodes[i]);
    if (expansion != m_paint.layout->expansion && nodes.size() <= mostOpened) {
        m_toReveal = nodes;
        emit expansionRequested(expansion);
        return;
    }
    QRectF area;
    for (const ItemId item : itemsShowing(*m_paint.layout, nodes))
        area |= toRect(m_paint.layout->items[item].rect);
    if (!area.isEmpty())
        scrollTo(area);
}

std::vector<StageBand> GraphView::bands() const
{
    std::vector<StageBand> bands;
    const Layout& layout = *m_paint.layout;
    double top = mapFromScene(QPointF(0, 0)).y() - margin;
    for (std::size_t i = 0; i <= boundaryCount(); ++i) {
        double bottom = mapFromScene(QPointF(0, layout.size.height)).y() + margin;
        if (i < boundaryCount())
            bottom = boundaryMark(BoundaryId(i)).y;
        bands.push_back({StageId(i), top, bottom});
        top = bottom;
    }
    return bands;
}

BoundaryMark GraphView::boundaryMark(BoundaryId boundary) const
{
    const bool isDragged = m_drag && m_drag->boundary() == boundary;
    const std::size_t position = isDragged ? m_drag->position() : m_paint.boundaryPositions[boundary.index()];
    BoundaryMark mark{.boundary = boundary};
    mark.y = viewportTransform().map(QPointF(0, positionY(*m_paint.layout, position))).y();
    mark.state = isDragged                             ? BoundaryMark::State::Dragged
                 : m_selection->boundary() == boundary ? BoundaryMark::State::Chosen
                 : m_hoveredBoundary == boundary       ? BoundaryMark::State::Hovered
                                                       : BoundaryMark::State::Normal;
    const auto& cost = m_paint.plan.cost;
    const bool isKnown = cost && cost->boundaries.contains(boundary);
    mark.text = isKnown ? boundaryText(&cost->boundaries[boundary], 0) : QString();
    return mark;
}

// In order; a handle that has no room for its text beside the next one shows only its stages.
std::vector<BoundaryMark> GraphView::boundaryMarks() const
{
    std::vector<BoundaryMark> marks;
    if (!m_paint.layout)
        return marks;
    for (std::size_t i = 0; i < boundaryCount(); ++i)
        marks.push_back(boundaryMark(BoundaryId(i)));
    return marks;
}

void GraphView::drawBackground(QPainter* painter, const QRectF&)
{
    painter->save();
    painter->resetTransform();
    painter->fillRect(viewport()->rect(), m_paint.theme.surface);
    if (m_paint.layout)
        paintBands(*painter, bands(), viewport()->rect(), m_paint.theme);
    painter->restore();
}

void GraphView::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF area = viewport()->rect();
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_paint.layout) {
        if (zoom() < detail_scale::names)
            paintFarTitles(*painter, m_paint, viewportTransform());
        paintGutter(*painter, bands(), area, m_paint.theme);
        if (m_drag)
            paintGhost(*painter,
                       viewportTransform().map(QPointF(0, positionY(*m_paint.layout, m_drag->start()))).y(),
                       area, m_paint.theme);
        for (const BoundaryMark& mark : boundaryMarks())
            paintBoundary(*painter, mark, area, font(), m_paint.theme);
    } else {
        painter->setFont(font());
        painter->setPen(m_paint.theme.mutedText);
        painter->drawText(area, Qt::AlignCenter,
                          m_paint.plan.graph ? tr("Laying out the graph ...") : QString());
    }
    if (m_legend->isVisible()) {
        painter->setPen(QPen(m_paint.theme.border, 1));
        painter->setBrush(m_paint.theme.raised);
        painter->drawRoundedRect(QRectF(m_legend->geometry()).adjusted(-9.5, -5.5, 9.5, 5.5), 8, 8);
    }
    if (hasFocus()) {
        painter->setPen(QPen(m_paint.theme.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter->restore();
}

void GraphView::placeLegend()
{
    constexpr int inset = 22;
    m_legend->setVisible(m_paint.plan.graph != nullptr);
    const QSize size = m_legend->sizeHint().boundedTo(viewport()->size() - QSize(2 * inset, 2 * inset));
    m_legend->setGeometry(QRect(
        QPoint(viewport()->width() - size.width() - inset, viewport()->height() - size.height() - inset),
        size));
}

void GraphView::onHoveredChanged()
{
    const std::optional<NodeId> node = m_selection->hovered();
    m_paint.hovered.reset();
    if (node && m_paint.layout && m_paint.layout->itemOf.contains(*node))
        m_paint.hovered = m_paint.layout->itemOf[*node];
    updateLitEdges();
    viewport()->update();
}

void GraphView::onNodesChanged()
{
    m_paint.selected = Table<ItemId, char>(m_paint.layout ? m_paint.layout->items.size() : 0, 0);
    if (m_paint.layout) {
        const std::vector<ItemId> items = itemsShowing(*m_paint.layout, m_selection->nodes());
        for (const ItemId item : items)
            m_paint.selected[item] = 1;
        const bool keepsCurrent = m_paint.current && m_paint.layout->items.contains(*m_paint.current) &&
                                  (m_paint.layout->items[*m_paint.current].kind == ItemKind::OpenBox ||
                                   std::ranges::binary_search(items, *m_paint.current));
        if (!keepsCurrent)
            m_paint.current = items.empty() ? std::nullopt : std::optional(items.front());
    }
    describe();
    updateLitEdges();
    viewport()->update();
}

// Lit: what crosses the boundary that is dragged or chosen, what was clicked, and the edges of what is
// pointed at.
void GraphView::updateLitEdges()
{
    m_paint.litEdges.clear();
    if (!m_paint.layout)
        return;
    const Layout& layout = *m_paint.layout;
    std::vector<ValueId> values = m_litValues;
    const std::optional<BoundaryId> boundary = m_drag ? m_drag->boundary() : m_selection->boundary();
    double lineY = 0;
    if (boundary && boundary->index() < boundaryCount()) {
        const std::size_t position =
            m_drag ? m_drag->position() : m_paint.boundaryPositions[boundary->index()];
        lineY = positionY(layout, position);
        const std::vector<ValueId> across = valuesAcross(layout, position);
        values.insert(values.end(), across.begin(), across.end());
    }
    std::ranges::sort(values);
    for (const LayoutEdge& edge : layout.edges) {
        const bool isOfHovered =
            m_paint.hovered && (edge.tail == m_paint.hovered || edge.head == m_paint.hovered);
        const bool isOfValue = std::ranges::any_of(
            edge.values, [&](ValueId value) { return std::ranges::binary_search(values, value); });
        const bool crosses = edge.path.front().y <= lineY && edge.path.back().y >= lineY;
        const bool isClicked = std::ranges::any_of(edge.values, [&](ValueId value) {
            return std::ranges::find(m_litValues, value) != m_litValues.end();
        });
        m_paint.litEdges.push_back(isOfHovered || isClicked || (isOfValue && crosses) ? 1 : 0);
    }
}

// For screen readers: they read the description, and hear when it changes.
void GraphView::describe()
{
    const std::size_t count = m_selection->nodes().size();
    if (count == 1 && m_paint.plan.graph)
        setAccessibleDescription(
            tr("Selected: %1")
                .arg(QString::fromStdString((*m_paint.plan.graph)[m_selection->nodes().front()].name)));
    else
        setAccessibleDescription(count == 0 ? tr("Nothing selected") : tr("%1 ops selected").arg(count));
}

std::optional<QRect> GraphView::boundaryHandle(BoundaryId boundary) const
{
    if (!m_paint.layout || boundary.index() >= boundaryCount())
        return {};
    return handleRect(boundaryMark(boundary), font()).toRect();
}

QPoint GraphView::itemCenter(ItemId item) const
{
    const Rect& rect = m_paint.layout->items[item].rect;
    return mapFromScene(QPointF(rect.centerX(), rect.centerY()));
}

std::optional<BoundaryId> GraphView::draggedBoundary() const
{
    return m_drag ? std::optional(m_drag->boundary()) : std::nullopt;
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    updateSceneRect();
    placeLegend();
}

void GraphView::changeEvent(QEvent* event)
{
    if (isThemeChange(event) || event->type() == QEvent::FontChange)
        takeTheme();
    QGraphicsView::changeEvent(event);
}

void GraphView::leaveEvent(QEvent* event)
{
    m_hoveredBoundary.reset();
    m_selection->setHovered({});
    m_paint.hovered.reset();
    viewport()->update();
    QGraphicsView::leaveEvent(event);
}

} // namespace stagecraft
