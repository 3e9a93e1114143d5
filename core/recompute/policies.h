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
    std::vector<std::string> leftOut; // what does not run again as asked, and why: a line each
};

// `every`: of the blocks the last of each so many, from 1. What must be kept is kept. Operators are named as
// "aten::mm" or "aten::mm.default". A block that cannot be one region, as where a result is written in place,
// is as many as can be, each as long as can be and of some use; what is between them runs once.
PolicyPlan blocksPlan(const Model& model, std::size_t every, const std::vector<std::string>& operators,
                      OperatorSchemas& schemas, const NodeStages* stages = nullptr);

// What the policy asks of a model whose nodes lie in those stages: of Auto every block, of Plan the regions
// that are given, parted where stages part them. Of Model, nothing: the file's regions are not the policy's.
// Single stages by their own policies; where they choose (Auto), of the regions that are given, if any are.
// Where the stages are not known, all do as those for which nothing else is said.
PolicyPlan policyPlan(const Model& model, const RecomputePolicy& policy, OperatorSchemas& schemas,
                      const NodeStages* stages = nullptr);

// The plan with the same nodes kept, its regions parted where stages part them; those that cannot be so are
// left out.
PolicyPlan partedPlan(const Model& model, const RecomputePlan& plan, OperatorSchemas& schemas,
                      const NodeStages* stages);

// Operators whose results the selective mode keeps: matrix products, convolutions, attention.
const std::vector<std::string>& heavyOperators();

} // namespace stagecraft
