// What a stage is said to have alive at the most while its nodes go back in turns, beside a trace: one stage
// that has the whole model, with drawn regions of which drawn nodes are kept.
#include "core/plan/evaluate.h"
#include "tests/core/profile/text_profile.h"
#include "tests/core/recomputed_plans.h"

#include <QTest>

#include <random>
#include <set>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

constexpr int plansOfEach = 60;

// Where `c` goes back the most is alive.
const char* forked = R"(graph forked
  input %x : f32[64, 16]
  param %p "p" : f32[64, 16]
  %a : f32[64, 16] = aten::mul.Tensor(%x, %p)
  %b : f32[64, 16] = aten::add.Tensor(%a, %x)
  %c : f32[64, 16] = aten::mul.Tensor(%b, %a)
  %d : f32[64, 16] = aten::exp.default(%b)
  %e : f32[64, 16] = aten::add.Tensor(%c, %d)
  return %e
)";

std::shared_ptr<const Model> open(const QString& file)
{
    Result<Model> model = openModel((QString(STAGECRAFT_TEST_DATA) + file).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::make_shared<const Model>(*std::move(model));
}

// What the model returns is not kept: a trace says no more that it is saved.
RecomputePlan drawnPlan(const Graph& graph, std::mt19937& draw)
{
    const std::size_t nodeCount = graph.nodeCount();
    std::set<NodeId> returning;
    for (const Argument& output : graph.outputs())
        if (const auto* const value = std::get_if<ValueId>(&output))
            if (const std::optional<NodeId> producer = graph[*value].producer)
                returning.insert(*producer);
    RecomputePlan plan;
    for (std::size_t node = draw() % 4; node < nodeCount; node += draw() % 3) {
        RecomputeRegion& region = plan.regions.emplace_back();
        for (std::size_t left = 1 + draw() % 5; left > 0 && node < nodeCount; --left, ++node) {
            region.nodes.push_back(NodeId(node));
            if (draw() % 4 == 0 && !returning.contains(NodeId(node)))
                region.kept.push_back(NodeId(node));
        }
    }
    return plan;
}

// While it goes back, but for what the model returns, and gradients of parameters that a node which went back
// before has made: a stage has those always.
Bytes mostAlive(const Profile& profile)
{
    const std::vector<MemorySample>& samples = profile.memory.samples;
    Bytes most;
    for (std::uint32_t i = 1; i < samples.size(); ++i) {
        if (samples[i].phase != Phase::Backward)
            continue;
        Bytes alive = samples[i].peak;
        for (const LiveInterval& life : profile.memory.lives) {
            const bool isCounted =
                life.category == MemoryCategory::Outputs ||
                (life.category == MemoryCategory::Gradients && life.node != samples[i].node);
            alive -= isCounted && life.first <= i && life.end + 1 >= i ? life.bytes : Bytes{};
        }
        most = std::max(most, alive);
    }
    return most;
}

} // namespace

class TestTurnsOfPlans : public QObject
{
    Q_OBJECT

private slots:
    void plansHaveAsMuchAsTheirTraces_data();
    void plansHaveAsMuchAsTheirTraces();
    void whatASecondRunTakesIsThereWhoeverElseKeptIt();

private:
    void compare(const std::shared_ptr<const Model>& model, RecomputePlan regions);
};

void TestTurnsOfPlans::compare(const std::shared_ptr<const Model>& model, RecomputePlan regions)
{
    const Partition whole{1, Table<NodeId, StageId>(model->graph.nodeCount(), StageId(0))};
    PartitionOptions options = optionsFor(RecomputeKind::Plan, 1);
    options.runtime = PipelineRuntime::Ideal;
    options.microbatches = 1;
    options.recompute.regions = std::move(regions);
    const RecomputedProblem posed = recomputedProblem(model, options, profiled, &whole).value();
    const StageCost cost = evaluate(posed.problem, whole).stages[StageId(0)];
    const Bytes traced = mostAlive(posed.profile), planned = cost.savedBytes + cost.turns.backward;
    QVERIFY2(planned == traced,
             qPrintable(QString("%1 bytes, %2 traced").arg(planned.count()).arg(traced.count())));
}

void TestTurnsOfPlans::plansHaveAsMuchAsTheirTraces_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"perceptron", "attention", "convolutions", "gated"})
        QTest::newRow(file) << QString("/oracle/recompute/%1.pt2").arg(file);
    for (const char* file : {"gpt2-tiny", "llama-tiny", "mobilenet-tiny", "t5-tiny"})
        QTest::newRow(file) << QString("/models/tiny/%1.pt2").arg(file);
}

void TestTurnsOfPlans::plansHaveAsMuchAsTheirTraces()
{
    QFETCH(QString, file);
    const std::shared_ptr<const Model> model = open(file);
    bool isGiven = false;
    const unsigned given = qEnvironmentVariable("STAGECRAFT_SEED").toUInt(&isGiven);
    const unsigned seed = isGiven ? given : std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 draw(seed);
    for (int i = 0; i < plansOfEach; ++i) {
        compare(model, drawnPlan(model->graph, draw));
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(QString("plan %1").arg(i)));
    }
}

// The next region has let go of `b` when the second run of the first one takes it.
void TestTurnsOfPlans::whatASecondRunTakesIsThereWhoeverElseKeptIt()
{
    const auto model = std::make_shared<const Model>(modelOf(forked));
    const NodeId b = *model->graph.findNode("b"), c = *model->graph.findNode("c");
    const NodeId d = *model->graph.findNode("d"), e = *model->graph.findNode("e");
    RecomputePlan regions;
    regions.regions.push_back({.nodes = {b, c}, .kept = {b}});
    regions.regions.push_back({.nodes = {d}});
    regions.regions.push_back({.nodes = {e}});
    compare(model, std::move(regions));
}

QTEST_GUILESS_MAIN(TestTurnsOfPlans)
#include "tst_turns_of_plans.moc"
