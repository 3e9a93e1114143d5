// Checkpoint regions: what is saved, run again and alive, against Python's counts, to the unit.
#include "oracle.h"

#include "core/load/open_model.h"
#include "core/measure/imported_times.h"
#include "core/measure/measure.h"
#include "core/profile/memory/memory_timeline.h"
#include "core/profile/model/largest_batch.h"
#include "tests/core/text_model.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

QJsonArray oracleRows()
{
    return readOracle("oracle/checkpoints.json")["rows"].toArray();
}

Model openProgram(const QString& file)
{
    Result<Model> model = openModel((QString(STAGECRAFT_TEST_DATA "/") + file).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

Model openNamed(const QString& name)
{
    return openProgram("oracle/checkpoints/" + name + ".pt2");
}

Profile profileOf(const Model& model, const ProfileOptions& options)
{
    Result<Profile> profile = profileModel(model, options);
    if (!profile.has_value())
        qFatal("%s", profile.error().message.c_str());
    return std::move(*profile);
}

Profile profileOf(const Model& model)
{
    return profileOf(model, plainOptions(LoweringKind::Cpu));
}

bool isInRegion(const Graph& graph, NodeId node)
{
    return !graph.context(graph[node].context).recomputeRegions.empty();
}

// Seven layers of which autograd keeps the operands, in two regions or in none.
const char* tower = R"(graph tower
  context 1 recompute 0
  context 2 recompute 1
  input %x : f32[8, 64]
  param %w "w" : f32[64, 64]
  %a : f32[8, 64] = aten::linear.default(%x, %w)
  %b : f32[8, 64] = aten::sin.default(%a) in FIRST
  %c : f32[8, 64] = aten::cos.default(%b) in FIRST
  %d : f32[8, 64] = aten::sin.default(%c) in FIRST
  %e : f32[8, 64] = aten::cos.default(%d) in SECOND
  %f : f32[8, 64] = aten::sin.default(%e) in SECOND
  %g : f32[8, 64] = aten::cos.default(%f) in SECOND
  %h : f32[8, 64] = aten::sin.default(%g)
  return %h
)";

Model towerIn(const char* first, const char* second)
{
    Model model = modelOf(QByteArray(tower).replace("FIRST", first).replace("SECOND", second).constData());
    for (const ValueId input : model.graph.inputs()) {
        const bool isUsers = model.graph[input].kind == ValueKind::UserInput;
        model.signature.inputs.push_back(
            {.kind = isUsers ? InputSpec::Kind::User : InputSpec::Kind::Parameter, .value = input});
    }
    return model;
}

} // namespace

class TestCheckpoints : public QObject
{
    Q_OBJECT

private slots:
    void stepEqualsTheCount_data();
    void stepEqualsTheCount();
    void inferenceRunsNothingAgain_data() { stepEqualsTheCount_data(); }
    void inferenceRunsNothingAgain();
    void saysWhatIsUpdatedTwice();
    void sharesTheSecondRunAmongNodes();
    void livesSumToEverySample_data() { stepEqualsTheCount_data(); }
    void livesSumToEverySample();
    void regionPeakIsOfTheWholeRegion();
    void largestBatchKnowsRegions();
    void measuredTimesHaveTheSecondRunOnTop();
    void importedTimesHaveTheSecondRunOnTop();
    void importedTimesAreOfTheForwardPassAloneInInference();
};

void TestCheckpoints::stepEqualsTheCount_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue row : oracleRows())
        QTest::newRow(qPrintable(row["name"].toString())) << row.toObject();
}

