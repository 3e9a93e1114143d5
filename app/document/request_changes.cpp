#include "app/document/request_changes.h"

#include "core/base/typed_figures.h"
#include "core/plan/device_kinds.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

QString named(const QString& name, const QString& value)
{
    return QStringLiteral("%1: %2").arg(name, value);
}

// "s0 = 8"; of several how many.
QString sizesText(const Bindings& before, const Bindings& after)
{
    QStringList changed;
    for (const auto& [symbol, size] : after)
        if (const auto was = before.find(symbol); was == before.end() || was->second != size)
            changed << QStringLiteral("%1 = %2").arg(shownText(symbol)).arg(size);
    for (const auto& [symbol, size] : before)
        if (!after.contains(symbol))
            changed << QObject::tr("%1 as exported").arg(shownText(symbol));
    return named(QObject::tr("Size"), changed.join(QStringLiteral(", ")));
}

QString limitsText(const std::vector<Bytes>& limits)
{
    if (limits.empty())
        return QObject::tr("Memory limit of the device");
    const bool areAlike = std::ranges::all_of(limits, [&](Bytes limit) { return limit == limits.front(); });
    return areAlike ? named(QObject::tr("Memory limit"), toText(limits.front()))
                    : QObject::tr("Memory limits by stage");
}

QString linksText(const std::vector<Link>& links)
{
    const bool areAlike = std::ranges::all_of(links, [&](const Link& link) { return link == links.front(); });
    if (links.empty())
        return QObject::tr("Links of the device");
    return areAlike ? named(QObject::tr("Links"), dataText(typedBandwidth(links.front().bandwidth)))
                    : QObject::tr("Links by boundary");
}

// "Stages 3, 4: t4"; of several kinds how many stages.
QString kindsText(const PlanRequest& before, const PlanRequest& after)
{
    QStringList stages;
    std::set<std::string> kinds;
    for (std::size_t stage = 0; stage < after.plan.stageCount; ++stage)
        if (deviceOfStage(before, stage) != deviceOfStage(after, stage)) {
            stages << QString::number(stage + 1);
            kinds.insert(deviceOfStage(after, stage));
        }
    if (kinds.size() != 1)
        return QObject::tr("Devices of %n stage(s)", nullptr, static_cast<int>(stages.size()));
    return named(stages.size() == 1 ? QObject::tr("Stage %1").arg(stages.front())
                                    : QObject::tr("Stages %1").arg(stages.join(QStringLiteral(", "))),
                 shownText(*kinds.begin()));
}

void addFields(const PlanRequest& before, const PlanRequest& after, bool otherStaging, QStringList& changes)
{
    for (const RequestField& field : requestFields()) {
        if (field.print(before) == field.print(after) || (field.name == "objective" && otherStaging))
            continue;
        changes << named(termText(field.title), termText(chosenTitle(field, after)));
    }
}

void addProfile(const ProfileRequest& before, const ProfileRequest& after, QStringList& changes)
{
    if (before.bindings != after.bindings)
        changes << sizesText(before.bindings, after.bindings);
    if (before.bounds != after.bounds)
        changes << sizesText(before.bounds, after.bounds);
    if (before.masterWeights != after.masterWeights)
        changes << (after.masterWeights == MasterWeights::Float32 ? QObject::tr("Master weights")
                                                                  : QObject::tr("No master weights"));
    if (before.lossOutput != after.lossOutput)
        changes << (after.lossOutput.empty() ? QObject::tr("The usual loss")
                                             : named(QObject::tr("Loss"), shownText(after.lossOutput)));
}

QString timesText(const TimeOverrides* times)
{
    if (!times)
        return QObject::tr("Estimate times again");
    return std::holds_alternative<MeasuredTimes>(times->times) ? QObject::tr("Take the measured times")
                                                               : QObject::tr("Take the times of a file");
}

} // namespace

PlanRequest withChoice(PlanRequest request, const RequestField& field, std::string_view name)
{
    if (const auto kind = parseSchedule(name); field.name == "schedule" && kind.has_value())
        setSchedule(request.plan, *kind);
    else
        static_cast<void>(field.parse(request, name)); // a choice of its own
    return request;
}

QString changesText(const PlanRequest& before, const PlanRequest& after)
{
    const PartitionOptions& was = before.plan;
    const PartitionOptions& is = after.plan;
    const bool otherEach = was.stagesEach() != is.stagesEach();
    const bool otherStaging = was.schedule != is.schedule || otherEach;
    QStringList changes;
    if (before.device != after.device)
        changes << named(QObject::tr("Device"), shownText(after.device));
    addFields(before, after, otherStaging, changes);
    addProfile(before.profile, after.profile, changes);
    const bool otherKinds = before.stageDevices != after.stageDevices && was.stageCount == is.stageCount;
    if (otherKinds && before.device == after.device)
        changes << kindsText(before, after);
    if (was.memoryLimits != is.memoryLimits && !otherKinds)
        changes << limitsText(is.memoryLimits);
    if (was.speeds != is.speeds && !otherKinds && after.stageDevices.empty())
        changes << QObject::tr("Speeds by stage");
    if (was.links != is.links && !otherKinds)
        changes << linksText(is.links);
    if (was.timeLimit != is.timeLimit)
        changes << named(QObject::tr("Search time"), toText(is.timeLimit));
    if (otherEach && was.schedule == is.schedule)
        changes << named(QObject::tr("Stages per device"), QString::number(is.stagesEach()));
    else if (was.stageCount != is.stageCount && !otherStaging)
        changes << QObject::tr("Split into %1 stages").arg(is.stageCount);
    constexpr qsizetype most = 3;
    return changes.size() > most ? QObject::tr("%1 choices").arg(changes.size())
                                 : changes.join(QStringLiteral(", "));
}

QString changesText(const PlanState& before, const PlanState& after)
{
    QStringList changes;
    if (const QString asked = changesText(before.request, after.request); !asked.isEmpty())
        changes << asked;
    if (before.times != after.times)
        changes << timesText(after.times.get());
    if (before.substitutes != after.substitutes)
        changes << QObject::tr("Costs of operators");
    return changes.join(QStringLiteral(", "));
}

} // namespace stagecraft
