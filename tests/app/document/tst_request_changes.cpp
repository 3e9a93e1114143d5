#include "app/document/request_changes.h"

#include "core/trace/substitutes.h"
#include "tests/app/document/document_fixture.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace stagecraft;

class TestRequestChanges : public QObject
{
    Q_OBJECT

private slots:
    void aChangeIsNamedAsItsFieldIs_data();
    void aChangeIsNamedAsItsFieldIs();
    void eachChoiceIsOneNamedStepOfUndo();
    void undoneChoicesLeaveWhatWasThere();
    void aChoiceThatIsTakenBackAtOnceChangesNothing();
    void twoChoicesInARowAreBothMade();
    void answersAndChoicesInARowAreAllMade_data();
    void answersAndChoicesInARowAreAllMade();
    void anAnswerThatIsTakenBackAtOnceChangesNothing();
    void whatIsSaidWhileAPlanFileIsOpenedComesOnTopOfIt();
    void boundariesStayOrAreSoughtAgain();
    void theNumberOfStagesOutlivesModelsThatAllowFewer();

private:
    static void choose(Document& document, const std::function<void(PlanRequest&)>& change)
    {
        PlanRequest request = document.asked();
        change(request);
        document.setRequest(request);
    }
    // What an operator costs.
    static void answer(Document& document, const std::string& name)
    {
        PlanState target = document.wanted();
        Substitutes all = target.substitutes ? *target.substitutes : Substitutes();
        all.set(name, {.forward = {.flops = Expression::parse("7").value()}});
        target.substitutes = std::make_shared<const Substitutes>(std::move(all));
        document.profileAs("Costs of " + QString::fromStdString(name), target);
    }
    static void chooseBFloat16(Document& document)
    {
        choose(document, [](PlanRequest& r) { r.profile.precision = Precision::BFloat16; });
    }
    static bool settle(Document& document)
    {
        return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
    }
};

void TestRequestChanges::aChangeIsNamedAsItsFieldIs_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* expected, const std::function<void(PlanRequest&)>& change) {
        PlanRequest after{.device = "l4"};
        change(after);
        QTest::newRow(expected) << changesText({.device = "l4"}, after) << QString(expected);
    };
    constexpr Bytes gib(std::int64_t{1} << 30);
    row("", [](PlanRequest&) {});
    row("Device: h100", [](PlanRequest& r) { r.device = "h100"; });
    row("Precision: bfloat16", [](PlanRequest& r) { r.profile.precision = Precision::BFloat16; });
    row("Microbatches: 32", [](PlanRequest& r) { r.plan.microbatches = 32; });
    row("Schedule: GPipe", [](PlanRequest& r) { setSchedule(r.plan, ScheduleKind::GPipe); });
    row("Schedule: Zero bubble, V (ZBV)",
        [](PlanRequest& r) { setSchedule(r.plan, ScheduleKind::ZeroBubbleV); });
    row("Memory limit: 30.0 GiB", [=](PlanRequest& r) { r.plan.memoryLimits = {gib * 30}; });
    row("Memory limits by stage", [=](PlanRequest& r) { r.plan.memoryLimits = {gib, gib, gib, gib * 2}; });
    row("Split into 6 stages", [](PlanRequest& r) { r.plan.stageCount = 6; });
    row("Size: s0 = 8", [](PlanRequest& r) { r.profile.bindings["s0"] = 8; });
    row("Links: 25 GB/s", [](PlanRequest& r) { r.plan.links = {{25e9, Seconds(1e-6)}}; });
    row("Links by boundary", [](PlanRequest& r) { r.plan.links = {{25e9, {}}, {25e9, {}}, {1e9, {}}}; });
    row("Speeds by stage", [](PlanRequest& r) { r.plan.speeds = {1, 1, 1, 0.5}; });
    row("Device: h100, Mode: Inference", [](PlanRequest& r) {
        r.device = "h100";
        r.profile.mode = TrainingMode::Infer;
    });
    row("4 choices", [](PlanRequest& r) {
        r.device = "h100";
        r.profile.mode = TrainingMode::Infer;
        r.profile.precision = Precision::Float16;
        r.plan.microbatches = 1;
    });
}

void TestRequestChanges::aChangeIsNamedAsItsFieldIs()
{
    QFETCH(QString, said);
    QTEST(said, "expected");
}

