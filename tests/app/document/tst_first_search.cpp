// What a person may do before there is a first plan of the model: edit what stands in for it, cancel the
// search, open another model.
#include "document_fixture.h"
#include "held_search.h"

#include <QSignalSpy>

using namespace stagecraft;

namespace {

const QString otherModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/mobilenet-tiny.pt2");

bool settle(Document& document)
{
    return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

} // namespace

class TestFirstSearch : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        document = std::make_unique<Document>(sampleSettings());
        held = std::make_unique<HeldSearch>(*document);
        document->open(tinyModel.toStdString());
        QVERIFY(held->waitForIt());
    }
    void cleanup()
    {
        held.reset();
        document.reset();
    }

    void onceItIsCancelledNothingElseIsSearched()
    {
        QVERIFY(!document->queues().back()->isBusy()); // a bound of what stands in for the plan
        document->heavyQueue().cancelAll();
        QVERIFY(settle(*document));
        QCOMPARE(document->state().partition->stageCount, 1U);
        document->splitAutomatically();
        QVERIFY(settle(*document));
        QCOMPARE(document->state().partition->stageCount, 4U);
        QCOMPARE(document->undoStack().undoText(), QString("Split automatically"));
    }

    // What stands in for the plan is what there was before, to which undo leads back.
    void onceItIsCancelledEveryChoiceIsAStep()
    {
        document->heavyQueue().cancelAll();
        QVERIFY(settle(*document));
        const PlanState before = document->state();
        PlanRequest request = document->request();
        request.plan.microbatches = 2 * request.plan.microbatches;
        document->setRequest(request);
        QVERIFY(document->isFirstSearch()); // there is no plan yet
        QVERIFY(settle(*document));
        QCOMPARE(document->state().partition->stageCount, 4U);
        QCOMPARE(document->undoStack().count(), 1);
        document->undoStack().undo();
        QVERIFY(document->request() == before.request);
        QCOMPARE(document->state().partition->stageCount, 1U);
    }

    // The search after that is a step like any other.
    void anEditComesBeforeIt()
    {
        const std::size_t middle = document->model()->graph.nodeCount() / 2;
        document->addBoundary(middle);
        held->letGo();
        QVERIFY(settle(*document));
        const Partition edited = *document->state().partition;
        QCOMPARE(edited.stageCount, 2U);
        PlanRequest request = document->request();
        request.plan.stageCount = 4;
        document->setRequest(request);
        QVERIFY(settle(*document));
        QCOMPARE(document->state().partition->stageCount, 4U);
        QCOMPARE(document->undoStack().count(), 2);
        document->undoStack().undo();
        QVERIFY(*document->state().partition == edited);
        document->undoStack().undo();
        QCOMPARE(document->state().partition->stageCount, 1U);
    }

    void itsViewsTellWhatIsAskedForMeanwhile()
    {
        QCOMPARE(document->planView().sought, 4U);
        PlanRequest request = document->request();
        request.plan.stageCount = 3;
        document->setRequest(request);
        QVERIFY(document->isFirstSearch());
        QCOMPARE(document->planView().sought, 3U);
    }

    void anotherModelDoesNotWaitForIt()
    {
        document->open(otherModel.toStdString());
        QVERIFY(!document->isFirstSearch());
        document->heavyQueue().cancelAll();
    }

    void whatCannotBeOpenedLeavesItGoingOn()
    {
        const QSignalSpy failed(document.get(), &Document::failed);
        document->open("no such file.pt2");
        held->letGo();
        QVERIFY(QTest::qWaitFor([&] { return !failed.isEmpty(); }, patience));
        QVERIFY(settle(*document));
        QCOMPARE(QString::fromStdString(document->modelPath().string()), tinyModel);
        QCOMPARE(document->state().partition->stageCount, 4U);
        QVERIFY(!document->undoStack().canUndo());
    }

private:
    std::unique_ptr<Document> document;
    std::unique_ptr<HeldSearch> held;
};

QTEST_MAIN(TestFirstSearch)
#include "tst_first_search.moc"
