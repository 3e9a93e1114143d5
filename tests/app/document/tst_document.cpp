#include "app/document/document.h"

#include "app/document/constraint_steps.h"
#include "app/document/plan_constraints.h"
#include "core/plan/editing.h"
#include "tests/app/document/document_fixture.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

namespace {

std::size_t boundaryAt(const Document& document, std::size_t boundary)
{
    return stageOrder(*document.shown().partition).boundaries[boundary];
}

} // namespace

class TestDocument : public QObject
{
    Q_OBJECT

private slots:
    void openingGivesEverything()
    {
        const auto document = openedDocument();
        const PlanView plan = document->planView();
        QVERIFY(plan.graph && plan.profile && plan.partition && plan.cost && plan.bound);
        QCOMPARE(plan.partition->stageCount, std::size_t{4});
        QCOMPARE(document->pages().size(), std::size_t{4});
        QVERIFY(!document->pages()[0].code->text.empty());
        QVERIFY(document->drawing());
        QCOMPARE(document->drawing()->boundaries.size(), std::size_t{3});
        QVERIFY(!document->undoStack().canUndo());
        QVERIFY(plan.bound->value <= plan.cost->bottleneckTime);
    }

    void aModelThatSaysWhereToCutIsCutThere()
    {
        Document document(sampleSettings());
        document.open(STAGECRAFT_TEST_DATA "/models/marks/pipe-split.pt2");
        QTRY_VERIFY(document.hasModel() && document.isSettled() && document.bound());
        const Partition& partition = *document.state().partition;
        const Graph& graph = document.model()->graph;
        QCOMPARE(partition.stageCount, std::size_t{3});
        QCOMPARE(document.request().plan.stageCount, std::size_t{3});
        QCOMPARE(partition.stageOf[*graph.findNode("relu")], StageId(0));
        QCOMPARE(partition.stageOf[*graph.findNode("linear_2")], StageId(1));
        QCOMPARE(partition.stageOf[*graph.findNode("mean")], StageId(1));
        QCOMPARE(partition.stageOf[*graph.findNode("mean_1")], StageId(2));
        QVERIFY(!graph.findNode("_pipe_split"));
        QVERIFY(document.searchWord().text.contains("split at the model's own marks"));
        QVERIFY(!document.undoStack().canUndo());
    }

    void aFileThatIsNoModelLeavesThePresentOne()
    {
        const auto document = openedDocument();
        const auto model = document->model();
        QSignalSpy failed(document.get(), &Document::failed);
        document->open(STAGECRAFT_TEST_DATA "/models/gone.pt2");
        QVERIFY(failed.wait(patience));
        QVERIFY(failed[0][0].toString().contains("gone.pt2"));
        QCOMPARE(document->model(), model);
    }

