#include "core/plan/stage_cost.h"

namespace stagecraft {

ComputeTimes& ComputeTimes::operator+=(const ComputeTimes& other)
{
    forward += other.forward;
    backwardInput += other.backwardInput;
    backwardWeight += other.backwardWeight;
    return *this;
}

ComputeTimes computeOf(const ProblemNode& node)
{
    return {node.forward, node.backwardInput, node.backwardWeight};
}

HeldBytes heldBy(const ProblemNode& node)
{
    return {.state = node.state, .saved = node.saved};
}

HeldBytes heldBy(const SharedState& shared)
{
    return {.state = shared.stateBytes, .saved = {}};
}

Seconds stageLoad(Objective objective, const StageTimes& stage)
{
    return stageLoad(objective, stage.forward + stage.backwardInput + stage.backwardWeight,
                     stage.receiveActivations + stage.sendGradients,
                     stage.sendActivations + stage.receiveGradients);
}

} // namespace stagecraft
