#include "views/base/format.h"

#include "core/measure/statistics.h"
#include "core/profile/device/shown_accuracy.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include <QLocale>
#include <QObject>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

const QChar minusSign(0x2212);

QString threeDigits(double value)
{
    const double magnitude = std::abs(value);
    const int decimals = magnitude >= 10 ? 0 : magnitude >= 1 ? 1 : 2;
    return QString::number(value, 'f', decimals);
}

} // namespace

QString toText(Bytes bytes)
{
    return shownText(formatBytes(bytes));
}

QString toText(Seconds seconds)
{
    return shownText(formatSeconds(seconds));
}

QString toText(Flops flops)
{
    return shownText(formatFlops(flops));
}

QString percentText(double share)
{
    const double percent = share * 100;
    if (percent > 0 && percent < 0.01)
        return QObject::tr("< 0.01 %");
    return QObject::tr("%1 %").arg(percent == 0 ? QStringLiteral("0") : threeDigits(percent));
}

QString changeText(Seconds from, Seconds to)
{
    if (!(from.value() > 0))
        return {};
    const double percent = (to / from - 1) * 100;
    if (std::abs(percent) < 0.1)
        return {};
    const QChar sign = percent > 0 ? QChar('+') : minusSign;
    const double magnitude = std::abs(percent);
    return QObject::tr("%1%2 %").arg(sign).arg(QString::number(magnitude, 'f', magnitude >= 10 ? 0 : 1));
}

QString changeText(Bytes from, Bytes to)
{
    if (from == to)
        return {};
    return to > from ? '+' + toText(to - from) : minusSign + toText(from - to);
}

QString pointsText(double from, double to)
{
    const double points = 100 * (to - from);
    if (std::abs(points) < 0.05)
        return {};
    return QObject::tr("%1%2 pts").arg(points > 0 ? QChar('+') : minusSign).arg(std::abs(points), 0, 'f', 1);
}

QString gapText(Seconds cost, const Bound& bound)
{
    if (!(cost.value() > 0))
        return {};
    const double gap = std::max(0.0, 1 - bound.value / cost);
    if (gap <= 1e-4)
        return QObject::tr("proven optimal");
    return QObject::tr("proven within %1 of optimal").arg(percentText(gap));
}

QString stagesText(std::size_t stages, std::size_t devices)
{
    QString text = stages == 1 ? QObject::tr("1 stage") : QObject::tr("%1 stages").arg(stages);
    if (devices == 0 || devices >= stages)
        return text;
    return devices == 1 ? QObject::tr("%1 on 1 device").arg(text)
                        : QObject::tr("%1 on %2 devices").arg(text).arg(devices);
}

QString slowestName(const PlanCost& cost)
{
    QString name = slowestTerm(cost);
    name[0] = name[0].toUpper();
    return name;
}

QString slowestStageText(const PlanCost* before, const PlanCost* now)
{
    if (before == nullptr || now == nullptr || before->bottleneckTime <= Seconds(0))
        return {};
    const double change = 100 * (now->bottleneckTime / before->bottleneckTime - 1);
    const QString what = now->sharesDevices() ? QObject::tr("slowest device") : QObject::tr("slowest stage");
    if (std::abs(change) < 0.05)
        return QObject::tr("%1 as before").arg(what);
    return what + QStringLiteral(" %1%2 %")
                      .arg(change > 0 ? QStringLiteral("+") : QString(QChar(0x2212)))
                      .arg(std::abs(change), 0, 'f', 1);
}

Seconds timeOf(const PlanCost& cost, StageId stage)
{
    return cost.stages[stage].load;
}

QString qualityText(const PlanCost& cost, const std::optional<Bound>& slowest, Seconds step)
{
    if (!cost.fits())
        return QObject::tr("does not fit into memory"); // and what is known of others is of plans that do
    const bool isOfStep = cost.objective == Objective::Iteration;
    if (isOfStep && step.value() > 0)
        return QObject::tr("step %1").arg(gapText(cost.iteration, {.value = step}));
    if (!slowest)
        return {};
    const QString gap = gapText(cost.bottleneckTime, *slowest);
    return isOfStep ? QObject::tr("slowest device %1").arg(gap) : gap;
}

QString qualityHelp(const PlanCost& cost, const std::optional<Bound>& slowest, Seconds step)
{
    QString help = slowest ? gapHelp(cost.bottleneckTime, *slowest) : QString();
    if (step.value() > 0)
        help = QObject::tr(
                   "A step of all microbatches takes %1, by simulating the schedule. No plan with as many "
                   "stages, on these devices and within these limits, takes less than %2.")
                   .arg(toText(cost.iteration), toText(step)) +
               (help.isEmpty() ? help : '\n' + help);
    return help;
}

QString gapHelp(Seconds cost, const Bound& bound)
{
    return QObject::tr(
               "The slowest device takes %1 for one microbatch. No plan with as many stages, on these "
               "devices and within these limits, can have a slowest device faster than %2 (proven by: "
               "%3).")
        .arg(toText(cost), toText(bound.value), shownText(bound.kind));
}

