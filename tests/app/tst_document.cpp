#include "app/document.h"

#include "core/partition/editing.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

namespace {

const QString tinyModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");

Document::Settings sampleSettings(const QString& dataFolder = {})
{
    Document::Settings settings;
    settings.devices = readDevices(STAGECRAFT_RESOURCES "/devices").value();
    settings.choices.deviceId = "a100-sxm-80gb";
    settings.timeLimit = Seconds(1);
    settings.dataFolder = dataFolder.toStdString();
    return settings;
}

std::size_t boundaryAt(const Document& document, std::size_t boundary)
{
    return stageOrder(*document.shown().partition).boundaries[boundary];
}

} // namespace

class TestDocument : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Document> opened(const QString& dataFolder = {})
    {
        auto document = std::make_unique<Document>(sampleSettings(dataFolder));
        document->open(tinyModel.toStdString());
        if (!QTest::qWaitFor([&] { return document->hasModel() && document->isSettled(); }, 20000))
            qFatal("the model does not open");
        return document;
    }

private slots:
    void openingGivesEverything()
    {
        const auto document = opened();
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

    void aFileThatIsNoModelLeavesThePresentOne()
    {
        const auto document = opened();
        const auto model = document->model();
        QSignalSpy failed(document.get(), &Document::failed);
        document->open(STAGECRAFT_TEST_DATA "/models/gone.pt2");
        QVERIFY(failed.wait());
        QVERIFY(failed[0][0].toString().contains("gone.pt2"));
        QCOMPARE(document->model(), model);
    }

    void aDragIsAPreviewAndItsDropOneStepOfUndo()
    {
        const auto document = opened();
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
        document->drop(BoundaryId(1), places[2]);
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
        const auto document = opened();
        const Partition before = *document->state().partition;
        document->drag(BoundaryId(0), document->legalPositions(BoundaryId(0)).front());
        QVERIFY(document->isDragging());
        document->cancelDrag();
        QVERIFY(!document->isDragging());
        QVERIFY(*document->shown().partition == before);
        QVERIFY(!document->undoStack().canUndo());
    }

    void codeFollowsADragOfTheTouchedStagesAlone()
    {
        const auto document = opened();
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

    void stepsOfTheKeyboardMergeIntoOneUndo()
    {
        const auto document = opened();
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
        const auto document = opened();
        document->splitStage(StageId(0));
        QCOMPARE(document->state().partition->stageCount, std::size_t{5});
        QCOMPARE(document->choices().stageCount, std::size_t{5});
        QCOMPARE(document->state().cost->stages.size(), std::size_t{5});
        QTRY_VERIFY_WITH_TIMEOUT(document->isSettled(), 20000);
        QVERIFY(document->bound()); // of five stages, found in the background
        document->removeBoundary(BoundaryId(0));
        document->removeBoundary(BoundaryId(0));
        QCOMPARE(document->state().partition->stageCount, std::size_t{3});
        for (int i = 0; i < 3; ++i)
            document->undoStack().undo();
        QCOMPARE(document->state().partition->stageCount, std::size_t{4});
        QCOMPARE(document->choices().stageCount, std::size_t{4});
    }

    void opsAreSentToANeighbour()
    {
        const auto document = opened();
        const std::vector<NodeId> firstStage = nodesByStage(*document->state().partition)[0];
        QSignalSpy refused(document.get(), &Document::refused);
        document->send({firstStage.front()}, StageDirection::Previous);
        QCOMPARE(refused.size(), 1); // there is no stage before the first
        document->send({firstStage.back()}, StageDirection::Next);
        QCOMPARE(document->state().partition->stageOf[firstStage.back()], StageId(1));
        QCOMPARE(document->undoStack().count(), 1);
    }

    void anotherNumberOfStagesIsSplitAnew()
    {
        const auto document = opened();
        PlanChoices choices = document->choices();
        choices.stageCount = 2;
        document->setChoices(choices);
        QTRY_COMPARE_WITH_TIMEOUT(document->state().partition->stageCount, std::size_t{2}, 20000);
        document->undoStack().undo();
        QCOMPARE(document->state().partition->stageCount, std::size_t{4});
    }

    void anotherDeviceKeepsThePlanAndChangesItsCost()
    {
        const auto document = opened();
        const Partition before = *document->state().partition;
        const Seconds time = document->state().cost->bottleneckTime;
        PlanChoices choices = document->choices();
        choices.deviceId = "l4";
        document->setChoices(choices);
        QTRY_VERIFY_WITH_TIMEOUT(document->isSettled(), 20000);
        QVERIFY(*document->state().partition == before);
        QVERIFY(document->state().cost->bottleneckTime != time);
        document->undoStack().undo();
        QCOMPARE(document->choices().deviceId, "a100-sxm-80gb");
    }

    void aPlanIsSavedAndOpenedAgain()
    {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("plan.stagecraft").toStdString();
        const auto document = opened();
        document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        const Partition saved = *document->state().partition;
        QSignalSpy done(document.get(), &Document::planSaved);
        document->savePlan(path);
        QVERIFY(done.wait());
        QVERIFY(document->undoStack().isClean());

        Document other(sampleSettings());
        other.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(other.hasModel() && other.isSettled(), 20000);
        QVERIFY(*other.state().partition == saved);
        QCOMPARE(other.planPath(), path);
    }

    void theLastSplitIsOfferedAgain()
    {
        QTemporaryDir folder;
        Partition last;
        {
            const auto document = opened(folder.path());
            document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
            last = *document->state().partition;
            QTRY_VERIFY(document->isSettled());
        }
        Document document(sampleSettings(folder.path()));
        QSignalSpy found(&document, &Document::lastSplitFound);
        document.open(tinyModel.toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(document.hasModel() && document.isSettled(), 20000);
        QCOMPARE(found.size(), 1);
        document.restoreLastSplit();
        QVERIFY(*document.state().partition == last);
        document.undoStack().undo();
        QVERIFY(*document.state().partition != last);
    }

    void closingStopsAndForgets()
    {
        Document document(sampleSettings());
        QSignalSpy changed(&document, &Document::modelChanged);
        document.open(tinyModel.toStdString());
        QVERIFY(changed.wait());
        document.close();
        QVERIFY(!document.hasModel());
        QVERIFY(document.isSettled());
        QVERIFY(!document.planView().graph);
    }
};

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
