// Files that leave something open: the window asks once, and what was said is kept.
#include "app/document/kept_answers.h"
#include "views/pages/program_dialog.h"
#include "views/pages/script_inputs_dialog.h"

#include "window_fixture.h"

#include <QElapsedTimer>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QThread>

#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace stagecraft;

namespace {

const QString script = QStringLiteral(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/branches-scripted.pt");
const QString traced = QStringLiteral(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/branches-traced.pt");
const QString package = QStringLiteral(STAGECRAFT_TEST_DATA "/models/made/package/programs.pt2");

template <class Dialog>
Dialog* waitFor(const MainWindow& window)
{
    Dialog* dialog = nullptr;
    (void)QTest::qWaitFor(
        [&] {
            dialog = window.findChild<Dialog*>();
            return dialog != nullptr;
        },
        patience);
    return dialog;
}

QAction* otherInputs(const MainWindow& window)
{
    return window.findChild<QAction*>("otherInputs");
}

std::string firstInput(const Document& document)
{
    const Graph& graph = document.model()->graph;
    for (const InputSpec& spec : document.model()->signature.inputs)
        if (spec.kind == InputSpec::Kind::User)
            return metaText(*graph[*spec.value].meta);
    return {};
}

} // namespace

class TestOpening : public QObject
{
    Q_OBJECT

private slots:
    void answersAreKeptByFile()
    {
        const QTemporaryDir folder;
        const KeptAnswers answers(folder.path().toStdString());
        QVERIFY(answers.of("model.pt").inputs.empty());
        QVERIFY(answers.keep("model.pt", {.inputs = {"x=f32[2]", "t=\"ä\\n\""}}).has_value());
        QVERIFY(answers.keep("other.pt2", {.program = "encoder"}).has_value());
        QCOMPARE(answers.of("./model.pt").inputs, (std::vector<std::string>{"x=f32[2]", "t=\"ä\\n\""}));
        QCOMPARE(answers.of("other.pt2").program, std::string("encoder"));
        QVERIFY(!KeptAnswers().canKeep());
        for (const QFileInfo& file : QDir(folder.filePath("answers")).entryInfoList(QDir::Files)) {
            QFile broken(file.filePath());
            QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("[1, {") == 5);
        }
        QVERIFY(answers.of("model.pt").inputs.empty());
    }

    // A pipe that nobody writes to keeps its reader waiting, as a drive does that is gone.
    void aFileThatKeepsItsReaderWaitingDoesNotHoldTheWindow()
    {
        const QTemporaryDir data;
        const WindowFixture fixture(data.path());
        const QString plan = data.filePath("far.stagecraft");
        QCOMPARE(mkfifo(qPrintable(plan), 0600), 0);
        const auto release = [&] { close(open(qPrintable(plan), O_WRONLY | O_NONBLOCK)); };
        std::jthread ending(
            [&](const std::stop_token& end) { // what would hold the window, holds it no longer
                for (int i = 0; i < 300 && !end.stop_requested(); ++i)
                    QThread::msleep(10);
                while (!end.stop_requested()) {
                    release();
                    QThread::msleep(10);
                }
            });
        QElapsedTimer held;
        held.start();
        fixture.window->open(plan);
        QVERIFY2(held.elapsed() < 1000, qPrintable(QString::number(held.elapsed())));
        QTest::qWait(100);
        QVERIFY(!fixture.document().hasModel());
        QVERIFY(QTest::qWaitFor([&] { return fixture.window->messageBar().count() > 0; },
                                patience)); // it is no plan
    }

    void aScriptAsksForItsInputsOnce()
    {
        const QTemporaryDir data;
        {
            const WindowFixture fixture(data.path());
            fixture.window->open(script);
            auto* dialog = waitFor<ScriptInputsDialog>(*fixture.window);
            QVERIFY(dialog);
            auto* field = dialog->findChild<QLineEdit*>();
            QTest::keyClicks(field, "f32[2,4");
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(dialog->isVisible());
            QTest::keyClicks(field, "f32[2,4,16]"); // what was wrong is selected
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(fixture.settle());
            QCOMPARE(firstInput(fixture.document()), std::string("f32[2, 4, 16]"));
            QVERIFY(otherInputs(*fixture.window)->isEnabled());
        }
        const WindowFixture fixture(data.path());
        QVERIFY(fixture.open(script));
        QVERIFY(!fixture.window->findChild<ScriptInputsDialog*>());
        QCOMPARE(firstInput(fixture.document()), std::string("f32[2, 4, 16]"));
    }

    void whatDoesNotOpenAsksAgain()
    {
        const QTemporaryDir data;
        const KeptAnswers answers(data.path().toStdString());
        QVERIFY(answers.keep(script.toStdString(), {.inputs = {"f32[2,4,99]"}}).has_value());
        const WindowFixture fixture(data.path());
        QSignalSpy failed(&fixture.document(), &Document::failed);
        fixture.window->open(script);
        QVERIFY(failed.wait(patience));
        fixture.window->open(script);
        auto* dialog = waitFor<ScriptInputsDialog>(*fixture.window);
        QVERIFY(dialog);
        QCOMPARE(dialog->findChild<QLineEdit*>()->text(), QString("f32[2,4,99]"));
        dialog->findChild<QLineEdit*>()->setText("f32[2,4,16]");
        dialog->accept();
        QVERIFY(fixture.settle());
        QCOMPARE(firstInput(fixture.document()), std::string("f32[2, 4, 16]"));
    }

    void whoDoesNotAnswerKeepsWhatIsOpen()
    {
        const QTemporaryDir data;
        const WindowFixture fixture(data.path());
        QVERIFY(fixture.open(tinyModel));
        QVERIFY(!otherInputs(*fixture.window)->isEnabled());
        fixture.window->open(script);
        auto* dialog = waitFor<ScriptInputsDialog>(*fixture.window);
        QVERIFY(dialog);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.document().modelPath(), std::filesystem::path(tinyModel.toStdString()));
    }

