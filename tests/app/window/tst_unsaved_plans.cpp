// What a person did to a plan is marked, asked about, and never lost.
#include "views/base/message_bar.h"
#include "window_fixture.h"

#include <QDirIterator>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>

using namespace stagecraft;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A plan file of the small model, as the program saves it.
QString savedPlan(const QTemporaryDir& folder)
{
    const WindowFixture f;
    const QString path = folder.filePath("plan.stagecraft");
    if (!f.open(tinyModel))
        qFatal("the model does not open");
    f.document().savePlan(path.toStdString());
    if (!f.settle() || !QFile::exists(path))
        qFatal("the plan is not written");
    return path;
}

void edit(const WindowFixture& f)
{
    f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
}

QPushButton* messageButton(const WindowFixture& f, const QString& text)
{
    const auto buttons = f.window->messageBar().findChildren<QPushButton*>();
    const auto found = std::ranges::find(buttons, text, &QPushButton::text);
    return found == buttons.end() ? nullptr : *found;
}

QString saidBy(const WindowFixture& f)
{
    QStringList texts;
    for (const QLabel* label : f.window->messageBar().findChildren<QLabel*>())
        texts << label->text();
    return texts.join(' ');
}

// What is on the disk when the process that keeps edits in `from` is killed.
void leaveAsKilled(const QString& from, const QString& to)
{
    std::filesystem::copy(from.toStdString(), to.toStdString(), std::filesystem::copy_options::recursive);
    QProcess killed;
    killed.start("true", {});
    if (!killed.waitForStarted())
        qFatal("no process starts");
    const QByteArray dead = QByteArray::number(killed.processId());
    killed.waitForFinished();
    int locks = 0;
    for (QDirIterator each(to, {"*.lock"}, QDir::Files, QDirIterator::Subdirectories); each.hasNext();
         ++locks) {
        QFile lock(each.next());
        const QByteArray content = contentOf(lock.fileName());
        if (!lock.open(QIODevice::WriteOnly) || lock.write(dead + content.mid(content.indexOf('\n'))) < 0)
            qFatal("a lock is not written");
    }
    if (locks != 1)
        qFatal("the edits are not locked");
}

} // namespace

class TestUnsavedPlans : public QObject
{
    Q_OBJECT

private slots:
    void theTitleMarksEveryUnsavedPlan()
    {
        QTemporaryDir folder;
        const QString plan = savedPlan(folder);
        for (const QString& file : {tinyModel, plan}) {
            const WindowFixture f;
            QVERIFY(f.open(file));
            QVERIFY(!f.window->isWindowModified());
            edit(f);
            QVERIFY(f.window->isWindowModified());
            f.document().undoStack().undo();
            QVERIFY(!f.window->isWindowModified());
            f.document().undoStack().redo();
            QVERIFY(f.window->isWindowModified());
            f.document().savePlan(folder.filePath("other.stagecraft").toStdString());
            QTRY_VERIFY(!f.window->isWindowModified());
            QVERIFY(f.window->windowTitle().contains("other.stagecraft"));
            QVERIFY(f.settle());
        }
    }

    // It was not in what was written.
    void anEditDuringSavingStaysUnsaved()
    {
        QTemporaryDir folder;
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        edit(f);
        f.document().savePlan(folder.filePath("plan.stagecraft").toStdString());
        edit(f); // one step of undo with the one before
        QVERIFY(f.settle());
        QVERIFY(f.window->isWindowModified());
        while (f.document().undoStack().canUndo())
            f.document().undoStack().undo();
        QVERIFY(f.window->isWindowModified()); // the file has an edit that this has not
    }

    void nothingEditedIsNotAskedAbout()
    {
        WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const Answers answers(QMessageBox::Cancel);
        QVERIFY(f.window->close());
        QCOMPARE(answers.asked(), 0);
    }

    void closingAsks()
    {
        QTemporaryDir folder;
        const QString plan = savedPlan(folder);
        const QByteArray before = contentOf(plan);
        WindowFixture f;
        QVERIFY(f.open(plan));
        edit(f);
        {
            const Answers answers(QMessageBox::Cancel);
            QVERIFY(!f.window->close());
            QCOMPARE(answers.asked(), 1);
            QVERIFY2(answers.text().contains("plan.stagecraft"), qPrintable(answers.text()));
            QVERIFY(f.window->isVisible());
            QVERIFY(f.window->isWindowModified());
        }
        QCOMPARE(contentOf(plan), before);
        const Partition edited = *f.document().state().partition;
        const Answers answers(QMessageBox::Save);
        QVERIFY(f.window->close());
        QVERIFY(contentOf(plan) != before);
        const WindowFixture again;
        QVERIFY(again.open(plan));
        QVERIFY(*again.document().state().partition == edited);
    }

    void openingAnotherFileAsks_data()
    {
        QTest::addColumn<bool>("isReloaded");
        QTest::newRow("another") << false;
        QTest::newRow("the same again") << true;
    }
    void openingAnotherFileAsks()
    {
        QFETCH(bool, isReloaded);
        QTemporaryDir folder;
        const QString plan = savedPlan(folder);
        const QByteArray before = contentOf(plan);
        const WindowFixture f;
        QVERIFY(f.open(plan));
        const Partition asSaved = *f.document().state().partition;
        edit(f);
        const auto leave = [&] {
            if (isReloaded)
                f.window->actionTable().reload->trigger();
            else
                f.window->open(STAGECRAFT_TEST_DATA "/models/run/makes-nan.pt2");
        };
        {
            const Answers answers(QMessageBox::Cancel);
            leave();
            QCOMPARE(answers.asked(), 1);
            QVERIFY(f.settle());
            QVERIFY(f.window->isWindowModified());
            QVERIFY(*f.document().state().partition != asSaved);
        }
        const Answers answers(QMessageBox::Discard);
        leave();
        QCOMPARE(answers.asked(), 1);
        QVERIFY(QTest::qWaitFor([&] { return !f.window->isWindowModified(); }, patience));
        QVERIFY(f.settle());
        QCOMPARE(contentOf(plan), before);
        QCOMPARE(f.document().planPath().empty(), !isReloaded);
    }

