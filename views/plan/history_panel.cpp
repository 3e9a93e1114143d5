#include "views/plan/history_panel.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/plan/difference_text.h"
#include "views/plan/plan_rows.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

std::vector<PlanRows::Column> historyColumns()
{
    std::vector<PlanRows::Column> columns{
        {QObject::tr("Plan"), QObject::tr("In the order in which they were made; a star keeps a plan"),
         Qt::AlignLeft}};
    for (const auto& [figure, unit] :
         {std::pair(PlanFigure::Step, ColumnUnit::Time), std::pair(PlanFigure::Slowest, ColumnUnit::Time),
          std::pair(PlanFigure::Peak, ColumnUnit::Size), std::pair(PlanFigure::Bubble, ColumnUnit::None),
          std::pair(PlanFigure::Sent, ColumnUnit::Size)})
        columns.push_back({figureTitle(figure), QObject::tr("Differences are to B, where there is one"),
                           Qt::AlignRight, unit});
    columns.push_back({QObject::tr("Quality"),
                       QObject::tr("How far it can be from the best that was asked for"), Qt::AlignLeft});
    columns.push_back(
        {QObject::tr("Stages"), QObject::tr("Stages, and the devices they run on"), Qt::AlignLeft});
    columns.push_back({QObject::tr("Made for"), QObject::tr("What the plan is made for"), Qt::AlignLeft});
    columns.push_back({QObject::tr("How"), QObject::tr("How it arose"), Qt::AlignLeft});
    columns.push_back({QObject::tr("When"), QObject::tr("When it was made"), Qt::AlignLeft});
    return columns;
}

QString whenText(const QDateTime& when)
{
    return when.date() == QDate::currentDate() ? QLocale::system().toString(when.time(), QLocale::ShortFormat)
                                               : QLocale::system().toString(when, QLocale::ShortFormat);
}

PlanRows::Cell figureCell(const HistoryEntry& entry, PlanFigure figure, const HistoryEntry* other)
{
    const double value = figureOf(*entry.plan.cost, figure);
    PlanRows::Cell cell{figureText(figure, value), {}, value};
    cell.content.overLimit = figure == PlanFigure::Peak && !entry.plan.cost->fits();
    if (!other || other->id == entry.id)
        return cell;
    addDifference(cell.content, *other->plan.cost, *entry.plan.cost, figure);
    return cell;
}

} // namespace

HistoryPanel::HistoryPanel(QWidget* parent)
    : QWidget(parent),
      m_rows(new PlanRows(tr("History"), historyColumns())),
      m_empty(new QLabel(tr("Every plan that you try is listed here, to go back to and to compare with."))),
      m_bar(new QWidget)
{
    setAccessibleName(tr("History"));
    setAccessibleDescription(tr("All plans that were tried; Enter goes back to one"));
    m_rows->setAccessibleName(tr("Plans that were tried"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto* bar = new QHBoxLayout(m_bar);
    bar->setContentsMargins(em(this, 0.4), em(this, 0.2), em(this, 0.4), em(this, 0.2));
    bar->setSpacing(em(this, 0.3));
    const auto add = [&](const QString& text, const QString& help, auto act) {
        auto* button = new QToolButton;
        button->setText(text);
        button->setToolTip(help);
        button->setAccessibleName(help);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, act);
        bar->addWidget(button);
        return button;
    };
    m_return = add(tr("Go back to it"), tr("Make it the plan again: one step of undo (Enter)"),
                   [this] { handleKey(Qt::Key_Return); });
    m_star = add(tr("★ Star"), tr("Keep it, or no longer (*)"), [this] { handleKey(Qt::Key_Asterisk); });
    m_compare = add(tr("Keep as B"), tr("Compare the plan with it (B)"), [this] { handleKey(Qt::Key_B); });
    m_remove =
        add(tr("Remove"), tr("Take it out of the list (Delete)"), [this] { handleKey(Qt::Key_Delete); });
    bar->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_bar);
    layout->addWidget(m_rows, 1);
    layout->addWidget(m_rows->filterLine());
    connect(m_rows, &PlanRows::chosen, this, [this] { handleKey(Qt::Key_Return); });
    connect(m_rows, &PlanRows::itemSelectionChanged, this, &HistoryPanel::showButtons);
    m_rows->setRowMenu([this](QMenu& menu, int) { fillMenu(menu); });
    onKeyPress(m_rows, [this](int key, Qt::KeyboardModifiers modifiers) {
        return !(modifiers & (Qt::ControlModifier | Qt::AltModifier)) && key != Qt::Key_Return &&
               key != Qt::Key_Enter && handleKey(key);
    });
    setPlans({}, {}, {});
}

