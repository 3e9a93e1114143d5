#include "views/charts/curve_plot.h"

#include "views/base/plain_text.h"
#include "views/charts/curve_rows.h"
#include "views/charts/plot_axes.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

class PercentTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return QObject::tr("%1 %").arg(std::lround(tick * 100));
    }
};

} // namespace

CurvePlot::CurvePlot(QWidget* parent) : QCustomPlot(parent), m_theme(applicationTheme())
{
    setAccessibleName(tr("Plans by number of stages"));
    setAccessibleDescription(tr("The table beside it has the same figures"));
    setMouseTracking(true);
    buildRects();
    applyTheme();
}

void CurvePlot::buildRects()
{
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    auto* margins = new QCPMarginGroup(this);
    const std::array<QSharedPointer<QCPAxisTicker>, rectCount> tickers{
        QSharedPointer<QCPAxisTicker>(new SecondsTicker), QSharedPointer<QCPAxisTicker>(new BytesTicker),
        QSharedPointer<QCPAxisTicker>(new PercentTicker)};
    const std::array titles{tr("Slowest device, for one microbatch; below it what no plan can beat"),
                            tr("Peak memory of the fullest device; hollow: over the limit"),
                            tr("Bubble: share of all devices' time in which they wait")};
    for (std::size_t row = 0; row < rectCount; ++row) {
        QCPAxisRect* axes =
            addStackedRect(*this, {.row = static_cast<int>(row), .rowCount = static_cast<int>(rectCount)},
                           margins, tickers[row]);
        m_rects[row] = axes;
        axes->axis(QCPAxis::atBottom)->setTicker(QSharedPointer<QCPAxisTicker>(new CountTicker));
        axes->axis(QCPAxis::atBottom)->ticker()->setTickCount(16);
        m_titles[row] = addCornerText(axes, 0);
        m_titles[row]->setText(titles[row]);
        m_titles[row]->setLayer("overlay"); // the mark passes behind the words
        m_marks[row] = new QCPItemStraightLine(this);
        for (QCPItemPosition* point : {m_marks[row]->point1, m_marks[row]->point2}) {
            point->setAxisRect(axes);
            point->setAxes(axes->axis(QCPAxis::atBottom), axes->axis(QCPAxis::atLeft));
        }
        m_marks[row]->setClipAxisRect(axes);
    }
}

void CurvePlot::applyTheme()
{
    m_theme = applicationTheme();
    setBackground(m_theme.surface);
    for (std::size_t row = 0; row < rectCount; ++row) {
        for (QCPAxis* axis : m_rects[row]->axes())
            applyAxisTheme(axis, m_theme);
        QColor ground = m_theme.surface;
        ground.setAlpha(215);
        m_titles[row]->setBrush(ground);
        m_titles[row]->setColor(m_theme.mutedText);
        m_titles[row]->setFont(scaledFont(this, 0.85));
        m_marks[row]->setPen(QPen(m_theme.accent, 1, Qt::DashLine));
    }
    drawCurve();
}

void CurvePlot::setCurve(std::shared_ptr<const PlanCurve> curve)
{
    m_curve = std::move(curve);
    drawCurve();
}

void CurvePlot::setCurrent(std::size_t stageCount)
{
    m_current = stageCount;
    for (QCPItemStraightLine* mark : m_marks) {
        mark->point1->setCoords(static_cast<double>(stageCount), 0);
        mark->point2->setCoords(static_cast<double>(stageCount), 1);
        mark->setVisible(m_curve != nullptr);
    }
    replot(QCustomPlot::rpQueuedReplot);
}

double CurvePlot::stageToPixel(std::size_t stageCount) const
{
    return m_rects[0]->axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(stageCount));
}

// Plans that keep the limits are joined by a line and filled; the others are hollow.
void CurvePlot::addSeries(std::size_t rect, const std::vector<double>& values)
{
    QCPAxis* key = m_rects[rect]->axis(QCPAxis::atBottom);
    QCPAxis* value = m_rects[rect]->axis(QCPAxis::atLeft);
    auto* fitting = new QCPGraph(key, value);
    auto* over = new QCPGraph(key, value);
    double highest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const CurvePoint& point = m_curve->points[i];
        if (!point.hasPlan())
            continue;
        (point.fits() ? fitting : over)->addData(static_cast<double>(point.stageCount), values[i]);
        highest = std::max(highest, values[i]);
    }
    const double size = em(this, 0.5);
    fitting->setPen(QPen(m_theme.accent));
    fitting->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, m_theme.accent, m_theme.accent, size));
    over->setLineStyle(QCPGraph::lsNone);
    over->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, m_theme.danger, m_theme.surface, size));
    value->setRange(0, std::max(highest, 1e-9) * 1.45); // the title's line above
    key->setRange(0.5, static_cast<double>(std::max<std::size_t>(m_curve->points.size(), 1)) + 0.5);
}

void CurvePlot::addBounds()
{
    auto* bounds = new QCPGraph(m_rects[0]->axis(QCPAxis::atBottom), m_rects[0]->axis(QCPAxis::atLeft));
    for (const CurvePoint& point : m_curve->points)
        if (point.hasPlan())
            bounds->addData(static_cast<double>(point.stageCount), point.solution->bound.value.value());
    bounds->setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
    bounds->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssPlus, m_theme.mutedText, m_theme.mutedText, em(this, 0.7)));
}

void CurvePlot::drawCurve()
{
    clearPlottables();
    for (QCPItemText* title : m_titles)
        title->setVisible(m_curve != nullptr);
    if (m_curve) {
        std::array<std::vector<double>, rectCount> values;
        for (const CurvePoint& point : m_curve->points) {
            values[0].push_back(point.hasPlan() ? point.solution->cost.bottleneckTime.value() : 0);
            values[1].push_back(point.peakMemory.asDouble());
            values[2].push_back(point.hasPlan() ? point.solution->cost.bubble : 0);
        }
        addBounds();
        for (std::size_t row = 0; row < rectCount; ++row)
            addSeries(row, values[row]);
    }
    setCurrent(m_current);
}

const CurvePoint* CurvePlot::pointAt(double pixel) const
{
    if (!m_curve)
        return nullptr;
    const double stages = m_rects[0]->axis(QCPAxis::atBottom)->pixelToCoord(pixel);
    if (!(stages > 0.5))
        return nullptr;
    const CurvePoint* point = m_curve->find(static_cast<std::size_t>(std::lround(stages)));
    return point && point->hasPlan() ? point : nullptr;
}

void CurvePlot::mousePressEvent(QMouseEvent* event)
{
    const CurvePoint* point = pointAt(event->position().x());
    if (event->button() == Qt::LeftButton && point)
        emit pointChosen(point->stageCount);
}

void CurvePlot::mouseMoveEvent(QMouseEvent* event)
{
    const CurvePoint* point = pointAt(event->position().x());
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point)
        emit pointHovered(point->stageCount);
}

bool CurvePlot::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QCustomPlot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const CurvePoint* point = pointAt(help->pos().x()))
        QToolTip::showText(help->globalPos(), toolTipText(curvePointHelp(*point)), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace stagecraft
