// What nodes take as parts of a stage: the program is not ahead of its device, gradients are added up.
#include "core/plan/sources/model_problem.h"
#include "core/plan/sources/stage_times.h"
#include "core/profile/cost/operator_time.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace stagecraft;

namespace {

constexpr double dispatch = 1e-5, backwardDispatch = 5e-6, quick = 1e-6, slow = 1e-3;

// An embedding, two blocks of two operators each, and a head.
const char* const blocks = "graph g\n"
                           "  module a \"Block\"\n"
                           "  module b \"Block\"\n"
                           "  input %x : f32[4]\n"
                           "  param %w \"w\" : f32[4]\n"
                           "  %e : f32[4] = aten::mul.Tensor(self %x, other %w)\n"
                           "  %a1 : f32[4] = aten::relu.default(self %e) @a\n"
                           "  %a2 : f32[4] = aten::relu.default(self %a1) @a\n"
                           "  %b1 : f32[4] = aten::relu.default(self %a2) @b\n"
                           "  %b2 : f32[4] = aten::relu.default(self %b1) @b\n"
                           "  %h : f32[4] = aten::relu.default(self %b2)\n"
                           "  return %h\n";

Graph parse()
{
    auto graph = parseGraph(blocks);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(graph).value();
}

// On a GPU that runs all at once but the embedding's forward and the head's backward pass; the embedding has
// a parameter of so many bytes. One second forward and two backward is what the step of the whole model took.
Profile profileOf(const Graph& graph, Bytes parameter)
{
    Profile profile;
    DeviceSpec& device = profile.options.device;
    device.kind = "cuda";
    device.dispatchOverhead = Seconds(dispatch);
    device.backwardDispatch = Seconds(backwardDispatch);
    device.peakFlops[DType::F32] = device.vectorFlops = 1e15;
    device.memoryBandwidth = 1e9;
    profile.nodes = Table<NodeId, NodeCost>(graph.nodeCount());
    std::vector<NodeId> order;
    for (const NodeId node : graph.nodes()) {
        order.push_back(node);
        NodeCost& cost = profile.nodes[node];
        cost.forward.time = Seconds(1);
        cost.backwardInput.time = cost.backwardWeight.time = Seconds(1);
    }
    for (const Phase phase : {Phase::Forward, Phase::Backward}) {
        for (const NodeId node : order)
            profile.memory.samples.push_back(
                {.phase = phase, .node = node, .alone = Seconds(node == order.front() ? slow : quick)});
        std::ranges::reverse(order);
    }
    profile.memory.lives.push_back({.category = MemoryCategory::Gradients,
                                    .bytes = parameter,
                                    .first = static_cast<std::uint32_t>(profile.memory.samples.size()) - 1});
    profile.valueBytes = Table<ValueId, Bytes>(graph.valueCount());
    profile.needsGradient = Table<ValueId, char>(graph.valueCount(), 1);
    return profile;
}

bool near(Seconds time, double expected)
{
    return std::abs(time.value() - expected) < 1e-12;
}

NodeId named(const Graph& graph, const char* name)
{
    return *graph.findNode(name);
}

} // namespace

class TestStageTimes : public QObject
{
    Q_OBJECT

private slots:
    // The embedding keeps the device for a hundred operators' time; in another stage no block gains by that.
    void aBlockWaitsForItsOwnProgram()
    {
        const Graph graph = parse();
        const Profile profile = profileOf(graph, Bytes(0));
        const auto times = stageTimes(graph, profile, 1);
        QVERIFY(near(times[named(graph, "a1")].forward, quick)); // handed over while the one before ran
        for (const char* node : {"a2", "b1", "b2", "h"})
            QVERIFY2(near(times[named(graph, node)].forward, dispatch), node);
        const StageTime& behindTheHead = times[named(graph, "b2")];
        QVERIFY(near(behindTheHead.backwardInput + behindTheHead.backwardWeight, quick));
        const StageTime& block = times[named(graph, "b1")];
        QVERIFY(near(block.backwardInput + block.backwardWeight, backwardDispatch));
        QVERIFY(near(block.backwardInput, backwardDispatch / 2)); // shared as it was
    }

    // One of four microbatches finds no gradient.
    void gradientsAreAddedInLaterMicrobatches()
    {
        const Graph graph = parse();
        const Bytes bytes(1 << 20);
        Profile profile = profileOf(graph, bytes);
        const double addition = plainTime(Flops(0), bytes * 3, DType::F32, profile.options.device).value();
        QVERIFY(addition > 3e-3); // three MiB at 1 GB/s
        const auto backwardOf = [&](std::size_t microbatches) {
            const StageTime time = stageTimes(graph, profile, microbatches)[named(graph, "e")];
            return time.backwardInput + time.backwardWeight;
        };
        const double once = backwardOf(1).value();
        const double more = addition + backwardDispatch - quick; // handed over behind a quick operator
        QVERIFY(near(backwardOf(4), once + 0.75 * more));
        QVERIFY(near(backwardOf(100), once + 0.99 * more));
        profile.options.gradients = GradientStart::Present; // samples of the step already, of no node
        QVERIFY(near(backwardOf(4), once));
        profile.memory.samples.push_back({.phase = Phase::Backward, .alone = Seconds(addition)});
        for (const std::size_t microbatches : {1, 4})
            QVERIFY(near(backwardOf(microbatches), once + more));
    }

    // As of an operator that is not known, which has a parameter.
    void additionsOfWhatIsNotExactAreNotLost()
    {
        const Graph graph = parse();
        Profile profile = profileOf(graph, Bytes(1 << 20));
        const NodeId embedding = named(graph, "e");
        const double exact = stageTimes(graph, profile, 4)[embedding].backwardWeight.value() -
                             stageTimes(graph, profile, 1)[embedding].backwardWeight.value();
        QVERIFY(exact > 1e-3);
        profile.nodes[embedding].origin = CostOrigin::Inexact;
        const StageTime time = stageTimes(graph, profile, 4)[embedding];
        QVERIFY(near(time.forward, 1)); // as the profile has it
        QVERIFY(std::abs(time.backwardWeight.value() - 1 - exact) < 1e-9);
    }

    void whatWasMeasuredStands()
    {
        const Graph graph = parse();
        Profile profile = profileOf(graph, Bytes(1 << 20));
        for (NodeCost& cost : profile.nodes)
            cost.origin = CostOrigin::Imported;
        profile.nodes[named(graph, "b1")].origin = CostOrigin::Estimated;
        const auto times = stageTimes(graph, profile, 8);
        QVERIFY(near(times[named(graph, "e")].forward, 1));
        QVERIFY(near(times[named(graph, "e")].backwardWeight, 1));
        QVERIFY(times[named(graph, "b1")].forward < Seconds(1e-4));
    }

    void problemsTakeThem()
    {
        const Model model{.name = "m", .graph = parse()};
        const Profile profile = profileOf(model.graph, Bytes(1 << 20));
        const auto problem = makeProblem(model, profile, {.stageCount = 2, .microbatches = 4});
        QVERIFY2(problem.has_value(), problem.has_value() ? "" : problem.error().message.c_str());
        const auto times = stageTimes(model.graph, profile, 4);
        for (const NodeId node : model.graph.nodes())
            QVERIFY(
                near(problem->nodes[node].time(),
                     (times[node].forward + times[node].backwardInput + times[node].backwardWeight).value()));
    }
};

QTEST_GUILESS_MAIN(TestStageTimes)
#include "tst_stage_times.moc"
