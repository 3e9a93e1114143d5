#include "views/charts/chart_plot.h"

#include "views/charts/chart_area.h"
#include "views/charts/chart_kinds.h"
#include "views/charts/plot_axes.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr std::size_t mostSelectionBands = 100; // more cannot be told apart
constexpr std::size_t mostMatchTicks = 2000;

} // namespace

ChartPlot::ChartPlot(Selection* selection, QWidget* parent)
    : QCustomPlot(parent),
      m_selection(selection),
      m_charts(makeCharts()),
      m_boundaries(this, "boundaries", keyAxis(), m_data),
      m_rubber(this, "selection")
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setNoAntialiasingOnDrag(true);
    setAntialiasedElements(QCP::aeNone);
    setPlottingHint(QCP::phCacheLabels);
    setPlottingHint(QCP::phImmediateRefresh, false); // with whatever else is repainted
    setCurrentLayer("crosshair");
    m_crosshair = addUprightLine(this);
    m_bands = new Bands(this, "selection");
    m_matches = new Bands(this, "selection");
    setCurrentLayer("main");
    connect(m_selection, &Selection::nodesChanged, this, &ChartPlot::drawSelection);
    connect(m_selection, &Selection::matchesChanged, this, &ChartPlot::drawMatches);
    connect(m_selection, &Selection::hoveredChanged, this, &ChartPlot::drawCrosshair);
    connect(m_selection, &Selection::boundaryChanged, this, &ChartPlot::placeBoundaries);
    connect(this, &QCustomPlot::beforeReplot, this, [this] { m_replotPending = true; });
    connect(this, &QCustomPlot::afterReplot, this, [this] { m_replotPending = false; });
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        for (ChartPanel& chart : m_charts)
            chart.fit(m_data);
        placeBoundaries();
        drawMatches();
        drawSelection();
        drawCrosshair();
    });
    applyTheme();
}

std::vector<ChartPanel> ChartPlot::makeCharts()
{
    for (const char* name : {"selection", "boundaries", "crosshair"}) {
        addLayer(name, layer("overlay"), QCustomPlot::limBelow);
        layer(name)->setMode(QCPLayer::lmBuffered);
    }
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    auto* sides = new QCPMarginGroup(this);
    std::vector<ChartPanel> charts;
    for (std::size_t i = 0; i < chartKinds().size(); ++i) {
        charts.emplace_back(this, static_cast<int>(i), sides, "crosshair");
        QCPAxis* key = charts.back().key();
        if (i > 0)
            connect(charts.front().key(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), key,
                    [key](const QCPRange& range) { key->setRange(range); });
    }
    return charts;
}

QRect ChartPlot::area() const
{
    return {m_charts.front().rect().topLeft(), m_charts.back().rect().bottomRight()};
}

void ChartPlot::paintEvent(QPaintEvent* event)
{
    QCustomPlot::paintEvent(event);
    QPainter painter(this);
    if (hasFocus())
        drawFocusFrame(painter, QWidget::rect(), m_theme);
}

void ChartPlot::applyTheme()
{
    m_theme = applicationTheme();
    setBackground(m_theme.surface);
    for (ChartPanel& chart : m_charts)
        chart.applyTheme(m_theme);
    m_boundaries.setTheme(m_theme);
    m_crosshair->setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
    m_rubber.setTheme(m_theme);
    QColor band = m_theme.accent;
    band.setAlpha(m_theme.dark ? 60 : 45);
    m_bands->setColor(band);
    m_matches->setColor(m_theme.accent);
    drawCurves();
}

void ChartPlot::setPlan(const PlanView& plan)
{
    const bool isOfSameModel = m_data.isOfSameModel(plan);
    const std::size_t boundaries = plan.partition ? plan.partition->stageCount - 1 : 0;
    if (!isOfSameModel || boundaries != m_data.order.boundaries.size())
        dropGesture(); // what was dragged may be no more
    m_data.setPlan(plan);
    drawCurves();
    if (!isOfSameModel && hasCurves())
        zoomToAll();
}

