// The plan as other frameworks read it, through the window's menu.
#include "core/plan/editing.h"
#include "tests/app/window/window_fixture.h"
#include "views/pages/export_dialog.h"
#include "views/pages/framework_dialog.h"

#include <QComboBox>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPlainTextEdit>

using namespace stagecraft;

namespace {

// Far more than these searches need, so that no clock decides what they find.
constexpr Seconds noClock(60);

// Chooses that file in the next dialog that asks for one.
class FileAnswer : public QObject
{
public:
    explicit FileAnswer(QString path) : m_path(std::move(path)) { startTimer(10); }

protected:
    void timerEvent(QTimerEvent*) override
    {
        auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!files || !files->isVisible())
            return;
        // selectFile() leaves the name as it is where the cursor is in it.
        files->findChild<QLineEdit*>("fileNameEdit")->setText(m_path);
        QMetaObject::invokeMethod(files, "accept");
    }

private:
    QString m_path;
};

// The dialog of the window, by the menu.
FrameworkDialog* openDialog(const WindowFixture& f)
{
    f.window->actionTable().exportPlan->trigger();
    return f.window->findChild<FrameworkDialog*>();
}

void choose(const FrameworkDialog& dialog, Framework framework)
{
    auto* box = dialog.findChild<QComboBox*>();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    while (dialog.framework() != framework)
        QTest::keyClick(box, Qt::Key_Down);
}

bool says(const FrameworkDialog& dialog)
{
    return QTest::qWaitFor([&] { return !dialog.text().isEmpty(); }, patience);
}

QPushButton* button(const QWidget& dialog, const QString& text)
{
    for (QPushButton* one : dialog.findChildren<QPushButton*>())
        if (one->text() == text)
            return one;
    return nullptr;
}

} // namespace

class TestPlanExports : public QObject
{
    Q_OBJECT

private slots:
    void stagesAreExportedOfThePlanThatThereIs()
    {
        const WindowFixture f({}, noClock);
        QVERIFY(f.open(tinyModel));
        f.window->actionTable().exportStages->trigger();
        const auto* dialog = f.window->findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->windowTitle(), QString("Export gpt2-tiny in 4 stages"));
        for (const auto& [stages, said] : {std::pair(2, "2 stages"), std::pair(1, "1 stage")}) {
            PlanRequest request = f.document().request();
            request.plan.stageCount = static_cast<std::size_t>(stages);
            f.document().setRequest(request);
            QVERIFY(f.settle());
            QCOMPARE(dialog->windowTitle(), QString("Export gpt2-tiny in %1").arg(said));
        }
    }

    void theNearestPlanBecomesThePlanInOneStep()
    {
        const WindowFixture f({}, noClock);
        QVERIFY(f.open(tinyModel));
        // A boundary inside of a layer, which no framework can say.
        for (int step = 0; step < 3; ++step)
            f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        QVERIFY(f.settle());
        const auto before = f.document().state().partition;
        const int steps = f.document().undoStack().index();
        FrameworkDialog* dialog = openDialog(f);
        QVERIFY(dialog != nullptr);
        choose(*dialog, Framework::Fqns);
        QVERIFY(says(*dialog));
        QVERIFY(button(*dialog, "Use that plan")->isVisible());
        const QString offered = dialog->text();
        QVERIFY(f.document().state().partition == before); // offered, not taken
        QTest::mouseClick(button(*dialog, "Use that plan"), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return !button(*dialog, "Use that plan")->isVisible(); }, patience));
        QVERIFY(says(*dialog));
        QCOMPARE(dialog->text(), offered);
        QVERIFY(*f.document().state().partition != *before);
        QCOMPARE(f.document().undoStack().index(), steps + 1);
        QCOMPARE(f.document().undoStack().undoText(), QString("Take the plan for fqns"));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(
            QTest::qWaitFor([&] { return f.window->findChild<FrameworkDialog*>() == nullptr; }, patience));
        f.window->actionTable().undo->trigger();
        QVERIFY(*f.document().state().partition == *before);
    }

    void itIsWhatTheEngineSays_data()
    {
        QTest::addColumn<int>("framework");
        for (const auto& entry : frameworkNames.entries)
            QTest::newRow(std::string(entry.name).c_str()) << static_cast<int>(entry.kind);
    }
    void itIsWhatTheEngineSays()
    {
        QFETCH(const int, framework);
        const auto kind = static_cast<Framework>(framework);
        const WindowFixture f({}, noClock);
        QVERIFY(f.open(tinyModel));
        FrameworkDialog* dialog = openDialog(f);
        choose(*dialog, kind);
        const PlanState& state = f.document().state();
        const auto said =
            sayPlan(kind, *f.document().model(), *state.profile, *state.problem, *state.partition);
        QVERIFY(QTest::qWaitFor([&] { return said.has_value() == !dialog->text().isEmpty(); }, patience));
        QCOMPARE(dialog->text().toStdString(), said.has_value() ? said->text : std::string());
        QCOMPARE(button(*dialog, "Use that plan")->isVisible(), said.has_value() && said->instead);
        if (!said.has_value())
            QVERIFY(!button(*dialog, "Save…")->isEnabled());
    }

    void itIsSavedAsItStands()
    {
        const WindowFixture f({}, noClock);
        QVERIFY(f.open(tinyModel));
        FrameworkDialog* dialog = openDialog(f);
        choose(*dialog, Framework::TorchCsv);
        QVERIFY(says(*dialog));
        const QString path = f.folder.filePath("plan.csv");
        const FileAnswer answer(path);
        QTest::mouseClick(button(*dialog, "Save…"), Qt::LeftButton);
        QVERIFY(QFileInfo::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), dialog->text());
    }

    void aReportIsOfThePlanThatIsThere()
    {
        const WindowFixture f({}, noClock);
        QVERIFY(f.open(tinyModel));
        f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        QVERIFY(f.settle());
        const QString path = f.folder.filePath("plan.html");
        const FileAnswer answer(path);
        f.window->actionTable().exportReport->trigger();
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(path); }, patience));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray page = file.readAll();
        const QByteArray begin = "id=\"report-data\">";
        const qsizetype from = page.indexOf(begin) + begin.size();
        const QJsonObject plan =
            QJsonDocument::fromJson(page.mid(from, page.indexOf("</script>", from) - from))["plan"]
                .toObject();
        const PlanState& state = f.document().state();
        QCOMPARE(plan["iteration_s"].toDouble(), state.cost->iteration.value());
        QCOMPARE(plan["bound_s"].toDouble(), f.document().bound()->value.value());
        for (const StageId stage : state.cost->stages.ids())
            QCOMPARE(plan["stages"][static_cast<qsizetype>(stage.index())]["nodes"].toInteger(),
                     static_cast<qint64>(state.cost->stages[stage].nodeCount));
    }
};

QTEST_MAIN(TestPlanExports)
#include "tst_plan_exports.moc"
