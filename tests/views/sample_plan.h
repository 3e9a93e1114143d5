// A small transformer with made-up but plausible costs, for tests and pictures of the views.
#pragma once

#include "core/stage/stage_program.h"
#include "views/base/compared_plan.h"
#include "views/base/plan_view.h"

#include <memory>

namespace stagecraft::sample {

// `blocks` decoder layers of eight ops, between an embedding and a head: 8 * blocks + 2 ops.
std::shared_ptr<const Graph> transformer(std::size_t blocks);
std::shared_ptr<const Profile> profileOf(const Graph& graph);
// Stages of as equal numbers of ops as can be, in execution order.
std::shared_ptr<const Partition> evenPartition(const Graph& graph, std::size_t stages);
// Sums of the profile by stage; `limit` for every stage.
std::shared_ptr<const PlanCost> costOf(const Graph& graph, const Profile& profile, const Partition& partition,
                                       Bytes limit = Bytes(std::int64_t{80} << 30));
// All of the above.
PlanView plan(std::size_t blocks, std::size_t stages);
// A plan whose bytes and times come out of `partition` instead.
PlanView withPartition(const PlanView& plan, std::shared_ptr<const Partition> partition);

// Another plan of the same graph, to compare with: forward takes twice as long, half as much is kept, and
// there are five stages.
std::shared_ptr<const ComparedPlan> slowerPlan(const PlanView& plan);

std::shared_ptr<const StageProgram> programOf(const PlanView& plan, StageId stage);
// Code as the stage writer makes it: a header, then a line for each op.
std::shared_ptr<const StageCode> codeOf(const PlanView& plan, StageId stage);

} // namespace stagecraft::sample
