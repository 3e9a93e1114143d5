#include "core/stage/weight_shards.h"

#include "core/load/open_model.h"
#include "core/load/weight_files.h"
#include "core/stage/export.h"
#include "core/stage/merge.h"
#include "core/stage/verify.h"
#include "stage_test.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

NamedTensor tensorOf(const char* name, std::int64_t floats, const char* aliasOf = "")
{
    return {name, {contiguousMeta(DType::F32, {floats}), StorageKey(0), {}}, aliasOf};
}

// "1: a b | 2: c"
QString placesIn(const ShardedWeights& weights)
{
    QStringList shards;
    for (const WeightShard& shard : weights.shards) {
        QStringList names;
        for (const NamedTensor& tensor : shard.tensors)
            names << QString::fromStdString(tensor.name);
        shards << QString::fromStdString(shard.file) + ": " + names.join(' ');
    }
    return shards.join(" | ");
}

} // namespace

class TestWeightShards : public QObject
{
    Q_OBJECT

private slots:
    void splitsAtTheSize_data()
    {
        QTest::addColumn<int>("most");
        QTest::addColumn<QString>("shards");
        QTest::newRow("one") << 100 << "m.safetensors: a b c d a2";
        QTest::newRow("exactly")
            << 40 << "m-00001-of-00002.safetensors: a b c a2 | m-00002-of-00002.safetensors: d";
        QTest::newRow("too large for any")
            << 16
            << "m-00001-of-00003.safetensors: a a2 | m-00002-of-00003.safetensors: b"
               " | m-00003-of-00003.safetensors: c d";
    }
    void splitsAtTheSize()
    {
        QFETCH(const int, most);
        QFETCH(const QString, shards);
        const ShardedWeights weights = inShards(
            "m",
            {tensorOf("a", 4), tensorOf("b", 5), tensorOf("c", 1), tensorOf("d", 1), tensorOf("a2", 4, "a")},
            Bytes(most));
        QCOMPARE(placesIn(weights), shards);
        QCOMPARE(weights.shards.size() > 1, !weights.index.empty());
        if (weights.index.empty())
            return;
        QCOMPARE(weights.entry(), std::string("m.safetensors.index.json"));
        const QJsonObject index = QJsonDocument::fromJson(QByteArray::fromStdString(weights.index)).object();
        QCOMPARE(index["metadata"], QJsonObject({{"total_size", 44}}));
        QCOMPARE(index["weight_map"].toObject().keys(), QStringList({"a", "b", "c", "d"}));
        QCOMPARE(index["weight_map"]["d"].toString(), QString::fromStdString(weights.shards.back().file));
    }

    void anExportInShardsIsWholeAndMergesToOneModel()
    {
        const QTemporaryDir folder;
        const std::filesystem::path out = folder.filePath("out").toStdString();
        const auto model = openModel(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");
        QCOMPARE(message(model), "ok");
        const Partition halves = evenly(model->graph, 2);
        const ExportOptions options{.folder = out, .shardSize = Bytes(260000)};
        const auto planned = planExport(*model, halves, options);
        const auto report = exportStages(*model, halves, options);
        QCOMPARE(message(report), "ok");
        QVERIFY(filesIn(folder.filePath("out")).contains("stage_0-00002-of-00003.safetensors"));
        QVERIFY(!filesIn(folder.filePath("out")).contains("stage_0.safetensors"));
        QCOMPARE(planned->size(), report->files.size());
        for (std::size_t i = 0; i < planned->size(); ++i)
            QCOMPARE(report->files[i].name, (*planned)[i].name);
        const auto manifest = readManifest(out);
        QCOMPARE(message(manifest), "ok");
        QCOMPARE(manifest->stages[0].files.weights, std::string("stage_0.safetensors.index.json"));
        const auto verified = verifyExport(*model, out);
        QVERIFY(verified.has_value() && verified->passed());

        const std::filesystem::path merged = folder.filePath("m.safetensors").toStdString();
        const auto inOne = mergeStages(out, out, merged);
        QCOMPARE(message(inOne), "ok");
        QCOMPARE(inOne->file, merged);
        const auto beside = mergeStages(out, out, merged, Bytes(260000));
        QVERIFY2(message(beside).contains("m.safetensors: is there, and would be taken for the model"),
                 qPrintable(message(beside)));
        const auto whole = readWeights({merged});
        std::filesystem::rename(merged, folder.filePath("whole.safetensors").toStdString());
        const auto inShards = mergeStages(out, out, merged, Bytes(260000));
        QCOMPARE(message(inShards), "ok");
        QVERIFY(inShards->files > 2);
        const auto read = readWeights({inShards->file});
        QCOMPARE(message(read), "ok");
        QCOMPARE(read->names(), whole->names());
        for (const std::string& name : read->names())
            QVERIFY(std::ranges::equal(read->find(name)->bytes, whole->find(name)->bytes));
        QCOMPARE(filesIn(folder.path()).filter(".part").size(), 0);

        // Another export to the same place leaves no shard of this one.
        QCOMPARE(message(exportStages(*model, halves, {.folder = out})), "ok");
        QCOMPARE(filesIn(folder.filePath("out")).filter("-of-").size(), 0);
        QVERIFY(filesIn(folder.filePath("out")).contains("stage_0.safetensors"));
    }

    void aShardThatIsNotAsWrittenIsSeen()
    {
        const QTemporaryDir folder;
        const std::filesystem::path out = folder.filePath("out").toStdString();
        const auto model = openModel(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");
        const ExportOptions options{.folder = out, .shardSize = Bytes(260000)};
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), options)), "ok");
        QFile shard(folder.filePath("out/stage_0-00002-of-00003.safetensors"));
        QVERIFY(shard.open(QIODevice::ReadWrite) && shard.seek(shard.size() - 1) && shard.putChar('\x55'));
        shard.close();
        const auto verified = verifyExport(*model, out);
        QVERIFY(verified.has_value() && !verified->passed());
        QVERIFY(shard.remove());
        QVERIFY(message(verifyExport(*model, out)).contains("stage_0-00002-of-00003.safetensors"));
        QVERIFY(message(mergeStages(out, out, out / "m.safetensors")).contains("stage_0-00002-of-00003"));
    }

    void aManifestMustListAllShards()
    {
        const QTemporaryDir folder;
        const std::filesystem::path out = folder.filePath("out").toStdString();
        const auto model = openModel(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");
        const ExportOptions options{.folder = out, .shardSize = Bytes(260000)};
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), options)), "ok");
        const QByteArray manifest = content(folder.filePath("out/manifest.json"));
        const auto said = [&](const char* before, const char* after) {
            QFile file(folder.filePath("out/manifest.json"));
            const bool isWritten = file.open(QIODevice::WriteOnly) &&
                                   file.write(QByteArray(manifest).replace(before, after)) > 0;
            file.close();
            return isWritten ? message(readManifest(out)) : QString("cannot write");
        };
        QVERIFY(
            said("stage_0-00002-of-00003", "stage_0-00003-of-00003").contains("does not list stage_0-00002"));
        QVERIFY(said("\"weights\": \"stage_0.safetensors.index.json\"", "\"weights\": null")
                    .contains("shards without an index"));
        QVERIFY(said("stage_0-00002-of-00003", "stage_0-../a-of-00003").contains("a file of an export"));
    }
};

QTEST_GUILESS_MAIN(TestWeightShards)
#include "tst_weight_shards.moc"
