#include "views/graph/graph_view.h"

#include "views/base/plain_text.h"
#include "views/graph/graph_scene.h"

#include <QPainter>
#include <QResizeEvent>
#include <QRubberBand>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace stagecraft {

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
    const std::shared_ptr<const Graph> before = std::exchange(m_paint.plan, plan).graph;
    if (isRestaged)
        cancelDrag(); // what was dragged, or where to, may be no more
    if (before && before != plan.graph)
        forgetGraph();
    if (m_paint.layout && m_paint.layout->graph != plan.graph) {
        cancelDrag();
        m_paint.setLayout(nullptr);
        m_scene->rebuild();
        m_isTouched = false;
    }
    takeMoves();
    takeHeld();
    if (isRecoloured || isRestaged)
        takeColors();
    updateLitEdges();
    viewport()->update();
}

// Ids of one graph mean nothing in another.
void GraphView::forgetGraph()
{
    m_pinned.reset();
    m_toReveal.clear();
    m_litValues.clear();
    m_matches.reset();
    m_hoveredBoundary.reset();
    m_costBeforeDrag.reset();
    m_isTouched = false;
}

void GraphView::setGraphLayout(std::shared_ptr<const Layout> layout)
{
    cancelDrag();
    if (layout && m_paint.plan.graph && layout->graph != m_paint.plan.graph)
        layout = nullptr;
    if (!m_pinned)
        pinCenter();
    m_paint.setLayout(std::move(layout));
    m_paint.hovered.reset();
    m_paint.current.reset();
    m_litValues.clear();
    m_scene->rebuild();
    takeMoves();
    takeHeld();
    takeMatches();
    onNodesChanged();
    updateSceneRect();
    if (!m_paint.layout)
        return;
    if (m_isTouched)
        keepPinned();
    else
        showOpening();
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

// Where the boundaries of the plan are in the drawing, and what is in another stage than the drawing says.
// While boxes are dragged the lines stand still: they say where a drop would go.
void GraphView::takeMoves()
{
    const auto& partition = m_paint.plan.partition;
    m_paint.moved = Table<ItemId, char>(m_paint.layout ? m_paint.layout->items.size() : 0, 0);
    if (!partition || !m_paint.layout) {
        m_paint.boundaryPositions = partition ? boundaryPositions(*partition) : std::vector<std::size_t>();
        return;
    }
    const Layout& layout = *m_paint.layout;
    if (!m_boxDrag)
        m_paint.boundaryPositions = boundaryPositions(*partition, *layout.tree);
    const Partition& drawn = layout.tree->partition;
    if (drawn.stageCount != partition->stageCount)
        return;
    for (const NodeId node : drawn.stageOf.ids())
        if (drawn.stageOf[node] != partition->stageOf[node] && layout.itemOf[node])
            m_paint.moved[*layout.itemOf[node]] = 1;
}

void GraphView::takeHeld()
{
    m_paint.held = Table<ItemId, char>(m_paint.layout ? m_paint.layout->items.size() : 0, 0);
    const auto& held = m_paint.plan.held;
    if (!held || !m_paint.layout)
        return;
    for (const NodeId node : m_paint.layout->itemOf.ids()) {
        if (!m_paint.layout->itemOf[node])
            continue;
        char& marks = m_paint.held[*m_paint.layout->itemOf[node]];
        marks = static_cast<char>(marks | (held->isPinned[node] != 0 ? held_mark::pinned : 0) |
                                  (held->isGrouped[node] != 0 ? held_mark::grouped : 0));
    }
}

void GraphView::setMatches(std::optional<std::vector<NodeId>> matches)
{
    m_matches = std::move(matches);
    takeMatches();
    viewport()->update();
}

void GraphView::takeMatches()
{
    m_paint.faded = {};
    if (!m_matches || !m_paint.layout)
        return;
    const Layout& layout = *m_paint.layout;
    m_paint.faded = Table<ItemId, char>(layout.items.size(), 0);
    for (const std::optional<ItemId>& item : layout.itemOf)
        if (item)
            m_paint.faded[*item] = 1;
    for (const NodeId node : *m_matches)
        if (layout.itemOf.contains(node) && layout.itemOf[node])
            m_paint.faded[*layout.itemOf[node]] = 0;
}

std::size_t GraphView::boundaryCount() const
{
    return m_paint.boundaryPositions.size();
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

void GraphView::placeLegend()
{
    constexpr int inset = 22;
    m_legend->setVisible(m_paint.plan.graph != nullptr);
    // It must leave something to be seen.
    const int room = std::max(viewport()->width() * 6 / 10, m_legend->minimumSizeHint().width());
    const QSize size = m_legend->sizeHint().boundedTo(
        {std::min(room, viewport()->width() - 2 * inset), viewport()->height() - 2 * inset});
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
    // Inside a folded box edges are those of the first copy.
    for (std::size_t i = 0, count = values.size(); i < count; ++i)
        if (const std::optional<ValueId> drawn = drawnValue(layout, values[i]))
            values.push_back(*drawn);
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
            tr("Selected: %1").arg(shownText((*m_paint.plan.graph)[m_selection->nodes().front()].name)));
    else
        setAccessibleDescription(count == 0 ? tr("Nothing selected") : tr("%1 ops selected").arg(count));
}

std::optional<QRect> GraphView::boundaryHandle(BoundaryId boundary) const
{
    if (!m_paint.layout || boundary.index() >= boundaryCount())
        return {};
    const std::vector<BoundaryMark> marks = boundaryMarks();
    const auto mark = std::ranges::find(marks, boundary, &BoundaryMark::boundary);
    return handleRect(*mark, font()).toRect();
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
    if (m_paint.layout && !m_isTouched)
        showOpening();
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
