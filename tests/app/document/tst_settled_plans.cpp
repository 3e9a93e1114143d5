// What is recomputed is of the boundaries that there are, however they came about; and what undo finds of it.
#include "app/document/plan_history.h"
#include "core/recomputed_plan.h"
#include "tests/app/document/document_fixture.h"

#include <QDeadlineTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace stagecraft;

namespace {

bool settle(Document& document)
{
    return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

Bytes peak(const Document& document)
{
    return document.state().cost->peakMemory();
}

} // namespace

class TestSettledPlans : public QObject
{
    Q_OBJECT

    std::unique_ptr<Document> m_document;

    void choose(const std::function<void(PlanRequest&)>& change)
    {
        PlanRequest request = m_document->asked();
        change(request);
        m_document->setRequest(request);
    }
    void chooseRecompute(RecomputeKind kind)
    {
        choose([&](PlanRequest& request) { request.plan.recompute = {.kind = kind}; });
        QVERIFY(settle(*m_document));
    }
    std::size_t position() const { return stageOrder(*m_document->state().partition).boundaries[1]; }
    std::size_t otherPosition() const
    {
        const std::vector<std::size_t> legal = m_document->legalPositions(BoundaryId(1));
        return legal.front() != position() ? legal.front() : legal.back();
    }
    // Figures of the plan as a trace of its own has them, which knows nothing of how it came about.
    PlanCost traced() const
    {
        const PlanState& state = m_document->state();
        PlanQuestion question = m_document->questionOf(state).value();
        RecomputePolicy& policy = question.plan.recompute;
        if (policy.kind != RecomputeKind::Model && policy.regions.regions.empty())
            policy = {.kind = RecomputeKind::None};
        const Result<RecomputedProblem> posed =
            recomputedProblem(question.model, question.plan, profilerOf(question, {}), state.partition.get());
        return evaluatePlan(posed->problem, *state.partition)->cost;
    }

private slots:
    void init() { m_document = openedDocument(); }

