// What stages and boundaries are called in lines that a person reads: counted from 1.
//
// Ids, files of stages, plans on disk and JSON count from 0.
#pragma once

#include "core/plan/partition.h"

#include <string>

namespace stagecraft {

// "stage 1"
inline std::string stageLabel(StageId stage)
{
    return "stage " + std::to_string(std::size_t{stage.index()} + 1);
}

// "boundary 1|2"
inline std::string boundaryLabel(BoundaryId boundary)
{
    const std::size_t above = std::size_t{boundary.index()} + 1;
    return "boundary " + std::to_string(above) + "|" + std::to_string(above + 1);
}

// "stage 3", "stages 1 and 8"
inline std::string stagesLabel(const std::vector<StageId>& stages)
{
    std::string text = stages.size() == 1 ? "stage " : "stages ";
    for (std::size_t i = 0; i < stages.size(); ++i) {
        text += i == 0 ? "" : i + 1 == stages.size() ? " and " : ", ";
        text += std::to_string(stages[i].index() + 1);
    }
    return text;
}

// What the slowest thing of a plan is called, whose time is bottleneckTime: "stage 3", or where stages share
// devices, "device 1 (stages 1 and 8)".
inline std::string slowestLabel(const PlanCost& cost)
{
    if (!cost.sharesDevices())
        return stageLabel(cost.bottleneck);
    return "device " + std::to_string(cost.slowestDevice + 1) + " (" +
           stagesLabel(cost.devices[cost.slowestDevice].stages) + ")";
}

} // namespace stagecraft
