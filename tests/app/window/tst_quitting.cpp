// The program ends when it is asked to, whatever is on the screen or under way.
#include "app/window/quitting.h"
#include "long_job.h"
#include "views/pages/export_dialog.h"
#include "views/pages/import_dialog.h"
#include "window_fixture.h"

#include <QFileDialog>
#include <QTimer>

using namespace stagecraft;

namespace {

void pressQuit(QWidget* widget)
{
    QTest::keyClick(widget, Qt::Key_Q, Qt::ControlModifier);
}

} // namespace

class TestQuitting : public QObject
{
    Q_OBJECT

private slots:
    void keysQuitFromADialog_data()
    {
        QTest::addColumn<QAction * Actions::*>("opens");
        QTest::newRow("of the export") << &Actions::exportStages;
        QTest::newRow("of other frameworks") << &Actions::exportPlan;
        QTest::newRow("of a file") << &Actions::saveAs;
    }
    void keysQuitFromADialog()
    {
        QFETCH(QAction * Actions::*, opens);
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        QTimer::singleShot(0, f.window, [&] { // there a file's dialog does not return before it is closed
            const auto dialog = [] { return QApplication::activeModalWidget(); };
            QVERIFY(QTest::qWaitFor([&] { return dialog() && dialog()->isActiveWindow(); }, patience));
            pressQuit(dialog());
        });
        (f.window->actionTable().*opens)->trigger();
        QTRY_VERIFY(!f.window);
        QVERIFY(!QApplication::activeModalWidget());
    }

    void whatADialogDoesIsCancelled()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->actionTable().exportStages->trigger();
        auto* dialog = f.window->findChild<ExportDialog*>();
        bool isAbandoned = false;
        addLongJob(f.document().heavyQueue(), isAbandoned);
        dialog->setProgress("Writing the stages", 0.5);
        dialog->activateWindow();
        QTRY_VERIFY(dialog->isActiveWindow());
        pressQuit(dialog);
        QVERIFY(isAbandoned);
        QTRY_VERIFY(!f.window);
    }

    // The keys are no answer to it.
    void aQuestionStays()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.document().addBoundary(1);
        QVERIFY(f.window->isWindowModified());
        QPointer<QWidget> question;
        QTimer::singleShot(0, f.window, [&] {
            question = QApplication::activeModalWidget();
            QVERIFY(QTest::qWaitForWindowActive(question));
            pressQuit(question);
            const Answers answers(QMessageBox::Cancel);
            QTRY_VERIFY(!question || !question->isVisible());
            QCOMPARE(answers.asked(), 1);
        });
        pressQuit(f.window);
        QTRY_VERIFY(!QApplication::activeModalWidget());
        QVERIFY(f.window && f.window->isVisible());
    }

    void windowsTakeTheirsAlong()
    {
        const WindowFixture one;
        const WindowFixture two;
        std::vector<QPointer<QWidget>> others;
        for (MainWindow* window : {one.window.data(), two.window.data()})
            for (int i = 0; i < 50; ++i)
                others.emplace_back(new QWidget(window, Qt::Tool));
        bool isAbandoned = false;
        addLongJob(one.document().heavyQueue(), isAbandoned);
        QVERIFY(one.window->close()); // and waits for its work
        deleteMainWindows();
        QVERIFY(!one.window && !two.window);
        QVERIFY(std::ranges::none_of(others, [](const auto& widget) { return !widget.isNull(); }));
    }
};

QTEST_MAIN(TestQuitting)
#include "tst_quitting.moc"
