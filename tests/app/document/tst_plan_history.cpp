// Plans that were tried, going back to them, and a second plan beside the document's.
#include "app/document/constraint_steps.h"
#include "app/document/kept_stars.h"
#include "app/document/plan_comparison.h"
#include "views/base/format.h"

#include "document_fixture.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace stagecraft;

namespace {

struct Compared
{
    std::unique_ptr<Document> document = openedDocument();
    PlanHistory history{*document};
    PlanComparison comparison{*document, history};

    Compared() { emit document->planChanged(); } // it was opened before anybody looked
    bool settle() const
    {
        return QTest::qWaitFor([this] { return document->isSettled(); }, patience);
    }
    QStringList origins() const
    {
        QStringList texts;
        for (const PlanHistory::Entry& plan : history.plans())
            texts << plan->origin;
        return texts;
    }
};

// Of the plan alone, without what a search found out about it.
QString figuresOf(const PlanCost& cost)
{
    return QStringLiteral("%1 s, %2 bytes, %3")
        .arg(cost.iteration.value(), 0, 'g', 12)
        .arg(cost.peakMemory().count())
        .arg(cost.stages.size());
}

} // namespace

class TestPlanHistory : public QObject
{
    Q_OBJECT

private slots:
    void everyPlanOnce();
    void aGestureIsOnePlan();
    void returningIsOneStepOfUndo();
    void removedAndStarredPlans();
    void nameSaysWhatIsUnusual();
    void nothingOfAnotherModel();
    void keptPlanStaysAsItWas();
    void swapIsOneStepOfUndo();
    void anotherScheduleIsWhatTheWindowWouldFind();
    void aMovedPlanHasItsBestCutsBesideIt();
    void sameCutsUnderAnotherPrecision();
    void cutsThatTheScheduleCannotHave();
    void planOfAFile();
    void filesThatAreNone();
    void starsOutliveTheWindow();
    void starsOfAModelThatChanged();
    void starsThatNoLongerApply();
    void windowsShareTheirStars();
    void aPlanThatBothStarIsKeptOnce();
};

// Plans whose setup reads the same.
void TestPlanHistory::nameSaysWhatIsUnusual()
{
    const Compared c;
    TriedPlan plan = *c.history.current();
    const QString step = toText(plan.state.cost->iteration);
    QCOMPARE(comparedPlan(plan).name, QString("%1 · %2").arg(plan.setup, step));
    plan.state.request.profile.mode = TrainingMode::Infer;
    plan.state.request.profile.bindings = {{"s0", 5}};
    plan.state.request.profile.bounds = {{"u0", 9}};
    QCOMPARE(comparedPlan(plan).name, QString("%1 · Inference · s0 = 5 · u0 ≤ 9 · %2").arg(plan.setup, step));
}

void TestPlanHistory::everyPlanOnce()
{
    Compared c;
    QCOMPARE(c.origins(), QStringList{"Opened"});
    QCOMPARE(c.history.current(), c.history.plans().front());
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    QVERIFY(c.settle());
    QCOMPARE(c.history.plans().size(), 2U);
    QCOMPARE(c.origins().back(), "Move boundary 1|2");
    QCOMPARE(c.history.current(), c.history.plans().back());
    c.document->undoStack().undo();
    QVERIFY(c.settle());
    QCOMPARE(c.history.plans().size(), 2U);
    QCOMPARE(c.history.current(), c.history.plans().front());
    c.document->undoStack().redo();
    QVERIFY(c.settle());
    QCOMPARE(c.history.plans().size(), 2U);
    QCOMPARE(figuresOf(*c.history.current()->state.cost), figuresOf(*c.document->state().cost));
    // A constraint changes no plan.
    toggleLock(*c.document, BoundaryId(0));
    QVERIFY(c.settle());
    QCOMPARE(c.history.plans().size(), 2U);
}

void TestPlanHistory::aGestureIsOnePlan()
{
    Compared c;
    for (int i = 0; i < 3; ++i)
        c.document->moveBoundary(BoundaryId(1), StageDirection::Previous, BoundaryStep::OnePlace);
    QVERIFY(c.settle());
    QCOMPARE(c.document->undoStack().count(), 1);
    QCOMPARE(c.history.plans().size(), 2U);
    QCOMPARE(c.history.current()->state.partition, c.document->state().partition);
    c.document->moveBoundary(BoundaryId(0), StageDirection::Previous, BoundaryStep::OnePlace);
    QCOMPARE(c.history.plans().size(), 3U);
}

