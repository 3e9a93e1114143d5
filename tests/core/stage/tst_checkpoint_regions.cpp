// Checkpoint regions in exports: kept as regions, or said to be left out.
#include "core/base/text_file.h"
#include "core/graph/graph_builder.h"
#include "core/load/open_model.h"
#include "core/stage/checkpoint_regions.h"

#include "core/load/region.h"
#include "core/recompute/plan.h"
#include "core/stage/cut.h"
#include "core/stage/export.h"
#include "core/stage/kept_bytes.h"
#include "core/stage/pt2_writer.h"
#include "core/stage/python_code.h"
#include "core/stage/verify.h"
#include "stage_test.h"

#include <QRegularExpression>
#include <QTemporaryDir>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

Model openProgram(const QString& name)
{
    Result<Model> model =
        openModel((QString(STAGECRAFT_TEST_DATA "/oracle/checkpoints/%1.pt2").arg(name)).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

Model openStage(const QString& folder, int stage)
{
    Result<Model> model = openModel((folder + QString("/stage_%1.pt2").arg(stage)).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

std::size_t nodesInRegions(const Graph& graph, std::size_t depth = 1)
{
    return static_cast<std::size_t>(std::ranges::count_if(graph.nodes(), [&](NodeId node) {
        return graph.context(graph[node].context).recomputeRegions.size() >= depth;
    }));
}

} // namespace

class TestCheckpointRegions : public QObject
{
    Q_OBJECT

private slots:
    void readsRegionsInRegions()
    {
        const Model model = openProgram("nested-last");
        const Graph& graph = model.graph;
        std::set<std::vector<int>> paths;
        for (const NodeId node : graph.nodes())
            paths.insert(graph.context(graph[node].context).recomputeRegions);
        const std::set<std::vector<int>> expected{{}, {0}, {0, 1}, {0, 2}, {0, 2, 3}};
        QCOMPARE(paths, expected);
        QCOMPARE(printGraph(*parseGraph(printGraph(graph))), printGraph(graph));
    }

    void gradientsMayBeOffInARegion()
    {
        const Model model = openProgram("no-gradient");
        const Graph& graph = model.graph;
        std::size_t off = 0;
        for (const NodeId node : graph.nodes()) {
            const Context& context = graph.context(graph[node].context);
            off += context.gradEnabled == std::optional(false) && !context.recomputeRegions.empty() ? 1 : 0;
        }
        QCOMPARE(nodesInRegions(graph), std::size_t{21}); // four blocks of five, and a product
        QCOMPARE(off, std::size_t{5});
    }

    // torch.utils.checkpoint only calls its function there.
    void aRegionWhereGradientsAreOffIsNone()
    {
        const std::string checkpoint = "higher_order::tag_activation_checkpoint";
        int count = 3;
        const Context off{.gradEnabled = false};
        QVERIFY(modeInRegion(checkpoint, {}, off, count).value() == off);
        QCOMPARE(count, 3);
        const Context on = modeInRegion(checkpoint, {}, {}, count).value();
        QCOMPARE(on.recomputeRegions, std::vector<int>{3});
        QCOMPARE(modeInRegion(checkpoint, {}, on, count)->recomputeRegions, (std::vector<int>{3, 4}));
    }

    void codeNestsRegions()
    {
        const Model model = modelOf(R"(graph nest
  context 1 recompute 0
  context 2 recompute 0 recompute 1
  input %x : f32[4]
  %a : f32[4] = aten::sin.default(self %x) in 1
  %b : f32[4] = aten::cos.default(self %a) in 2
  %c : f32[4] = aten::sin.default(self %b) in 2
  %d : f32[4] = aten::mul.Tensor(self %c, other %a) in 1
  %e : f32[4] = aten::neg.default(self %d)
  return %e
)");
        const QString code = codeOf(model, stagesOf({0, 0, 0, 0, 0}), 0);
        QVERIFY2(code.contains(R"(    def forward(self, x):
        d = torch.utils.checkpoint.checkpoint(self.recompute_part, x, use_reentrant=False);  del x
        e = torch.ops.aten.neg.default(d);  del d  # f32[4]
        return e

    def recompute_part(self, x):
        """Runs again in backward: the model itself"""
        a = torch.ops.aten.sin.default(x)  # f32[4]
        c = torch.utils.checkpoint.checkpoint(self.recompute_part_1, a, use_reentrant=False)
        d = torch.ops.aten.mul.Tensor(c, a);  del a, c  # f32[4]
        return d

    def recompute_part_1(self, a):
        """Runs again in backward: the model itself"""
        b = torch.ops.aten.cos.default(a)  # f32[4]
        c = torch.ops.aten.sin.default(b);  del b  # f32[4]
        return c
)"),
                 qPrintable(code));
        // Each stage has its part of both regions.
        const QString second = codeOf(model, stagesOf({0, 0, 1, 1, 1}), 1);
        QVERIFY2(second.contains("def recompute_part(") && second.contains("def recompute_part_1("),
                 qPrintable(second));
        QCOMPARE(second.count("torch.utils.checkpoint.checkpoint("), 2);
    }

    // Above each call what is said of the region, as text that cannot become code.
    void codeSaysWhatRegionsSave()
    {
        const Model model = modelOf(R"(graph noted
  context 1 recompute 0
  context 2 recompute 1
  input %x : f32[4]
  %a : f32[4] = aten::sin.default(self %x) in 1
  %b : f32[4] = aten::cos.default(self %a) in 1
  %c : f32[4] = aten::sin.default(self %b) in 2
  return %c
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0}));
        const QString code = QString::fromStdString(
            stageCode(model, programs->front(), RepeatedCode::Once,
                      {{NodeId(0), "keeps 16 B\nimport os"}, {NodeId(1), "keeps 16 B\nimport os"}})
                .text);
        QVERIFY2(code.contains("        # keeps 16 B"), qPrintable(code));
        QCOMPARE(code.count("# keeps 16 B"), 1);
        QVERIFY(!code.contains("\nimport os") && !code.contains("\n        import os"));
    }

    void codeSaysWhatRegionsKeep()
    {
        const Model model = modelOf(R"(graph selective
  context 1 recompute 0
  context 2 recompute 0 keeps
  context 3 recompute 1
  input %keep : f32[4]
  %a : f32[4] = aten::sin.default(self %keep) in 1
  %b : f32[4] = aten::cos.default(self %a) in 2
  %c : f32[4] = aten::sin.default(self %b) in 2
  %d : f32[4] = aten::mul.Tensor(self %c, other %a) in 1
  %e : f32[4] = aten::neg.default(self %d) in 3
  return %e
)");
        const QString code = codeOf(model, stagesOf({0, 0, 0, 0, 0}), 0);
        QVERIFY2(code.contains(R"(    def recompute_part(self, keep):
        """Runs again in backward: the model itself"""
        a = torch.ops.aten.sin.default(keep)  # f32[4]
        with _keep:
            b = torch.ops.aten.cos.default(a)  # f32[4]
            c = torch.ops.aten.sin.default(b);  del b  # f32[4]
        d = torch.ops.aten.mul.Tensor(c, a);  del a, c  # f32[4]
        return d
)"),
                 qPrintable(code.mid(code.indexOf("    def forward"))));
        QVERIFY2(code.contains("d = torch.utils.checkpoint.checkpoint(self.recompute_part, keep, "
                               "use_reentrant=False, context_fn=_keep.contexts);  del keep\n"),
                 qPrintable(code));
        QVERIFY2(code.contains("checkpoint(self.recompute_part_1, d, use_reentrant=False)"),
                 qPrintable(code));
        QVERIFY2(code.contains("class Keep(threading.local):") && code.contains("\n_keep = Keep()\n"),
                 qPrintable(code));
        // A stage without any has no need of it.
        QVERIFY(!codeOf(model, stagesOf({0, 0, 0, 0, 1}), 1).contains("keep"));
    }

    void pt2KeepsRegions_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("stages");
        for (const char* name :
             {"sequence", "nested", "nested-last", "forks", "unneeded", "results", "mixed"})
            for (const int stages : {1, 3})
                QTest::addRow("%s in %d", name, stages) << QString(name) << stages;
    }

    void pt2KeepsRegions()
    {
        QFETCH(QString, name);
        QFETCH(int, stages);
        const Model model = openProgram(name);
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const auto report = exportStages(
            model, withInseparableNodesTogether(model, evenly(model.graph, static_cast<std::size_t>(stages))),
            {.folder = out.toStdString()});
        QCOMPARE(message(report), "ok");
        for (const std::string& note : report->notes)
            QVERIFY2(note.find("checkpoint region") == std::string::npos, note.c_str());
        for (const std::size_t depth : {1, 2, 3}) {
            std::size_t kept = 0;
            for (int stage = 0; stage < stages; ++stage)
                kept += nodesInRegions(openStage(out, stage).graph, depth);
            QVERIFY2(kept >= nodesInRegions(model.graph, depth), qPrintable(QString::number(depth)));
        }
    }

    void saysWhatThePt2LeavesOut_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("count");
        QTest::newRow("random numbers") << "dropout"
                                        << "3 checkpoint regions";
        QTest::newRow("running averages") << "batch-norm"
                                          << "2 checkpoint regions";
    }

    void saysWhatThePt2LeavesOut()
    {
        QFETCH(QString, name);
        QFETCH(QString, count);
        const Model model = openProgram(name);
        const QTemporaryDir folder;
        const QString out = folder.path() + "/stages";
        const auto report = exportStages(model, withInseparableNodesTogether(model, evenly(model.graph, 1)),
                                         {.folder = out.toStdString()});
        QCOMPARE(message(report), "ok");
        QStringList notes;
        for (const std::string& note : report->notes)
            notes << QString::fromStdString(note);
        QCOMPARE(notes.filter("stage_0.pt2 leaves out " + count).size(), 1);
        QCOMPARE(nodesInRegions(openStage(out, 0).graph), std::size_t{0});
        QFile code(out + "/stage_0.py");
        QVERIFY(code.open(QFile::ReadOnly));
        QVERIFY(code.readAll().contains("torch.utils.checkpoint.checkpoint("));
    }

    // A region that keeps a result, one that the .pt2 can have, one over a boundary.
    void verifyHoldsWhatIsKeptAgainstThePlan()
    {
        const Result<Model> whole = openModel(STAGECRAFT_TEST_DATA "/oracle/recompute/attention.pt2");
        QCOMPARE(message(whole), "ok");
        const Model model = withRegions(*whole, {{1, 8}, {9, 15}, {16, 20}}, 9);
        const QTemporaryDir folder;
        const std::filesystem::path out = (folder.path() + "/stages").toStdString();
        const auto report = exportStages(model, evenly(model.graph, 2), {.folder = out, .lossOutput = "all"});
        QCOMPARE(message(report), "ok");
        const auto verified = verifyExport(*whole, out);
        QCOMPARE(message(verified), "ok");
        QVERIFY2(verified->passed(), verified->summary().c_str());
        QCOMPARE(std::ranges::count(verified->comparisons, Comparison::Kind::Kept, &Comparison::kind),
                 std::ptrdiff_t{2});
        // A plan that keeps less, and a region that is not there.
        const std::string text = readTextFile(out / "manifest.json", Bytes(1 << 20)).value();
        const auto changed = [&](const char* pattern, const char* with) {
            QString manifest = QString::fromStdString(text);
            manifest.replace(QRegularExpression(pattern), with);
            QFile file(QString::fromStdString((out / "manifest.json").string()));
            if (!file.open(QFile::WriteOnly) || file.write(manifest.toUtf8()) < 1)
                qFatal("cannot write");
            file.close();
            return verifyExport(*whole, out);
        };
        const auto less = changed("\"saved_bytes\": \\d+", "\"saved_bytes\": 4");
        QVERIFY2(less.has_value() && less->summary().find("the plan says 4") != std::string::npos,
                 qPrintable(message(less)));
        const auto other = changed("\"first\": \"\\w+\"", "\"first\": \"nothing\"");
        QVERIFY2(message(other).contains("'regions' does not say"), qPrintable(message(other)));
        const auto shorter = changed("\"nodes\": (\\d+),", "\"nodes\": 1,");
        QCOMPARE(message(shorter), "ok");
        QVERIFY(std::ranges::any_of(shorter->notes, [](const std::string& note) {
            return note.find("has no region") != std::string::npos;
        }));
    }

    // In front of a region a layer without gradients, which the file of the stage has in an inner graph and
    // by another name: its result is kept all the same.
    void verifyKnowsWhatInnerGraphsMake()
    {
        const Model whole = openProgram("no-gradient");
        const auto at = [&](const char* name) { return whole.graph.findNode(name)->index(); };
        RecomputeRegion region;
        for (std::size_t node = at("linear_2_1"); node <= at("linear_5"); ++node)
            region.nodes.emplace_back(node);
        const Model model = withPlan(whole, {{region}});
        Partition partition{2, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
        for (const NodeId node : model.graph.nodes())
            if (node.index() >= at("add_2"))
                partition.stageOf[node] = StageId(1);
        const QTemporaryDir folder;
        const std::filesystem::path out = (folder.path() + "/stages").toStdString();
        QCOMPARE(message(exportStages(model, partition, {.folder = out, .lossOutput = "all"})), "ok");
        const auto verified = verifyExport(whole, out);
        QCOMPARE(message(verified), "ok");
        QVERIFY2(verified->passed(), verified->summary().c_str());
        QVERIFY(std::ranges::find(verified->comparisons, Comparison::Kind::Kept, &Comparison::kind) !=
                verified->comparisons.end());
    }

    // relu_ writes to a copy of what its stage is sent, which has the name of what was sent; the stage before
    // keeps the norm that relu_ would write.
    void verifyLeavesOutCopiesOfWhatIsSent()
    {
        const Result<Model> whole = openModel(STAGECRAFT_TEST_DATA "/oracle/recompute/convolutions.pt2");
        QCOMPARE(message(whole), "ok");
        const auto at = [&](const char* name) { return *whole->graph.findNode(name); };
        const RecomputePlan plan{
            {{{at("conv2d_1"), at("add__1"), at("batch_norm_1")}, {at("add__1"), at("batch_norm_1")}},
             {{at("conv2d_2"), at("add__2"), at("batch_norm_2")}, {at("add__2"), at("batch_norm_2")}}}};
        const Model model = withPlan(*whole, plan);
        Partition partition{2, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
        for (const NodeId node : model.graph.nodes())
            if (node >= at("relu_"))
                partition.stageOf[node] = StageId(1);
        const QTemporaryDir folder;
        const std::filesystem::path out = (folder.path() + "/stages").toStdString();
        QCOMPARE(message(exportStages(model, partition, {.folder = out, .lossOutput = "all"})), "ok");
        const auto verified = verifyExport(*whole, out);
        QCOMPARE(message(verified), "ok");
        QVERIFY2(verified->passed(), verified->summary().c_str());
        QCOMPARE(std::ranges::count(verified->comparisons, Comparison::Kind::Kept, &Comparison::kind),
                 std::ptrdiff_t{2});
    }

    // Nothing that the region makes is saved: PyTorch lets its input go as it is left.
    void regionsThatNothingSavesKeepNothing()
    {
        const Model model = modelOf(R"(graph sums
  context 1 recompute 0
  context 2 recompute 1
  input %x : f32[4, 8]
  param %w "w" : f32[8, 8]
  %a : f32[4, 8] = aten::linear.default(%x, %w)
  %b : f32[4, 8] = aten::sin.default(%a) in 1
  %c : f32[4, 8] = aten::neg.default(%b) in 1
  %d : f32[4] = aten::sum.dim_IntList(%c, [1]) in 2
  return %d
)");
        const auto programs = cutStages(model, stagesOf({0, 1, 1, 1}));
        QCOMPARE(message(programs), "ok");
        const auto bytes = keptBytes(model, *programs);
        QCOMPARE(message(bytes), "ok");
        QVERIFY(!(*bytes)[0].has_value());
        QCOMPARE((*bytes)[1]->count(), 0); // %a was sent
    }

    // A view at a stage's end has nothing to run again, so it does not keep what it looks at; %a is kept.
    void viewsAtAStagesEndKeepNothing()
    {
        const Model model = modelOf(R"(graph views
  context 1 recompute 0
  context 2 recompute 1
  input %x : f32[4, 8]
  param %w "w" : f32[8, 8] grad
  %a : f32[4, 8] = aten::linear.default(input %x, weight %w)
  %b : f32[4, 8] = aten::gelu.default(self %a) in 1
  %c : f32[4, 8] = aten::mul.Scalar(self %b, other 2) in 1
  %t : f32[8, 4] = aten::t.default(self %c) in 2
  %d : f32[8, 4] = aten::mul.Scalar(self %t, other 2)
  %e : f32[8, 4] = aten::t.default(self %d) in 2
  return %e
)");
        for (const std::vector<std::size_t>& stages :
             {std::vector<std::size_t>{0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0}}) {
            const auto programs = cutStages(model, stagesOf(stages));
            QCOMPARE(message(programs), "ok");
            const auto kept = keptBytes(model, *programs);
            QCOMPARE(message(kept), "ok");
            QCOMPARE(kept->front().value_or(Bytes(-1)).count(), 4 * 8 * 4);
        }
    }

private:
    // Nodes from the first to the second of each pair.
    static Model withRegions(Model model, const std::vector<std::pair<std::size_t, std::size_t>>& regions,
                             std::size_t kept)
    {
        Table<NodeId, Context> contexts(model.graph.nodeCount());
        for (std::size_t i = 0; i < regions.size(); ++i)
            for (std::size_t node = regions[i].first; node <= regions[i].second; ++node)
                contexts[NodeId(node)].recomputeRegions = {static_cast<int>(i)};
        contexts[NodeId(kept)].keepsResults = true;
        model.graph = GraphBuilder::inContexts(std::move(model.graph), contexts);
        return model;
    }

    static QString codeOf(const Model& model, const Partition& partition, std::size_t stage)
    {
        const auto programs = cutStages(model, partition);
        if (!programs.has_value())
            return message(programs);
        return QString::fromStdString(stageCode(model, (*programs)[stage]).text);
    }
};

QTEST_GUILESS_MAIN(TestCheckpointRegions)
#include "tst_checkpoint_regions.moc"