    void aDragIsAPreviewAndItsDropOneStepOfUndo()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        const auto drawing = document->drawing();
        const std::vector<std::size_t> places = document->legalPositions(BoundaryId(1));
        QVERIFY(places.size() > 3);
        QSignalSpy previews(document.get(), &Document::previewChanged);
        for (const std::size_t place : {places[0], places[1], places[2]}) {
            document->drag(BoundaryId(1), place);
            QCOMPARE(boundaryAt(*document, 1), place);
            QVERIFY(*document->state().partition == before);
            const PlanCost fresh = evaluate(*document->state().problem, *document->shown().partition);
            QVERIFY(
                qFuzzyCompare(fresh.bottleneckTime.value(), document->shown().cost->bottleneckTime.value()));
        }
        QCOMPARE(previews.size(), 3);
        QCOMPARE(document->drawing(), drawing); // nothing is drawn anew before the drop
        const QSignalSpy plans(document.get(), &Document::planChanged);
        document->drop(BoundaryId(1), places[2]);
        QCOMPARE(previews.size(), 3); // a drop is told once, as a plan
        QCOMPARE(plans.size(), 1);
        QVERIFY(!document->isDragging());
        QCOMPARE(document->undoStack().count(), 1);
        QCOMPARE(boundaryAt(*document, 1), places[2]);
        QTRY_VERIFY(document->isSettled());
        QVERIFY(document->drawing() != drawing);
        QCOMPARE(document->drawing()->boundaries[1].position, places[2]);
        document->undoStack().undo();
        QVERIFY(*document->state().partition == before);
        document->undoStack().redo();
        QCOMPARE(boundaryAt(*document, 1), places[2]);
    }

    void aDragThatIsGivenUpLeavesNothing()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        document->drag(BoundaryId(0), document->legalPositions(BoundaryId(0)).front());
        QVERIFY(document->isDragging());
        document->cancelDrag();
        QVERIFY(!document->isDragging());
        QVERIFY(*document->shown().partition == before);
        QVERIFY(!document->undoStack().canUndo());
    }

    void opsThatAreDraggedTakeAlongWhatMustFollow()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        const auto nodes = nodesByStage(before);
        const NodeId middle = nodes[1][nodes[1].size() / 2];
        QSignalSpy refused(document.get(), &Document::dragRefused);
        document->dragNodes({middle}, StageId(2));
        QVERIFY(document->isDragging());
        QVERIFY(*document->state().partition == before);
        const Partition previewed = *document->shown().partition;
        QCOMPARE(previewed.stageOf[middle], StageId(2));
        QVERIFY(checkPartition(*document->state().problem, previewed).has_value());
        const PlanCost fresh = evaluate(*document->state().problem, previewed);
        QVERIFY(qFuzzyCompare(fresh.bottleneckTime.value(), document->shown().cost->bottleneckTime.value()));
        QCOMPARE(refused.count(), 0);
        document->dropNodes({middle}, StageId(2));
        QVERIFY(!document->isDragging());
        QVERIFY(*document->state().partition == previewed);
        QCOMPARE(document->undoStack().count(), 1);
        QVERIFY(document->undoStack().undoText().contains("stage 3"));
        document->undoStack().undo();
        QVERIFY(*document->state().partition == before);
    }

    void opsThatCannotGoWhereTheyAreDraggedStay()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        const std::vector<NodeId> first = nodesByStage(before)[0];
        QSignalSpy dragRefused(document.get(), &Document::dragRefused);
        QSignalSpy refused(document.get(), &Document::refused);
        document->dragNodes(first, StageId(1));
        QVERIFY(*document->shown().partition == before);
        QCOMPARE(dragRefused.count(), 1);
        QCOMPARE(dragRefused[0][0].toString(), QString("stage 1 would be empty"));
        document->dropNodes(first, StageId(1));
        QVERIFY(!document->isDragging());
        QCOMPARE(refused.count(), 1);
        QVERIFY(*document->state().partition == before);
        QVERIFY(!document->undoStack().canUndo());
    }

    void aLockedBoundaryStaysWhateverIsSearchedFor()
    {
        const auto document = openedDocument();
        const std::vector<std::size_t> places = document->legalPositions(BoundaryId(1));
        document->drop(BoundaryId(1), places.front()); // far from the best one
        QCOMPARE(boundaryAt(*document, 1), places.front());
        const Partition before = *document->state().partition;
        const Graph& graph = document->model()->graph;
        Table<NodeId, bool> fromInput(graph.nodeCount(), false);
        for (const NodeId node : graph.nodes())
            for (const ValueId input : graph[node].inputs)
                if (graph[input].producer ? fromInput[*graph[input].producer]
                                          : graph[input].kind == ValueKind::UserInput)
                    fromInput[node] = true;
        toggleLock(*document, BoundaryId(1));
        QVERIFY(document->planView().constraints);
        QCOMPARE(int(document->planView().constraints->isLocked[BoundaryId(1)]), 1);
        QCOMPARE(int(document->planView().constraints->isLocked[BoundaryId(0)]), 0);
        QCOMPARE(document->legalPositions(BoundaryId(1)).size(), std::size_t{1});
        document->splitAutomatically();
        QTRY_VERIFY(document->isSettled());
        for (const NodeId node : before.stageOf.ids()) {
            if (!fromInput[node])
                continue; // ranges and masks may be made where they are used
            const bool wasAbove = before.stageOf[node] <= StageId(1);
            const bool isAbove = document->state().partition->stageOf[node] <= StageId(1);
            QVERIFY2(wasAbove == isAbove, document->model()->graph[node].name.c_str());
        }
        toggleLock(*document, BoundaryId(1));
        QVERIFY(!document->planView().constraints);
        QVERIFY(document->legalPositions(BoundaryId(1)).size() > 1);
    }

    void opsArePinnedAndReleased()
    {
        const auto document = openedDocument();
        const NodeId node = nodesByStage(*document->state().partition)[1].back();
        togglePins(*document, {node});
        QCOMPARE(int(document->planView().constraints->isPinned[node]), 1);
        QSignalSpy refused(document.get(), &Document::refused);
        document->send({node}, StageDirection::Next);
        QCOMPARE(refused.count(), 1);
        QVERIFY2(refused[0][0].toString().contains("pinned to stage 2"),
                 qPrintable(refused[0][0].toString()));
        document->addBoundary(1); // in front of it: its stage is the third now
        QCOMPARE(document->state().request.plan.pins, (std::vector{Pin{node, StageId(2)}}));
        document->undoStack().undo();
        togglePins(*document, {node});
        QVERIFY(!document->planView().constraints);
        document->send({node}, StageDirection::Next);
        QCOMPARE(document->state().partition->stageOf[node], StageId(2));
    }

    void opsAreKeptTogether()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        const auto nodes = nodesByStage(before);
        const std::vector<NodeId> both{nodes[0].back(), nodes[1].front()};
        keepTogether(*document, both);
        const auto stageOf = [&](NodeId node) { return document->state().partition->stageOf[node]; };
        QCOMPARE(stageOf(both[0]), stageOf(both[1]));
        QCOMPARE(int(document->planView().constraints->isGrouped[both[0]]), 1);
        QCOMPARE(document->undoStack().count(), 1);
        document->splitAutomatically();
        QTRY_VERIFY(document->isSettled());
        QCOMPARE(stageOf(both[0]), stageOf(both[1]));
        letApart(*document, {both[1]});
        QVERIFY(document->state().request.plan.keepTogether.empty());
        QSignalSpy refused(document.get(), &Document::refused);
        keepTogether(*document, {both[0]});
        QCOMPARE(refused.count(), 1);
    }

    void modulesOfAClassAreTreatedAsBlocks()
    {
        const auto document = openedDocument();
        const Graph& graph = document->model()->graph;
        std::optional<ModuleId> layer;
        for (const ModuleId module : graph.modules().ids())
            if (graph.modules()[module].path.ends_with("h.1.mlp"))
                layer = module;
        QVERIFY(layer);
        const Blocks one = blockOf(graph, *layer);
        QCOMPARE(one.size(), std::size_t{1});
        QCOMPARE(commonModule(graph, one.front()), layer);
        QVERIFY(!commonModule(graph, {}));
        const Blocks all = blocksOfClass(graph, graph.modules()[*layer].className);
        QVERIFY(all.size() > 1);
        QVERIFY(std::ranges::find(all, one.front()) != all.end());
        QVERIFY(blocksOfClass(graph, "").empty());

        QSignalSpy refused(document.get(), &Document::refused);
        toggleBlocks(*document, all);
        QVERIFY2(refused.isEmpty(), qPrintable(refused.isEmpty() ? QString() : refused[0][0].toString()));
        QVERIFY(areKept(document->state(), all));
        document->splitAutomatically();
        QTRY_VERIFY(document->isSettled());
        for (const std::vector<NodeId>& block : all)
            for (const NodeId node : block)
                QCOMPARE(document->state().partition->stageOf[node],
                         document->state().partition->stageOf[block.front()]);
        toggleBlocks(*document, all);
        QVERIFY(!areKept(document->state(), one));
        document->undoStack().undo();
        QVERIFY(areKept(document->state(), all));
    }

    void constraintsAreInThePlansFile()
    {
        const QTemporaryDir folder;
        const auto document = openedDocument();
        const NodeId node = nodesByStage(*document->state().partition)[2].front();
        togglePins(*document, {node});
        toggleLock(*document, BoundaryId(0));
        const PartitionOptions held = document->state().request.plan;
        const std::filesystem::path path = folder.filePath("held.stagecraft").toStdString();
        document->savePlan(path);
        QTRY_VERIFY(document->isSettled());
        document->open(path);
        QTRY_VERIFY(document->planPath() == path && document->isSettled());
        const auto order = [](const Pin& a, const Pin& b) { return a.node < b.node; };
        auto expected = held.pins;
        auto read = document->state().request.plan.pins;
        std::ranges::sort(expected, order);
        std::ranges::sort(read, order);
        QCOMPARE(read, expected);
        QCOMPARE(int(document->planView().constraints->isLocked[BoundaryId(0)]), 1);
    }

    void codeFollowsADragOfTheTouchedStagesAlone()
    {
        const auto document = openedDocument();
        const std::vector<StagePage> before = document->pages();
        const std::size_t here = boundaryAt(*document, 0);
        const std::vector<std::size_t> places = document->legalPositions(BoundaryId(0));
        document->drag(BoundaryId(0), here == places.front() ? places.back() : places.front());
        QVERIFY(document->isCodeStale());
        QTRY_VERIFY(document->isSettled());
        QVERIFY(document->pages()[0].code != before[0].code);
        QVERIFY(document->pages()[1].code != before[1].code);
        QCOMPARE(document->pages()[3].code, before[3].code);
    }

    void withoutALimitADeviceHoldsWhatItHas()
    {
        const auto document = openedDocument();
        const DeviceSpec device = findDevice(document->devices(), document->request().device).value();
        for (const StageCost& stage : document->state().cost->stages)
            QCOMPARE(stage.memoryLimit.count(), (device.memory - device.contextMemory).count());
    }

    void stepsOfTheKeyboardMergeIntoOneUndo()
    {
        const auto document = openedDocument();
        const std::size_t before = boundaryAt(*document, 1);
        document->moveBoundary(BoundaryId(1), StageDirection::Previous, BoundaryStep::OnePlace);
        const std::size_t after = boundaryAt(*document, 1);
        QVERIFY(after < before);
        document->moveBoundary(BoundaryId(1), StageDirection::Previous, BoundaryStep::OnePlace);
        QVERIFY(boundaryAt(*document, 1) < after);
        QCOMPARE(document->undoStack().count(), 1);
        document->undoStack().undo();
        QCOMPARE(boundaryAt(*document, 1), before);
    }

    void boundariesComeAndGo()
    {
        const auto document = openedDocument();
        document->splitStage(StageId(0));
        QCOMPARE(document->state().partition->stageCount, std::size_t{5});
        QCOMPARE(document->request().plan.stageCount, std::size_t{5});
        QCOMPARE(document->state().cost->stages.size(), std::size_t{5});
        QTRY_VERIFY(document->isSettled());
        QVERIFY(document->bound()); // of five stages, found in the background
        document->removeBoundary(BoundaryId(0));
        document->removeBoundary(BoundaryId(0));
        QCOMPARE(document->state().partition->stageCount, std::size_t{3});
        for (int i = 0; i < 3; ++i)
            document->undoStack().undo();
        QCOMPARE(document->state().partition->stageCount, std::size_t{4});
        QCOMPARE(document->request().plan.stageCount, std::size_t{4});
    }

    void opsAreSentToANeighbour()
    {
        const auto document = openedDocument();
        const std::vector<NodeId> firstStage = nodesByStage(*document->state().partition)[0];
        QSignalSpy refused(document.get(), &Document::refused);
        document->send({firstStage.front()}, StageDirection::Previous);
        QCOMPARE(refused.size(), 1); // there is no stage before the first
        document->send({firstStage.back()}, StageDirection::Next);
        QCOMPARE(document->state().partition->stageOf[firstStage.back()], StageId(1));
        QCOMPARE(document->undoStack().count(), 1);
    }

    void anotherNumberOfStagesIsReplanned()
    {
        const auto document = openedDocument();
        PlanRequest request = document->request();
        request.plan.stageCount = 2;
        document->setRequest(request);
        QTRY_COMPARE(document->state().partition->stageCount, std::size_t{2});
        document->undoStack().undo();
        QCOMPARE(document->state().partition->stageCount, std::size_t{4});
    }

    void aSearchThatFindsThePlanThatIsThereIsNoStepOfUndo()
    {
        const auto document = openedDocument();
        const Partition best = *document->state().partition;
        QSignalSpy confirmed(document.get(), &Document::splitConfirmed);
        document->splitAutomatically();
        QTRY_COMPARE(confirmed.size(), 1);
        QCOMPARE(document->undoStack().count(), 0);
        QVERIFY(*document->state().partition == best);
        QVERIFY(document->bound());

        document->drop(BoundaryId(1), document->legalPositions(BoundaryId(1)).front());
        QVERIFY(*document->state().partition != best);
        document->splitAutomatically();
        QTRY_COMPARE(document->undoStack().count(), 2);
        QCOMPARE(confirmed.size(), 1);
        document->undoStack().undo();
        QCOMPARE(document->undoStack().index(), 1);
    }

    void anotherDeviceKeepsThePlanAndChangesItsCost()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        const Seconds time = document->state().cost->bottleneckTime;
        PlanRequest request = document->request();
        request.device = "l4";
        document->setRequest(request);
        QTRY_VERIFY(document->isSettled());
        QVERIFY(*document->state().partition == before);
        QVERIFY(document->state().cost->bottleneckTime != time);
        document->undoStack().undo();
        QCOMPARE(document->request().device, "a100-sxm-80gb");
    }

    void editsWhileItIsProfiledStay()
    {
        const auto document = openedDocument();
        document->removeBoundary(BoundaryId(0));
        QTRY_VERIFY(document->isSettled());
        PlanRequest request = document->request();
        request.device = "l4";
        document->setRequest(request);
        document->undoStack().undo(); // of the boundary, while the device is being profiled
        const std::vector<NodeId> firstStage = nodesByStage(*document->state().partition)[0];
        document->send({firstStage.back()}, StageDirection::Next);
        QCOMPARE(document->request().device, "a100-sxm-80gb");
        QTRY_VERIFY(document->isSettled());
        const PlanState& state = document->state();
        QCOMPARE(document->request().device, "l4");
        QCOMPARE(state.partition->stageCount, std::size_t{4});
        QCOMPARE(state.partition->stageOf[firstStage.back()], StageId(1));
        QVERIFY(checkPartition(*state.problem, *state.partition).has_value());
        QVERIFY(evaluate(*state.problem, *state.partition).bottleneckTime == state.cost->bottleneckTime);
    }

    void whatIsShownBeforeAPlanIsAPlan()
    {
        Document document(sampleSettings());
        int seen = 0;
        connect(&document, &Document::planChanged, &document, [&] {
            const PlanState& state = document.state();
            if (!state.problem)
                return;
            ++seen;
            const Result<void> checked = checkPartition(*state.problem, *state.partition);
            QVERIFY2(checked.has_value(), checked.has_value() ? "" : checked.error().message.c_str());
            QCOMPARE(state.cost->stages.size(), state.partition->stageCount);
        });
        document.open(tinyModel.toStdString());
        QTRY_VERIFY(document.hasModel() && document.isSettled());
        QVERIFY(seen > 1);
        QCOMPARE(document.state().partition->stageCount, std::size_t{4});
    }

    void aPlanIsSavedAndOpenedAgain()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("plan.stagecraft").toStdString();
        const auto document = openedDocument();
        document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        const Partition saved = *document->state().partition;
        QSignalSpy done(document.get(), &Document::planSaved);
        document->savePlan(path);
        QVERIFY(done.wait(patience));
        QVERIFY(document->undoStack().isClean());

        Document other(sampleSettings());
        other.open(path);
        QTRY_VERIFY(other.hasModel() && other.isSettled());
        QVERIFY(*other.state().partition == saved);
        QCOMPARE(other.planPath(), path);
    }

    void closingStopsAndForgets()
    {
        Document document(sampleSettings());
        QSignalSpy changed(&document, &Document::modelChanged);
        document.open(tinyModel.toStdString());
        QVERIFY(changed.wait(patience));
        document.close();
        QVERIFY(!document.hasModel());
        QVERIFY(document.isSettled());
        QVERIFY(!document.planView().graph);
    }
};

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