void TestPlanHistory::returningIsOneStepOfUndo()
{
    Compared c;
    const PlanState first = c.document->state();
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    const int steps = c.document->undoStack().count();
    c.history.restore(c.history.plans().front()->id);
    QVERIFY(c.settle());
    QCOMPARE(c.document->undoStack().count(), steps + 1);
    QVERIFY(isSamePlan(c.document->state(), first));
    QCOMPARE(c.history.plans().size(), 2U);
    c.history.restore(c.history.current()->id); // it is there
    c.history.restore(4711);                    // it never was
    QCOMPARE(c.document->undoStack().count(), steps + 1);
    c.document->undoStack().undo();
    QVERIFY(!isSamePlan(c.document->state(), first));
}

void TestPlanHistory::removedAndStarredPlans()
{
    Compared c;
    const std::size_t first = c.history.plans().front()->id;
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    c.history.setStarred(first, true);
    QVERIFY(c.history.find(first)->isStarred);
    c.history.remove(c.history.current()->id);
    QCOMPARE(c.history.plans().size(), 2U); // the present plan stays
    c.history.remove(first);
    QCOMPARE(c.history.plans().size(), 1U);
    QVERIFY(!c.history.find(first));
}

void TestPlanHistory::nothingOfAnotherModel()
{
    Compared c;
    c.comparison.keepCurrent();
    QVERIFY(c.comparison.other());
    c.document->close();
    QVERIFY(c.history.plans().empty());
    QVERIFY(!c.history.current());
    QVERIFY(!c.comparison.other());
}

void TestPlanHistory::keptPlanStaysAsItWas()
{
    Compared c;
    const QString before = figuresOf(*c.document->state().cost);
    c.comparison.keepCurrent();
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    QCOMPARE(figuresOf(*c.comparison.other()->state.cost), before);
    QVERIFY(figuresOf(*c.document->state().cost) != before);
    c.comparison.drop();
    QVERIFY(!c.comparison.other());
}

void TestPlanHistory::swapIsOneStepOfUndo()
{
    Compared c;
    const PlanState a = c.document->state();
    c.comparison.swap(); // nothing to swap with
    QCOMPARE(c.document->undoStack().count(), 0);
    c.comparison.keepCurrent();
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    const PlanState b = c.document->state();
    const int steps = c.document->undoStack().count();
    c.comparison.swap();
    QCOMPARE(c.document->undoStack().count(), steps + 1);
    QVERIFY(isSamePlan(c.document->state(), a));
    QVERIFY(isSamePlan(c.comparison.other()->state, b));
    c.comparison.swap();
    QVERIFY(isSamePlan(c.document->state(), b));
    QVERIFY(isSamePlan(c.comparison.other()->state, a));
}

void TestPlanHistory::anotherScheduleIsWhatTheWindowWouldFind()
{
    Compared c;
    PlanRequest request = c.document->request();
    setSchedule(request.plan, ScheduleKind::ZeroBubble1);
    c.comparison.compareWithRequest(request, "ZB1P", PlanComparison::Cuts::Best);
    QVERIFY(c.settle());
    QVERIFY(c.comparison.other());
    QCOMPARE(c.comparison.other()->origin, "ZB1P");
    QVERIFY(c.comparison.other()->bounds.slowest);
    QCOMPARE(c.document->undoStack().count(), 0); // the plan itself is as it was
    const auto other = openedDocument();
    other->setRequest(request);
    QVERIFY(QTest::qWaitFor([&] { return other->isSettled(); }, patience));
    QCOMPARE(figuresOf(*c.comparison.other()->state.cost), figuresOf(*other->state().cost));
    // It is in the history, and to go back to it takes no search.
    c.history.restore(c.comparison.other()->id);
    QCOMPARE(c.document->request().plan.schedule, ScheduleKind::ZeroBubble1);
    QVERIFY(c.document->bound());
}

void TestPlanHistory::aMovedPlanHasItsBestCutsBesideIt()
{
    Compared c;
    const PlanState best = c.document->state();
    QSignalSpy noticed(c.document.get(), &Document::noticed);
    c.comparison.compareWithRequest(c.document->request(), "Best cuts", PlanComparison::Cuts::Best);
    QVERIFY(c.settle());
    QVERIFY(!c.comparison.other()); // no comparison of a plan with itself
    QVERIFY(noticed.size() == 1 && noticed[0][0].toString().contains("cut so already"));
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    const PlanState moved = c.document->state();
    c.comparison.compareWithRequest(c.document->request(), "Best cuts", PlanComparison::Cuts::Best);
    QVERIFY(c.settle());
    QVERIFY(c.comparison.other());
    QVERIFY(isSamePlan(c.comparison.other()->state, best));
    QVERIFY(isSamePlan(c.document->state(), moved));
}

