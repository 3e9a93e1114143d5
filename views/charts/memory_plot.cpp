#include "views/charts/memory_plot.h"

#include "views/charts/plot_axes.h"

#include <algorithm>

namespace stagecraft {

namespace {

constexpr const char* cursorLayer = "cursor";

} // namespace

MemoryPlot::MemoryPlot(const QSharedPointer<QCPAxisTicker>& along, QWidget* parent)
    : QCustomPlot(parent), m_theme(applicationTheme())
{
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    axisRect()->setRangeDrag(Qt::Horizontal);
    axisRect()->setRangeZoom(Qt::Horizontal);
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new BytesTicker));
    xAxis->setTicker(along);
    xAxis->setRange(0, 1);
    addLayer(cursorLayer, layer("main"), limAbove);
    layer(cursorLayer)->setMode(QCPLayer::lmBuffered);
    setCurrentLayer(cursorLayer);
    m_cursor = addUprightLine(this);
    setCurrentLayer("main");
    setFocusPolicy(Qt::StrongFocus);
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
        const double end = m_end.value_or(0);
        if (end > 0 && (range.lower < 0 || range.upper > end))
            xAxis->setRange(range.bounded(0, end));
    });
}

void MemoryPlot::setEnd(std::optional<double> end)
{
    const bool isAsLong = end == m_end;
    m_end = end;
    m_cursor->setVisible(false);
    redraw();
    if (!isAsLong)
        showAll();
}

void MemoryPlot::applyTheme()
{
    m_theme = applicationTheme();
    redraw();
}

void MemoryPlot::showAll()
{
    const double end = m_end.value_or(0);
    xAxis->setRange(0, end > 0 ? end : 1);
    replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPlot::redraw()
{
    clearPlottables();
    while (itemCount() > 1) // all but the cursor
        removeItem(item(itemCount() - 1));
    setBackground(m_theme.surface);
    for (QCPAxis* axis : axisRect()->axes())
        applyAxisTheme(axis, m_theme);
    m_cursor->setPen(QPen(m_theme.text, 1));
    draw();
    replot(QCustomPlot::rpQueuedReplot);
}

QCPItemText* MemoryPlot::addLabel(double fontScale)
{
    auto* label = new QCPItemText(this);
    label->setPadding(QMargins(em(this, 0.3), 1, em(this, 0.3), 1));
    label->setColor(m_theme.text);
    label->setFont(scaledFont(this, fontScale));
    return label;
}

std::optional<double> MemoryPlot::placeAt(double pixel) const
{
    const QRect room = axisRect()->rect().adjusted(-2, 0, 2, 0);
    if (!m_end || !room.contains(QPoint(static_cast<int>(pixel), room.center().y())))
        return std::nullopt;
    return std::clamp(xAxis->pixelToCoord(pixel), 0.0, *m_end);
}

void MemoryPlot::pointAt(std::optional<double> place)
{
    m_cursor->setVisible(place.has_value());
    if (place)
        standUp(m_cursor, xAxis->coordToPixel(*place), axisRect()->rect());
    layer(cursorLayer)->replot();
}

void MemoryPlot::mouseMoveEvent(QMouseEvent* event)
{
    QCustomPlot::mouseMoveEvent(event);
    point(event->position());
}

void MemoryPlot::mousePressEvent(QMouseEvent* event)
{
    QCustomPlot::mousePressEvent(event);
    m_pressedAt = event->pos();
}

// A click, not the end of a drag.
void MemoryPlot::mouseReleaseEvent(QMouseEvent* event)
{
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && (event->pos() - m_pressedAt).manhattanLength() < 4)
        choose(event->position());
}

void MemoryPlot::mouseDoubleClickEvent(QMouseEvent*)
{
    showAll();
}

void MemoryPlot::leaveEvent(QEvent* event)
{
    QCustomPlot::leaveEvent(event);
    pointAt(std::nullopt);
    emit left();
}

void MemoryPlot::resizeEvent(QResizeEvent* event)
{
    QCustomPlot::resizeEvent(event);
    m_cursor->setVisible(false);
}

} // namespace stagecraft