void HistoryPanel::setPlans(std::vector<HistoryEntry> plans, std::optional<std::size_t> current,
                            std::optional<std::size_t> other)
{
    const auto before = chosen();
    m_plans = std::move(plans);
    std::ranges::reverse(m_plans);
    m_current = current;
    m_other = other;
    const auto found =
        std::ranges::find_if(m_plans, [&](const HistoryEntry& plan) { return plan.id == other; });
    const HistoryEntry* base = found == m_plans.end() ? nullptr : &*found;
    std::vector<PlanRows::Row> rows;
    for (const HistoryEntry& plan : m_plans) {
        PlanRows::Row row;
        const QString sign = plan.isStarred ? QStringLiteral("★ %1") : QStringLiteral("%1");
        PlanRows::Cell name{sign.arg(plan.id), {}, static_cast<double>(plan.id)};
        if (plan.id == m_current)
            name.content.badge = tr("A");
        if (plan.id == m_other)
            name.content.badge = plan.id == m_current ? tr("A, B") : tr("B");
        row.cells.push_back(name);
        for (std::size_t i = 0; i < planFigureCount; ++i)
            row.cells.push_back(figureCell(plan, static_cast<PlanFigure>(i), base));
        const PlanCost& cost = *plan.plan.cost;
        for (const QString& text : {qualityText(cost, plan.plan.bound, plan.plan.stepBound),
                                    stagesText(cost.stages.size(), cost.devices.size()), plan.setup,
                                    plan.origin, whenText(plan.when)})
            row.cells.push_back({text, {}});
        for (PlanRows::Cell& cell : row.cells)
            cell.content.bold = plan.id == m_current;
        row.help = tr("%1\n%2, %3").arg(plan.setup, plan.origin, QLocale::system().toString(plan.when));
        rows.push_back(std::move(row));
    }
    keepWidths(); // before differences widen columns
    m_rows->setRows(rows);
    widenColumns();
    const auto again =
        std::ranges::find_if(m_plans, [&](const HistoryEntry& plan) { return plan.id == before; });
    if (again != m_plans.end())
        m_rows->setCurrentRow(static_cast<int>(again - m_plans.begin()));
    m_empty->setVisible(m_plans.empty());
    m_rows->setVisible(!m_plans.empty());
    m_bar->setVisible(!m_plans.empty());
    showButtons();
}

// As they are without differences, to come back to when there are none any more.
void HistoryPanel::keepWidths()
{
    const QHeaderView* header = m_rows->header();
    if (m_other && m_widthsAlone.empty() && m_rows->topLevelItemCount() > 0)
        for (int column = 0; column < m_rows->columnCount(); ++column)
            m_widthsAlone.push_back(header->sectionSize(column));
}

// As what is in them asks for, never narrower than they are; with room for differences as long as there are
// any, and then as they were before.
void HistoryPanel::widenColumns()
{
    QHeaderView* header = m_rows->header();
    if (!m_other) {
        int column = 0;
        for (const int width : std::exchange(m_widthsAlone, {}))
            header->resizeSection(column++, width);
    }
    for (int column = 0; column < m_rows->columnCount(); ++column) {
        const int wanted =
            static_cast<const QAbstractItemView*>(m_rows)->sizeHintForColumn(column) + em(this, 1);
        if (wanted > header->sectionSize(column))
            header->resizeSection(column, std::min(wanted, em(this, 36)));
    }
    narrowToFit();
}

// What a plan is made for is the longest text, and stands whole in the tip: it has what the others leave.
void HistoryPanel::narrowToFit()
{
    constexpr int madeFor = 3 + static_cast<int>(planFigureCount);
    QHeaderView* header = m_rows->header();
    const auto textOf = [this](int column) {
        return static_cast<const QAbstractItemView*>(m_rows)->sizeHintForColumn(column) + em(this, 1);
    };
    int room = m_rows->viewport()->width() - textOf(header->count() - 1); // the last one is as wide as may be
    for (int column = 0; column + 1 < header->count(); ++column)
        room -= column == madeFor ? 0 : header->sectionSize(column);
    const int least = em(this, 12);
    header->resizeSection(madeFor, std::clamp(room, least, std::clamp(textOf(madeFor), least, em(this, 36))));
}

void HistoryPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    narrowToFit();
}

const HistoryEntry* HistoryPanel::chosenEntry() const
{
    const int row = m_rows->currentRow();
    return row >= 0 && static_cast<std::size_t>(row) < m_plans.size()
               ? &m_plans[static_cast<std::size_t>(row)]
               : nullptr;
}

std::optional<std::size_t> HistoryPanel::chosen() const
{
    const HistoryEntry* entry = chosenEntry();
    return entry ? std::optional(entry->id) : std::nullopt;
}

// What the buttons do with the current row.
void HistoryPanel::fillMenu(QMenu& menu)
{
    for (const auto& [button, key] :
         {std::pair(m_return, Qt::Key_Return), std::pair(m_star, Qt::Key_Asterisk),
          std::pair(m_compare, Qt::Key_B), std::pair(m_remove, Qt::Key_Delete)}) {
        QAction* action = menu.addAction(button->text(), button, &QToolButton::click);
        action->setShortcut(key);
        action->setEnabled(button->isEnabled());
    }
}

void HistoryPanel::showButtons()
{
    const HistoryEntry* entry = chosenEntry();
    m_return->setEnabled(entry && entry->id != m_current);
    m_star->setEnabled(entry != nullptr);
    m_star->setText(entry && entry->isStarred ? tr("☆ Take the star off") : tr("★ Star"));
    m_compare->setEnabled(entry && entry->id != m_other);
    m_remove->setEnabled(entry && entry->id != m_current);
}

bool HistoryPanel::handleKey(int key)
{
    const HistoryEntry* entry = chosenEntry();
    if (!entry)
        return false;
    switch (key) {
    case Qt::Key_Return:
        if (entry->id != m_current)
            emit returnRequested(entry->id);
        return true;
    case Qt::Key_Asterisk:
        emit starRequested(entry->id, !entry->isStarred);
        return true;
    case Qt::Key_B:
        emit compareRequested(entry->id);
        return true;
    case Qt::Key_Delete:
        if (entry->id != m_current)
            emit removeRequested(entry->id);
        return true;
    default:
        return false;
    }
}

} // namespace stagecraft
