#include "app/document/recompute_edits.h"
#include "tests/app/document/document_fixture.h"
#include "views/plan/stages_model.h"

#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;

namespace {

using Nodes = std::vector<NodeId>;

Nodes nodes(std::initializer_list<std::size_t> indices)
{
    Nodes made;
    for (const std::size_t index : indices)
        made.emplace_back(index);
    return made;
}

bool settle(const Document& document)
{
    return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

Bytes savedBytes(const PlanCost& cost)
{
    Bytes sum;
    for (const StageCost& stage : cost.stages)
        sum += stage.savedBytes;
    return sum;
}

} // namespace

class TestRecomputeEdits : public QObject
{
    Q_OBJECT

private slots:
    void aBlockIsARegionOfItsOwnOrAPartOfOne()
    {
        const RecomputePlan one{{{nodes({2, 3, 4, 5}), nodes({3, 4})}}};
        // Inside: it no longer keeps what it kept.
        QCOMPARE(withRegions(one, {nodes({3})}), (RecomputePlan{{{nodes({2, 3, 4, 5}), nodes({4})}}}));
        // Across: it takes its nodes away from the other.
        QCOMPARE(withRegions(one, {nodes({4, 5, 6})}),
                 (RecomputePlan{{{nodes({2, 3}), nodes({3})}, {nodes({4, 5, 6}), {}}}}));
        // Around: it is there in its place.
        QCOMPARE(withRegions(one, {nodes({1, 2, 3, 4, 5})}), (RecomputePlan{{{nodes({1, 2, 3, 4, 5}), {}}}}));
    }

    void whatNeverRunsAgainIsKeptOrNoRegion()
    {
        const RecomputePlan two{{{nodes({1, 2}), {}}, {nodes({4, 5, 6}), nodes({5})}}};
        QCOMPARE(withoutRegions(two, nodes({1, 2, 4})), (RecomputePlan{{{nodes({4, 5, 6}), nodes({4, 5})}}}));
        QCOMPARE(withoutRegions(two, nodes({4, 6})), (RecomputePlan{{{nodes({1, 2}), {}}}}));
        QCOMPARE(withRecomputed({}, {}).plan.recompute.kind, RecomputeKind::None);
    }

    // Traces within a search begin at nothing again and again.
    void aSearchSaysHowFarItIsByItself()
    {
        const auto document = openedDocument();
        QVERIFY(settle(*document));
        QStringList said;
        for (JobQueue* queue : document->queues())
            connect(queue, &JobQueue::progressed, this,
                    [&](const QString& activity, std::optional<double>) { said << activity; });
        PlanRequest request = document->request();
        request.plan.recompute.kind = RecomputeKind::Full;
        document->setRequest(request);
        document->splitAutomatically();
        QVERIFY(settle(*document));
        QVERIFY(!said.isEmpty());
        QVERIFY2(!said.contains("Tracing"), qPrintable(said.join(", ")));
    }

    void whatIsSelectedBecomesBlocks()
    {
        const auto document = openedDocument();
        const Graph& graph = document->model()->graph;
        const auto blocks = repeatedBlocksOf(graph);
        QVERIFY(blocks.size() >= 2);
        const Nodes& first = blocks[0].nodes;
        QCOMPARE(regionsFor(graph, blocks, first), (Blocks{first}));
        QCOMPARE(classToRunAgain(graph, blocks, first), graph.modules()[blocks[0].module].className);
        Nodes all;
        for (const NodeId node : graph.nodes())
            all.push_back(node);
        QCOMPARE(regionsFor(graph, blocks, all).size(), blocks.size());
        const Nodes pair{first[0], first[1]};
        QCOMPARE(regionsFor(graph, blocks, pair), (Blocks{pair}));
        // Of one op its module; it alone where its module has no other.
        const Blocks around = regionsFor(graph, blocks, Nodes{first[3]});
        QCOMPARE(around.size(), std::size_t{1});
        QVERIFY(std::ranges::binary_search(around[0], first[3]));
        QVERIFY(regionsFor(graph, blocks, {}).empty());
    }

