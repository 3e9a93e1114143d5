#include "views/charts/curve_rows.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"

#include <QObject>

#include <algorithm>

namespace stagecraft {

namespace {

QString stateText(const CurvePoint& point)
{
    switch (point.state) {
    case CurvePoint::State::Open:
        return QObject::tr("to come");
    case CurvePoint::State::NoPlan:
        return QObject::tr("no plan");
    case CurvePoint::State::Sketched:
    case CurvePoint::State::Searched:
        break;
    }
    if (!point.fits())
        return QObject::tr("over the limit");
    const Solution& solution = *point.solution;
    return qualityText(solution.cost, solution.bound, solution.iterationBound);
}

} // namespace

std::vector<PlanRows::Column> curveColumns()
{
    return {
        {QObject::tr("Stages"), QObject::tr("How many stages, as many to each device as now; starred where "
                                            "no other number is better in time, memory and bytes sent "
                                            "together")},
        {QObject::tr("Slowest device"),
         QObject::tr("What the slowest device takes for one microbatch: it sets the pace"), Qt::AlignRight,
         ColumnUnit::Time},
        {QObject::tr("Speed-up"), QObject::tr("How many times faster a training step is than on one device, "
                                              "and what share of that many devices' time it uses")},
        {QObject::tr("Peak memory"), QObject::tr("The most that any of the devices holds at once"),
         Qt::AlignRight, ColumnUnit::Size},
        {QObject::tr("Bubble"), QObject::tr("The share of all devices' time in which they wait")},
        {QObject::tr("Quality"), QObject::tr("How far the plan can be from the best of that many stages"),
         Qt::AlignLeft}};
}

QString curveCellText(const CurvePoint& point, CurveColumn column)
{
    if (column == CurveColumn::Stages)
        return QString::number(point.stageCount) + (point.pareto ? QStringLiteral(" ★") : QString());
    if (column == CurveColumn::Gap)
        return stateText(point);
    if (!point.hasPlan())
        return {};
    const PlanCost& cost = point.solution->cost;
    switch (column) {
    case CurveColumn::Slowest:
        return toText(cost.bottleneckTime);
    case CurveColumn::SpeedUp:
        return point.speedUp > 0
                   ? QObject::tr("%1 ×  %2")
                         .arg(point.speedUp, 0, 'f', 2)
                         .arg(percentText(point.speedUp / static_cast<double>(cost.sharesDevices()
                                                                                  ? cost.devices.size()
                                                                                  : point.stageCount)))
                   : QString();
    case CurveColumn::Peak:
        return toText(point.peakMemory);
    case CurveColumn::Bubble:
        return percentText(cost.bubble);
    default:
        return {};
    }
}

std::optional<double> curveCellValue(const CurvePoint& point, CurveColumn column)
{
    if (column == CurveColumn::Stages)
        return static_cast<double>(point.stageCount);
    if (!point.hasPlan())
        return {};
    switch (column) {
    case CurveColumn::Slowest:
        return point.solution->cost.bottleneckTime.value();
    case CurveColumn::SpeedUp:
        return point.speedUp;
    case CurveColumn::Peak:
        return point.peakMemory.asDouble();
    case CurveColumn::Bubble:
        return point.solution->cost.bubble;
    default:
        return {};
    }
}

CellContent curveCellContent(const PlanCurve& curve, const CurvePoint& point, CurveColumn column)
{
    CellContent content;
    content.faint = column == CurveColumn::Gap;
    if (!point.hasPlan())
        return content;
    content.overLimit = !point.fits() && (column == CurveColumn::Peak || column == CurveColumn::Gap);
    double most = 0;
    for (const CurvePoint& other : curve.points) {
        if (!other.hasPlan())
            continue;
        most = std::max(most, column == CurveColumn::Peak ? other.peakMemory.asDouble()
                                                          : other.solution->cost.bottleneckTime.value());
    }
    if (column == CurveColumn::Slowest && most > 0)
        content.bar = point.solution->cost.bottleneckTime.value() / most;
    if (column == CurveColumn::Peak && most > 0)
        content.bar = point.peakMemory.asDouble() / most;
    if (column == CurveColumn::Bubble)
        content.bar = point.solution->cost.bubble;
    return content;
}

QString curvePointHelp(const CurvePoint& point)
{
    QStringList lines{point.stageCount == 1 ? QObject::tr("1 stage")
                                            : QObject::tr("%1 stages").arg(point.stageCount)};
    const std::vector<PlanRows::Column> columns = curveColumns();
    for (std::size_t i = 1; i < columns.size(); ++i)
        if (const QString text = curveCellText(point, static_cast<CurveColumn>(i)); !text.isEmpty())
            lines << QStringLiteral("%1: %2").arg(columns[i].title, text);
    if (!point.note.empty())
        lines << shownText(point.note);
    return lines.join('\n');
}

} // namespace stagecraft
