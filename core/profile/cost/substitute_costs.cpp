#include "core/profile/cost/substitute_costs.h"

#include "core/graph/called_operator.h"
#include "core/profile/cost/operator_time.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

// One node, and what its substitute says of it.
class SubstitutedNode
{
public:
    SubstitutedNode(const Graph& graph, const Trace& trace, NodeId node, const Substitute& substitute)
        : m_name(graph[node].name), m_substitute(substitute)
    {
        m_operands = nodeOperands(graph[node], [&](ValueId id) -> std::optional<Operand> {
            const std::optional<TraceTensorId> tensor = trace.values[id].tensor;
            if (!tensor)
                return std::nullopt;
            const auto sizes = trace.sizes(trace[*tensor]);
            return TensorOperand{trace[*tensor].dtype, {sizes.begin(), sizes.end()}};
        });
        for (const auto& [name, operand] : m_operands)
            if (const auto* tensor = std::get_if<TensorOperand>(&operand))
                m_dtype = tensor->dtype;
    }

    // `cost` with what `work` says put in its place.
    Result<PhaseCost> cost(const SubstituteWork& work, PhaseCost cost, const DeviceSpec& device) const
    {
        STAGECRAFT_ASSIGN(flops, amount(work.flops));
        STAGECRAFT_ASSIGN(bytes, amount(work.bytes));
        STAGECRAFT_ASSIGN(time, amount(work.time));
        if (flops)
            cost.flops = Flops(*flops);
        if (bytes) {
            cost.bytesRead = Bytes(std::llround(std::min(*bytes, 9e18)));
            cost.bytesWritten = Bytes(0);
        }
        if (time)
            cost.time = Seconds(*time);
        else if (flops || bytes)
            cost.time = plainTime(cost.flops, cost.bytesRead + cost.bytesWritten, m_dtype, device);
        return cost;
    }

    // Bytes of all that it takes and returns, for an operator that did not run.
    Bytes operandBytes() const
    {
        Bytes sum;
        for (const auto& [name, operand] : m_operands)
            if (const auto* tensor = std::get_if<TensorOperand>(&operand)) {
                Bytes bytes(itemSize(tensor->dtype));
                for (const std::int64_t size : tensor->sizes)
                    bytes = bytes * size;
                sum += bytes;
            }
        return sum;
    }

private:
    Result<std::optional<double>> amount(const std::optional<Expression>& expression) const
    {
        if (!expression)
            return std::optional<double>();
        Result<double> value = expression->evaluate(m_operands);
        if (value.has_value() && *value < 0)
            value = Error{ErrorCode::BadFormat, "'" + expression->text() + "' at 1: is less than 0"};
        if (!value.has_value())
            return Error{value.error().code,
                         m_substitute.where + ", for node '" + m_name + "': " + value.error().message};
        return std::optional(*value);
    }

    const std::string& m_name;
    const Substitute& m_substitute;
    Operands m_operands;
    DType m_dtype = DType::F32;
};

// Shares the time of a node's phase among its operators as it was shared before; without a time before, the
// first one has it all.
void shareTime(const Trace& trace, NodeId node, Phase phase, Seconds before, Seconds after,
               std::vector<OperatorSpan>& times)
{
    Seconds unshared = after;
    for (std::size_t i = 0; i < trace.ops.size(); ++i) {
        const TraceOp& op = trace.ops[OpId(i)];
        if (op.node != node || op.phase != phase)
            continue;
        times[i].time =
            before > Seconds(0) ? times[i].time * (after / before) : std::exchange(unshared, Seconds(0));
        times[i].alone = times[i].time;
    }
}

PhaseCost scaled(const PhaseCost& cost, double times)
{
    const auto bytes = [&](Bytes all) { return Bytes(std::llround(all.asDouble() * times)); };
    return {Flops(cost.flops.value() * times), bytes(cost.bytesRead), bytes(cost.bytesWritten),
            cost.time * times};
}

Result<void> applyTo(const Graph& graph, const Trace& trace, NodeId node, const Substitute& substitute,
                     std::vector<OperatorSpan>& times, Profile& profile)
{
    const SubstitutedNode substituted(graph, trace, node, substitute);
    NodeCost& cost = profile.nodes[node];
    const NodeCost before = cost;
    const bool ran =
        std::ranges::none_of(trace.inexact, [&](const InexactNode& inexact) { return inexact.node == node; });
    if (!ran)
        cost.forward.bytesRead = substituted.operandBytes();
    const DeviceSpec& device = profile.options.device;
    STAGECRAFT_ASSIGN(forward, substituted.cost(substitute.forward, cost.forward, device));
    STAGECRAFT_ASSIGN(input, substituted.cost(substitute.backwardInput, cost.backwardInput, device));
    STAGECRAFT_ASSIGN(weight, substituted.cost(substitute.backwardWeight, cost.backwardWeight, device));
    const bool trains = profile.options.mode == TrainingMode::Train;
    const double share = recomputedShare(cost);
    cost.forward = forward;
    if (trains) {
        cost.recomputed = scaled(forward, share);
        cost.backwardInput = input;
        cost.backwardInput += cost.recomputed;
        cost.backwardWeight = weight;
    }
    cost.origin = CostOrigin::Inexact;
    ProfileTotals& totals = profile.totals;
    totals.flopsForward += cost.forward.flops - before.forward.flops;
    totals.flopsBackward += cost.backward().flops - before.backward().flops;
    totals.timeForward += cost.forward.time - before.forward.time;
    totals.timeBackward += cost.backward().time - before.backward().time;
    totals.flopsRecomputed += cost.recomputed.flops - before.recomputed.flops;
    totals.timeRecomputed += cost.recomputed.time - before.recomputed.time;
    shareTime(trace, node, Phase::Forward, before.forward.time, cost.forward.time, times);
    shareTime(trace, node, Phase::Backward, before.backward().time, cost.backward().time, times);
    const std::string what =
        " costs what its substitute says (" + substitute.where + "): sums it is in are not exact";
    addNote(profile, what, "'" + graph[node].name + "'" + what, node);
    return {};
}

} // namespace

Result<void> applySubstitutes(const Graph& graph, const Trace& trace, const Substitutes& substitutes,
                              std::vector<OperatorSpan>& times, Profile& profile)
{
    for (const NodeId node : graph.nodes())
        if (const Substitute* substitute = substitutes.find(calledOperator(graph[node])))
            STAGECRAFT_TRY(applyTo(graph, trace, node, *substitute, times, profile));
    return {};
}

} // namespace stagecraft
