// Recompute plans: what they do, against PyTorch's own runs of them, to the unit; and which are refused.
#include "core/profile/oracle.h"
#include "core/recompute/plan.h"
#include "tests/core/recompute/open_file.h"
#include "tests/core/text_model.h"

#include <QTest>

#include <algorithm>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

std::vector<NodeId> nodesOf(const Graph& graph, const QJsonValue& names)
{
    std::vector<NodeId> nodes;
    for (const QJsonValue name : names.toArray())
        if (const auto node = graph.findNode(name.toString().toStdString()))
            nodes.push_back(*node);
        else
            qFatal("no node '%s'", qPrintable(name.toString()));
    std::ranges::sort(nodes);
    return nodes;
}

RecomputePlan planOf(const Graph& graph, const QJsonArray& regions)
{
    RecomputePlan plan;
    for (const QJsonValue region : regions)
        plan.regions.push_back({nodesOf(graph, region["nodes"]), nodesOf(graph, region["kept"])});
    return plan;
}

Figures expectedOf(const QJsonObject& row)
{
    Figures expected{{"flops_forward", row["flops_forward"].toDouble()},
                     {"flops_total", row["flops_forward"].toDouble() + row["flops_backward"].toDouble()}};
    for (const char* figure :
         {"saved_bytes", "live_after_forward", "peak_forward", "peak_backward", "peak", "gradient_bytes"})
        expected[figure] = row[figure].toDouble();
    return expected;
}

std::string errorOf(const Model& model, const RecomputePlan& plan, const NodeStages* stages = nullptr)
{
    OperatorSchemas schemas;
    const Result<void> checked = checkPlan(model, plan, schemas, stages);
    return checked.has_value() ? "" : checked.error().message;
}

RecomputePlan onePlan(const Graph& graph, std::initializer_list<const char*> nodes,
                      std::initializer_list<const char*> kept = {})
{
    RecomputePlan plan{{{}}};
    for (const char* name : nodes)
        plan.regions[0].nodes.push_back(*graph.findNode(name));
    for (const char* name : kept)
        plan.regions[0].kept.push_back(*graph.findNode(name));
    return plan;
}

} // namespace

class TestRecomputePlan : public QObject
{
    Q_OBJECT

private slots:
    void plansDoWhatPyTorchDoes_data();
    void plansDoWhatPyTorchDoes();
    void noPlanIsTheModelItself();
    void ownRegionsAreAPlan();
    void refusesByName_data();
    void refusesByName();
    void regionsLieInOneStage();
    void keepsWhatMustBe();
    void refusesWhatReadsAWrittenBuffer();
    void refusesWhatReadsTooLate();
};

void TestRecomputePlan::plansDoWhatPyTorchDoes_data()
{
    QTest::addColumn<QString>("file");
    QStringList files;
    for (const QJsonValue row : readOracle("oracle/recompute.json")["rows"].toArray())
        if (!files.contains(row["file"].toString()))
            files += row["file"].toString();
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << file;
}

// Every plan that goes wrong in PyTorch, aloud or silently, is refused; few others are (a relu_ of what is
// kept does no harm twice, which we do not know), and those that are not take what PyTorch takes.
void TestRecomputePlan::plansDoWhatPyTorchDoes()
{
    QFETCH(QString, file);
    const Model model = openFile(file);
    int run = 0, refusedAlone = 0;
    for (const QJsonValue value : readOracle("oracle/recompute.json")["rows"].toArray()) {
        const QJsonObject row = value.toObject();
        if (row["file"].toString() != file)
            continue;
        const std::string text = QJsonDocument(row).toJson(QJsonDocument::Compact).toStdString();
        const RecomputePlan plan = planOf(model.graph, row["regions"].toArray());
        const std::string error = errorOf(model, plan);
        if (!row.contains("peak")) {
            QVERIFY2(!error.empty(), text.c_str());
            continue;
        }
        if (!error.empty()) {
            ++refusedAlone;
            continue;
        }
        const Result<Profile> profile = profileModel(withPlan(model, plan), plainOptions(LoweringKind::Cpu));
        QVERIFY2(profile.has_value(), profile.has_value() ? "" : (profile.error().message + text).c_str());
        const QString wrong = differences(profileFigures(profile->totals), expectedOf(row));
        QVERIFY2(wrong.isEmpty(), (wrong.toStdString() + "\n" + text).c_str());
        ++run;
    }
    qInfo("%d plans are as PyTorch runs them; %d that it runs are refused here", run, refusedAlone);
    QVERIFY(run >= 20 && refusedAlone <= run * 3 / 4);
}

