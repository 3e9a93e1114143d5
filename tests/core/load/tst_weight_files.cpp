#include "core/load/weight_files.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <string>

using namespace stagecraft;

class TestWeightFiles : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    void write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }
    // Files of one byte tensors.
    void writeShard(const QString& name, const QStringList& tensors)
    {
        QStringList entries;
        for (int i = 0; i < tensors.size(); ++i)
            entries << QString(R"("%1": {"dtype": "U8", "shape": [1], "data_offsets": [%2, %3]})")
                           .arg(tensors[i])
                           .arg(i)
                           .arg(i + 1);
        const QByteArray header = "{" + entries.join(", ").toUtf8() + "}";
        QByteArray length(8, '\0');
        const auto size = static_cast<quint64>(header.size());
        std::memcpy(length.data(), &size, sizeof size);
        write(name, length + header + QByteArray(tensors.size(), '\x01'));
    }
    QString said(const QByteArray& index)
    {
        write("m.safetensors.index.json", index);
        const Result<WeightStore> read =
            readWeights({m_folder.filePath("m.safetensors.index.json").toStdString()});
        if (!read.has_value())
            return QString::fromStdString(read.error().message).remove(m_folder.path() + "/");
        QStringList names;
        for (const std::string& name : read->names())
            names << QString::fromStdString(name);
        return names.join(' ');
    }

private slots:
    void initTestCase()
    {
        writeShard("1.safetensors", {"a", "b"});
        writeShard("2.safetensors", {"c"});
    }

    void readsWhatTheIndexSays_data()
    {
        QTest::addColumn<QByteArray>("map");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const char* map, const std::string& found) {
            QTest::newRow(name) << QByteArray(R"({"metadata": {"total_size": 3}, "weight_map": )") + map + "}"
                                << QString::fromStdString(found);
        };
        row("whole", R"({"a": "1.safetensors", "b": "1.safetensors", "c": "2.safetensors"})", "a b c");
        const auto refused = [&](const char* name, const char* map, const char* why) {
            row(name, map, why + std::string("; copy or download it again, or save the weights again"));
        };
        refused("missing", R"({"a": "1.safetensors", "b": "1.safetensors", "c": "1.safetensors"})",
                "m.safetensors.index.json: the tensor c is not in 1.safetensors, where it is to be");
        refused("unlisted", R"({"a": "1.safetensors", "c": "2.safetensors"})",
                "m.safetensors.index.json: the tensor b is in 1.safetensors, and not listed");
        refused("twice", R"({"c": "2.safetensors", "c": "1.safetensors"})",
                "m.safetensors.index.json: it lists the tensor c twice");
        refused("elsewhere", R"({"c": "../2.safetensors"})",
                "m.safetensors.index.json: a shard is to be a file beside the index");
        refused("absolute", R"({"c": "/etc/passwd"})",
                "m.safetensors.index.json: a shard is to be a file beside the index");
        refused("parent", R"({"c": ".."})",
                "m.safetensors.index.json: a shard is to be a file beside the index");
        refused("no text", R"({"c": 2})", "m.safetensors.index.json: 'c' is not a text");
        refused("no map", "[]",
                "m.safetensors.index.json: not the index of a checkpoint: it has no weight_map");
    }
    void readsWhatTheIndexSays()
    {
        QFETCH(const QByteArray, map);
        QFETCH(const QString, found);
        QCOMPARE(said(map), found);
    }

    // As a fuzzer made it: a mapped file of no length is no memory, which the parser read.
    void anIndexThatIsEmptyIsSaidToBe()
    {
        QCOMPARE(said(""),
                 "m.safetensors.index.json: the JSON is empty; copy or download it again, or save the "
                 "weights again");
    }

    void aShardThatIsNotThereIsNamed()
    {
        QVERIFY(said(R"({"weight_map": {"a": "3.safetensors"}})").startsWith("3.safetensors: "));
    }

    void aShardThatIsCutShortIsNamed()
    {
        write("4.safetensors", QByteArray(4, '\0'));
        QVERIFY(said(R"({"weight_map": {"a": "4.safetensors"}})").startsWith("4.safetensors: "));
    }
};

QTEST_GUILESS_MAIN(TestWeightFiles)
#include "tst_weight_files.moc"
