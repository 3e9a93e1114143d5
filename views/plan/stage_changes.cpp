#include "views/plan/stage_changes.h"

#include "views/base/figure_change.h"
#include "views/base/format.h"

namespace stagecraft {

void addChange(CellContent& content, const PlanCost& base, const PlanCost& cost, StageId stage,
               StageColumn column)
{
    const StageCost& from = base.stages[stage];
    const StageCost& to = cost.stages[stage];
    switch (column) {
    case StageColumn::Time:
        return setChange(content, timeOf(base, stage), timeOf(cost, stage));
    case StageColumn::Peak:
        return setChange(content, from.peakMemory, to.peakMemory);
    case StageColumn::Sent:
        return setChange(content, bytesSent(base, stage), bytesSent(cost, stage));
    case StageColumn::Received:
        return setChange(content, bytesReceived(base, stage), bytesReceived(cost, stage));
    case StageColumn::Gap:
        return setShareChange(content, idleShare(base, stage), idleShare(cost, stage));
    case StageColumn::Forward:
        return setChange(content, from.forward, to.forward);
    case StageColumn::Kept:
        return setChange(content, bytesKept(from), bytesKept(to));
    case StageColumn::Buffers:
        return setChange(content, from.runtimeBytes, to.runtimeBytes);
    case StageColumn::Backward:
        return setChange(content, from.backwardInput + from.backwardWeight,
                         to.backwardInput + to.backwardWeight);
    case StageColumn::Again:
        return setChange(content, from.recomputed, to.recomputed);
    case StageColumn::Parameters:
        setChange(content, from.parameterBytes, to.parameterBytes);
        break;
    case StageColumn::Ops: {
        const auto difference = static_cast<qlonglong>(to.nodeCount) - static_cast<qlonglong>(from.nodeCount);
        if (difference != 0)
            content.change = QString::asprintf("%+lld", difference).replace('-', QChar(0x2212));
        break;
    }
    default:
        return;
    }
    content.changeKind = CellContent::Change::Neutral; // more parameters are neither better nor worse
}

} // namespace stagecraft
