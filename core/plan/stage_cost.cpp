#include "core/plan/stage_cost.h"

namespace stagecraft {

Seconds stageLoad(Objective objective, const StageTimes& stage)
{
    return stageLoad(objective, stage.forward + stage.backwardInput + stage.backwardWeight,
                     stage.receiveActivations + stage.sendGradients,
                     stage.sendActivations + stage.receiveGradients);
}

} // namespace stagecraft
