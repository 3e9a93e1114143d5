#include "views/charts/curve_panel.h"

#include "views/base/widgets.h"
#include "views/charts/curve_plot.h"
#include "views/charts/curve_rows.h"
#include "views/charts/picture_tools.h"
#include "views/plan/difference_text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

QWidget* sideBySide(QWidget* plot, PlanRows* rows)
{
    auto* both = new QWidget;
    auto* table = new QVBoxLayout;
    table->setSpacing(0);
    table->addWidget(rows, 1);
    table->addWidget(rows->filterLine());
    auto* layout = new QHBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(plot, 1);
    layout->addLayout(table, 1);
    return both;
}

// That plans are compared by; none of what follows from others.
std::optional<PlanFigure> figureOfColumn(CurveColumn column)
{
    switch (column) {
    case CurveColumn::Slowest:
        return PlanFigure::Slowest;
    case CurveColumn::Peak:
        return PlanFigure::Peak;
    case CurveColumn::Bubble:
        return PlanFigure::Bubble;
    default:
        return std::nullopt;
    }
}

} // namespace

CurvePanel::CurvePanel(QWidget* parent)
    : CurvePanel(new CurvePlot, new PlanRows(tr("Curve"), curveColumns()), parent)
{
}

CurvePanel::CurvePanel(CurvePlot* plot, PlanRows* rows, QWidget* parent)
    : OnDemandPanel(
          {.button = tr("Compare 1 to 16 stages"),
           .promise = tr("What do more devices bring? The best plan for each number of stages, with "
                         "its time, memory and bubble; what runs again is as in the present plan."),
           .nothing = tr("Plans for every number of stages can be compared here once a model is "
                         "profiled.")},
          sideBySide(plot, rows), parent),
      m_plot(plot),
      m_rows(rows)
{
    setAccessibleName(tr("Curve"));
    setAccessibleDescription(tr("The best plan for every number of stages; Enter adopts one"));
    m_rows->setAccessibleName(tr("Plans by number of stages"));
    new PictureTools(m_plot, tr("Curve"), [this] { return m_rows->csv(); });
    m_plot->setMinimumHeight(em(this, 9));
    connect(m_plot, &CurvePlot::pointChosen, this, &CurvePanel::adoptRequested);
    connect(m_plot, &CurvePlot::pointHovered, this,
            [this](std::size_t stageCount) { m_rows->setCurrentRow(static_cast<int>(stageCount) - 1); });
    connect(m_rows, &PlanRows::chosen, this, [this](int row) {
        emit adoptRequested(m_curve->points[static_cast<std::size_t>(row)].stageCount);
    });
    m_rows->setRowMenu([this](QMenu& menu, int row) {
        QAction* adopt =
            menu.addAction(tr("Adopt this plan"), m_rows, [this, row] { emit m_rows->chosen(row); });
        adopt->setShortcut(Qt::Key_Return);
    });
    onThemeChange(this, [this] { m_plot->applyTheme(); });
}

void CurvePanel::setCurve(std::shared_ptr<const PlanCurve> curve)
{
    m_curve = std::move(curve);
    m_plot->setCurve(m_curve);
    showRows();
    setAnswer(m_curve ? Answer::There : Answer::Missing);
}

void CurvePanel::setCurrent(std::size_t stageCount)
{
    if (stageCount == m_current)
        return;
    m_current = stageCount;
    m_plot->setCurrent(stageCount);
    showRows();
}

void CurvePanel::setCompared(std::shared_ptr<const PlanCost> other)
{
    if (other == m_compared)
        return;
    m_compared = std::move(other);
    showRows();
}

void CurvePanel::showRows()
{
    std::vector<PlanRows::Row> rows;
    for (const CurvePoint& point : m_curve ? m_curve->points : std::vector<CurvePoint>()) {
        PlanRows::Row row{.help = curvePointHelp(point), .canBeChosen = point.hasPlan()};
        if (m_compared && point.hasPlan())
            row.help += '\n' + tr("Differences are to B");
        for (int i = 0; i < curveColumnCount; ++i) {
            const auto column = static_cast<CurveColumn>(i);
            CellContent content = curveCellContent(*m_curve, point, column);
            content.bold = point.stageCount == m_current;
            if (const auto figure = figureOfColumn(column); figure && m_compared && point.hasPlan())
                addDifference(content, *m_compared, point.solution->cost, *figure);
            row.cells.push_back({curveCellText(point, column), content, curveCellValue(point, column)});
        }
        rows.push_back(std::move(row));
    }
    m_rows->setRows(rows);
}

} // namespace stagecraft