void TestRecomputePlan::noPlanIsTheModelItself()
{
    const Model model = openFile("oracle/recompute/gated.pt2");
    const Result<Profile> with = profileModel(withPlan(model, {}), plainOptions(LoweringKind::Cpu));
    const Result<Profile> without = profileModel(model, plainOptions(LoweringKind::Cpu));
    QVERIFY(with.has_value() && without.has_value());
    QVERIFY(profileFigures(with->totals) == profileFigures(without->totals));
}

void TestRecomputePlan::ownRegionsAreAPlan()
{
    const Model model = openFile("oracle/checkpoints/sequence.pt2");
    const RecomputePlan own = ownPlan(model.graph);
    QCOMPARE(own.regions.size(), std::size_t{4});
    QCOMPARE(errorOf(model, own), std::string());
    const Result<Profile> with = profileModel(withPlan(model, own), plainOptions(LoweringKind::Cpu));
    const Result<Profile> without = profileModel(model, plainOptions(LoweringKind::Cpu));
    QVERIFY(with.has_value() && without.has_value());
    QVERIFY(profileFigures(with->totals) == profileFigures(without->totals));
    const Model none = withPlan(model, {});
    QVERIFY(ownPlan(none.graph).regions.empty());
}

void TestRecomputePlan::refusesByName_data()
{
    QTest::addColumn<QStringList>("nodes");
    QTest::addColumn<QStringList>("kept");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("said");
    const auto add = [](const char* file, const QStringList& nodes, const QStringList& kept,
                        const char* said) {
        QTest::newRow(said) << nodes << kept << QString("oracle/recompute/") + file << QString(said);
    };
    const char* convolutions = "convolutions.pt2";
    const char* attention = "attention.pt2";
    add(convolutions, {}, {}, "has no nodes");
    add(convolutions, {"conv2d_1", "conv2d"}, {}, "not in the order");
    add(convolutions, {"conv2d", "conv2d_1"}, {}, "leaves out");
    add(convolutions, {"conv2d"}, {"relu"}, "not in it");
    add(convolutions, {"add__1", "batch_norm_1"}, {"add__1"}, "would do so twice");
    add(convolutions, {"add__1"}, {}, "num_batches_tracked");
    add(convolutions, {"relu_"}, {}, "which a region needs as it was");
    add(convolutions, {"add__1", "batch_norm_1", "relu_"}, {"add__1", "batch_norm_1"}, "cannot be kept");
    add(convolutions, {"add__1", "batch_norm_1"}, {"add__1", "batch_norm_1"}, "");
    add(convolutions, {"conv2d_1", "add__1", "batch_norm_1", "relu_"}, {"add__1", "batch_norm_1", "relu_"},
        "");
    add(attention, {"dropout", "add", "linear_2", "chunk_1"}, {"dropout"}, "");
}

void TestRecomputePlan::refusesByName()
{
    QFETCH(QStringList, nodes);
    QFETCH(QStringList, kept);
    QFETCH(QString, file);
    QFETCH(QString, said);
    const Model model = openFile(file);
    RecomputePlan plan{{{}}};
    for (const QString& name : nodes)
        plan.regions[0].nodes.push_back(*model.graph.findNode(name.toStdString()));
    for (const QString& name : kept)
        plan.regions[0].kept.push_back(*model.graph.findNode(name.toStdString()));
    const QString error = QString::fromStdString(errorOf(model, plan));
    QVERIFY2(said.isEmpty() ? error.isEmpty() : error.contains(said), qPrintable(error));
}

void TestRecomputePlan::regionsLieInOneStage()
{
    const Model model = openFile("oracle/recompute/perceptron.pt2");
    const Graph& graph = model.graph;
    NodeStages stages(graph.nodeCount(), 0);
    stages[*graph.findNode("linear")] = 1; // and the others before: 0, behind: 0, as no stage ever is
    const RecomputePlan both = onePlan(graph, {"layer_norm", "linear"});
    QVERIFY(errorOf(model, both).empty());
    QVERIFY(errorOf(model, both, &stages).find("in two stages") != std::string::npos);
    // A run of its stage, though others stand between in the graph.
    QVERIFY(errorOf(model, onePlan(graph, {"layer_norm", "gelu"})).find("leaves out") != std::string::npos);
    QVERIFY(errorOf(model, onePlan(graph, {"layer_norm", "gelu"}), &stages).empty());
    RecomputePlan two = both;
    two.regions.push_back(both.regions[0]);
    QVERIFY(errorOf(model, two).find("does not come behind") != std::string::npos);
}