void TestCheckpoints::stepEqualsTheCount()
{
    QFETCH(QJsonObject, row);
    const Profile profile = profileOf(openProgram(row["file"].toString()));
    Figures expected{{"flops_forward", row["flops_forward"].toDouble()},
                     {"flops_total", row["flops_forward"].toDouble() + row["flops_backward"].toDouble()}};
    for (const char* figure :
         {"saved_bytes", "live_after_forward", "peak_forward", "peak_backward", "peak", "gradient_bytes"})
        expected[figure] = row[figure].toDouble();
    const QString wrong = differences(profileFigures(profile.totals), expected);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestCheckpoints::inferenceRunsNothingAgain()
{
    QFETCH(QJsonObject, row);
    const Model model = openProgram(row["file"].toString());
    ProfileOptions options = plainOptions(LoweringKind::Cpu);
    options.mode = TrainingMode::Infer;
    const Profile profile = profileOf(model, options);
    if (row["name"] != "mixed") // autocast keeps casts of weights, as if they could get a gradient
        QCOMPARE(profile.totals.peakForward.asDouble(), row["peak_inference"].toDouble());
    QCOMPARE(profile.totals.flopsRecomputed.value(), 0.0);
    for (const NodeCost& cost : profile.nodes)
        QCOMPARE(cost.regionPeak.count(), 0);
}

void TestCheckpoints::saysWhatIsUpdatedTwice()
{
    const Model model = openNamed("batch-norm");
    const Profile profile = profileOf(model);
    QCOMPARE(profile.notes.size(), std::size_t{1});
    const std::string& note = profile.notes.front();
    QVERIFY2(note.find("batch_norm_1") != std::string::npos && note.find("and 1 more") != std::string::npos &&
                 note.find("updated twice") != std::string::npos,
             note.c_str());
    ProfileOptions inference = plainOptions(LoweringKind::Cpu);
    inference.mode = TrainingMode::Infer;
    QVERIFY(profileOf(model, inference).notes.empty());
}

// What is run again belongs to the node that it is of, in the half of its backward pass that comes first.
void TestCheckpoints::sharesTheSecondRunAmongNodes()
{
    const Model model = openNamed("sequence");
    const Profile profile = profileOf(model);
    NodeCost sum;
    std::size_t linears = 0, again = 0;
    for (const NodeId node : model.graph.nodes()) {
        const NodeCost& cost = profile.nodes[node];
        sum += cost;
        if (!isInRegion(model.graph, node) || model.graph[node].target != "aten::linear.default") {
            QCOMPARE(cost.recomputed.flops.value(), 0.0);
            continue;
        }
        ++linears;
        // The second linear layer of a block is the last that saves, its operand: it does not run again.
        const bool isRunAgain = cost.recomputed.flops.value() > 0;
        again += isRunAgain ? 1 : 0;
        QCOMPARE(cost.recomputed.flops.value(), isRunAgain ? cost.forward.flops.value() : 0.0);
        QCOMPARE(cost.backwardWeight.flops.value(), cost.forward.flops.value());
    }
    QCOMPARE(linears, std::size_t{8});
    QCOMPARE(again, std::size_t{4});
    QCOMPARE(sum.recomputed.flops.value(), profile.totals.flopsRecomputed.value());
    QCOMPARE(sum.recomputed.time.value(), profile.totals.timeRecomputed.value());
    QCOMPARE(sum.backward().flops.value(), profile.totals.flopsBackward.value());
    QCOMPARE(sum.savedBytes.count(), profile.totals.savedBytes.count());
    QVERIFY(profile.totals.timeRecomputed > Seconds{});
}

void TestCheckpoints::livesSumToEverySample()
{
    QFETCH(QJsonObject, row);
    const Profile profile = profileOf(openProgram(row["file"].toString()));
    const MemoryTimeline& timeline = profile.memory;
    std::vector<Bytes> changes(timeline.samples.size() + 1);
    for (const LiveInterval& life : timeline.lives)
        if (life.category > MemoryCategory::OptimizerState) {
            changes[life.first] += life.bytes;
            changes[life.end] -= life.bytes;
        }
    Bytes live;
    bool isAnyAgain = false;
    for (std::size_t i = 0; i < timeline.samples.size(); ++i) {
        live += changes[i];
        QCOMPARE(live.count(), timeline.samples[i].live.count());
        isAnyAgain = isAnyAgain || timeline.samples[i].isRecomputed;
        QVERIFY(!timeline.samples[i].isRecomputed || timeline.samples[i].phase == Phase::Backward);
    }
    QVERIFY(isAnyAgain);
}

// While a region goes backward, all that it was run again for is there at once: plans count on it.
void TestCheckpoints::regionPeakIsOfTheWholeRegion()
{
    const Model model = openNamed("sequence");
    const Profile profile = profileOf(model);
    Bytes peak;
    for (const NodeId node : model.graph.nodes()) {
        const Bytes region = profile.nodes[node].regionPeak;
        QCOMPARE(region > Bytes{}, isInRegion(model.graph, node));
        peak = std::max(peak, region);
    }
    // At the model's peak there are beside the region's own the regions' inputs, the output and the loss, and
    // gradients of parameters.
    const ProfileTotals& totals = profile.totals;
    QVERIFY(peak < totals.peak);
    QVERIFY(peak + totals.liveAfterForward + totals.gradientBytes >= totals.peak);
}

void TestCheckpoints::largestBatchKnowsRegions()
{
    const Model regions = towerIn("1", "2"), none = towerIn("0", "0");
    const Profile again = profileOf(regions), kept = profileOf(none);
    QCOMPARE(again.totals.savedBytes.count(), 3 * 8 * 64 * 4);
    QCOMPARE(kept.totals.savedBytes.count(), 7 * 8 * 64 * 4);
    QVERIFY(again.totals.peak < kept.totals.peak);
    ProfileOptions options = plainOptions(LoweringKind::Cpu);
    options.device.memory = Bytes(1 << 30); // so that the size of segments matters little
    const auto with = largestBatch(regions, options);
    const auto without = largestBatch(none, options);
    QVERIFY(with.has_value() && with->has_value() && without.has_value() && without->has_value());
    QVERIFY((*with)->batch > (*without)->batch);
}

// Nodes are timed one by one, which nothing runs again.
void TestCheckpoints::measuredTimesHaveTheSecondRunOnTop()
{
    const Model model = towerIn("1", "2");
    Profile profile = profileOf(model);
    MeasuredTimes times;
    times.nodes = Table<NodeId, std::optional<NodeTimes>>(model.graph.nodeCount(),
                                                          NodeTimes{Seconds(4), Seconds(2), Seconds(1)});
    applyTimes(times, CostOrigin::Measured, profile);
    // Of each region the last node, whose operand is the last that is saved, does not run again.
    for (const char* name : {"b", "c", "e", "f"})
        QCOMPARE(profile.nodes[*model.graph.findNode(name)].backward().time.value(), 7.0);
    for (const char* name : {"a", "d", "g", "h"})
        QCOMPARE(profile.nodes[*model.graph.findNode(name)].backward().time.value(), 3.0);
    QCOMPARE(profile.totals.timeRecomputed.value(), 16.0);
    QCOMPARE(profile.totals.timeBackward.value(), 8 * 3 + 16.0);
    QVERIFY(profile.notes.front().find("without a second run") != std::string::npos);
}

namespace {

// Each node forward and backward, of a file in which nothing ran again or part of backward did.
ImportedTimes timesOfTower(const Model& model, const char* recomputed)
{
    std::string text = "node,forward,backward,recomputed\n";
    for (const NodeId node : model.graph.nodes())
        text += model.graph[node].name + ",4,3," + recomputed + "\n";
    return *parseTimes(text, "t", model.graph);
}

} // namespace

void TestCheckpoints::importedTimesHaveTheSecondRunOnTop()
{
    const Model model = towerIn("1", "2");
    for (const bool ranAgain : {false, true}) {
        Profile profile = profileOf(model);
        applyImportedTimes(timesOfTower(model, ranAgain ? "2" : "0"), profile);
        const double once = ranAgain ? 1 : 3;
        for (const char* name : {"b", "c", "e", "f"})
            QCOMPARE(profile.nodes[*model.graph.findNode(name)].backward().time.value(), once + 4);
        for (const char* name : {"a", "d", "g", "h"})
            QCOMPARE(profile.nodes[*model.graph.findNode(name)].backward().time.value(), once);
        QCOMPARE(profile.totals.timeRecomputed.value(), 16.0);
        QCOMPARE(profile.totals.timeBackward.value(), 8 * once + 16.0);
        QVERIFY(profile.notes.back().find("nodes that run once") != std::string::npos);
    }
}

void TestCheckpoints::importedTimesAreOfTheForwardPassAloneInInference()
{
    const Model model = towerIn("1", "2");
    ProfileOptions options = plainOptions(LoweringKind::Cpu);
    options.mode = TrainingMode::Infer;
    Profile profile = profileOf(model, options);
    applyImportedTimes(timesOfTower(model, "0"), profile);
    QCOMPARE(profile.totals.timeForward.value(), 8 * 4.0);
    QCOMPARE(profile.totals.timeBackward.value(), 0.0);
    QCOMPARE(profile.totals.timeRecomputed.value(), 0.0);
}

QTEST_GUILESS_MAIN(TestCheckpoints)
#include "tst_checkpoints.moc"