void TestPlanHistory::sameCutsUnderAnotherPrecision()
{
    Compared c;
    PlanRequest request = c.document->request();
    request.profile.precision = Precision::BFloat16;
    c.comparison.compareWithRequest(request, "bf16", PlanComparison::Cuts::Same);
    QVERIFY(c.settle());
    QVERIFY(c.comparison.other());
    QCOMPARE(*c.comparison.other()->state.partition, *c.document->state().partition);
    QVERIFY(c.comparison.other()->state.cost->peakMemory() < c.document->state().cost->peakMemory());
}

void TestPlanHistory::cutsThatTheScheduleCannotHave()
{
    Compared c;
    QSignalSpy failed(c.document.get(), &Document::failed);
    PlanRequest request = c.document->request();
    setSchedule(request.plan, ScheduleKind::ZeroBubbleV);
    c.comparison.compareWithRequest(request, "ZBV", PlanComparison::Cuts::Same);
    QVERIFY(c.settle());
    QVERIFY(!c.comparison.other());
    QCOMPARE(failed.size(), 1);
    QVERIFY2(failed[0][0].toString().contains("4 stages"), qPrintable(failed[0][0].toString()));
}

void TestPlanHistory::planOfAFile()
{
    QTemporaryDir folder;
    Compared c;
    const PlanState saved = c.document->state();
    const std::filesystem::path path = folder.filePath("saved.stagecraft").toStdString();
    c.document->savePlan(path);
    QVERIFY(c.settle());
    c.document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    c.history.remove(c.history.plans().front()->id); // so that it comes from the file
    c.comparison.compareWithFile(path);
    QVERIFY(c.settle());
    QVERIFY(c.comparison.other());
    QCOMPARE(*c.comparison.other()->state.partition, *saved.partition);
    QCOMPARE(figuresOf(*c.comparison.other()->state.cost), figuresOf(*saved.cost));
    QCOMPARE(c.comparison.other()->origin, "saved.stagecraft");
    QSignalSpy coded(&c.comparison, &PlanComparison::codeChanged);
    c.comparison.writeCode();
    QVERIFY(QTest::qWaitFor([&] { return c.comparison.pages().size() == 4; }, patience));
    QVERIFY(!coded.empty());
    QVERIFY(c.comparison.pages()[0].code->text != c.document->pages()[0].code->text);
}

void TestPlanHistory::filesThatAreNone()
{
    Compared c;
    QSignalSpy failed(c.document.get(), &Document::failed);
    c.comparison.compareWithFile("/nowhere/lost.stagecraft");
    QVERIFY(c.settle());
    c.comparison.compareWithFile(tinyModel.toStdString());
    QVERIFY(c.settle());
    QCOMPARE(failed.size(), 2);
    QVERIFY2(failed[0][0].toString().contains("lost.stagecraft"), qPrintable(failed[0][0].toString()));
    QVERIFY2(failed[1][0].toString().contains("gpt2-tiny"), qPrintable(failed[1][0].toString()));
    QVERIFY(!c.comparison.other());
}

namespace {

// A model of one's own, which can change, with stars that are kept.
struct Starred
{
    explicit Starred(const QTemporaryDir& folder)
        : document(sampleSettings()),
          history(document),
          stars(document, history, folder.path().toStdString(), nullptr)
    {
        QObject::connect(&document, &Document::noticed, [this](const QString& text) { notes << text; });
        document.open(folder.filePath("m.pt2").toStdString());
        settle();
    }
    void settle() const
    {
        if (!QTest::qWaitFor([&] { return document.hasModel() && document.isSettled(); }, patience))
            qFatal("the model does not open");
    }
    QStringList starred() const
    {
        QStringList texts;
        for (const PlanHistory::Entry& plan : history.plans())
            if (plan->isStarred)
                texts << plan->origin + ": " + figuresOf(*plan->state.cost);
        return texts;
    }
    // Moves a boundary, for other microbatches, and stars both.
    void starTwo()
    {
        document.moveBoundary(BoundaryId(1), StageDirection::Next, BoundaryStep::OneModule);
        settle();
        history.setStarred(history.current()->id, true);
        PlanRequest asked = document.request();
        asked.plan.microbatches = 12;
        asked.device = "h100-sxm";
        document.setRequest(asked);
        settle();
        history.setStarred(history.current()->id, true);
    }

