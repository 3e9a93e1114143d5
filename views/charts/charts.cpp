#include "views/charts/charts.h"

#include "views/base/widgets.h"
#include "views/charts/chart_plot.h"
#include "views/charts/picture_tools.h"

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

ExecutionCharts::ExecutionCharts(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_plot(new ChartPlot(selection, this)),
      m_axisChoice(new QComboBox(this)),
      m_logarithmic(new QAction(tr("Logarithmic values"), this)),
      m_empty(new QLabel(
          tr("Memory, time and bytes across a boundary appear here once the model is profiled."), this))
{
    setAccessibleName(tr("Charts"));
    setAccessibleDescription(tr("Memory, time and bytes across a boundary along the execution order"));
    m_plot->setAccessibleName(tr("Charts along the execution order"));
    m_plot->setAccessibleDescription(
        tr("Brackets choose a boundary, arrow keys move it; the stages table shows the same figures"));
    m_axisChoice->addItem(tr("by op"), int(ExecutionAxis::OpIndex));
    m_axisChoice->addItem(tr("by time"), int(ExecutionAxis::CumulativeTime));
    m_axisChoice->setAccessibleName(tr("Execution axis"));
    m_axisChoice->setToolTip(tr("Number the ops, or give each its time: then an even split has even lines"));
    m_axisChoice->setFocusPolicy(Qt::TabFocus);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty);
    layout->addWidget(m_plot);
    m_plot->setMinimumHeight(em(this, 9));

    connect(m_axisChoice, &QComboBox::activated, this, [this] {
        setAxis(static_cast<ExecutionAxis>(m_axisChoice->currentData().toInt()));
        m_plot->setFocus();
    });
    connect(m_plot, &ChartPlot::boundaryDragged, this, &ExecutionCharts::boundaryDragged);
    connect(m_plot, &ChartPlot::boundaryDropped, this, &ExecutionCharts::boundaryDropped);
    connect(m_plot, &ChartPlot::dragCancelled, this, &ExecutionCharts::dragCancelled);
    connect(m_plot, &ChartPlot::boundaryMoveRequested, this, &ExecutionCharts::boundaryMoveRequested);
    connect(m_plot, &ChartPlot::splitRequested, this, &ExecutionCharts::splitRequested);
    filterEvents(m_plot, [this](QEvent* event) {
        if (event->type() == QEvent::ContextMenu)
            openMenu(*static_cast<QContextMenuEvent*>(event));
        return event->type() == QEvent::ContextMenu;
    });
    onThemeChange(this, [this] { m_plot->applyTheme(); });
    m_logarithmic->setCheckable(true);
    m_logarithmic->setProperty("keptAs", "charts/logarithmic");
    m_logarithmic->setToolTip(tr("Show times and bytes by their logarithm: small ones beside large ones"));
    connect(m_logarithmic, &QAction::toggled, this,
            [this](bool isWanted) { m_plot->setLook(isWanted ? ValueLook::Logarithmic : ValueLook::Plain); });
    addAction(m_logarithmic);
    new PictureTools(this, tr("Charts"), [this] { return m_plot->seriesCsv(); });
    setFocusProxy(m_plot);
    setPlan({});
}

void ExecutionCharts::setPlan(const PlanView& plan)
{
    m_plot->setPlan(plan);
    m_plot->setVisible(m_plot->hasCurves());
    m_axisChoice->setVisible(m_plot->hasCurves());
    m_empty->setVisible(!m_plot->hasCurves());
}

void ExecutionCharts::openMenu(const QContextMenuEvent& event)
{
    const auto boundary = m_plot->boundaryAt(event.pos());
    if (event.reason() == QContextMenuEvent::Mouse && m_plot->hasCurves()) {
        const NodeId node = m_plot->opAt(event.pos().x());
        if (boundary || !std::ranges::binary_search(m_selection->nodes(), node))
            m_selection->setNodes(boundary ? std::vector<NodeId>() : std::vector{node});
        m_selection->setBoundary(boundary);
    }
    emit menuRequested(event.globalPos());
}

void ExecutionCharts::setAxis(ExecutionAxis axis)
{
    m_plot->setAxis(axis);
    m_axisChoice->setCurrentIndex(m_axisChoice->findData(int(axis)));
}

void ExecutionCharts::setLook(ValueLook look)
{
    m_logarithmic->setChecked(look == ValueLook::Logarithmic);
}

void ExecutionCharts::setCompared(std::shared_ptr<const Partition> other)
{
    m_plot->setCompared(std::move(other));
}

double ExecutionCharts::positionToPixel(std::size_t position) const
{
    return m_plot->x() + m_plot->placeToPixel(position);
}

void ExecutionCharts::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const QSize size = m_axisChoice->sizeHint();
    m_axisChoice->setGeometry(width() - size.width() - em(this, 0.4), em(this, 0.15), size.width(),
                              size.height());
    m_axisChoice->raise();
    m_plot->setCornerTaken(width() - m_axisChoice->x());
}

} // namespace stagecraft
