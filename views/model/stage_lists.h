// The stages that nodes of a model lie in.
#pragma once

#include "core/plan/partition.h"

#include <QString>
#include <QStringList>

#include <span>
#include <vector>

namespace stagecraft {

// In order; none where there is no partition.
inline std::vector<StageId> stagesWith(std::span<const NodeId> nodes, const Partition* partition)
{
    std::vector<char> isIn(partition ? partition->stageCount : 0);
    if (partition)
        for (const NodeId node : nodes)
            isIn[partition->stageOf[node].index()] = 1;
    std::vector<StageId> stages;
    for (std::size_t stage = 0; stage < isIn.size(); ++stage)
        if (isIn[stage])
            stages.emplace_back(stage);
    return stages;
}

// "1, 2, 5": counted from 1, as people do.
inline QString stageNumbers(std::span<const StageId> stages)
{
    QStringList numbers;
    for (const StageId stage : stages)
        numbers << QString::number(stage.index() + 1);
    return numbers.join(QStringLiteral(", "));
}

} // namespace stagecraft
