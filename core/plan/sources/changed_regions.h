// Regions of a plan file that are not those of its policy: somebody changed them there.
#pragma once

#include "core/load/model.h"
#include "core/plan/sources/plan_file.h"

#include <string>

namespace stagecraft {

// Where single stages do otherwise than all, what runs again is made from the policy whenever the plan is
// laid on a model. What is to be said where that loses regions of the file; empty: nothing.
std::string changedRegionsNote(const Model& model, const AppliedPlan& applied);

} // namespace stagecraft