QString statisticsText(const TensorStatistics& statistics)
{
    const auto number = [](double value) { return QString::number(value, 'g', 3); };
    QStringList parts;
    if (statistics.nans > 0)
        parts << QObject::tr("%1 NaN").arg(statistics.nans);
    if (statistics.infinities > 0)
        parts << QObject::tr("%1 infinite").arg(statistics.infinities);
    parts << QObject::tr("mean %1").arg(number(statistics.mean))
          << QObject::tr("std %1").arg(number(statistics.standardDeviation))
          << QObject::tr("largest %1").arg(number(statistics.absoluteMaximum));
    if (statistics.zeros > 0 && statistics.elements > 0)
        parts << QObject::tr("%1 zeros")
                     .arg(percentText(static_cast<double>(statistics.zeros) /
                                      static_cast<double>(statistics.elements)));
    return parts.join(", ");
}

QString shortTarget(const std::string& target)
{
    QString text = shownText(target);
    if (const auto colons = text.lastIndexOf("::"); colons >= 0)
        text.remove(0, colons + 2);
    if (const auto dot = text.lastIndexOf('.'); dot > 0)
        text.truncate(dot);
    return text;
}

QString shortClass(const std::string& className)
{
    return shownText(className).section('.', -1);
}

QString opNumberText(NodeId node, std::size_t count)
{
    return QObject::tr("%1 of %2").arg(node.index() + 1).arg(count);
}

QString opCountText(std::size_t count)
{
    if (count == 1)
        return QObject::tr("1 op");
    return QObject::tr("%1 ops").arg(QLocale(QLocale::English).toString(static_cast<qulonglong>(count)));
}

QString originText(CostOrigin origin)
{
    switch (origin) {
    case CostOrigin::Estimated:
        return QObject::tr("estimated");
    case CostOrigin::Inexact:
        return QObject::tr("not exact");
    case CostOrigin::Measured:
        return QObject::tr("measured");
    case CostOrigin::Imported:
        return QObject::tr("imported");
    }
    return {};
}

QString estimateText(const std::vector<Accuracy>& accuracy)
{
    const Accuracy* shown = shownAccuracy(accuracy);
    if (!shown)
        return QObject::tr("estimated, not checked against measurements");
    return QObject::tr("estimated, usually within %1 %").arg(std::lround(100 * shown->usualError));
}

QString estimateHelp(const Profile& profile)
{
    const Accuracy* shown = shownAccuracy(profile.options.device.accuracy);
    if (std::ranges::none_of(profile.nodes,
                             [](const NodeCost& cost) { return cost.origin == CostOrigin::Estimated; }))
        return {};
    const QString text = QObject::tr("Times: %1").arg(estimateText(profile.options.device.accuracy));
    if (!shown)
        return text;
    if (shown->what == "operators")
        return text + '\n' +
               QObject::tr("By %1 operators in float32; other types and whole models are outside of what was "
                           "checked")
                   .arg(shown->cases);
    return text + '\n' +
           (shown->of.empty() ? QObject::tr("By %1 whole models").arg(shown->cases)
                              : QObject::tr("By %1 whole models (%2); others are outside of what was checked")
                                    .arg(shown->cases)
                                    .arg(shownText(shown->of)));
}

QString originText(const Profile& profile, std::span<const NodeId> nodes)
{
    const auto has = [&](CostOrigin origin) {
        return std::ranges::any_of(nodes, [&](NodeId node) { return profile.nodes[node].origin == origin; });
    };
    if (nodes.empty() || has(CostOrigin::Inexact))
        return originText(nodes.empty() ? CostOrigin::Estimated : CostOrigin::Inexact);
    const CostOrigin first = profile.nodes[nodes.front()].origin;
    const bool isMixed =
        std::ranges::any_of(nodes, [&](NodeId node) { return profile.nodes[node].origin != first; });
    if (!isMixed && first == CostOrigin::Estimated)
        return estimateText(profile.options.device.accuracy);
    return isMixed ? QObject::tr("mixed") : originText(first);
}

QStringList blockTexts(const BlockFigures& block)
{
    return {QObject::tr("As one, alone: forward %1, backward %2")
                .arg(toText(block.forwardTime), toText(block.backwardTime)),
            QObject::tr("Reads %1, gives %2; takes up to %3 forward, %4 backward")
                .arg(toText(block.input), toText(block.output), toText(block.forwardPeak),
                     toText(block.backwardPeak))};
}

QString originNote(const Profile& profile)
{
    const auto count = [&](CostOrigin origin) {
        return static_cast<std::size_t>(std::ranges::count(profile.nodes, origin, &NodeCost::origin));
    };
    QStringList notes;
    if (count(CostOrigin::Measured) > 0)
        notes << QObject::tr("times measured");
    if (count(CostOrigin::Imported) > 0)
        notes << QObject::tr("times imported");
    if (notes.isEmpty())
        notes << estimateText(profile.options.device.accuracy);
    if (const std::size_t inexact = count(CostOrigin::Inexact); inexact > 0)
        notes << QObject::tr("not exact: %1 costed by size").arg(opCountText(inexact));
    return notes.join(QStringLiteral(" · "));
}

} // namespace stagecraft