void ChartPlot::setAxis(ExecutionAxis axis)
{
    if (axis == m_data.axis)
        return;
    m_data.setAxis(axis);
    drawCurves();
    zoomToAll();
}

void ChartPlot::setCompared(std::shared_ptr<const Partition> other)
{
    m_boundaries.setOther(std::move(other));
    drawCurves();
}

void ChartPlot::requestReplot()
{
    m_replotPending = true;
    replot(QCustomPlot::rpQueuedReplot);
}

void ChartPlot::refresh(const char* name)
{
    if (!m_replotPending)
        layer(name)->replot();
}

void ChartPlot::drawCurves()
{
    requestReplot(); // first: nothing below needs to repaint a layer by itself
    clearPlottables();
    for (ChartPanel& chart : m_charts)
        chart.draw(m_data, m_theme);
    m_boundaries.layOut();
    placeBoundaries();
    const bool isByTime = m_data.axis == ExecutionAxis::CumulativeTime;
    m_charts.back().key()->setTicker(isByTime ? QSharedPointer<QCPAxisTicker>(new SecondsTicker)
                                              : QSharedPointer<QCPAxisTicker>(new CountTicker));
}

void ChartPlot::placeBoundaries()
{
    m_boundaries.place(area(), m_selection->boundary());
    refresh("boundaries");
}

// As wide as they are, and never too thin to be seen.
void ChartPlot::drawMatches()
{
    constexpr int least = 3;
    const QRect all = area();
    std::vector<QRect> ticks;
    for (const auto& [first, end] :
         m_data.runsOf(m_selection->matches().value_or(std::vector<NodeId>()), mostMatchTicks)) {
        const int left = qRound(placeToPixel(first));
        const QRect tick(left, all.top(), std::max(least, qRound(placeToPixel(end)) - left), em(this, 0.3));
        if (const QRect inside = tick.intersected(all); !inside.isEmpty())
            ticks.push_back(inside);
    }
    m_matches->setBands(std::move(ticks));
    refresh("selection");
}

void ChartPlot::drawSelection()
{
    const QRect all = area();
    std::vector<QRect> bands;
    for (const auto& [first, end] : m_data.runsOf(m_selection->nodes(), mostSelectionBands)) {
        const double left = std::max<double>(all.left(), placeToPixel(first));
        const double right = std::min<double>(all.right(), placeToPixel(end));
        if (right >= all.left() && left <= all.right())
            bands.emplace_back(qRound(left), all.top(), std::max(2, qRound(right) - qRound(left)),
                               all.bottom() - all.top());
    }
    m_bands->setBands(std::move(bands));
    refresh("selection");
}

void ChartPlot::drawCrosshair()
{
    const auto node = m_selection->hovered();
    std::optional<std::size_t> place;
    if (hasCurves() && node && m_data.placeOf.contains(*node))
        place = m_data.placeOf[*node];
    m_crosshair->setVisible(place.has_value());
    if (place)
        standUp(m_crosshair, xToPixel(m_data.middleOf(*place)), area());
    for (ChartPanel& chart : m_charts)
        chart.showHover(m_data, place);
    refresh("crosshair");
}

void ChartPlot::zoomTo(double from, double to)
{
    const double end = m_data.scale.end();
    const double smallest = end / std::max<double>(1, static_cast<double>(m_data.scale.opCount())) * 2;
    const double size = std::clamp(to - from, std::min(smallest, end), std::max(end, 1e-12));
    const double start = std::clamp((from + to - size) / 2, 0.0, std::max(0.0, end - size));
    keyAxis()->setRange(start, start + size);
    requestReplot();
}

void ChartPlot::zoomToAll()
{
    zoomTo(0, m_data.scale.end());
}

void ChartPlot::zoomToSelection()
{
    if (m_selection->nodes().empty() || !hasCurves())
        return zoomToAll();
    const auto placeOf = [this](NodeId node) { return m_data.placeOf[node]; };
    const auto [first, last] = std::ranges::minmax(m_selection->nodes(), {}, placeOf);
    const double from = m_data.scale.places[placeOf(first)];
    const double to = m_data.scale.places[placeOf(last) + 1];
    const double margin = (to - from) * 0.1;
    zoomTo(from - margin, to + margin);
}

