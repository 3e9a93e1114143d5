// Opens thousands of damaged model files. They may open or be refused, but never crash, hang or fill the
// memory. Set STAGECRAFT_FUZZ_SEED to repeat a run, STAGECRAFT_FUZZ_ROUNDS for a longer one.
#include "core/load/open_model.h"
#include "core/load/pickle.h"
#include "fuzz/mutator.h"
#include "tests/core/graph_text/graph_text_parser.h"
#include "tests/core/load/zip_writer.h"

#include <QTemporaryDir>
#include <QtTest>
#include <random>

using namespace stagecraft;
using stagecraft::test::Mutator;

namespace {

const QString testData = STAGECRAFT_TEST_DATA;

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

unsigned setting(const char* name, unsigned otherwise)
{
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariable(name).toUInt() : otherwise;
}

} // namespace

class FuzzModels : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    unsigned m_seed = 0;
    unsigned m_rounds = 0;

    void open(const QByteArray& bytes)
    {
        const QString path = m_folder.filePath("model.pt2");
        QFile::remove(path); // a file written over is flushed to disk by some file systems, which is slow
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const Result<Model> model = openModel(path.toStdString());
        if (!model.has_value()) {
            QVERIFY(!model.error().message.empty());
            return;
        }
        // What did open can be used.
        parameterGroups(*model);
        const std::string text = printGraph(model->graph);
        const Result<Graph> again = parseGraph(text);
        QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
        compareLines(printGraph(*again), text);
    }

    // Whole graphs are too long to be shown: only the first line that differs.
    static void compareLines(const std::string& actual, const std::string& expected)
    {
        const QStringList a = QString::fromStdString(actual).split('\n');
        const QStringList b = QString::fromStdString(expected).split('\n');
        for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i)
            QCOMPARE(a[i], b[i]);
        QCOMPARE(a.size(), b.size());
    }

private slots:
    void initTestCase()
    {
        m_seed = setting("STAGECRAFT_FUZZ_SEED", std::random_device()());
        m_rounds = setting("STAGECRAFT_FUZZ_ROUNDS", 400);
        qInfo("seed %u, %u rounds", m_seed, m_rounds);
    }

    void files_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file : {"torch-2.14/branches-dynamic.pt2", "torch-2.6/branches-dynamic.pt2",
                                 "torch-2.14/with-loss-dynamic.pt2", "torch-2.6/mixture-static.pt2"})
            QTest::newRow(file) << QString(file);
    }

    // Anything anywhere: mostly the zip's own structure.
    void files()
    {
        QFETCH(QString, file);
        const QByteArray good = readAll(testData + "/models/small/" + file);
        QVERIFY(!good.isEmpty());
        Mutator mutator(m_seed);
        for (unsigned i = 0; i < m_rounds; ++i)
            open(mutator.bytes(good));
    }

    void records_data() { files_data(); }

    // One record, in a zip that is whole: programs, configurations and pickles.
    void records()
    {
        QFETCH(QString, file);
        const QByteArray good = readAll(testData + "/models/small/" + file);
        QVERIFY(!zipRecords(good).empty());
        Mutator mutator(m_seed);
        for (unsigned i = 0; i < m_rounds; ++i) {
            open(mutator.zip(good));
        }
    }

    void texts()
    {
        const QByteArray good = readAll(testData + "/graphs/everything.txt");
        QVERIFY(!good.isEmpty());
        Mutator mutator(m_seed);
        for (unsigned i = 0; i < 10 * m_rounds; ++i) {
            const Result<Graph> graph = parseGraph(mutator.bytes(good).toStdString());
            if (!graph.has_value())
                continue;
            const std::string text = printGraph(*graph);
            const Result<Graph> again = parseGraph(text);
            QVERIFY2(again.has_value(),
                     again.has_value() ? "" : (again.error().message + "\n" + text).c_str());
            compareLines(printGraph(*again), text);
        }
    }

    void pickles()
    {
        Mutator mutator(m_seed);
        const StorageFinder anyStorage = [](const std::string&, std::int64_t) -> Result<std::size_t> {
            return 0;
        };
        std::vector<QByteArray> good;
        for (const ZipRecord& record :
             zipRecords(readAll(testData + "/models/small/torch-2.6/branches-dynamic.pt2")))
            for (const ZipRecord& inner : zipRecords(record.data))
                if (inner.name.endsWith("data.pkl"))
                    good.push_back(inner.data);
        QVERIFY(!good.empty());
        for (unsigned i = 0; i < 20 * m_rounds; ++i) {
            const QByteArray bytes = mutator.bytes(good[i % good.size()]);
            const Result<PickleNode> value = unpickle(
                {reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size())},
                anyStorage);
            QVERIFY(value.has_value() || !value.error().message.empty());
        }
    }
};

QTEST_GUILESS_MAIN(FuzzModels)
#include "tst_fuzz_models.moc"
