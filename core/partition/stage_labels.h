// What stages and boundaries are called in lines that a person reads: counted from 1.
//
// Ids, files of stages, plans on disk and JSON count from 0.
#pragma once

#include "core/partition/partition.h"

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

} // namespace stagecraft
