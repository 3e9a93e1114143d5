#include "views/charts/trade_offs_panel.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/plan/plan_rows.h"

#include <algorithm>

namespace stagecraft {

namespace {

PlanRows::Column describe(TradeOffColumn column)
{
    switch (column) {
    case TradeOffColumn::Step:
        return {QObject::tr("Step"), QObject::tr("The simulated time of a whole step, all microbatches")};
    case TradeOffColumn::Slowest:
        return {QObject::tr("Slowest device"),
                QObject::tr("What the slowest device takes for one microbatch")};
    case TradeOffColumn::Peak:
        return {QObject::tr("Peak memory"), QObject::tr("The most that any of the devices holds at once")};
    case TradeOffColumn::Sent:
        return {QObject::tr("Sent"), QObject::tr("Bytes sent between stages for one microbatch")};
    case TradeOffColumn::Bubble:
        return {QObject::tr("Bubble"), QObject::tr("The share of all devices' time in which they wait")};
    case TradeOffColumn::Asked:
        return {QObject::tr("Asked for"), QObject::tr("What the search was asked for to get this plan"),
                Qt::AlignLeft};
    }
    return {};
}

std::vector<PlanRows::Column> columns()
{
    std::vector<PlanRows::Column> made;
    for (int i = 0; i < tradeOffColumnCount; ++i)
        made.push_back(describe(static_cast<TradeOffColumn>(i)));
    return made;
}

// What the bars of a column compare; none: it has no bars.
std::optional<double> measureOf(const TradeOff& plan, TradeOffColumn column)
{
    switch (column) {
    case TradeOffColumn::Step:
        return plan.cost.iteration.value();
    case TradeOffColumn::Slowest:
        return plan.cost.bottleneckTime.value();
    case TradeOffColumn::Peak:
        return plan.peakMemory.asDouble();
    case TradeOffColumn::Sent:
        return plan.cost.bytesSent.asDouble();
    case TradeOffColumn::Bubble:
    case TradeOffColumn::Asked:
        return std::nullopt;
    }
    return std::nullopt;
}

CellContent contentOf(const TradeOffs& plans, const TradeOff& plan, TradeOffColumn column)
{
    CellContent content;
    content.faint = column == TradeOffColumn::Asked;
    content.overLimit = column == TradeOffColumn::Peak && !plan.cost.fits();
    if (column == TradeOffColumn::Bubble)
        content.bar = plan.cost.bubble;
    if (column == TradeOffColumn::Step) // three digits hide what little time is given up
        content.change = changeText(plans.front().cost.iteration, plan.cost.iteration);
    const std::optional<double> measure = measureOf(plan, column);
    if (!measure)
        return content;
    double most = 0;
    for (const TradeOff& other : plans)
        most = std::max(most, measureOf(other, column).value_or(0));
    if (most > 0)
        content.bar = *measure / most;
    return content;
}

QString helpOf(const TradeOff& plan)
{
    QStringList lines;
    for (int i = 0; i < tradeOffColumnCount; ++i) {
        const auto column = static_cast<TradeOffColumn>(i);
        lines << QStringLiteral("%1: %2").arg(describe(column).title, tradeOffCellText(plan, column));
    }
    if (!plan.cost.fits())
        lines << QObject::tr("Does not fit into memory");
    return lines.join('\n');
}

} // namespace

QString tradeOffCellText(const TradeOff& plan, TradeOffColumn column)
{
    switch (column) {
    case TradeOffColumn::Step:
        return toText(plan.cost.iteration);
    case TradeOffColumn::Slowest:
        return toText(plan.cost.bottleneckTime);
    case TradeOffColumn::Peak:
        return toText(plan.peakMemory);
    case TradeOffColumn::Sent:
        return toText(plan.cost.bytesSent);
    case TradeOffColumn::Bubble:
        return percentText(plan.cost.bubble);
    case TradeOffColumn::Asked:
        return shownText(plan.text);
    }
    return {};
}

TradeOffsPanel::TradeOffsPanel(QWidget* parent) : TradeOffsPanel(new PlanRows(columns()), parent) {}

TradeOffsPanel::TradeOffsPanel(PlanRows* rows, QWidget* parent)
    : OnDemandPanel(
          {.button = tr("Find trade-offs"),
           .promise = tr("What would a little more time save? Plans of as many stages that need less "
                         "memory or send less."),
           .nothing = tr("Plans that trade time for memory or for bytes sent can be found here once a "
                         "model is profiled.")},
          rows, parent),
      m_rows(rows)
{
    setAccessibleName(tr("Trade-offs"));
    setAccessibleDescription(
        tr("Plans none of which is the best in time, memory and bytes sent; Enter adopts "
           "one"));
    m_rows->setAccessibleName(tr("Plans that trade time for memory or bytes"));
    connect(m_rows, &PlanRows::chosen, this,
            [this](int row) { emit adoptRequested(static_cast<std::size_t>(row)); });
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

void TradeOffsPanel::showRows()
{
    std::vector<PlanRows::Row> rows;
    for (const TradeOff& plan : m_plans ? *m_plans : TradeOffs()) {
        PlanRows::Row row{.help = helpOf(plan)};
        for (int i = 0; i < tradeOffColumnCount; ++i) {
            const auto column = static_cast<TradeOffColumn>(i);
            CellContent content = contentOf(*m_plans, plan, column);
            content.bold = m_current && plan.partition == *m_current;
            row.cells.push_back({tradeOffCellText(plan, column), content});
        }
        rows.push_back(std::move(row));
    }
    m_rows->setRows(rows);
}

} // namespace stagecraft
