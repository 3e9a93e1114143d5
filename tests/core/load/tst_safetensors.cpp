#include "core/load/attached_weights.h"
#include "core/load/open_model.h"
#include "core/load/safetensors.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cstring>

using namespace stagecraft;

namespace {

QByteArray safetensors(const QByteArray& header, qsizetype dataBytes)
{
    QByteArray file(8, '\0');
    const quint64 size = static_cast<quint64>(header.size());
    std::memcpy(file.data(), &size, sizeof size);
    return file + header + QByteArray(dataBytes, '\x01');
}

} // namespace

class TestSafetensors : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::filesystem::path written(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        return file.fileName().toStdString();
    }
    QString said(const QByteArray& bytes)
    {
        const auto path = written("x.safetensors", bytes);
        const Result<WeightStore> weights = readSafetensors({path});
        return weights.has_value() ? "ok"
                                   : QString::fromStdString(weights.error().message)
                                         .mid(static_cast<qsizetype>(path.string().size()) + 2);
    }

private slots:
    void readsTensors()
    {
        const auto path = written(
            "a.safetensors", safetensors(R"({"__metadata__": {"format": "pt"},)"
                                         R"("b": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},)"
                                         R"("a": {"dtype": "BF16", "shape": [], "data_offsets": [24, 26]}})",
                                         26));
        const Result<WeightStore> weights = readSafetensors({path});
        QVERIFY2(weights.has_value(), weights.has_value() ? "" : weights.error().message.c_str());
        QCOMPARE(weights.value().names(), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(metaText(weights.value().find("b")->meta), std::string("f32[2, 3]"));
        QCOMPARE(weights.value().find("a")->bytes.size(), 2u);
    }

    void saysWhatIsWrong()
    {
        QCOMPARE(said(""), "not a safetensors file: it is too short");
        QCOMPARE(said(QByteArray(16, '\xff')), "not a safetensors file: its header has no such length");
        QCOMPARE(said(safetensors("nonsense", 0)), "the JSON is damaged");
        QCOMPARE(said(safetensors(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}})", 4)),
                 "a: not a safetensors file: the offsets do not fit the shape");
        QCOMPARE(said(safetensors(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", 8)),
                 "not a safetensors file: its tensors overlap or leave gaps at a");
        QCOMPARE(said(safetensors(R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})", 2)),
                 "its tensors take 4 bytes, the file has 2; it may be cut short");
        QCOMPARE(said(safetensors(R"({"a": {"dtype": "F4", "shape": [1], "data_offsets": [0, 4]}})", 4)),
                 "a: the element type F4 is not known");
    }

    void givesAModelItsWeights()
    {
        const QString file = QString(STAGECRAFT_TEST_DATA) + "/oracle/models/resnet18.pt2";
        Result<Model> model = openModel(file.toStdString());
        QVERIFY(model.has_value());
        QVERIFY(model->structureOnly());
        QByteArray headers[2] = {"{", "{"}; // two shards
        qint64 sizes[2] = {0, 0};
        int count = 0;
        for (const std::string& name : model->weights.names()) {
            const TensorMeta meta = model->weights.find(name)->meta;
            const int shard = count++ % 2;
            const qint64 bytes = byteSize(meta, {})->count();
            QString shape;
            for (const SymInt& size : meta.sizes)
                shape += (shape.isEmpty() ? "" : ", ") + QString::number(size.constant());
            headers[shard] += QString(R"(%1"%2": {"dtype": "%3", "shape": [%4], "data_offsets": [%5, %6]})")
                                  .arg(headers[shard] == "{" ? "" : ", ", QString::fromStdString(name),
                                       meta.dtype == DType::I64 ? "I64" : "F32", shape)
                                  .arg(sizes[shard])
                                  .arg(sizes[shard] + bytes)
                                  .toUtf8();
            sizes[shard] += bytes;
        }
        const auto first = written("1.safetensors", safetensors(headers[0] + "}", sizes[0]));
        const auto second = written("2.safetensors", safetensors(headers[1] + "}", sizes[1]));
        const Result<void> missing = attachWeights(*model, {first});
        QVERIFY(!missing.has_value());
        QVERIFY2(missing.error().message.starts_with("the files have no tensor "),
                 missing.error().message.c_str());
        // Ten names, and how many there are beside them; half of them are missing.
        const QString names = QString::fromStdString(missing.error().message).section(';', 0, 0);
        const int gone = count / 2;
        QCOMPARE(names.count(", "), std::min(gone, 10) - 1);
        QCOMPARE(names.endsWith(" and " + QString::number(gone - 10) + " more"), gone > 10);
        QVERIFY(model->structureOnly());
        const Result<void> attached = attachWeights(*model, {first, second});
        QVERIFY2(attached.has_value(), attached.has_value() ? "" : attached.error().message.c_str());
        QVERIFY(!model->structureOnly());
        const Result<void> twice = attachWeights(*model, {first, first});
        QVERIFY(twice.error().message.find("is there twice; copy or download it again") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
