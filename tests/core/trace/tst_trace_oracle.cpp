// The memory of one training step of ten architectures, to the byte, against what Python counted with a
// dispatch mode (tests/data/oracle/profile.json).
#include "core/load/open_model.h"
#include "core/trace/trace_model.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>
#include <set>

using namespace stagecraft;

namespace {

using Figures = std::map<std::string, qint64>;

qint64 distinctBytes(const Trace& trace, const std::set<StorageId>& storages)
{
    qint64 bytes = 0;
    for (const StorageId id : storages)
        bytes += trace.storages[id].bytes.count();
    return bytes;
}

Figures savedFigures(const Trace& trace)
{
    Figures figures{{"saved_parameter_entries", 0}, {"saved_buffer_entries", 0}, {"saved_input_entries", 0}};
    std::set<StorageId> storages;
    for (const SavedTensor& saved : trace.saved) {
        if (!isSavedForBackward(trace, saved))
            continue;
        switch (trace.storages[saved.storage].storageClass) {
        case StorageClass::Parameter:
            ++figures["saved_parameter_entries"];
            break;
        case StorageClass::Buffer:
            ++figures["saved_buffer_entries"];
            break;
        case StorageClass::Input:
            ++figures["saved_input_entries"];
            break;
        case StorageClass::Activation:
            storages.insert(saved.storage);
            ++figures["saved_entries"];
            figures["saved_entries_bytes"] += saved.bytes.count();
            break;
        default:
            break;
        }
    }
    figures["saved_storages"] = static_cast<qint64>(storages.size());
    figures["saved_bytes"] = distinctBytes(trace, storages);
    return figures;
}

Figures memoryFigures(const Trace& trace)
{
    Figures figures = savedFigures(trace);
    Bytes peakForward;
    Bytes peakBackward = trace.liveAfterForward;
    for (const OpId id : trace.ops.ids()) {
        Bytes& peak = trace.ops[id].phase == Phase::Forward ? peakForward : peakBackward;
        peak = std::max(peak, trace.ops[id].live);
    }
    Bytes gradients;
    for (const StorageId id : trace.storages.ids()) {
        const TraceStorage& storage = trace.storages[id];
        if (storage.storageClass == StorageClass::ParameterGradient)
            gradients += storage.bytes;
        if (storage.birth) {
            const bool isForward = storage.birth->index() < trace.forwardEnd;
            figures[isForward ? "bytes_allocated_forward" : "bytes_allocated_backward"] +=
                storage.bytes.count();
        }
    }
    figures["live_after_forward"] = trace.liveAfterForward.count();
    figures["peak_forward"] = peakForward.count();
    figures["peak_backward"] = peakBackward.count();
    figures["peak"] = std::max(peakForward, peakBackward).count();
    figures["live_at_end"] = trace.liveAtEnd.count();
    figures["live_at_end_outputs_dropped"] = trace.liveAtEndOutputsDropped.count();
    figures["gradient_bytes"] = gradients.count();
    return figures;
}

// "aten.mm" for aten::mm.
std::string pythonName(const Trace& trace, const TraceOp& op)
{
    return QString::fromStdString(trace.opNames[op.name].name).replace("::", ".").toStdString();
}

// Operators by name and phase. Python's dispatch mode also counts a detach for every result that is saved,
// and one when it is taken out again: those are not operators, so detach is left out on both sides.
Figures opCounts(const Trace& trace, Phase phase)
{
    Figures counts;
    for (const TraceOp& op : trace.ops)
        if (op.phase == phase)
            ++counts[pythonName(trace, op)];
    counts.erase("aten.detach");
    return counts;
}

Figures figuresOf(const QJsonObject& object)
{
    Figures figures;
    for (auto entry = object.begin(); entry != object.end(); ++entry)
        if (entry->isDouble())
            figures[entry.key().toStdString()] = entry->toVariant().toLongLong();
    figures.erase("aten.detach");
    return figures;
}

Figures savedByProducer(const Trace& trace)
{
    std::set<StorageId> storages;
    for (const SavedTensor& saved : trace.saved)
        if (isSavedForBackward(trace, saved) &&
            trace.storages[saved.storage].storageClass == StorageClass::Activation)
            storages.insert(saved.storage);
    Figures figures;
    for (const StorageId id : storages)
        figures[pythonName(trace, trace.ops[*trace.storages[id].birth])] += trace.storages[id].bytes.count();
    return figures;
}

// The first operator after which most bytes are alive.
std::string peakOp(const Trace& trace)
{
    const auto peak = std::ranges::max_element(trace.ops, {}, &TraceOp::live);
    return pythonName(trace, *peak);
}

QString differences(const Figures& ours, const Figures& theirs)
{
    QString text;
    for (const auto& [name, value] : theirs)
        if (const auto found = ours.find(name); found == ours.end() || found->second != value)
            text += QString("\n  %1: ours %2, theirs %3")
                        .arg(name.c_str())
                        .arg(found == ours.end() ? 0 : found->second)
                        .arg(value);
    for (const auto& [name, value] : ours)
        if (!theirs.contains(name))
            text += QString("\n  %1: ours %2, theirs none").arg(name.c_str()).arg(value);
    return text;
}

// "f32[2,3] strides 3 1". The stride of a dimension of size 1 says nothing; nor do those of an empty tensor.
QString shapeText(DType dtype, const std::vector<std::int64_t>& sizes,
                  const std::vector<std::int64_t>& strides)
{
    QString text =
        QString::fromUtf8(shortName(dtype).data(), static_cast<qsizetype>(shortName(dtype).size())) + '[';
    for (const std::int64_t size : sizes)
        text += QString::number(size) + ',';
    text += "] strides";
    if (std::ranges::find(sizes, 0) != sizes.end())
        return text;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        text += ' ' + (sizes[i] == 1 ? QString("-") : QString::number(strides[i]));
    return text;
}

QString shapeText(const TensorMeta& meta)
{
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    for (const SymInt& size : meta.sizes)
        sizes.push_back(*size.evaluate({}));
    for (const SymInt& stride : meta.strides)
        strides.push_back(*stride.evaluate({}));
    return shapeText(meta.dtype, sizes, strides);
}

QString shapeText(const Trace& trace, const TraceTensor& tensor)
{
    const auto sizes = trace.sizes(tensor);
    const auto strides = trace.strides(tensor);
    return shapeText(tensor.dtype, {sizes.begin(), sizes.end()}, {strides.begin(), strides.end()});
}

// torch 2.6 wrote the states of an LSTM with a dimension too many.
bool isWrongInTheFile(const Model& model, const Value& value)
{
    return model.provenance.torchVersion.starts_with("2.6") && value.producer &&
           model.graph[*value.producer].target == "aten::lstm.input";
}

LoweringKind loweringOf(const QString& route)
{
    if (route == "efficient")
        return LoweringKind::Efficient;
    return route == "cpu" ? LoweringKind::Cpu : LoweringKind::Math;
}

} // namespace