void TestRequestChanges::eachChoiceIsOneNamedStepOfUndo()
{
    const auto document = openedDocument();
    const std::vector<std::pair<QString, std::function<void(PlanRequest&)>>> choices{
        {"Microbatches: 16", [](PlanRequest& r) { r.plan.microbatches = 16; }},
        {"Precision: bfloat16", [](PlanRequest& r) { r.profile.precision = Precision::BFloat16; }},
        {"Device: h100-sxm", [](PlanRequest& r) { r.device = "h100-sxm"; }},
        {"Memory limit: 30.0 GiB",
         [](PlanRequest& r) { r.plan.memoryLimits = {Bytes(std::int64_t{30} << 30)}; }},
        {"Split into 3 stages", [](PlanRequest& r) { r.plan.stageCount = 3; }},
        {"Schedule: GPipe", [](PlanRequest& r) { setSchedule(r.plan, ScheduleKind::GPipe); }},
    };
    int steps = 0;
    for (const auto& [name, change] : choices) {
        choose(*document, change);
        QVERIFY(settle(*document));
        QCOMPARE(document->undoStack().count(), ++steps);
        QCOMPARE(document->undoStack().undoText(), name);
    }
}

void TestRequestChanges::undoneChoicesLeaveWhatWasThere()
{
    const auto document = openedDocument();
    const PlanState before = document->state();
    choose(*document, [](PlanRequest& r) { r.profile.precision = Precision::BFloat16; });
    QVERIFY(settle(*document));
    choose(*document, [](PlanRequest& r) { r.device = "l4"; });
    QVERIFY(settle(*document));
    QVERIFY(document->state().cost->bottleneckTime != before.cost->bottleneckTime);
    while (document->undoStack().canUndo())
        document->undoStack().undo();
    QVERIFY(isSame(document->state(), before));
    QCOMPARE(document->state().cost->bottleneckTime, before.cost->bottleneckTime);
}

void TestRequestChanges::aChoiceThatIsTakenBackAtOnceChangesNothing()
{
    const auto document = openedDocument();
    const PlanState before = document->state();
    choose(*document, [](PlanRequest& r) { r.profile.precision = Precision::BFloat16; });
    QVERIFY(document->asked().profile.precision == Precision::BFloat16);
    QVERIFY(document->request() == before.request);
    choose(*document, [](PlanRequest& r) { r.profile.precision = Precision::AsExported; });
    QVERIFY(document->asked() == before.request);
    QVERIFY(settle(*document));
    QVERIFY(isSame(document->state(), before));
    QCOMPARE(document->undoStack().count(), 0);
}

// While the first is still worked on.
void TestRequestChanges::twoChoicesInARowAreBothMade()
{
    const auto document = openedDocument();
    choose(*document, [](PlanRequest& r) { r.profile.precision = Precision::BFloat16; });
    choose(*document, [](PlanRequest& r) { r.device = "l4"; });
    QVERIFY(settle(*document));
    QVERIFY(document->request().profile.precision == Precision::BFloat16);
    QCOMPARE(document->request().device, std::string("l4"));
    QCOMPARE(document->undoStack().count(), 1);
    QCOMPARE(document->undoStack().undoText(), QString("Device: l4, Precision: bfloat16"));
}

// Of whatever kind, each while the one before is still worked on.
void TestRequestChanges::answersAndChoicesInARowAreAllMade_data()
{
    using Steps = std::vector<std::function<void(Document&)>>;
    const auto a = [](Document& document) { answer(document, "a::op"); };
    const auto b = [](Document& document) { answer(document, "b::op"); };
    const auto microbatches = [](Document& document) {
        choose(document, [](PlanRequest& r) { r.plan.microbatches = 16; });
    };
    QTest::addColumn<Steps>("steps");
    QTest::addColumn<std::string>("said");
    QTest::addColumn<QString>("expected");
    QTest::newRow("two answers") << Steps{a, b} << std::string("a::op b::op") << "Costs of operators";
    QTest::newRow("an answer, then a choice")
        << Steps{a, chooseBFloat16} << std::string("a::op") << "Precision: bfloat16, Costs of operators";
    QTest::newRow("a choice, then an answer")
        << Steps{chooseBFloat16, a} << std::string("a::op") << "Precision: bfloat16, Costs of operators";
    QTest::newRow("all, and one that needs no profile")
        << Steps{a, microbatches, b} << std::string("a::op b::op") << "Microbatches: 16, Costs of operators";
}

void TestRequestChanges::answersAndChoicesInARowAreAllMade()
{
    QFETCH(std::vector<std::function<void(Document&)>>, steps);
    QFETCH(std::string, said);
    QFETCH(QString, expected);
    const auto document = openedDocument();
    const PlanState before = document->state();
    for (const auto& step : steps)
        step(*document);
    QVERIFY(settle(*document));
    QVERIFY(document->state().substitutes);
    std::string names;
    for (const auto& [name, costs] : document->state().substitutes->operators())
        names += (names.empty() ? "" : " ") + name;
    QCOMPARE(names, said);
    QCOMPARE(document->undoStack().count(), 1);
    QCOMPARE(document->undoStack().undoText(), expected);
    document->undoStack().undo();
    QVERIFY(isSame(document->state(), before));
}

