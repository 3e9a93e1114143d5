// Going on where a person left off: the file, the choices, the edits, and what is missing or has changed.
#include "app/document/kept_request.h"
#include "app/document/kept_session.h"
#include "views/base/message_bar.h"
#include "views/pages/script_inputs_dialog.h"
#include "views/pages/welcome_page.h"

#include "window_fixture.h"

#include <QLabel>
#include <QSignalSpy>

using namespace stagecraft;

namespace {

// A person's machine: settings and kept edits outlive the windows.
struct Machine
{
    QTemporaryDir folder;
    Environment environment = [this] {
        Environment made;
        made.resources = STAGECRAFT_RESOURCES;
        made.devices = readDevices(made.resources / "devices").value();
        made.settings = std::make_shared<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat);
        made.searchTime = Seconds(0.2);
        made.dataFolder = folder.filePath("data").toStdString();
        return made;
    }();
    QString model = folder.filePath("mine.pt2");

    Machine() { QFile::copy(tinyModel, model); }
    bool putInItsPlace(const QString& other) const
    {
        return QFile::remove(model) && QFile::copy(STAGECRAFT_TEST_DATA "/models/" + other, model);
    }
    std::unique_ptr<MainWindow> window() const
    {
        auto made = std::make_unique<MainWindow>(environment);
        made->resize(1280, 720);
        made->show();
        return made;
    }
};

bool settle(MainWindow& window)
{
    return QTest::qWaitFor([&] { return window.document().hasModel() && window.isSettled(); }, patience);
}

// With an edit, and other choices than at first; ended as a crash would end it, where nobody is asked.
Partition workOn(const Machine& machine)
{
    const auto window = machine.window();
    window->open(machine.model);
    settle(*window);
    PlanRequest request = window->document().request();
    request.device = "h100-sxm";
    request.plan.microbatches = 12;
    window->document().setRequest(request);
    settle(*window);
    window->document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    settle(*window);
    const QByteArray asked = requestJson(window->document().request());
    const auto isKept = [&] {
        const std::vector<KeptSession> kept = keptSessions(*machine.environment.settings);
        return !kept.empty() && kept.front().request == asked;
    };
    if (!QTest::qWaitFor(isKept, patience)) // a moment after the last change
        qFatal("the session is not kept");
    return *window->document().state().partition;
}

QString saidBy(const MainWindow& window);

// Newer messages are dismissed until the text comes up.
bool saysBehindNewer(const MainWindow& window, const QString& text)
{
    for (MessageBar* bar : window.findChildren<MessageBar*>())
        while (bar->count() > 1 && !saidBy(window).contains(text))
            QTest::keyClick(bar, Qt::Key_Escape);
    return saidBy(window).contains(text);
}

QString saidBy(const MainWindow& window)
{
    QStringList texts;
    for (const MessageBar* bar : window.findChildren<MessageBar*>())
        for (const QLabel* label : bar->findChildren<QLabel*>())
            texts << label->text();
    return texts.join(' ');
}

QList<QPushButton*> offers(const MainWindow& window)
{
    QList<QPushButton*> found;
    for (QPushButton* button : window.findChildren<QPushButton*>())
        if (button->accessibleName().startsWith("Go on with"))
            found << button;
    return found;
}

} // namespace

class TestSessions : public QObject
{
    Q_OBJECT

private slots:
    void requestsOutliveTheProgram();
    void brokenRequestsLeaveWhatIsThere();
    void newestFirstAndEachFileOnce();
    void goesOnAfterACrash();
    void whatWasUndoneStaysUndone();
    void nothingIsOfferedAtFirst();
    void namesAlikeAreToldApart();
    void aMissingModelIsSaidByName();
    void aChangedModelIsSaidByName();
    void whatIsGivenUpIsForgotten();
};

void TestSessions::requestsOutliveTheProgram()
{
    PlanRequest request;
    request.device = "h100-sxm";
    request.plan.stageCount = 8;
    request.plan.microbatches = 24;
    setSchedule(request.plan, ScheduleKind::ZeroBubbleV);
    request.plan.memoryLimits = {Bytes(std::int64_t{30} << 30)};
    request.profile.optimizer = OptimizerKind::Sgd;
    request.profile.bindings = {{"s0", 77}};
    request.profile.lossOutput = "loss";
    request.profile.masterWeights = MasterWeights::Float32;
    const PlanRequest again = requestOf(requestJson(request), PlanRequest());
    QCOMPARE(requestJson(again), requestJson(request));
    QVERIFY(again == request);
}

void TestSessions::brokenRequestsLeaveWhatIsThere()
{
    PlanRequest base;
    base.device = "here";
    for (const char* text :
         {"", "[]", "nonsense", R"({"stages": 0, "stages_per_device": 1})",
          R"({"stages": 5, "stages_per_device": 2})", R"({"stages": -1, "stages_per_device": -1})",
          R"({"stages": 1e300, "stages_per_device": 1})", R"({"fields": {"schedule": "none such"}})",
          R"({"master_weights": 77})", R"({"sizes": 3, "bounds": [], "memory_limits": "all"})"})
        QVERIFY2(requestOf(text, base) == base, text);
}