    void aMovedBoundaryPartsBlocksAnew();
    void whatUndoAndRedoFindIsSettled();
    void stagesChooseAnew();
    void aDragIsSettledWhenItEnds();
    void aPlanIsSavedAsItSettles();
    void editsThatWereKeptBeforeTheySettledChooseAnew();
    void theHistoryHasSettledPlansAlone();
    void boundariesStayUnderAuto();
    void boundariesStayWhenAutoIsChosen();
    void whatIsUndoneDuringASearchStaysUndone();
    void aChoiceTakenBackByAnotherIsNoEdit();
    void regionsOfTheModelArePartedByItsBoundaries();
};

void TestSettledPlans::aMovedBoundaryPartsBlocksAnew()
{
    chooseRecompute(RecomputeKind::Full);
    const QSignalSpy settled(m_document.get(), &Document::planSettled);
    const RecomputePlan before = m_document->request().plan.recompute.regions;
    m_document->drop(BoundaryId(1), otherPosition());
    QCOMPARE(m_document->undoStack().count(), 2);
    QVERIFY(settle(*m_document));
    QCOMPARE(settled.count(), 1);
    QCOMPARE(m_document->undoStack().count(), 2);
    QVERIFY(m_document->request().plan.recompute.regions != before);
    QVERIFY(m_document->hasUnsavedEdits());
    const PlanCost cost = traced();
    for (const StageId stage : cost.stages.ids()) {
        QCOMPARE(m_document->state().cost->stages[stage].peakMemory, cost.stages[stage].peakMemory);
        QCOMPARE(m_document->state().cost->stages[stage].recomputed, cost.stages[stage].recomputed);
    }
}

// Without a policy, those that the file brings along.
void TestSettledPlans::regionsOfTheModelArePartedByItsBoundaries()
{
    m_document = std::make_unique<Document>(sampleSettings());
    m_document->open(STAGECRAFT_TEST_DATA "/oracle/checkpoints/dropout.pt2");
    QVERIFY(QTest::qWaitFor([&] { return m_document->hasModel() && m_document->isSettled(); }, patience));
    QVERIFY(m_document->request().plan.recompute.kind == RecomputeKind::Model);
    QVERIFY(m_document->state().partition->stageCount > 2);
    QCOMPARE(peak(*m_document), traced().peakMemory());
    for (const std::size_t to : m_document->legalPositions(BoundaryId(1))) {
        m_document->drop(BoundaryId(1), to);
        QVERIFY(settle(*m_document));
        QVERIFY(!isUnsettled(m_document->state()));
        const PlanCost cost = traced();
        for (const StageId stage : cost.stages.ids()) {
            QCOMPARE(m_document->state().cost->stages[stage].savedBytes, cost.stages[stage].savedBytes);
            QCOMPARE(m_document->state().cost->stages[stage].peakMemory, cost.stages[stage].peakMemory);
        }
    }
}

void TestSettledPlans::whatUndoAndRedoFindIsSettled()
{
    chooseRecompute(RecomputeKind::Full);
    const PlanState first = m_document->state();
    m_document->drop(BoundaryId(1), otherPosition());
    QVERIFY(settle(*m_document));
    const PlanState second = m_document->state();
    QSignalSpy settled(m_document.get(), &Document::planSettled);
    m_document->undoStack().undo();
    QVERIFY(isSame(m_document->state(), first));
    m_document->undoStack().redo();
    QVERIFY(isSame(m_document->state(), second));
    QCOMPARE(settled.count(), 0);

    m_document->drop(BoundaryId(1), stageOrder(*first.partition).boundaries[1]);
    m_document->undoStack().undo(); // before it is settled
    QVERIFY(isSame(m_document->state(), second));
    m_document->undoStack().redo();
    QVERIFY(settle(*m_document));
    QCOMPARE(settled.count(), 1);
    QVERIFY(!isUnsettled(m_document->state()));
    QCOMPARE(peak(*m_document), traced().peakMemory());
}

// In a limit that nothing but recomputation keeps.
void TestSettledPlans::stagesChooseAnew()
{
    const Bytes none = peak(*m_document);
    chooseRecompute(RecomputeKind::Full);
    const Bytes full = peak(*m_document);
    QVERIFY(full < none);
    choose([&](PlanRequest& request) {
        request.plan.memoryLimits = {Bytes((full.count() + none.count()) / 2)};
        request.plan.recompute = {.kind = RecomputeKind::Auto};
    });
    QVERIFY(settle(*m_document));
    QVERIFY(m_document->state().cost->fits());
    const RecomputePlan before = m_document->request().plan.recompute.regions;
    const std::size_t steps = static_cast<std::size_t>(m_document->undoStack().count());
    for (const std::size_t to : m_document->legalPositions(BoundaryId(1))) {
        if (to % 9 != 1)
            continue;
        m_document->drop(BoundaryId(1), to);
        QVERIFY(settle(*m_document));
        QCOMPARE(m_document->request().plan.recompute.kind, RecomputeKind::Auto);
        QVERIFY(!isUnsettled(m_document->state()));
        QCOMPARE(peak(*m_document), traced().peakMemory());
    }
    QVERIFY(static_cast<std::size_t>(m_document->undoStack().count()) > steps);
    while (static_cast<std::size_t>(m_document->undoStack().index()) > steps)
        m_document->undoStack().undo();
    QVERIFY(m_document->request().plan.recompute.regions == before);
}

void TestSettledPlans::aDragIsSettledWhenItEnds()
{
    chooseRecompute(RecomputeKind::Full);
    const std::size_t from = position(), to = otherPosition();
    QSignalSpy settled(m_document.get(), &Document::planSettled);
    m_document->drop(BoundaryId(1), to);
    m_document->drag(BoundaryId(1), from); // before it is settled
    QVERIFY(settle(*m_document));
    QVERIFY(m_document->isDragging());
    QCOMPARE(settled.count(), 0);
    m_document->cancelDrag();
    QVERIFY(settle(*m_document));
    QCOMPARE(settled.count(), 1);
    QVERIFY(!isUnsettled(m_document->state()));
}

void TestSettledPlans::aPlanIsSavedAsItSettles()
{
    const QTemporaryDir folder;
    const std::filesystem::path file = (folder.path() + "/moved.stagecraft").toStdString();
    chooseRecompute(RecomputeKind::Full);
    m_document->drop(BoundaryId(1), otherPosition());
    const QSignalSpy saved(m_document.get(), &Document::planSaved);
    m_document->savePlan(file);
    QVERIFY(settle(*m_document));
    QCOMPARE(saved.count(), 1);
    QVERIFY(!m_document->hasUnsavedEdits());
    const RecomputePlan regions = m_document->request().plan.recompute.regions;
    const Bytes held = peak(*m_document);
    m_document->open(file);
    QVERIFY(
        QTest::qWaitFor([&] { return m_document->planPath() == file && m_document->isSettled(); }, patience));
    QVERIFY(m_document->request().plan.recompute.regions == regions);
    QCOMPARE(peak(*m_document), held);
}

// As a process leaves them that dies right after a drop.
void TestSettledPlans::editsThatWereKeptBeforeTheySettledChooseAnew()
{
    const QTemporaryDir folder;
    m_document = openedDocument(folder.path());
    const Bytes none = peak(*m_document);
    chooseRecompute(RecomputeKind::Full);
    choose([&](PlanRequest& request) {
        request.plan.memoryLimits = {Bytes((peak(*m_document).count() + none.count()) / 2)};
        request.plan.recompute = {.kind = RecomputeKind::Auto};
    });
    QVERIFY(settle(*m_document));
    const RecomputePlan before = m_document->request().plan.recompute.regions;
    m_document->drop(BoundaryId(1), otherPosition());
    const Partition dropped = *m_document->state().partition;
    const std::filesystem::path place =
        KeptEdits(folder.path().toStdString()).placeOf(m_document->fingerprint(), {});
    std::optional<PlanFile> kept;
    // Without events, so that nothing is settled.
    for (QDeadlineTimer over(patience); !kept && !over.hasExpired(); QThread::msleep(1)) {
        const Result<PlanFile> file = readPlan(place);
        if (file.has_value() && applyPlan(*file, m_document->model()->graph)->partition == dropped)
            kept = *file;
    }
    QVERIFY(kept.has_value());
    QVERIFY(isUnsettled(m_document->state()));
    QVERIFY(settle(*m_document));
    const RecomputePlan chosen = m_document->request().plan.recompute.regions;
    const Bytes held = peak(*m_document);
    QVERIFY(chosen != before);
    m_document.reset();
    QVERIFY(writePlan(*kept, place).has_value());

    m_document = openedDocument(folder.path());
    m_document->restoreLastSplit();
    QVERIFY(settle(*m_document));
    QVERIFY(*m_document->state().partition == dropped);
    QVERIFY(m_document->request().plan.recompute.regions == chosen);
    QCOMPARE(peak(*m_document), held);
}

void TestSettledPlans::theHistoryHasSettledPlansAlone()
{
    PlanHistory history(*m_document);
    chooseRecompute(RecomputeKind::Full);
    const std::size_t before = history.plans().size();
    m_document->drop(BoundaryId(1), otherPosition());
    QCOMPARE(history.plans().size(), before);
    QVERIFY(settle(*m_document));
    QCOMPARE(history.plans().size(), before + 1);
    QCOMPARE(history.current(), history.plans().back());
    QCOMPARE(history.current()->origin, QString("Move boundary 2|3"));
    QCOMPARE(history.current()->state.cost->peakMemory(), peak(*m_document));
    m_document->undoStack().undo();
    QVERIFY(settle(*m_document));
    QCOMPARE(history.plans().size(), before + 1);
}

void TestSettledPlans::boundariesStayUnderAuto()
{
    chooseRecompute(RecomputeKind::Auto);
    m_document->drop(BoundaryId(1), otherPosition());
    QVERIFY(settle(*m_document));
    const Partition moved = *m_document->state().partition;
    choose([](PlanRequest& request) { request.plan.microbatches += 3; });
    QVERIFY(settle(*m_document));
    QVERIFY(*m_document->state().partition == moved);
    QCOMPARE(m_document->request().plan.recompute.kind, RecomputeKind::Auto);
    m_document->setAfterChange(Document::AfterChange::SplitAgain);
    choose([](PlanRequest& request) { request.plan.microbatches += 3; });
    QVERIFY(settle(*m_document));
    QVERIFY(*m_document->state().partition != moved);
}

void TestSettledPlans::boundariesStayWhenAutoIsChosen()
{
    const Bytes none = peak(*m_document);
    m_document->drop(BoundaryId(1), otherPosition());
    QVERIFY(settle(*m_document));
    const Partition moved = *m_document->state().partition;
    choose([&](PlanRequest& request) {
        request.plan.memoryLimits = {Bytes(none.count() * 9 / 10)};
        request.plan.recompute = {.kind = RecomputeKind::Auto};
    });
    QVERIFY(settle(*m_document));
    QCOMPARE(m_document->request().plan.recompute.kind, RecomputeKind::Auto);
    QVERIFY(*m_document->state().partition == moved);
    m_document->undoStack().undo();
    QVERIFY(*m_document->state().partition == moved);
    m_document->setAfterChange(Document::AfterChange::SplitAgain);
    m_document->undoStack().redo();
    m_document->splitAutomatically();
    QVERIFY(settle(*m_document));
    QVERIFY(*m_document->state().partition != moved);
}

void TestSettledPlans::whatIsUndoneDuringASearchStaysUndone()
{
    m_document->setAfterChange(Document::AfterChange::SplitAgain);
    choose([](PlanRequest& request) { request.profile.precision = Precision::BFloat16; });
    QVERIFY(settle(*m_document));
    const std::int64_t count = m_document->request().plan.microbatches;
    choose([](PlanRequest& request) { request.plan.microbatches += 1; });
    QVERIFY(m_document->isPlanning());
    m_document->undoStack().undo();
    QVERIFY(settle(*m_document));
    QCOMPARE(m_document->request().profile.precision, Precision::AsExported);
    QCOMPARE(m_document->request().plan.microbatches, count + 1);
    QCOMPARE(m_document->undoStack().count(), 1);
}

void TestSettledPlans::aChoiceTakenBackByAnotherIsNoEdit()
{
    QVERIFY(!m_document->hasUnsavedEdits());
    const std::int64_t count = m_document->request().plan.microbatches;
    choose([](PlanRequest& request) { request.plan.microbatches += 1; });
    QVERIFY(settle(*m_document));
    QVERIFY(m_document->hasUnsavedEdits());
    choose([&](PlanRequest& request) { request.plan.microbatches = count; });
    QVERIFY(settle(*m_document));
    QCOMPARE(m_document->undoStack().count(), 2);
    QVERIFY(!m_document->hasUnsavedEdits());
    m_document->undoStack().undo();
    QVERIFY(m_document->hasUnsavedEdits());
}

QTEST_MAIN(TestSettledPlans)
#include "tst_settled_plans.moc"