    void oneStepRecomputesAndAnotherTakesItBack()
    {
        const auto document = openedDocument();
        const Graph graph = document->model()->graph;
        const auto blocks = repeatedBlocksOf(graph);
        const PlanCost before = *document->state().cost;
        QVERIFY(!document->planView().again);
        document->setRequest(withRecomputed(document->request(), withRegions({}, {blocks[0].nodes})),
                             "Recompute one");
        QVERIFY(settle(*document));
        QCOMPARE(document->undoStack().count(), 1);
        QCOMPARE(document->undoStack().undoText(), QString("Recompute one"));
        const PlanView plan = document->planView();
        QVERIFY(plan.again && plan.again->without);
        QVERIFY(plan.again->runs(blocks[0].nodes[1]));
        QVERIFY(!plan.again->runs(blocks[1].nodes[1]));
        QVERIFY(savedBytes(*plan.cost) < savedBytes(before));
        // Without it, what was there before.
        const Table<StageId, Bytes> without = savedWithout(plan);
        for (const StageId stage : before.stages.ids())
            QCOMPARE(without[stage], before.stages[stage].savedBytes);

        document->setRequest(withRecomputed(
            document->request(), withoutRegions(regionsOf(graph, document->state()), blocks[0].nodes)));
        QVERIFY(settle(*document));
        QVERIFY(!document->planView().again);
        QCOMPARE(document->request().plan.recompute.kind, RecomputeKind::None);
        QCOMPARE(savedBytes(*document->state().cost), savedBytes(before));
        document->undoStack().undo();
        QVERIFY(document->planView().again);
        document->undoStack().undo();
        QVERIFY(!document->planView().again);
        QCOMPARE(savedBytes(*document->state().cost), savedBytes(before));
    }

    // With one stage there is no other split that could fit.
    void whereNothingFitsThePlanRecomputesAndSaysWhatThatCosts()
    {
        const auto document = openedDocument();
        const auto peakUnder = [&](RecomputeKind kind) {
            PlanRequest request = document->request();
            request.plan.stageCount = 1;
            request.plan.recompute = {.kind = kind};
            document->setRequest(request);
            return settle(*document) ? document->state().cost->stages[StageId(0)].peakMemory : Bytes{};
        };
        const Bytes full = peakUnder(RecomputeKind::Full);
        const Bytes none = peakUnder(RecomputeKind::Model);
        QVERIFY(Bytes{} < full && full < none);

        PlanRequest request = document->request();
        request.plan.memoryLimits = {Bytes((full.count() + none.count()) / 2)};
        document->setRequest(request);
        QVERIFY(settle(*document));
        document->splitAutomatically();
        QVERIFY(settle(*document));
        QVERIFY(document->state().cost->fits());
        QCOMPARE(document->request().plan.recompute.kind, RecomputeKind::Auto);
        QVERIFY(document->planView().again);
        const SearchWord word = document->searchWord();
        QVERIFY(!word.isUnfit);
        QVERIFY2(word.text.contains("of all computing runs again"), qPrintable(word.text));
        document->undoStack().undo();
        QVERIFY(settle(*document));
        QVERIFY(document->searchWord() == SearchWord());
        document->undoStack().redo();
        QVERIFY(settle(*document));
        QVERIFY(document->searchWord() == word);

        const PlanRequest asked = document->request();
        PlanRequest other = asked;
        other.plan.microbatches *= 2;
        document->setRequest(other);
        QVERIFY(settle(*document));
        QVERIFY(document->searchWord() == SearchWord());
        document->setRequest(asked); // the same anew
        QVERIFY(settle(*document));
        QVERIFY(document->searchWord() == word);
    }
};

QTEST_MAIN(TestRecomputeEdits)
#include "tst_recompute_edits.moc"