void TestRecomputePlan::keepsWhatMustBe()
{
    OperatorSchemas schemas;
    const Model model = openFile("oracle/recompute/convolutions.pt2");
    const RecomputePlan plan = onePlan(model.graph, {"conv2d_1", "add__1", "batch_norm_1"});
    const RecomputePlan whole = withNeededKept(model, plan, schemas);
    QVERIFY(whole ==
            onePlan(model.graph, {"conv2d_1", "add__1", "batch_norm_1"}, {"add__1", "batch_norm_1"}));
    const Model other = openFile("oracle/recompute/attention.pt2");
    RecomputePlan drops{{{}}};
    for (const NodeId node : other.graph.nodes())
        drops.regions[0].nodes.push_back(node);
    drops.regions[0].kept = {*other.graph.findNode("dropout_1")};
    QVERIFY(errorOf(other, drops).find("would draw the random numbers of 'dropout_1'") != std::string::npos);
    // Whoever writes what is kept is kept, too.
    QVERIFY(withNeededKept(model, onePlan(model.graph, {"conv2d_1", "add__1", "batch_norm_1", "relu_"}),
                           schemas) == onePlan(model.graph, {"conv2d_1", "add__1", "batch_norm_1", "relu_"},
                                               {"add__1", "batch_norm_1", "relu_"}));
    drops = withNeededKept(other, drops, schemas);
    QCOMPARE(drops.regions[0].kept.size(), std::size_t{2});
    QVERIFY(errorOf(other, drops).empty());
}

// Its gradient would be of another factor, whether its result is kept or not; through a view, too.
void TestRecomputePlan::refusesWhatReadsAWrittenBuffer()
{
    const Model model = modelOf(R"(graph counted
  input %x : f32[8, 4]
  buffer %b "b" : f32[4]
  param %w "w" : f32[4]
  %v : f32[4, 1] = aten::unsqueeze.default(self=%b, dim=1)
  %t : f32[1, 4] = aten::t.default(self=%v)
  %y : f32[8, 4] = aten::mul.Tensor(self=%x, other=%t)
  %z : f32[8, 4] = aten::mul.Tensor(self=%y, other=%w)
  %n : f32[4] = aten::add_.Tensor(self=%b, other=1)
  return %z
)");
    const Graph& graph = model.graph;
    QVERIFY(errorOf(model, onePlan(graph, {"z"})).empty());
    QVERIFY(errorOf(model, onePlan(graph, {"v", "t"})).empty()); // views read nothing
    for (const RecomputePlan& plan : {onePlan(graph, {"y", "z"}), onePlan(graph, {"v", "t", "y"}, {"y"})}) {
        const std::string error = errorOf(model, plan);
        QVERIFY2(error.find("which 'n' writes before a second run") != std::string::npos, error.c_str());
    }
}

// What runs again would find what is kept as the last writer left it.
void TestRecomputePlan::refusesWhatReadsTooLate()
{
    const Model model = modelOf(R"(graph late
  input %x : f32[8, 4]
  param %w "w" : f32[4]
  %y : f32[8, 4] = aten::mul.Tensor(self=%x, other=%w)
  %s : f32[8, 4] = aten::cos.default(self=%y)
  %z : f32[8, 4] = aten::add_.Tensor(self=%y, other=1)
  %t : f32[8, 4] = aten::sin.default(self=%z)
  %u : f32[8, 4] = aten::mul.Tensor(self=%s, other=%t)
  return %u
)");
    const Graph& graph = model.graph;
    const auto errorOfKeeping = [&](std::initializer_list<const char*> kept) {
        return errorOf(model, onePlan(graph, {"y", "s", "z", "t", "u"}, kept));
    };
    QCOMPARE(errorOfKeeping({}), std::string());
    QCOMPARE(errorOfKeeping({"y", "s", "z"}), std::string());
    QVERIFY(errorOfKeeping({"y", "z"}).find("reads 'y' as it is before 'z' writes it") != std::string::npos);
    QVERIFY(errorOfKeeping({"y", "s"}).find("cannot be kept") != std::string::npos);
    QVERIFY(errorOfKeeping({"s", "z"}).find("would leave as it was") != std::string::npos);
    // Nor may it stand behind the region, but in another stage, which writes to a copy.
    const RecomputePlan before = onePlan(graph, {"y", "s"}, {"y"});
    QVERIFY(errorOf(model, before).find("reads 'y' as it is before 'z' writes it") != std::string::npos);
    QCOMPARE(errorOf(model, onePlan(graph, {"y", "s"}, {"y", "s"})), std::string());
    NodeStages stages(graph.nodeCount(), 1);
    stages[*graph.findNode("y")] = stages[*graph.findNode("s")] = 0;
    QCOMPARE(errorOf(model, before, &stages), std::string());
}

QTEST_GUILESS_MAIN(TestRecomputePlan)
#include "tst_recompute_plan.moc"
