#include "app/document/model_watch.h"

#include "core/load/open_model.h"
#include "tests/patience.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <fstream>

using namespace stagecraft;

namespace {

namespace fs = std::filesystem;

const fs::path original = STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2";

std::shared_ptr<const Model> opened(const fs::path& path)
{
    fs::copy_file(original, path, fs::copy_options::overwrite_existing);
    return std::make_shared<const Model>(*openModel(path));
}

} // namespace

class TestModelWatch : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path m_path;

private slots:
    void init() { m_path = m_folder.filePath("m.pt2").toStdString(); }

    void saysWhatHappenedToTheFile_data()
    {
        QTest::addColumn<QString>("deed");
        QTest::addColumn<QString>("said");
        const QString changed = "m.pt2 was changed on the disk. What is shown is the model as it was opened.";
        QTest::newRow("shorter") << "shorten" << changed;
        QTest::newRow("written over") << "write" << changed;
        QTest::newRow("another of its name") << "replace" << changed;
        QTest::newRow("removed") << "remove"
                                 << "m.pt2 was moved or removed. What is shown is as it was opened.";
        QTest::newRow("a neighbour changed") << "neighbour"
                                             << "";
    }
    void saysWhatHappenedToTheFile()
    {
        QFETCH(QString, deed);
        QFETCH(QString, said);
        const auto model = opened(m_path);
        ModelWatch watch;
        QSignalSpy changed(&watch, &ModelWatch::changed);
        QSignalSpy removed(&watch, &ModelWatch::removed);
        watch.watch(model);
        QTest::qWait(20); // clocks of file systems tick slowly
        const fs::path other = m_folder.filePath("other").toStdString();
        std::ofstream(other) << "another";
        if (deed == "shorten")
            fs::resize_file(m_path, 1000);
        if (deed == "write")
            std::fstream(m_path, std::ios::in | std::ios::out | std::ios::binary) << "PK";
        if (deed == "replace")
            fs::rename(other, m_path);
        if (deed == "remove")
            fs::remove(m_path);
        const QSignalSpy& spy = deed == "remove" ? removed : changed;
        if (said.isEmpty()) {
            QTest::qWait(900);
            QCOMPARE(changed.count() + removed.count(), 0);
            return;
        }
        QVERIFY(QTest::qWaitFor([&] { return spy.count() > 0; }, patience));
        QCOMPARE(spy.at(0).at(0).toString(), said);
        QTest::qWait(600);
        QCOMPARE(changed.count() + removed.count(), 1);
    }

    void seesAFileThatComesBack()
    {
        ModelWatch watch;
        QSignalSpy changed(&watch, &ModelWatch::changed);
        QSignalSpy removed(&watch, &ModelWatch::removed);
        watch.watch(opened(m_path));
        fs::remove(m_path);
        QVERIFY(QTest::qWaitFor([&] { return removed.count() == 1; }, patience));
        fs::copy_file(original, m_path);
        QVERIFY(QTest::qWaitFor([&] { return changed.count() == 1; }, patience));
        watch.watch(opened(m_path)); // it was read again
        QTest::qWait(900);
        QCOMPARE(changed.count() + removed.count(), 2);
        watch.watch(nullptr);
        fs::remove(m_path);
        QTest::qWait(900);
        QCOMPARE(changed.count() + removed.count(), 2);
    }
};

QTEST_GUILESS_MAIN(TestModelWatch)
#include "tst_model_watch.moc"