class TestTraceOracle : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(STAGECRAFT_TEST_DATA "/oracle/profile.json");
        QVERIFY(file.open(QFile::ReadOnly));
        for (const QJsonValue row : QJsonDocument::fromJson(file.readAll()).object()["rows"].toArray())
            m_rows[row["name"].toString()] = row["exported"].toObject();
        QCOMPARE(m_rows.size(), 10u);
    }

    void memoryEqualsTheCountedOne_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("route");
        for (const auto& [name, routes] : m_rows)
            for (const QString& route : routes.keys())
                QTest::newRow(qPrintable(name + " " + route)) << name << route;
    }

    void memoryEqualsTheCountedOne()
    {
        QFETCH(QString, model);
        QFETCH(QString, route);
        const auto opened = openModel(std::filesystem::path(STAGECRAFT_RESOURCES "/examples") /
                                      (model + ".pt2").toStdString());
        QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
        const auto trace =
            traceModel(*opened, {.lowering = {.kind = loweringOf(route)}, .lossOutput = "all"});
        QVERIFY2(trace.has_value(), trace.has_value() ? "" : trace.error().message.c_str());
        const QJsonObject expected = m_rows[model][route].toObject();
        const QJsonObject ops = expected["ops"].toObject();
        QString wrong = differences(memoryFigures(*trace), figuresOf(expected["memory"].toObject()));
        const QJsonObject memory = expected["memory"].toObject();
        wrong += differences(savedByProducer(*trace), figuresOf(memory["saved_by_producer"].toObject()));
        if (peakOp(*trace) != memory["peak_op"].toArray()[1].toString().toStdString())
            wrong += QString("\n  the peak is at %1").arg(peakOp(*trace).c_str());
        wrong += differences(opCounts(*trace, Phase::Forward), figuresOf(ops["forward_by_op"].toObject()));
        wrong += differences(opCounts(*trace, Phase::Backward), figuresOf(ops["backward_by_op"].toObject()));
        for (const InexactNode& inexact : trace->inexact)
            wrong +=
                QString("\n  %1: %2").arg(opened->graph[inexact.node].target.c_str(), inexact.text().c_str());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    void memoryEqualsARealRunOnTheCpu_data()
    {
        QTest::addColumn<QJsonObject>("row");
        QFile file(STAGECRAFT_TEST_DATA "/oracle/cpu_memory.json");
        QVERIFY(file.open(QFile::ReadOnly));
        for (const QJsonValue row : QJsonDocument::fromJson(file.readAll()).object()["rows"].toArray())
            if (row["form"].toString() == "program")
                QTest::newRow(qPrintable(row["name"].toString())) << row.toObject();
    }

    void memoryEqualsARealRunOnTheCpu()
    {
        QFETCH(QJsonObject, row);
        const QString name = row["name"].toString() + ".pt2";
        QString path = STAGECRAFT_TEST_DATA "/models/tiny/" + name;
        if (!QFile::exists(path))
            path = STAGECRAFT_TEST_DATA "/oracle/models/" + name;
        const auto opened = openModel(path.toStdString());
        QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
        const auto trace =
            traceModel(*opened, {.lowering = {.kind = LoweringKind::Cpu}, .lossOutput = "all"});
        QVERIFY2(trace.has_value(), trace.has_value() ? "" : trace.error().message.c_str());
        Figures theirs = figuresOf(row["losses"].toObject()["sum"].toObject()["storages"].toObject());
        for (const char* figure : {"gradient_bytes", "saved_bytes", "saved_storages", "saved_entries"})
            if (row[figure].isDouble())
                theirs[figure] = row[figure].toVariant().toLongLong();
        Figures ours;
        for (const auto& [figure, value] : memoryFigures(*trace))
            if (theirs.contains(figure))
                ours[figure] = value;
        QVERIFY2(differences(ours, theirs).isEmpty(), qPrintable(differences(ours, theirs)));
        QVERIFY(trace->inexact.empty());
    }

    // What Python's tracer found for each value when the model was exported.
    void valuesHaveTheShapesOfTheFile_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* folder :
             {STAGECRAFT_RESOURCES "/examples", STAGECRAFT_TEST_DATA "/models/tiny",
              STAGECRAFT_TEST_DATA "/models/run", STAGECRAFT_TEST_DATA "/models/small/torch-2.14",
              STAGECRAFT_TEST_DATA "/models/small/torch-2.6"})
            for (const QFileInfo& file : QDir(folder).entryInfoList({"*.pt2"}))
                QTest::newRow(qPrintable(file.dir().dirName() + " " + file.baseName())) << file.filePath();
    }

    void valuesHaveTheShapesOfTheFile()
    {
        QFETCH(QString, path);
        const auto opened = openModel(path.toStdString());
        QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
        // Exported on the CPU, attention was the CPU's own.
        const bool isFromCpu = opened->graph[opened->graph.inputs()[0]].meta->device.type == "cpu";
        const auto trace =
            traceModel(*opened, {.lowering = {.kind = isFromCpu ? LoweringKind::Cpu : LoweringKind::Math}});
        QVERIFY2(trace.has_value(), trace.has_value() ? "" : trace.error().message.c_str());
        QString wrong;
        for (const ValueId id : opened->graph.values()) {
            const Value& value = opened->graph[id];
            if (!value.meta || !trace->values[id].tensor || isWrongInTheFile(*opened, value))
                continue;
            const QString ours = shapeText(*trace, (*trace)[*trace->values[id].tensor]);
            if (ours != shapeText(*value.meta))
                wrong += QString("\n  %1: ours %2, theirs %3")
                             .arg(value.name.c_str(), ours, shapeText(*value.meta));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

private:
    std::map<QString, QJsonObject> m_rows;
};

QTEST_GUILESS_MAIN(TestTraceOracle)
#include "tst_trace_oracle.moc"