void ChartPlot::pan(double share)
{
    const QCPRange range = keyAxis()->range();
    const double size = range.size();
    const double start =
        std::clamp(range.lower + share * size, 0.0, std::max(0.0, m_data.scale.end() - size));
    zoomTo(start, start + size);
}

void ChartPlot::zoom(double factor, double center)
{
    const QCPRange range = keyAxis()->range();
    zoomTo(center - (center - range.lower) * factor, center + (range.upper - center) * factor);
}

void ChartPlot::dropGesture()
{
    m_gesture = Gesture::None;
    m_rubber.hide();
    if (!m_boundaries.isDragging())
        return;
    m_boundaries.forgetDrag();
    emit dragCancelled();
}

void ChartPlot::mousePressEvent(QMouseEvent* event)
{
    if (!hasCurves() || m_boundaries.isDragging())
        return;
    m_pressX = event->position().x();
    m_pressRange = keyAxis()->range();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton || m_gesture != Gesture::None)
        return;
    if (const auto boundary = m_boundaries.at(event->position())) {
        m_boundaries.startDrag(*boundary);
        m_selection->setBoundary(boundary);
        return placeBoundaries();
    }
    m_gesture = event->modifiers() & Qt::ControlModifier ? Gesture::Zoom : Gesture::Range;
}

void ChartPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (!hasCurves())
        return;
    const double x = event->position().x();
    if (m_boundaries.isDragging()) {
        if (!m_boundaries.dragTo(x, magnetOf(event->modifiers())))
            return;
        placeBoundaries();
        emit boundaryDragged(m_boundaries.drag().boundary, m_boundaries.drag().place);
        return;
    }
    if (m_gesture == Gesture::Pan) {
        const double shift = m_pressRange.size() * (m_pressX - x) / area().width();
        return zoomTo(m_pressRange.lower + shift, m_pressRange.upper + shift);
    }
    if (m_gesture != Gesture::None) {
        m_rubber.stretch(m_pressX, x, area());
        return refresh("selection");
    }
    updateCursor(event->position());
    m_selection->setHovered(m_data.order.nodes[m_data.scale.opAt(pixelToX(x))]);
}

void ChartPlot::updateCursor(const QPointF& position)
{
    setCursor(m_spaceHeld                 ? Qt::OpenHandCursor
              : m_boundaries.at(position) ? Qt::SizeHorCursor
                                          : Qt::ArrowCursor);
}

void ChartPlot::mouseReleaseEvent(QMouseEvent* event)
{
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    if (m_boundaries.isDragging()) {
        if (event->button() != Qt::LeftButton)
            return; // another one, pressed meanwhile
        const ChartBoundaries::Move move = m_boundaries.drop();
        placeBoundaries();
        if (move.place != move.start)
            emit boundaryDropped(move.boundary, move.place);
        else
            emit dragCancelled(); // it is where it was
    } else if (gesture == Gesture::Range || gesture == Gesture::Zoom) {
        m_rubber.hide();
        finishRange(gesture, *event);
    }
    updateCursor(event->position());
}

// A click with Ctrl is none to zoom: it adds what is there to what is selected.
void ChartPlot::finishRange(Gesture gesture, const QMouseEvent& release)
{
    const double x = release.position().x();
    if (gesture == Gesture::Range || RangeRubber::isClick(m_pressX, x))
        return selectRange(m_pressX, x, release.modifiers());
    const auto [from, to] = std::minmax({pixelToX(x), pixelToX(m_pressX)});
    zoomTo(std::max(from, keyAxis()->range().lower), std::min(to, keyAxis()->range().upper));
}