    QStringList notes;
    Document document;
    PlanHistory history;
    KeptStars stars;
};

QTemporaryDir& withModel(QTemporaryDir& folder, const QString& model = tinyModel)
{
    QFile::remove(folder.filePath("m.pt2"));
    if (!QFile::copy(model, folder.filePath("m.pt2")))
        qFatal("the model cannot be copied");
    return folder;
}

// Two stars that a window leaves there.
QStringList starredIn(QTemporaryDir& folder)
{
    withModel(folder);
    Starred window(folder);
    window.starTwo();
    return window.starred();
}

std::size_t starFiles(const QTemporaryDir& folder)
{
    return static_cast<std::size_t>(QDir(folder.filePath("starred")).entryList({"*.stagecraft"}).size());
}

} // namespace

void TestPlanHistory::starsOutliveTheWindow()
{
    QTemporaryDir folder;
    const QStringList before = starredIn(folder);
    QCOMPARE(before.size(), 2);
    {
        Starred later(folder);
        QCOMPARE(later.starred(), before);
        QCOMPARE(later.notes.filter("starred"), QStringList());
        QVERIFY(later.history.plans().front()->when < later.history.plans().back()->when);
        later.history.setStarred(later.history.plans().front()->id, false);
        later.history.remove(later.history.plans()[1]->id);
    }
    QCOMPARE(Starred(folder).starred(), QStringList());
}

void TestPlanHistory::starsOfAModelThatChanged()
{
    QTemporaryDir folder;
    const QStringList before = starredIn(folder);
    QFile model(folder.filePath("m.pt2"));
    QVERIFY(QFile::rename(model.fileName(), folder.filePath("moved.pt2")));
    {
        Starred elsewhere(withModel(folder)); // the same content
        QCOMPARE(elsewhere.starred(), before);
    }
    QVERIFY(model.open(QIODevice::ReadWrite));
    // The time in an entry's header: another file with the same model.
    QVERIFY(model.seek(10) && model.write("\x21", 1) == 1);
    model.close();
    Starred changed(folder);
    QCOMPARE(changed.starred(), before);
    QCOMPARE(changed.notes.filter("is not what it was when the plan was saved").size(), 2);
}

void TestPlanHistory::starsThatNoLongerApply()
{
    QTemporaryDir folder;
    starredIn(folder);
    withModel(folder, STAGECRAFT_TEST_DATA "/models/tiny/mobilenet-tiny.pt2");
    const Starred other(folder);
    QCOMPARE(other.starred(), QStringList());
    const QStringList said = other.notes.filter("does not apply any more");
    QCOMPARE(said.size(), 2);
    QVERIFY2(said.front().startsWith("The starred plan \u201cMove boundary 2|3\u201d of "),
             qPrintable(said.front()));
    QVERIFY2(said.front().contains("made for another model"), qPrintable(said.front()));
}

void TestPlanHistory::windowsShareTheirStars()
{
    QTemporaryDir folder;
    withModel(folder);
    Starred first(folder);
    Starred second(folder);
    first.starTwo();
    QTRY_COMPARE(second.starred(), first.starred());
    QCOMPARE(second.starred().size(), 2);
    const auto isStar = [](const PlanHistory::Entry& plan) { return plan->isStarred; };
    const auto& plans = second.history.plans();
    second.history.setStarred((*std::ranges::find_if(plans, isStar))->id, false);
    QTRY_COMPARE(first.starred().size(), 1);
    QCOMPARE(first.starred(), second.starred());
    QTRY_COMPARE(starFiles(folder), std::size_t{1});
}

// Before either could hear of the other's.
void TestPlanHistory::aPlanThatBothStarIsKeptOnce()
{
    QTemporaryDir folder;
    withModel(folder);
    {
        Starred first(folder);
        Starred second(folder);
        first.history.setStarred(first.history.current()->id, true);
        second.history.setStarred(second.history.current()->id, true);
        const QSignalSpy takenFromFirst(&first.history, &PlanHistory::starred);
        const QSignalSpy takenFromSecond(&second.history, &PlanHistory::starred);
        QTRY_COMPARE(starFiles(folder), std::size_t{1});
        QTest::qWait(300); // whatever the windows hear of that
        first.settle();
        second.settle();
        QCOMPARE(first.starred().size(), 1);
        QCOMPARE(second.starred(), first.starred());
        QCOMPARE(takenFromFirst.size() + takenFromSecond.size(), 0);
        QCOMPARE(starFiles(folder), std::size_t{1});
    }
    QCOMPARE(Starred(folder).starred().size(), 1);
}

QTEST_MAIN(TestPlanHistory)
#include "tst_plan_history.moc"