    void theInputsCanBeOthers()
    {
        const QTemporaryDir data;
        const WindowFixture fixture(data.path());
        QVERIFY(fixture.open(traced));
        QVERIFY(!fixture.window->findChild<ScriptInputsDialog*>());
        const std::string before = firstInput(fixture.document());
        otherInputs(*fixture.window)->trigger();
        auto* dialog = waitFor<ScriptInputsDialog>(*fixture.window);
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>()->setText("f32[7,4,16]");
        dialog->accept();
        QVERIFY(QTest::qWaitFor(
            [&] { return fixture.document().hasModel() && firstInput(fixture.document()) != before; },
            patience));
        QCOMPARE(firstInput(fixture.document()), std::string("f32[7, 4, 16]"));
        QVERIFY(fixture.settle());
    }

    void aPackageAsksForItsProgramOnce()
    {
        const QTemporaryDir data;
        {
            const WindowFixture fixture(data.path());
            fixture.window->open(package);
            auto* dialog = waitFor<ProgramDialog>(*fixture.window);
            QVERIFY(dialog);
            auto* list = dialog->findChild<QListWidget*>();
            QTest::keyClick(list, Qt::Key_Down);
            QTest::keyClick(list, Qt::Key_Return);
            QVERIFY(fixture.settle());
            QCOMPARE(fixture.document().model()->name, std::string("programs-decoder"));
        }
        const WindowFixture fixture(data.path());
        QVERIFY(fixture.open(package));
        QCOMPARE(fixture.document().model()->name, std::string("programs-decoder"));
        QCOMPARE(otherInputs(*fixture.window)->text(), QString("Open another program of the file…"));
        otherInputs(*fixture.window)->trigger();
        auto* dialog = waitFor<ProgramDialog>(*fixture.window);
        QVERIFY(dialog);
        QTest::keyClick(dialog->findChild<QListWidget*>(), Qt::Key_Up);
        QTest::keyClick(dialog->findChild<QListWidget*>(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return fixture.document().model()->name == "programs-encoder"; },
                                patience));
        QVERIFY(fixture.open(tinyModel));
        QCOMPARE(otherInputs(*fixture.window)->text(), QString("Open with other inputs…"));
    }

    void anAnswerOfAnotherFileInItsPlaceDoesNoHarm()
    {
        const QTemporaryDir data;
        const QString path = data.filePath("model.pt");
        const KeptAnswers answers(data.path().toStdString());
        QVERIFY(answers.keep(path.toStdString(), {.inputs = {"f32[2,4,16]"}}).has_value());
        QVERIFY(QFile::copy(tinyModel, path));
        const WindowFixture fixture(data.path());
        QVERIFY(fixture.open(path));
    }
};

QTEST_MAIN(TestOpening)
#include "tst_opening_dialog.moc"
