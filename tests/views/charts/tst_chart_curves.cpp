#include "views/charts/chart_data.h"

#include "tests/views/sample_plan.h"

#include <QtTest>

#include <random>

using namespace stagecraft;

class TestChartCurves : public QObject
{
    Q_OBJECT

private slots:
    void bytesAcrossEqualsTheBoundariesOfEveryCut();
    void returnedValuesGoToTheEnd();
    void memoryStartsAtTheStateAndStaysBelowThePeak();
    void withoutAPlanTheWholeModelIsOneDevice();
    void opsWithoutSamplesKeepWhatIsAlive();
    void opsMayRunInAnotherOrder();
    void aStageHoldsWhatItsOwnOpsKeep();
    void whatRecomputationRemovesAndTakes();
    void aFewTallOnesDoNotFlattenTheRest();
    void cutOpsAreThoseBeyondTheScale();
};

// The oracle: the plan's cost with a single boundary there, summed in another way.
void TestChartCurves::bytesAcrossEqualsTheBoundariesOfEveryCut()
{
    const PlanView plan = sample::plan(2, 2);
    const std::vector<NodeId> order = stageOrder(*plan.partition).nodes;
    const auto across = bytesAcross(*plan.graph, *plan.profile, order);
    QCOMPARE(across.size(), order.size() + 1);
    QCOMPARE(across.front(), Bytes(0));
    QCOMPARE(across.back(), Bytes(0));
    for (std::size_t place = 1; place < order.size(); ++place) {
        Partition cut{.stageCount = 2};
        for (const NodeId node : plan.graph->nodes())
            cut.stageOf.add(StageId(node.index() < place ? 0 : 1));
        const auto cost = sample::costOf(*plan.graph, *plan.profile, cut);
        const BoundaryCost& boundary = cost->boundaries[BoundaryId(0)];
        QCOMPARE(across[place].count(), (boundary.forwardBytes + boundary.backwardBytes).count());
    }
}

void TestChartCurves::returnedValuesGoToTheEnd()
{
    const PlanView plan = sample::plan(1, 1);
    auto profile = std::make_shared<Profile>(*plan.profile);
    const std::vector<NodeId> order = stageOrder(*plan.partition).nodes;
    // Nothing but the model's result has bytes: it is made by the last op and crosses nothing.
    for (const ValueId value : plan.graph->values())
        profile->valueBytes[value] = Bytes(plan.graph->isOutput(value) ? 64 : 0);
    for (const Bytes bytes : bytesAcross(*plan.graph, *profile, order))
        QCOMPARE(bytes, Bytes(0));
}

void TestChartCurves::memoryStartsAtTheStateAndStaysBelowThePeak()
{
    const PlanView plan = sample::plan(6, 3);
    const StageOrder order = stageOrder(*plan.partition);
    const MemoryCurve curve = memoryCurve(plan, order);
    QCOMPARE(curve.held.size(), plan.graph->nodeCount());
    QCOMPARE(curve.state.size(), std::size_t{3});
    for (std::size_t place = 0; place < order.nodes.size(); ++place) {
        const std::size_t stage = plan.partition->stageOf[order.nodes[place]].index();
        QVERIFY(curve.held[place] >= curve.state[stage]);
        QVERIFY(curve.held[place] <= curve.peaks[stage]);
    }
    // The last stage keeps one microbatch: its first op holds the state, its result and what it keeps.
    const NodeCost& first = plan.profile->nodes[order.nodes[order.boundaries[1]]];
    QCOMPARE(curve.held[order.boundaries[1]],
             curve.state[2] + (first.savedBytes + first.outputBytes).asDouble());
    QCOMPARE(curve.limits[0], double(std::int64_t{80} << 30));
}

void TestChartCurves::withoutAPlanTheWholeModelIsOneDevice()
{
    PlanView plan = sample::plan(2, 2);
    plan.partition = nullptr;
    plan.cost = nullptr;
    const MemoryCurve curve = memoryCurve(plan, stageOrder(singleStage(plan.graph->nodeCount())));
    QCOMPARE(curve.state, std::vector<double>{plan.profile->totals.parameterBytes.asDouble()});
    QVERIFY(std::isinf(curve.limits[0]));
    QCOMPARE(curve.peaks[0], curve.state[0] + plan.profile->totals.peak.asDouble());
}

void TestChartCurves::whatRecomputationRemovesAndTakes()
{
    PlanView plan = sample::plan(6, 3);
    const StageOrder order = stageOrder(*plan.partition);
    QVERIFY(memoryCurve(plan, order).without.empty());
    auto without = std::make_shared<Profile>(*plan.profile);
    for (NodeCost& cost : without->nodes)
        cost.savedBytes = cost.savedBytes * 3;
    for (MemorySample& sample : without->memory.samples)
        sample.live = sample.live * 3, sample.peak = sample.peak * 3;
    auto profile = std::make_shared<Profile>(*plan.profile);
    profile->nodes[NodeId(5)].regionPeak = Bytes(77);
    plan.profile = profile;
    const std::size_t count = plan.graph->nodeCount();
    RunAgain again{Table<NodeId, char>(count, 0), Table<NodeId, char>(count, 0), without};
    again.isInRegion[NodeId(5)] = 1;
    plan.again = std::make_shared<const RunAgain>(std::move(again));
    const MemoryCurve curve = memoryCurve(plan, order);
    QCOMPARE(curve.without.size(), count);
    QCOMPARE(curve.again.size(), count);
    for (std::size_t place = 0; place < count; ++place) {
        const std::size_t stage = plan.partition->stageOf[order.nodes[place]].index();
        const double ours = curve.held[place] - curve.state[stage];
        const double theirs = curve.without[place] - curve.state[stage];
        QVERIFY(std::abs(theirs - 3 * ours) < 1 + 1e-9 * theirs);
        QCOMPARE(curve.again[place], order.nodes[place] == NodeId(5) ? 77.0 : 0.0);
        QVERIFY(curve.kept[stage] <= curve.peaks[stage]);
    }
}

