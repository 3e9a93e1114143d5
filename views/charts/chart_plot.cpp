#include "views/charts/chart_plot.h"

#include "views/base/colors.h"
#include "views/base/focus_frame.h"
#include "views/charts/chart_area.h"
#include "views/charts/chart_tickers.h"
#include "views/charts/plot_axes.h"

namespace stagecraft {

ChartPlot::ChartPlot(Selection* selection, QWidget* parent)
    : QCustomPlot(parent), m_selection(selection), m_theme(applicationTheme())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setNoAntialiasingOnDrag(true);
    setAntialiasedElements(QCP::aeNone);
    setPlottingHint(QCP::phCacheLabels);
    for (const char* name : {"selection", "boundaries", "crosshair"}) {
        addLayer(name, layer("overlay"), QCustomPlot::limBelow);
        layer(name)->setMode(QCPLayer::lmBuffered);
    }
    buildRects();
    buildTitles();
    setCurrentLayer("boundaries");
    m_ghost = new QCPItemLine(this);
    setCurrentLayer("crosshair");
    m_crosshair = new QCPItemLine(this);
    m_bands = new Bands(this, "selection");
    setCurrentLayer("selection");
    m_rubber = new QCPItemRect(this);
    setCurrentLayer("main");
    for (QCPItemLine* line : {m_ghost, m_crosshair}) {
        line->setVisible(false);
        line->setClipToAxisRect(false);
    }
    m_rubber->setVisible(false);
    m_rubber->setClipToAxisRect(false);
    connect(m_selection, &Selection::nodesChanged, this, &ChartPlot::drawSelection);
    connect(m_selection, &Selection::hoveredChanged, this, &ChartPlot::drawCrosshair);
    connect(m_selection, &Selection::boundaryChanged, this, &ChartPlot::placeBoundaries);
    connect(this, &QCustomPlot::beforeReplot, this, [this] { m_replotPending = true; });
    connect(this, &QCustomPlot::afterReplot, this, [this] { m_replotPending = false; });
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        for (QCPAxisRect* axes : m_rects) // low ones have room for fewer labels
            axes->axis(QCPAxis::atLeft)->ticker()->setTickCount(axes->height() < em(this, 3.2) ? 1 : 3);
        fitValues();
        placeBoundaries();
        drawSelection();
        drawCrosshair();
    });
    applyTheme();
}

void ChartPlot::buildRects()
{
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    auto* margins = new QCPMarginGroup(this);
    const std::array<QSharedPointer<QCPAxisTicker>, chartCount> tickers{
        QSharedPointer<QCPAxisTicker>(new BytesTicker), QSharedPointer<QCPAxisTicker>(new SecondsTicker),
        QSharedPointer<QCPAxisTicker>(new BytesTicker)};
    const std::array<double, chartCount> heights{1.25, 1.0, 0.85};
    for (int row = 0; row < chartCount; ++row) {
        const auto index = static_cast<std::size_t>(row);
        QCPAxisRect* axes = addStackedRect(
            *this, {.row = row, .rowCount = chartCount, .above = row == 0 ? 1.95 : 0.55, .right = 0.6},
            margins, tickers[index]);
        m_rects[index] = axes;
        plotLayout()->setRowStretchFactor(row, heights[index]);
        QCPAxis* key = axes->axis(QCPAxis::atBottom);
        for (QCPAxis* axis : axes->axes()) {
            axis->setLayer("axes");
            axis->grid()->setLayer("grid");
        }
        if (row > 0)
            connect(keyAxis(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), key,
                    [key](const QCPRange& range) { key->setRange(range); });
    }
}

