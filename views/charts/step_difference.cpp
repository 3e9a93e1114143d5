#include "views/charts/step_difference.h"

#include "views/base/format.h"
#include "views/base/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

struct Cause
{
    QString text;
    Seconds seconds;
};

QString tr(const char* text)
{
    return QCoreApplication::translate("StepDifference", text);
}

QString absolute(Seconds seconds)
{
    return toText(Seconds(std::abs(seconds.value())));
}

QString causeText(const Cause& cause)
{
    return (cause.seconds < Seconds{} ? QStringLiteral("%1 −%2") : QStringLiteral("%1 +%2"))
        .arg(cause.text, absolute(cause.seconds));
}

std::vector<Cause> causesOf(const StepComparison& comparison)
{
    const StepDifference& difference = comparison.difference;
    std::vector<Cause> causes{
        {tr("all stages take %1 times as long").arg(difference.paceFactor, 0, 'g', 3), difference.pace},
        {difference.sends ? tr("waiting, and microbatches that differ")
                          : tr("waiting: sends, and microbatches that differ"),
         difference.waiting},
        {tr("before the first action and after the last"), difference.outside}};
    if (difference.sends)
        causes.push_back({tr("sends"), *difference.sends});
    for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
        const StageComparison& stage = comparison.stages[i];
        const bool isSlower = stage.measured > stage.planned * difference.paceFactor;
        causes.push_back({(isSlower ? tr("%1 is slower than others") : tr("%1 is faster than others"))
                              .arg(stageName(StageId(i))),
                          stage.effect});
    }
    const auto weight = [](const Cause& cause) { return std::abs(cause.seconds.value()); };
    std::erase_if(causes, [&](const Cause& cause) {
        return weight(cause) <= 1e-9 * std::abs(difference.measured.value());
    });
    std::ranges::stable_sort(causes, std::ranges::greater{}, weight);
    return causes;
}

} // namespace

QString differenceText(const StepComparison& comparison)
{
    const StepDifference& difference = comparison.difference;
    const QString measured = toText(difference.measured);
    constexpr qsizetype most = 3;
    const QStringList causes = differenceCauses(comparison).mid(0, most);
    if (causes.empty())
        return tr("%1, as planned").arg(measured);
    return (difference.total() < Seconds{} ? tr("%1, %2 shorter than planned: %3")
                                           : tr("%1, %2 longer than planned: %3"))
        .arg(measured, absolute(difference.total()), causes.join(QStringLiteral(", ")));
}

QStringList differenceCauses(const StepComparison& comparison)
{
    QStringList texts;
    for (const Cause& cause : causesOf(comparison))
        texts << causeText(cause);
    return texts;
}

QString actionDifference(const StepComparison& comparison, const Action& action)
{
    const auto found = std::ranges::find_if(comparison.actions, [&](const SlotComparison& slot) {
        return slot.action.kind == action.kind && slot.action.stage == action.stage &&
               slot.action.microbatch == action.microbatch;
    });
    if (found == comparison.actions.end())
        return {};
    return tr("measured %1, from %2: %3 %4, %5 %6")
        .arg(toText(found->measuredEnd - found->measuredStart), toText(found->measuredStart),
             absolute(found->longer()), found->longer() < Seconds{} ? tr("shorter") : tr("longer"),
             absolute(found->later()), found->later() < Seconds{} ? tr("earlier") : tr("later"));
}

} // namespace stagecraft
