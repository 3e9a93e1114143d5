#include "core/graph/program.h"
#include "core/trace/trace_model.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Of the program below.
constexpr std::int64_t activationBytes = std::int64_t{8} * 4 * 4;
constexpr std::int64_t weightBytes = std::int64_t{4} * 16 * 4;

Graph program()
{
    Program made("self_test");
    const ValueId x = made.input({8, 16});
    const ValueId factors = made.input({8, 4});
    const ValueId weight = made.param("weight", {4, 16});
    const ValueId relu = made.op("relu", {8, 4}, {made.op("linear", {8, 4}, {x, weight})});
    return made.returning(made.op("mul.Tensor", {8, 4}, {relu, factors}));
}

Error differs(const std::string& what)
{
    return {ErrorCode::Unsupported, "this LibTorch does not behave as the tracer expects: " + what +
                                        "; models cannot be profiled with it"};
}

Result<void> expect(bool condition, const std::string& what)
{
    if (condition)
        return {};
    return differs(what);
}

Result<void> expectEqual(const std::string& what, const std::string& found, const std::string& expected)
{
    return expect(found == expected, what + " should be '" + expected + "', but is '" + found + "'");
}

std::string forwardOps(const Trace& trace)
{
    std::string names;
    for (std::uint32_t i = 0; i < trace.forwardEnd; ++i)
        names += (names.empty() ? "" : " ") + trace.opNames[trace.ops[OpId(i)].name].name;
    return names;
}

std::string savedTensors(const Trace& trace, const Graph& graph)
{
    std::vector<std::string> names;
    for (const SavedTensor& saved : trace.saved)
        if (const auto value = trace.storages[saved.storage].value; value && saved.node)
            names.push_back(graph[*saved.node].name + ":" + graph[*value].name);
    std::ranges::sort(names);
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " ") + name;
    return text;
}

std::string number(Bytes bytes)
{
    return std::to_string(bytes.count());
}

// Every node must have backward operators, but for the two ends of the pass.
Result<void> expectBackward(const Trace& trace, const Graph& graph)
{
    for (const NodeId node : graph.nodes())
        STAGECRAFT_TRY(expect(
            std::ranges::any_of(
                trace.ops, [&](const TraceOp& op) { return op.phase == Phase::Backward && op.node == node; }),
            "no backward operator belongs to '" + graph[node].name + "'"));
    const auto isWeightGradient = [](const TraceStorage& storage) {
        return storage.storageClass == StorageClass::ParameterGradient && storage.weightGradientOnly;
    };
    return expect(std::ranges::count_if(trace.storages, isWeightGradient) == 1,
                  "the parameter has no gradient");
}

} // namespace

Result<void> traceSelfTest()
{
    const Model model{.name = "self test", .graph = program()};
    STAGECRAFT_ASSIGN(trace, traceModel(model, {}));
    STAGECRAFT_TRY(expectEqual("the operators of linear, relu, mul and sum", forwardOps(trace),
                               "aten::t aten::mm aten::relu aten::mul aten::sum"));
    STAGECRAFT_TRY(
        expectEqual("what autograd keeps", savedTensors(trace, model.graph), "linear:x mul:x_1 relu:relu"));
    STAGECRAFT_TRY(expect(!trace.regions.empty() &&
                              trace.opNames[trace.regions[RegionId(0)].name].name == "aten::linear",
                          "linear is not a composite operator"));
    // The results of relu and mul, and the loss; that of linear is gone.
    STAGECRAFT_TRY(expectEqual("what is alive after the forward pass", number(trace.liveAfterForward),
                               number(Bytes(2 * activationBytes + 4))));
    STAGECRAFT_TRY(expectBackward(trace, model.graph));
    return expectEqual("what is left at the end", number(trace.liveAtEndOutputsDropped),
                       number(Bytes(weightBytes)));
}

} // namespace stagecraft