void TestRequestChanges::anAnswerThatIsTakenBackAtOnceChangesNothing()
{
    const auto document = openedDocument();
    const PlanState before = document->state();
    answer(*document, "a::op");
    QVERIFY(document->wanted().substitutes && !document->state().substitutes);
    document->profileAs("Costs of a::op", before);
    QVERIFY(!document->wanted().substitutes);
    QVERIFY(settle(*document));
    QVERIFY(isSame(document->state(), before));
    QCOMPARE(document->undoStack().count(), 0);
}

void TestRequestChanges::whatIsSaidWhileAPlanFileIsOpenedComesOnTopOfIt()
{
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("plan.stagecraft").toStdString();
    const auto document = openedDocument();
    document->moveBoundary(BoundaryId(0), StageDirection::Previous, BoundaryStep::OneModule);
    const Partition saved = *document->state().partition;
    QSignalSpy done(document.get(), &Document::planSaved);
    document->savePlan(path);
    QVERIFY(done.wait(patience));

    Document other(sampleSettings());
    bool isSaid = false;
    connect(&other, &Document::askedChanged, &other, [&] { // its profile is under way now
        if (std::exchange(isSaid, true))
            return;
        answer(other, "a::op");
        chooseBFloat16(other);
        QVERIFY(other.asked().profile.precision == Precision::BFloat16);
    });
    other.open(path);
    QTRY_VERIFY(other.hasModel() && other.isSettled());
    QVERIFY(isSaid);
    QCOMPARE(*other.state().partition, saved);
    QVERIFY(other.state().substitutes);
    QVERIFY(other.request().profile.precision == Precision::BFloat16);
    QCOMPARE(other.planPath(), path);
    QCOMPARE(other.undoStack().count(), 1);
    QVERIFY(other.hasUnsavedEdits());
    other.undoStack().undo();
    QCOMPARE(*other.state().partition, saved);
    QVERIFY(!other.state().substitutes);
    QVERIFY(!other.hasUnsavedEdits());
}

void TestRequestChanges::boundariesStayOrAreSoughtAgain()
{
    const auto document = openedDocument();
    document->moveBoundary(BoundaryId(0), StageDirection::Previous, BoundaryStep::OneModule);
    const Partition moved = *document->state().partition;
    choose(*document, [](PlanRequest& r) { r.plan.microbatches = 16; });
    QVERIFY(settle(*document));
    QCOMPARE(*document->state().partition, moved);
    document->setAfterChange(Document::AfterChange::SplitAgain);
    choose(*document, [](PlanRequest& r) { r.plan.microbatches = 32; });
    QVERIFY(settle(*document));
    QVERIFY(*document->state().partition != moved);
    QCOMPARE(document->undoStack().undoText(), QString("Microbatches: 32"));
    document->undoStack().undo();
    QCOMPARE(*document->state().partition, moved);
}

void TestRequestChanges::theNumberOfStagesOutlivesModelsThatAllowFewer()
{
    const auto document = openedDocument();
    const auto open = [&](const std::filesystem::path& path) {
        document->open(path);
        return QTest::qWaitFor([&] { return document->modelPath() == path && document->isSettled(); },
                               patience);
    };
    const auto stages = [&] { return document->state().partition->stageCount; };
    const std::filesystem::path small = STAGECRAFT_TEST_DATA "/models/made/norm.pt2";
    const std::filesystem::path marked = STAGECRAFT_TEST_DATA "/models/marks/pipe-split.pt2";
    choose(*document, [](PlanRequest& r) { r.plan.stageCount = 6; });
    QVERIFY(settle(*document));
    for (const auto& fewer : {small, marked}) {
        QVERIFY(open(fewer));
        QVERIFY(stages() < 6);
        QVERIFY(open(tinyModel.toStdString()));
        QCOMPARE(stages(), std::size_t{6});
    }
    QVERIFY(open(small));
    choose(*document, [](PlanRequest& r) { r.plan.stageCount = 2; }); // asked of the small one, it holds
    QVERIFY(settle(*document));
    QVERIFY(open(tinyModel.toStdString()));
    QCOMPARE(stages(), std::size_t{2});
}

QTEST_MAIN(TestRequestChanges)
#include "tst_request_changes.moc"
