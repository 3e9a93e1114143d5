// How a stage of one plan differs from that of another: a part of StagesModel.
#pragma once

#include "views/plan/stages_model.h"

namespace stagecraft {

// Puts the difference of that figure, and whether it is for the better, beside the figure. Both have the
// stage.
void addChange(CellContent& content, const PlanCost& base, const PlanCost& cost, StageId stage,
               StageColumn column);

} // namespace stagecraft
