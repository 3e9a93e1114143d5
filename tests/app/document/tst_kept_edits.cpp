// Edits that no file has: offered again, and whose they are while several windows and processes have a model.
#include "app/document/kept_edits.h"

#include "tests/app/document/document_fixture.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

namespace {

struct Folder
{
    QTemporaryDir folder;
    std::filesystem::path root = folder.path().toStdString();
    std::filesystem::path place = KeptEdits(root).placeOf("f1", {});
    QString lock = QString::fromStdString(place.string() + ".lock");

    void writeEdits() const
    {
        std::filesystem::create_directories(place.parent_path());
        QFile file(QString::fromStdString(place.string()));
        if (!file.open(QIODevice::WriteOnly) || file.write("edits") != 5)
            qFatal("nothing can be written");
    }
    bool hasEdits() const { return std::filesystem::exists(place); }

    // As that process would have made it.
    void writeLockOf(qint64 process, const QByteArray& name) const
    {
        KeptEdits ours(root);
        ours.claim(place);
        QFile file(lock);
        if (!file.open(QIODevice::ReadOnly))
            qFatal("there is no lock");
        QList<QByteArray> lines = file.readAll().split('\n');
        file.close();
        ours.release();
        lines[0] = QByteArray::number(process);
        lines[1] = name;
        if (!file.open(QIODevice::WriteOnly) || file.write(lines.join('\n')) < 0)
            qFatal("no lock can be written");
    }
};

} // namespace

class TestKeptEdits : public QObject
{
    Q_OBJECT

private slots:
    void theFirstHasThem()
    {
        const Folder f;
        KeptEdits first(f.root);
        KeptEdits second(f.root);
        QVERIFY(first.claim(f.place));
        QVERIFY(first.claim(f.place));
        QVERIFY(!second.claim(f.place));
        QVERIFY(second.isElsewhere(f.place));
        QVERIFY(!second.isElsewhere(second.placeOf("f2", {})));
        f.writeEdits();
        second.forget(f.place);
        second.finish();
        QVERIFY(f.hasEdits());
        first.forget(f.place);
        first.finish();
        QVERIFY(!f.hasEdits());
    }

    // What the first left is not written over by who did not see it.
    void theSecondHasThemOnceItAsksAnew()
    {
        const Folder f;
        KeptEdits first(f.root);
        KeptEdits second(f.root);
        QVERIFY(first.claim(f.place));
        QVERIFY(!second.claim(f.place));
        first.release();
        QVERIFY(!QFile::exists(f.lock));
        QVERIFY(!second.claim(f.place));
        second.release();
        QVERIFY(second.claim(f.place));
        QVERIFY(!second.isElsewhere(f.place));
    }

    void eachModelHasItsOwn()
    {
        const Folder f;
        KeptEdits first(f.root);
        KeptEdits second(f.root);
        QVERIFY(first.claim(f.place));
        QVERIFY(second.claim(second.placeOf("f2", {})));
        QVERIFY(second.claim(second.placeOf("f1", f.root / "plan.stagecraft")));
        QVERIFY(second.claim({})); // none are kept
        QVERIFY(first.claim(first.placeOf("f2", {})));
    }

    void anotherProcessHasThemAsLongAsItLives()
    {
        const Folder f;
        QProcess other;
        other.start("sleep", {"600"});
        QVERIFY(other.waitForStarted());
        f.writeLockOf(other.processId(), "sleep");
        KeptEdits edits(f.root);
        QVERIFY(!edits.claim(f.place));
        other.kill();
        QVERIFY(other.waitForFinished());
        edits.release();
        QVERIFY(QFile::exists(f.lock)); // as a dead process leaves it
        QVERIFY(edits.claim(f.place));
    }

    void theLastSplitIsOfferedAgain()
    {
        QTemporaryDir folder;
        Partition last;
        {
            const auto document = openedDocument(folder.path());
            document->moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
            last = *document->state().partition;
            QTRY_VERIFY(document->isSettled());
        }
        Document document(sampleSettings(folder.path()));
        QSignalSpy found(&document, &Document::lastSplitFound);
        document.open(tinyModel.toStdString());
        QTRY_VERIFY(document.hasModel() && document.isSettled());
        QCOMPARE(found.size(), 1);
        document.restoreLastSplit();
        QVERIFY(*document.state().partition == last);
        document.undoStack().undo();
        QVERIFY(*document.state().partition != last);
    }

    void editsOfAnEarlierWindowOutliveNewOnes()
    {
        QTemporaryDir folder;
        const auto moveFirst = [](Document& document, StageDirection direction) {
            document.moveBoundary(BoundaryId(0), direction, BoundaryStep::OnePlace);
            QVERIFY(QTest::qWaitFor([&] { return document.isSettled(); }, patience));
        };
        Partition last;
        {
            const auto document = openedDocument(folder.path());
            moveFirst(*document, StageDirection::Next);
            last = *document->state().partition;
        }
        const auto document = openedDocument(folder.path());
        moveFirst(*document, StageDirection::Previous);
        document->restoreLastSplit();
        QVERIFY(*document->state().partition == last);
        while (document->undoStack().canUndo())
            document->undoStack().undo();
        QTRY_VERIFY(document->isSettled());
        document->close();
        const auto again = openedDocument(folder.path());
        again->restoreLastSplit();
        QVERIFY(*again->state().partition == last);
    }
};

QTEST_MAIN(TestKeptEdits)
#include "tst_kept_edits.moc"
