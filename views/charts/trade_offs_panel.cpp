#include "views/charts/trade_offs_panel.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/plan/difference_text.h"
#include "views/plan/plan_rows.h"

#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

std::vector<PlanRows::Column> tradeOffColumns()
{
    return {{QObject::tr("Step"), QObject::tr("The simulated time of a whole step, all microbatches"),
             Qt::AlignRight, ColumnUnit::Time},
            {QObject::tr("Slowest device"), QObject::tr("What the slowest device takes for one microbatch"),
             Qt::AlignRight, ColumnUnit::Time},
            {QObject::tr("Peak memory"), QObject::tr("The most that any of the devices holds at once"),
             Qt::AlignRight, ColumnUnit::Size},
            {QObject::tr("Sent"), QObject::tr("Bytes sent between stages for one microbatch"), Qt::AlignRight,
             ColumnUnit::Size},
            {QObject::tr("Bubble"), QObject::tr("The share of all devices' time in which they wait")},
            {QObject::tr("Quality"),
             QObject::tr("How far the plan can be from the best that gives up nothing"), Qt::AlignLeft},
            {QObject::tr("Asked for"), QObject::tr("What the search was asked for to get this plan"),
             Qt::AlignLeft}};
}

// Texts as "18.9 s", "1.20 GiB", "at most 24.0 GiB a device", and what bars compare.
std::vector<std::pair<QString, std::optional<double>>> figuresOf(const TradeOff& plan)
{
    const PlanCost& cost = plan.solution.cost;
    return {{toText(cost.iteration), cost.iteration.value()},
            {toText(cost.bottleneckTime), cost.bottleneckTime.value()},
            {toText(plan.peakMemory), plan.peakMemory.asDouble()},
            {toText(cost.bytesSent), cost.bytesSent.asDouble()},
            {percentText(cost.bubble), cost.bubble},
            {qualityText(cost, plan.solution.bound, plan.solution.iterationBound), std::nullopt},
            {shownText(plan.text), std::nullopt}};
}

// In the order of the columns.
constexpr std::array<PlanFigure, 5> comparedFigures{PlanFigure::Step, PlanFigure::Slowest, PlanFigure::Peak,
                                                    PlanFigure::Sent, PlanFigure::Bubble};

PlanRows::Row rowOf(const TradeOffs& plans, const TradeOff& plan, bool isCurrent, const PlanCost* compared)
{
    PlanRows::Row row;
    QStringList help;
    const auto columns = tradeOffColumns();
    const auto figures = figuresOf(plan);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto& [text, measure] = figures[i];
        CellContent content{.faint = i >= static_cast<std::size_t>(TradeOffColumn::Quality),
                            .bold = isCurrent};
        double most = 0;
        for (const TradeOff& other : plans)
            most = std::max(most, figuresOf(other)[i].second.value_or(0));
        if (measure && most > 0)
            content.bar = *measure / most;
        row.cells.push_back({text, content, measure});
        help << QStringLiteral("%1: %2").arg(columns[i].title, text);
    }
    const auto at = [&](TradeOffColumn column) -> CellContent& {
        return row.cells[static_cast<std::size_t>(column)].content;
    };
    // Three digits hide what little time is given up.
    at(TradeOffColumn::Step).change =
        changeText(plans.front().solution.cost.iteration, plan.solution.cost.iteration);
    at(TradeOffColumn::Bubble).bar = plan.solution.cost.bubble;
    at(TradeOffColumn::Peak).overLimit = !plan.solution.cost.fits();
    for (std::size_t i = 0; compared && i < comparedFigures.size(); ++i)
        addDifference(row.cells[i].content, *compared, plan.solution.cost, comparedFigures[i]);
    if (!plan.solution.cost.fits())
        help << QObject::tr("Does not fit into memory");
    if (compared)
        help << QObject::tr("Differences are to B");
    row.help = help.join('\n');
    return row;
}

QWidget* withFilterLine(PlanRows* rows)
{
    auto* both = new QWidget;
    auto* layout = new QVBoxLayout(both);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(rows, 1);
    layout->addWidget(rows->filterLine());
    return both;
}

} // namespace

TradeOffsPanel::TradeOffsPanel(QWidget* parent)
    : TradeOffsPanel(new PlanRows(tr("Trade-offs"), tradeOffColumns()), parent)
{
}

TradeOffsPanel::TradeOffsPanel(PlanRows* rows, QWidget* parent)
    : OnDemandPanel(
          {.button = tr("Find trade-offs"),
           .promise = tr("What would a little more time save? Plans of as many stages that need less "
                         "memory or send less."),
           .nothing = tr("Plans that trade time for memory or for bytes sent can be found here once a "
                         "model is profiled.")},
          withFilterLine(rows), parent),
      m_rows(rows)
{
    setAccessibleName(tr("Trade-offs"));
    setAccessibleDescription(
        tr("Plans none of which is the best in time, memory and bytes sent; Enter adopts "
           "one"));
    m_rows->setAccessibleName(tr("Plans that trade time for memory or bytes"));
    connect(m_rows, &PlanRows::chosen, this,
            [this](int row) { emit adoptRequested(static_cast<std::size_t>(row)); });
    m_rows->setRowMenu([this](QMenu& menu, int row) {
        QAction* adopt =
            menu.addAction(tr("Adopt this plan"), m_rows, [this, row] { emit m_rows->chosen(row); });
        adopt->setShortcut(Qt::Key_Return);
    });
}

void TradeOffsPanel::setPlans(std::shared_ptr<const TradeOffs> plans)
{
    m_plans = std::move(plans);
    showRows();
    setAnswer(m_plans ? Answer::There : Answer::Missing);
}

void TradeOffsPanel::setCurrent(std::shared_ptr<const Partition> partition)
{
    if (partition == m_current)
        return;
    m_current = std::move(partition);
    showRows();
}

void TradeOffsPanel::setCompared(std::shared_ptr<const PlanCost> other)
{
    if (other == m_compared)
        return;
    m_compared = std::move(other);
    showRows();
}

void TradeOffsPanel::showRows()
{
    std::vector<PlanRows::Row> rows;
    for (const TradeOff& plan : m_plans ? *m_plans : TradeOffs())
        rows.push_back(
            rowOf(*m_plans, plan, m_current && plan.solution.partition == *m_current, m_compared.get()));
    m_rows->setRows(rows);
}

} // namespace stagecraft