    void savingThatFailsLeavesTheWindowOpen()
    {
        QTemporaryDir folder;
        const QString plan = savedPlan(folder);
        WindowFixture f;
        QVERIFY(f.open(plan));
        edit(f);
        folder.remove(); // there is nowhere to write it
        f.window->messageBar().clear();
        const Answers answers(QMessageBox::Save);
        QVERIFY(!f.window->close());
        QVERIFY(f.window->isVisible());
        QVERIFY(f.window->isWindowModified());
        QVERIFY(f.window->messageBar().count() > 0);
    }

    void editsOfAPlanFileAreOfferedAgain_data()
    {
        QTest::addColumn<bool>("isKilled");
        QTest::newRow("after closing without saving") << false;
        QTest::newRow("after a kill") << true;
    }
    void editsOfAPlanFileAreOfferedAgain()
    {
        QFETCH(bool, isKilled);
        QTemporaryDir folder;
        QTemporaryDir dataFolder;
        QTemporaryDir leftFolder;
        const QString plan = savedPlan(folder);
        WindowFixture f(dataFolder.path());
        QVERIFY(f.open(plan));
        QVERIFY(!messageButton(f, "Restore the edits"));
        edit(f);
        const Partition edited = *f.document().state().partition;
        const Answers answers(QMessageBox::Discard);
        if (isKilled) {
            QTRY_VERIFY(f.document().isSettled());
            leaveAsKilled(dataFolder.path(), leftFolder.path());
        } else {
            QVERIFY(f.window->close());
        }
        const QString left = isKilled ? leftFolder.path() : dataFolder.path();
        {
            const WindowFixture again(left);
            QVERIFY(again.open(plan));
            QVERIFY(*again.document().state().partition != edited);
            QPushButton* restore = messageButton(again, "Restore the edits");
            QVERIFY(restore);
            restore->click();
            QVERIFY(*again.document().state().partition == edited);
            QVERIFY(again.window->isWindowModified());
            again.document().savePlan(plan.toStdString());
            QVERIFY(again.settle());
        }
        const WindowFixture saved(left);
        QVERIFY(saved.open(plan));
        QVERIFY(*saved.document().state().partition == edited);
        QVERIFY(!messageButton(saved, "Restore the edits"));
    }

    void aSecondWindowLeavesTheEditsOfTheFirst()
    {
        QTemporaryDir dataFolder;
        WindowFixture first(dataFolder.path());
        QVERIFY(first.open(tinyModel));
        edit(first);
        QVERIFY(first.settle());
        QVERIFY(first.document().keepsEdits());
        const Partition edited = *first.document().state().partition;
        {
            const WindowFixture second(dataFolder.path());
            QVERIFY(second.open(tinyModel));
            QVERIFY(!messageButton(second, "Restore the edits"));
            QVERIFY2(saidBy(second).contains("gpt2-tiny.pt2 is open in another window"),
                     qPrintable(saidBy(second)));
            QVERIFY(!second.document().keepsEdits());
            edit(second);
            edit(second);
            QVERIFY(second.settle());
            QVERIFY(*second.document().state().partition != edited);
        }
        const Answers answers(QMessageBox::Discard);
        QVERIFY(first.window->close());
        const WindowFixture again(dataFolder.path());
        QVERIFY(again.open(tinyModel));
        QPushButton* restore = messageButton(again, "Restore the edits");
        QVERIFY(restore);
        restore->click();
        QVERIFY(*again.document().state().partition == edited);
    }

    void whatWasUndoneIsNotOffered()
    {
        QTemporaryDir folder;
        QTemporaryDir dataFolder;
        const QString plan = savedPlan(folder);
        {
            const WindowFixture f(dataFolder.path());
            QVERIFY(f.open(plan));
            edit(f);
            f.document().undoStack().undo();
            QVERIFY(f.settle());
        }
        const WindowFixture again(dataFolder.path());
        QVERIFY(again.open(plan));
        QVERIFY(!messageButton(again, "Restore the edits"));
    }

    // The advice to open the model first has to be of use.
    void aPlanWithoutItsModelIsLaidOnTheOneThatIsOpen()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath("moved.pt2");
        QVERIFY(QFile::copy(tinyModel, model));
        const QString plan = folder.filePath("plan.stagecraft");
        Partition saved;
        {
            const WindowFixture f;
            QVERIFY(f.open(model));
            edit(f);
            saved = *f.document().state().partition;
            f.document().savePlan(plan.toStdString());
            QVERIFY(f.settle());
        }
        QVERIFY(QFile::remove(model));
        const WindowFixture f;
        QSignalSpy failed(&f.document(), &Document::failed);
        f.window->open(plan);
        QVERIFY(failed.wait(patience));
        QVERIFY2(failed[0][0].toString().contains("open the model, then the plan"),
                 qPrintable(failed[0][0].toString()));
        QVERIFY(f.open(tinyModel));
        f.window->open(plan);
        QTRY_VERIFY(!f.document().planPath().empty() && f.document().isSettled());
        QVERIFY(*f.document().state().partition == saved);
    }
};

QTEST_MAIN(TestUnsavedPlans)
#include "tst_unsaved_plans.moc"
