#include "app/document/tried_plan.h"

#include "core/plan/device_kinds.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace stagecraft {

namespace {

PartitionOptions withoutSearch(PartitionOptions options)
{
    const PartitionOptions usual;
    options.pins.clear();
    options.keepTogether.clear();
    options.neverCut.clear();
    options.timeLimit = usual.timeLimit;
    options.seed = usual.seed;
    return options;
}

// What planSetup() leaves out, where it is not as usual: plans that differ in it cannot be told apart else.
QStringList unusualOf(const PlanRequest& request)
{
    QStringList unusual;
    for (const char* name : {"mode", "recompute", "send", "runtime"})
        if (const RequestField& field = requestField(name); field.print(request) != field.print({}))
            unusual << termText(chosenTitle(field, request));
    for (const auto& [symbol, size] : request.profile.bindings)
        unusual << QStringLiteral("%1 = %2").arg(shownText(symbol)).arg(size);
    for (const auto& [symbol, size] : request.profile.bounds)
        unusual << QStringLiteral("%1 ≤ %2").arg(shownText(symbol)).arg(size);
    return unusual;
}

} // namespace

bool hasPlan(const PlanState& state)
{
    return state.cost && state.problem && state.profile && state.partition &&
           state.problem->stageCount() == state.partition->stageCount &&
           state.request.plan.stageCount == state.partition->stageCount;
}

bool isSamePlan(const PlanState& a, const PlanState& b)
{
    return *a.partition == *b.partition && a.request.device == b.request.device &&
           a.request.profile == b.request.profile && a.request.stageDevices == b.request.stageDevices &&
           shareFigures(a, b) && withoutSearch(a.request.plan) == withoutSearch(b.request.plan);
}

QString planSetup(const PlanRequest& request, std::span<const DeviceSpec> devices)
{
    const auto chosen = [&](const char* name) { return termText(chosenTitle(requestField(name), request)); };
    return QCoreApplication::translate("TriedPlan", "%1 · %2 microbatches · %3 · %4")
        .arg(shownText(devicesText(request, devices)))
        .arg(request.plan.microbatches)
        .arg(chosen("precision"), chosen("schedule"));
}

ComparedPlan comparedPlan(const TriedPlan& plan)
{
    QStringList name{plan.setup};
    name << unusualOf(plan.state.request) << toText(plan.state.cost->iteration);
    return {.name = name.join(QStringLiteral(" · ")),
            .partition = plan.state.partition,
            .cost = plan.state.cost,
            .profile = plan.state.profile,
            .bound = plan.bounds.slowest,
            .stepBound = plan.bounds.step};
}

} // namespace stagecraft