void TestSessions::newestFirstAndEachFileOnce()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    QVERIFY(keptSessions(settings).empty());
    const auto session = [](const QString& path) {
        KeptSession made{.path = path,
                         .modelPath = "/m/ä.pt2",
                         .fingerprint = "ff",
                         .request = "{}",
                         .step = 0.25,
                         .when = QDateTime::currentDateTime()};
        return made;
    };
    for (const char* path : {"/a", "/b", "/a", "/c", "/d"})
        keepSession(settings, session(path));
    const auto kept = keptSessions(settings);
    QCOMPARE(kept.size(), mostSessions);
    QCOMPARE(kept[0].path, "/d");
    QCOMPARE(kept[1].path, "/c");
    QCOMPARE(kept[2].path, "/a");
    QCOMPARE(kept[2].modelPath, "/m/ä.pt2");
    QCOMPARE(kept[2].step, 0.25);
}

void TestSessions::goesOnAfterACrash()
{
    const Machine machine;
    const Partition left = workOn(machine);
    const auto window = machine.window();
    QCOMPARE(offers(*window).size(), 1);
    QVERIFY(offers(*window)[0]->isEnabled());
    const QString said = offers(*window)[0]->accessibleName() + offers(*window)[0]->accessibleDescription();
    QVERIFY2(said.contains("12 microbatches") && said.contains("ms"), qPrintable(said));
    QTest::mouseClick(offers(*window)[0], Qt::LeftButton);
    QVERIFY(settle(*window));
    QVERIFY(QTest::qWaitFor([&] { return window->document().hasUnsavedEdits(); }, patience));
    QVERIFY(settle(*window));
    QCOMPARE(window->document().request().device, "h100-sxm");
    QCOMPARE(window->document().request().plan.microbatches, 12U);
    QCOMPARE(*window->document().state().partition, left);
    QCOMPARE(window->document().undoStack().count(), 1); // the edits are one step
    QVERIFY(!saidBy(*window).contains("edited before"));
}

void TestSessions::whatWasUndoneStaysUndone()
{
    const Machine machine;
    Partition left;
    {
        const auto window = machine.window();
        window->open(machine.model);
        settle(*window);
        left = *window->document().state().partition;
        window->document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
        settle(*window);
        window->document().undoStack().undo();
        settle(*window);
        QVERIFY(
            QTest::qWaitFor([&] { return !keptSessions(*machine.environment.settings).empty(); }, patience));
    }
    const auto window = machine.window();
    const QSignalSpy found(&window->document(), &Document::lastSplitFound);
    window->goOnWithLast();
    QVERIFY(settle(*window));
    QCOMPARE(found.size(), 0);
    QCOMPARE(*window->document().state().partition, left);
}

void TestSessions::nothingIsOfferedAtFirst()
{
    const Machine machine;
    const auto window = machine.window();
    QVERIFY(offers(*window).empty());
    window->goOnWithLast(); // there is none
    QVERIFY(!window->document().hasModel());
}

void TestSessions::namesAlikeAreToldApart()
{
    const Machine machine;
    for (const char* place : {"first/mine.pt2", "second/mine.pt2", "second/other.pt2"}) {
        const QString path = machine.folder.filePath(place);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()) && QFile::copy(tinyModel, path));
        keepSession(*machine.environment.settings, {.path = path, .modelPath = path, .request = "{}"});
    }
    const auto window = machine.window();
    QStringList names;
    for (const QPushButton* offer : offers(*window))
        names << offer->accessibleName();
    QCOMPARE(names.size(), 3);
    QVERIFY2(names[0].contains("with other.pt2"), qPrintable(names[0]));
    QVERIFY2(names[1].contains("with second/mine.pt2"), qPrintable(names[1]));
    QVERIFY2(names[2].contains("with first/mine.pt2"), qPrintable(names[2]));
}

void TestSessions::aMissingModelIsSaidByName()
{
    const Machine machine;
    workOn(machine);
    QVERIFY(QFile::remove(machine.model));
    const auto window = machine.window();
    QCOMPARE(offers(*window).size(), 1);
    QVERIFY(offers(*window)[0]->isEnabled()); // nobody has waited for an answer
    QVERIFY(QTest::qWaitFor([&] { return !offers(*window)[0]->isEnabled(); }, patience));
    window->goOnWithLast();
    QVERIFY2(
        QTest::qWaitFor([&] { return saidBy(*window).contains("mine.pt2 is not there any more"); }, patience),
        qPrintable(saidBy(*window)));
    QVERIFY(!window->document().hasModel());
}

void TestSessions::aChangedModelIsSaidByName()
{
    const Machine machine;
    workOn(machine);
    QVERIFY(machine.putInItsPlace("tiny/mobilenet-tiny.pt2"));
    const auto window = machine.window();
    window->goOnWithLast();
    QVERIFY2(
        QTest::qWaitFor([&] { return saysBehindNewer(*window, "mine.pt2 has changed since"); }, patience),
        qPrintable(saidBy(*window)));
    QVERIFY(settle(*window));
    QVERIFY(!window->document().hasUnsavedEdits());
}

// The file is a script now, which asks for its inputs; nobody answers, and another model is opened.
void TestSessions::whatIsGivenUpIsForgotten()
{
    const Machine machine;
    workOn(machine);
    QVERIFY(machine.putInItsPlace("small/torch-2.14/branches-scripted.pt"));
    const auto window = machine.window();
    window->goOnWithLast();
    QVERIFY(QTest::qWaitFor([&] { return window->findChild<ScriptInputsDialog*>() != nullptr; }, patience));
    QTest::keyClick(window->findChild<ScriptInputsDialog*>(), Qt::Key_Escape);
    window->open(tinyModel);
    QVERIFY(settle(*window));
    QTest::qWait(0);
    QVERIFY2(!saidBy(*window).contains("has changed since"), qPrintable(saidBy(*window)));
}

QTEST_MAIN(TestSessions)
#include "tst_sessions.moc"
