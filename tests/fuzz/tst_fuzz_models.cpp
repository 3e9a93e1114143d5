// Opens thousands of damaged model files. They may open or be refused, but never crash, hang or fill the
// memory. Set STAGECRAFT_FUZZ_SEED to repeat a run, STAGECRAFT_FUZZ_ROUNDS for a longer one.
#include "core/graph/graph_text.h"
#include "core/load/model.h"
#include "core/load/pickle.h"
#include "core/load/safetensors.h"
#include "tests/core/load/zip_writer.h"

#include <QTemporaryDir>
#include <QtTest>
#include <random>

using namespace stagecraft;

namespace {

const QString testData = STAGECRAFT_TEST_DATA;

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class Mutator
{
public:
    explicit Mutator(unsigned seed) : m_random(seed) {}

    std::size_t below(qsizetype count)
    {
        return m_random() % static_cast<std::size_t>(std::max<qsizetype>(count, 1));
    }

    // A few bytes changed, or a piece cut out, doubled or exchanged for a number at the edge of its range.
    QByteArray mutated(QByteArray bytes)
    {
        for (std::size_t i = below(6) + 1; i > 0; --i) {
            const auto at = static_cast<qsizetype>(below(bytes.size()));
            const auto size = static_cast<qsizetype>(below(40));
            switch (below(6)) {
            case 0:
                bytes.remove(at, size);
                break;
            case 1:
                bytes.insert(at, bytes.mid(static_cast<qsizetype>(below(bytes.size())), size));
                break;
            case 2:
                bytes.replace(at, 8, QByteArray(8, '\xff'));
                break;
            case 3:
                changeNumber(bytes, at);
                break;
            case 4:
                changeName(bytes, at);
                break;
            default:
                if (!bytes.isEmpty())
                    bytes[at] = static_cast<char>(m_random());
            }
        }
        return bytes;
    }

private:
    void changeNumber(QByteArray& bytes, qsizetype at)
    {
        static const std::array<const char*, 7> numbers{"-1",   "0", "9223372036854775807", "1e400", "[]",
                                                        "null", "{}"};
        while (at < bytes.size() && !(bytes[at] >= '0' && bytes[at] <= '9'))
            ++at;
        if (at < bytes.size())
            bytes.replace(at, 1, numbers[below(numbers.size())]);
    }
    // One quoted word in another's place: names, keys and kinds get mixed up.
    void changeName(QByteArray& bytes, qsizetype at)
    {
        const auto word = [&](qsizetype from) {
            const qsizetype start = bytes.indexOf('"', from);
            const qsizetype end = start < 0 ? -1 : bytes.indexOf('"', start + 1);
            return end < 0 ? std::pair<qsizetype, qsizetype>(0, 0) : std::pair(start, end + 1 - start);
        };
        const auto [from, fromSize] = word(static_cast<qsizetype>(below(bytes.size())));
        const QByteArray text = bytes.mid(from, fromSize);
        const auto [to, toSize] = word(at);
        if (toSize < 200 && fromSize < 200)
            bytes.replace(to, toSize, text);
    }

    std::mt19937 m_random;
};

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
            open(mutator.mutated(good));
    }

    void records_data() { files_data(); }

    // One record, in a zip that is whole: programs, configurations and pickles.
    void records()
    {
        QFETCH(QString, file);
        const std::vector<ZipRecord> good = zipRecords(readAll(testData + "/models/small/" + file));
        QVERIFY(!good.empty());
        Mutator mutator(m_seed);
        for (unsigned i = 0; i < m_rounds; ++i) {
            std::vector<ZipRecord> records = good;
            std::erase_if(records, [](const ZipRecord& record) { return record.data.isEmpty(); });
            ZipRecord* chosen = &records[mutator.below(static_cast<qsizetype>(records.size()))];
            for (ZipRecord& record : records) // weights are only bytes: the program is worth more tries
                if (record.name.endsWith(".json") && mutator.below(2) == 0)
                    chosen = &record;
            std::vector<ZipRecord> nested = zipRecords(chosen->data);
            if (nested.empty() || mutator.below(4) == 0) {
                chosen->data = mutator.mutated(chosen->data);
            } else {
                ZipRecord& inner = nested[mutator.below(static_cast<qsizetype>(nested.size()))];
                inner.data = mutator.mutated(inner.data);
                chosen->data = zipOf(nested);
            }
            open(zipOf(records));
        }
    }

    void texts()
    {
        const QByteArray good = readAll(testData + "/graphs/everything.txt");
        QVERIFY(!good.isEmpty());
        Mutator mutator(m_seed);
        for (unsigned i = 0; i < 10 * m_rounds; ++i) {
            const Result<Graph> graph = parseGraph(mutator.mutated(good).toStdString());
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
            const QByteArray bytes = mutator.mutated(good[i % good.size()]);
            const Result<PickleNode> value = unpickle(
                {reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size())},
                anyStorage);
            QVERIFY(value.has_value() || !value.error().message.empty());
        }
    }
};

QTEST_GUILESS_MAIN(FuzzModels)
#include "tst_fuzz_models.moc"
