// Where to cut, as options say: boundaries by name, of a specification's file, or the model's own marks.
#pragma once

#include "cli/plan_source.h"
#include "core/plan/split_spec.h"

#include <string>
#include <vector>

namespace stagecraft::cli {

bool givesBoundaries(const PlanSourceFlags& flags);

// Where to cut is the plan's to say, where there is one.
Result<void> checkSource(const PlanSourceFlags& flags);

// What is asked of the plan, as far as no model is needed: boundaries that are given say how many stages.
Result<PartitionOptions> optionsAsked(const PlanSourceFlags& flags, const std::vector<SplitPoint>& points);

// With the model's own marks, where they are asked for or nothing else is.
Result<std::vector<SplitPoint>> splitPoints(const Model& model, const PlanSourceFlags& flags,
                                            std::vector<std::string>& notes);

} // namespace stagecraft::cli