void TestChartCurves::opsWithoutSamplesKeepWhatIsAlive()
{
    PlanView plan = sample::plan(1, 1);
    plan.cost = nullptr;
    auto profile = std::make_shared<Profile>(*plan.profile);
    profile->totals = {};
    profile->memory.samples = {
        {.phase = Phase::Forward, .node = NodeId(1), .live = Bytes(100), .peak = Bytes(120)},
        {.phase = Phase::Forward, .node = NodeId(3), .live = Bytes(50), .peak = Bytes(130)}};
    plan.profile = profile;
    const MemoryCurve curve = memoryCurve(plan, stageOrder(*plan.partition));
    const std::vector<double> start(curve.held.begin(), curve.held.begin() + 6);
    QCOMPARE(start, (std::vector<double>{0, 120, 100, 130, 50, 50}));
}

// As those that regions put beside others do: what each keeps is what is alive behind it and was not before.
void TestChartCurves::opsMayRunInAnotherOrder()
{
    PlanView plan = sample::plan(1, 1);
    plan.cost = nullptr;
    auto profile = std::make_shared<Profile>(*plan.profile);
    profile->totals = {};
    profile->memory.samples = {
        {.phase = Phase::Forward, .node = NodeId(0), .live = Bytes(10), .peak = Bytes(10)},
        {.phase = Phase::Forward, .node = NodeId(2), .live = Bytes(40), .peak = Bytes(45)},
        {.phase = Phase::Forward, .node = NodeId(1), .live = Bytes(41), .peak = Bytes(41)},
        {.phase = Phase::Forward, .node = NodeId(3), .live = Bytes(43), .peak = Bytes(43)}};
    plan.profile = profile;
    const MemoryCurve curve = memoryCurve(plan, stageOrder(*plan.partition));
    const std::vector<double> start(curve.held.begin(), curve.held.begin() + 5);
    QCOMPARE(start, (std::vector<double>{10, 11, 46, 43, 43}));
}

void TestChartCurves::aStageHoldsWhatItsOwnOpsKeep()
{
    PlanView plan = sample::plan(1, 2);
    plan.cost = nullptr;
    auto profile = std::make_shared<Profile>(*plan.profile);
    profile->totals = {};
    profile->memory.samples.clear();
    auto partition = std::make_shared<Partition>(*plan.partition);
    for (const NodeId node : plan.graph->nodes()) { // each keeps 10 bytes; every other one is in stage 2
        const Bytes live(10 * (static_cast<std::int64_t>(node.index()) + 1));
        profile->memory.samples.push_back(
            {.phase = Phase::Forward, .node = node, .live = live, .peak = live});
        partition->stageOf[node] = StageId(node.index() % 2);
    }
    plan.profile = profile;
    plan.partition = partition;
    const StageOrder order = stageOrder(*partition);
    const MemoryCurve curve = memoryCurve(plan, order);
    for (std::size_t place = 0; place < order.nodes.size(); ++place) {
        const std::size_t first = place < order.boundaries[0] ? 0 : order.boundaries[0];
        QCOMPARE(curve.held[place], 10.0 * static_cast<double>(place - first + 1));
    }
}

void TestChartCurves::aFewTallOnesDoNotFlattenTheRest()
{
    QCOMPARE(readableTop({}), 0.0);
    QCOMPARE(readableTop({0, 0}), 0.0);
    QCOMPARE(readableTop({5}), 5.0);
    QCOMPARE(readableTop({1, 1, 1, 1, 9}), 9.0); // there is room for all
    std::vector<double> values(200, 1.0);
    values[7] = 1.5;
    QCOMPARE(readableTop(values), 1.5);
    values[50] = 40;
    QCOMPARE(readableTop(values), 1.5);
    values[51] = 38; // two of a kind go together
    QCOMPARE(readableTop(values), 1.5);
    for (std::size_t i = 60; i < 70; ++i) // ten in two hundred are not a few
        values[i] = 30;
    QCOMPARE(readableTop(values), 40.0);
}

void TestChartCurves::cutOpsAreThoseBeyondTheScale()
{
    const PlanView plan = sample::plan(4, 2);
    auto profile = std::make_shared<Profile>(*plan.profile);
    for (NodeCost& cost : profile->nodes)
        cost.forward.time = cost.backwardInput.time = cost.backwardWeight.time = Seconds(1e-3);
    QVERIFY(timeScale(*profile).cut.empty());
    profile->nodes[NodeId(3)].forward.time = Seconds(0.1);
    TimeScale scale = timeScale(*profile);
    QCOMPARE(scale.cut, std::vector{NodeId(3)});
    QCOMPARE(scale.forward, 1e-3);
    QCOMPARE(scale.backward, 2e-3);
    profile->nodes[NodeId(5)].backwardInput.time = Seconds(0.1);
    QCOMPARE(timeScale(*profile).cut, (std::vector{NodeId(3), NodeId(5)}));
    profile->options.mode = TrainingMode::Infer;
    QCOMPARE(timeScale(*profile).cut, std::vector{NodeId(3)});
}

QTEST_GUILESS_MAIN(TestChartCurves)
#include "tst_chart_curves.moc"
