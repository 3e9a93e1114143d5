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

TransferSize forwardSize(const ProblemValue& value)
{
    return {.messages = value.forwardBytes > Bytes{} ? 1.0 : 0.0,
            .bytes = value.forwardBytes.asDouble(),
            .fixed = value.fixedTime.value()};
}

TransferSize backwardSize(const ProblemValue& value)
{
    return {.messages = value.backwardBytes > Bytes{} ? 1.0 : 0.0, .bytes = value.backwardBytes.asDouble()};
}

Seconds forwardTime(const PartitionProblem& problem, const ProblemValue& value, std::size_t boundary)
{
    return linkTime(problem.options, forwardSize(value), boundary);
}

Seconds backwardTime(const PartitionProblem& problem, const ProblemValue& value, std::size_t boundary)
{
    return linkTime(problem.options, backwardSize(value), boundary);
}

Seconds transferTime(const PartitionProblem& problem, const ProblemValue& value, std::size_t boundary)
{
    return forwardTime(problem, value, boundary) + backwardTime(problem, value, boundary);
}

} // namespace stagecraft
