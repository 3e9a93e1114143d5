// Recompute plans that people know by name.
//
//     full        every block is a region           every 2     every second block
//     operators   every block is a region, in which the named operators' results are kept (the selective mode
//                 of Megatron and torchtitan)
//
// A block is a module of the class that repeats: of classes with several instances that cover most of the
// graph, the one with the most instances. Where a block's nodes lie in several stages, or others run between
// them, each run of them is a region.
#pragma once

#include "core/recompute/plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace stagecraft {

// The blocks in the order of their first nodes; none: nothing repeats.
std::vector<ModuleId> repeatedBlocks(const Graph& graph);

struct PolicyPlan
{
    RecomputePlan plan;               // checked
    std::vector<std::string> leftOut; // of each region that cannot be the reason
};

// `every`: of the blocks the last of each so many, from 1. What must be kept is kept. Operators are named as
// "aten::mm" or "aten::mm.default". So far for tests alone.
PolicyPlan blocksPlan(const Model& model, std::size_t every, const std::vector<std::string>& operators,
                      OperatorSchemas& schemas, const NodeStages* stages = nullptr);

// Operators whose results the selective mode keeps: matrix products, convolutions, attention. For tests.
const std::vector<std::string>& heavyOperators();

} // namespace stagecraft