void ChartPlot::buildTitles()
{
    setCurrentLayer("crosshair");
    for (std::size_t i = 0; i < chartCount; ++i) {
        m_titles[i] = addCornerText(m_rects[i], 0);
        m_values[i] = addCornerText(m_rects[i], 1);
    }
    setCurrentLayer("main");
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
    for (QCPAxisRect* axes : m_rects)
        for (QCPAxis* axis : axes->axes())
            applyAxisTheme(axis, m_theme);
    for (std::size_t i = 0; i < chartCount; ++i) {
        QColor ground = m_theme.surface;
        ground.setAlpha(215);
        m_values[i]->setBrush(ground);
        m_titles[i]->setBrush(ground); // lines and curves pass behind the words
        m_titles[i]->setColor(m_theme.mutedText);
        m_titles[i]->setFont(scaledFont(this, 0.9));
        m_values[i]->setColor(m_theme.text);
        m_values[i]->setFont(scaledFont(this, 0.9));
    }
    m_ghost->setPen(QPen(m_theme.mutedText, 1, Qt::DashLine));
    m_crosshair->setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
    QColor rubber = m_theme.accent;
    m_rubber->setPen(QPen(rubber));
    rubber.setAlpha(40);
    m_rubber->setBrush(rubber);
    QColor band = m_theme.accent;
    band.setAlpha(m_theme.dark ? 60 : 45);
    m_bands->setColor(band);
    drawCurves();
}

void ChartPlot::setPlan(const PlanView& plan)
{
    const bool newGraph = plan.graph != m_plan.graph || plan.profile != m_plan.profile;
    const bool newOrderWanted = newGraph || plan.partition != m_plan.partition;
    const std::size_t boundaries = plan.partition ? plan.partition->stageCount - 1 : 0;
    if (newGraph || boundaries != m_order.boundaries.size())
        dropGesture(); // what was dragged may be no more
    m_plan = plan;
    if (!plan.graph || !plan.profile) {
        m_order = {};
        m_scale = {};
        m_across.clear();
        m_placeOf = {};
        drawCurves();
        return;
    }
    if (newGraph)
        m_times = timeScale(*plan.profile);
    if (newOrderWanted) {
        StageOrder order =
            stageOrder(plan.partition ? *plan.partition : singleStage(plan.graph->nodeCount()));
        const bool newOrder = newGraph || order.nodes != m_order.nodes;
        m_order = std::move(order);
        if (newOrder) {
            m_scale = makeScale(m_axis, m_order.nodes, m_plan.profile.get());
            m_across = bytesAcross(*plan.graph, *plan.profile, m_order.nodes);
            m_placeOf = Table<NodeId, std::size_t>(m_order.nodes.size());
            for (std::size_t place = 0; place < m_order.nodes.size(); ++place)
                m_placeOf[m_order.nodes[place]] = place;
        }
    }
    m_memory = memoryCurve(m_plan, m_order);
    drawCurves();
    if (newGraph)
        zoomToAll();
}

void ChartPlot::setAxis(ExecutionAxis axis)
{
    if (axis == m_axis)
        return;
    m_axis = axis;
    m_scale = makeScale(m_axis, m_order.nodes, m_plan.profile.get());
    drawCurves();
    zoomToAll();
}

void ChartPlot::zoomTo(double from, double to)
{
    const double end = m_scale.end();
    const double smallest = end / std::max<double>(1, static_cast<double>(m_scale.opCount())) * 2;
    const double size = std::clamp(to - from, std::min(smallest, end), std::max(end, 1e-12));
    const double start = std::clamp((from + to - size) / 2, 0.0, std::max(0.0, end - size));
    keyAxis()->setRange(start, start + size);
    requestReplot();
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

void ChartPlot::zoomToAll()
{
    zoomTo(0, m_scale.end());
}

void ChartPlot::zoomToSelection()
{
    if (m_selection->nodes().empty() || !hasCurves())
        return zoomToAll();
    std::size_t first = m_scale.opCount();
    std::size_t last = 0;
    for (const NodeId node : m_selection->nodes()) {
        first = std::min(first, m_placeOf[node]);
        last = std::max(last, m_placeOf[node] + 1);
    }
    const double margin = (m_scale.places[last] - m_scale.places[first]) * 0.1;
    zoomTo(m_scale.places[first] - margin, m_scale.places[last] + margin);
}

double ChartPlot::xToPixel(double x) const
{
    return keyAxis()->coordToPixel(x);
}

} // namespace stagecraft
