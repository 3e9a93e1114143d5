#include "core/profile/cost/operator_parts.h"

#include "core/profile/cost/flops.h"
#include "core/profile/cost/traffic.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

// An operator that adds something to a product as it makes it.
struct BiasedOp
{
    std::string_view name;
    std::string_view product; // the same without the addition
    std::size_t bias;         // position of what is added
};

constexpr std::array<BiasedOp, 6> biasedOps{{
    {"aten::addmm", "aten::mm", 0},
    {"aten::addbmm", "aten::bmm", 0},
    {"aten::baddbmm", "aten::bmm", 0},
    {"aten::addmv", "aten::mv", 0},
    {"aten::convolution", "aten::convolution", 2},
    {"aten::_convolution", "aten::_convolution", 2},
}};

Bytes tensorBytes(const Trace& trace, const TraceArgument& argument)
{
    Bytes sum;
    for (const TraceTensor& tensor : trace.tensors(argument))
        sum += trace.tensorBytes(tensor);
    return sum;
}

// None: nothing is added.
const BiasedOp* biasOf(const Trace& trace, const TraceOp& op)
{
    const std::string& name = trace.opNames[op.name].name;
    const auto found = std::ranges::find(biasedOps, name, &BiasedOp::name);
    if (found == biasedOps.end() || found->bias >= trace.arguments(op).size() ||
        trace.tensors(trace.arguments(op)[found->bias]).empty())
        return nullptr;
    return &*found;
}

} // namespace

std::vector<OpPart> operatorParts(const Trace& trace, const std::vector<OperatorSpan>& times)
{
    std::vector<OpPart> parts;
    for (const OpId id : trace.ops.ids()) {
        const TraceOp& op = trace.ops[id];
        const OpTraffic traffic = operatorTraffic(trace, op);
        if (!op.node || traffic.total() == Bytes(0))
            continue;
        OpPart part{.node = *op.node,
                    .phase = op.phase,
                    .isRecomputed = op.isRecomputed,
                    .op = trace.opNames[op.name].name};
        part.cost = {operatorFlops(trace, op).total(), traffic.read, traffic.written, times[id.index()].time};
        const BiasedOp* const biased = biasOf(trace, op);
        if (!biased) {
            parts.push_back(std::move(part));
            continue;
        }
        const Bytes bias = tensorBytes(trace, trace.arguments(op)[biased->bias]);
        OpPart addition = part;
        addition.op = "aten::add";
        addition.isBias = true;
        addition.cost = {};
        addition.cost.bytesRead = part.cost.bytesWritten + bias;
        addition.cost.bytesWritten = part.cost.bytesWritten;
        part.op = biased->product;
        part.cost.bytesRead -= bias;
        parts.push_back(std::move(part));
        parts.push_back(std::move(addition));
    }
    return parts;
}

} // namespace stagecraft