void ChartPlot::selectRange(double from, double to, Qt::KeyboardModifiers modifiers)
{
    const bool isClick = RangeRubber::isClick(from, to);
    const std::size_t first = m_data.scale.opAt(pixelToX(std::min(from, to)));
    const std::size_t last = isClick ? first : m_data.scale.opAt(pixelToX(std::max(from, to)));
    const auto begin = m_data.order.nodes.begin();
    std::vector<NodeId> nodes(begin + static_cast<std::ptrdiff_t>(first),
                              begin + static_cast<std::ptrdiff_t>(last) + 1);
    if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) // a drag with Ctrl from the start zooms
        nodes.insert(nodes.end(), m_selection->nodes().begin(), m_selection->nodes().end());
    m_selection->setNodes(std::move(nodes));
    refresh("selection");
}

void ChartPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    // The strip above the charts is the gutter: that is where boundaries are made.
    const bool isInGutter = event->position().y() < area().top();
    if (!hasCurves() || event->button() != Qt::LeftButton)
        return;
    if (isInGutter && !m_boundaries.at(event->position()))
        emit splitRequested(m_data.scale.nearestPlace(pixelToX(event->position().x())));
    else if (!isInGutter)
        m_selection->reveal(m_selection->nodes());
}

void ChartPlot::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const double steps = (std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        zoom(std::pow(0.8, steps), pixelToX(event->position().x()));
    else
        pan(-steps * 0.1);
    event->accept();
}

void ChartPlot::chooseBoundary(int step)
{
    const int count = static_cast<int>(m_boundaries.count());
    if (count == 0)
        return;
    const auto chosen = m_selection->boundary();
    const int index = chosen ? static_cast<int>(chosen->index()) + step : step > 0 ? 0 : count - 1;
    m_selection->setBoundary(BoundaryId(static_cast<std::size_t>(std::clamp(index, 0, count - 1))));
}

bool ChartPlot::handleBoundaryKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight) {
        chooseBoundary(key == Qt::Key_BracketLeft ? -1 : 1);
        return true;
    }
    const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
    if (!isSideways || !m_selection->boundary())
        return false;
    emit boundaryMoveRequested(*m_selection->boundary(),
                               key == Qt::Key_Left ? StageDirection::Previous : StageDirection::Next,
                               boundaryStepOf(modifiers));
    return true;
}

void ChartPlot::keyPressEvent(QKeyEvent* event)
{
    if (!hasCurves() || handleBoundaryKey(event->key(), event->modifiers()))
        return;
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return QCustomPlot::keyPressEvent(event);
    const double center = keyAxis()->range().center();
    switch (event->key()) {
    case Qt::Key_Escape:
        if (!m_boundaries.isDragging())
            return m_selection->isEmpty() ? event->ignore() : m_selection->clear();
        m_boundaries.abortDrag();
        placeBoundaries();
        emit dragCancelled();
        return;
    case Qt::Key_W:
    case Qt::Key_Plus:
        return zoom(0.8, center);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoom(1.25, center);
    case Qt::Key_A:
    case Qt::Key_Left:
        return pan(-0.1);
    case Qt::Key_D:
    case Qt::Key_Right:
        return pan(0.1);
    case Qt::Key_0:
        return zoomToAll();
    case Qt::Key_F:
        return zoomToSelection();
    case Qt::Key_Home:
        return pan(-1e9);
    case Qt::Key_End:
        return pan(1e9);
    case Qt::Key_Space:
        m_spaceHeld = true;
        return;
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

bool ChartPlot::event(QEvent* event)
{
    const bool isLetGo =
        event->type() == QEvent::KeyRelease && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
    if (isLetGo || event->type() == QEvent::FocusOut) // another widget hears of what is let go then
        m_spaceHeld = false;
    // While a line is dragged, Esc belongs to the drag and not to a shortcut of the window.
    if (event->type() == QEvent::ShortcutOverride && m_boundaries.isDragging() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QCustomPlot::event(event);
}

void ChartPlot::leaveEvent(QEvent* event)
{
    m_selection->setHovered({});
    QCustomPlot::leaveEvent(event);
}

} // namespace stagecraft
