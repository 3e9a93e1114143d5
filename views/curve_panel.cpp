#include "views/curve_panel.h"

#include "views/curve_plot.h"
#include "views/curve_rows.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace stagecraft {

CurvePanel::CurvePanel(QWidget* parent)
    : QWidget(parent),
      m_hint(new QLabel),
      m_compute(new QPushButton(tr("Compare 1 to 16 stages"))),
      m_content(new QWidget),
      m_plot(new CurvePlot),
      m_rows(new QTreeWidget)
{
    setAccessibleName(tr("Stage counts"));
    setAccessibleDescription(tr("The best plan for every number of stages; Enter adopts one"));
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_rows->setAccessibleName(tr("Plans by number of stages"));
    m_rows->setRootIsDecorated(false);
    m_rows->setUniformRowHeights(true);
    m_rows->setAllColumnsShowFocus(true);
    m_rows->setItemDelegate(new CellDelegate(m_rows));
    m_rows->setColumnCount(curveColumnCount);
    m_rows->header()->setStretchLastSection(true);
    m_rows->installEventFilter(this);
    for (int i = 0; i < curveColumnCount; ++i) {
        const auto column = static_cast<CurveColumn>(i);
        m_rows->headerItem()->setText(i, curveColumnTitle(column));
        m_rows->headerItem()->setToolTip(i, curveColumnHelp(column));
        m_rows->headerItem()->setTextAlignment(
            i, Qt::AlignVCenter | (column == CurveColumn::Gap ? Qt::AlignLeft : Qt::AlignRight));
    }
    m_plot->setMinimumHeight(em(this, 9));

    auto* content = new QHBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->addWidget(m_plot, 1);
    content->addWidget(m_rows, 1);
    auto* request = new QHBoxLayout;
    request->addStretch();
    request->addWidget(m_compute);
    request->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch();
    layout->addWidget(m_hint);
    layout->addLayout(request);
    layout->addStretch();
    layout->addWidget(m_content, 100);

    connect(m_compute, &QPushButton::clicked, this, &CurvePanel::curveRequested);
    connect(m_plot, &CurvePlot::pointChosen, this, &CurvePanel::adoptRequested);
    connect(m_plot, &CurvePlot::pointHovered, this, [this](std::size_t stageCount) {
        m_rows->setCurrentItem(m_rows->topLevelItem(static_cast<int>(stageCount) - 1));
    });
    connect(m_rows, &QTreeWidget::itemDoubleClicked, this, &CurvePanel::adoptCurrentRow);
    setCurve(nullptr);
}

void CurvePanel::setCurve(std::shared_ptr<const PlanCurve> curve)
{
    m_curve = std::move(curve);
    m_plot->setCurve(m_curve);
    showRows();
    setState(m_state);
}

void CurvePanel::setState(State state)
{
    m_state = state;
    m_content->setVisible(m_curve != nullptr);
    m_hint->setVisible(!m_curve);
    m_compute->setVisible(!m_curve && state != State::None);
    m_compute->setEnabled(state == State::Ready);
    m_hint->setText(state == State::None ? tr("Plans for every number of stages can be compared here once a "
                                              "model is profiled.")
                    : state == State::Searching
                        ? tr("Searching")
                        : tr("What do more devices bring? The best plan for each number of stages, with its "
                             "time, memory and bubble."));
}

void CurvePanel::setCurrent(std::size_t stageCount)
{
    if (stageCount == m_current)
        return;
    m_current = stageCount;
    m_plot->setCurrent(stageCount);
    showRows();
}

void CurvePanel::showRows()
{
    const int row = m_rows->indexOfTopLevelItem(m_rows->currentItem());
    const bool isFirst = m_rows->topLevelItemCount() == 0;
    m_rows->clear();
    if (!m_curve)
        return;
    for (const CurvePoint& point : m_curve->points) {
        auto* item = new QTreeWidgetItem(m_rows);
        for (int i = 0; i < curveColumnCount; ++i) {
            const auto column = static_cast<CurveColumn>(i);
            CellContent content = curveCellContent(*m_curve, point, column);
            content.bold = point.stageCount == m_current;
            item->setText(i, curveCellText(point, column));
            item->setToolTip(i, curvePointHelp(point));
            item->setData(i, cellRole, QVariant::fromValue(content));
            item->setTextAlignment(i, Qt::AlignVCenter |
                                          (column == CurveColumn::Gap ? Qt::AlignLeft : Qt::AlignRight));
        }
        item->setDisabled(!point.hasPlan());
    }
    if (isFirst)
        for (int i = 0; i + 1 < curveColumnCount; ++i)
            m_rows->resizeColumnToContents(i);
    m_rows->setCurrentItem(m_rows->topLevelItem(row));
}

void CurvePanel::adoptCurrentRow()
{
    const int row = m_rows->indexOfTopLevelItem(m_rows->currentItem());
    if (!m_curve || row < 0 || !m_curve->points[static_cast<std::size_t>(row)].hasPlan())
        return;
    emit adoptRequested(m_curve->points[static_cast<std::size_t>(row)].stageCount);
}

bool CurvePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_rows && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            adoptCurrentRow();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void CurvePanel::changeEvent(QEvent* event)
{
    if (isThemeChange(event))
        m_plot->applyTheme();
    QWidget::changeEvent(event);
}

} // namespace stagecraft
