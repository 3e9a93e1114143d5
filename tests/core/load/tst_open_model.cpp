#include "core/load/open_model.h"
#include "core/load/open_program.h"
#include "core/load/zip_archive.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <stop_token>

using namespace stagecraft;

namespace {

const QString testData = STAGECRAFT_TEST_DATA;
const QString resources = STAGECRAFT_RESOURCES;

QStringList modelFiles()
{
    QStringList files;
    const QStringList folders{resources + "/examples",
                              testData + "/models/tiny",
                              testData + "/oracle/models",
                              testData + "/models/small/torch-2.14",
                              testData + "/models/small/torch-2.6",
                              testData + "/models/old"};
    for (const QString& folder : folders)
        for (const QString& file : QDir(folder).entryList({"*.pt2"}))
            files += folder + "/" + file;
    return files;
}

std::string opened(const Result<Model>& model)
{
    return model.has_value() ? "ok" : model.error().message;
}

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The program's JSON, found without the code under test but for the zip.
QJsonObject programOf(const QByteArray& file)
{
    const std::span bytes(reinterpret_cast<const std::byte*>(file.constData()),
                          static_cast<std::size_t>(file.size()));
    const Result<ZipArchive> archive = ZipArchive::open({bytes, nullptr});
    if (!archive.has_value())
        return {};
    for (const ZipEntry& entry : archive.value().entries())
        if (entry.name.ends_with("models/model.json") || entry.name == "serialized_exported_program.json") {
            const Result<OwnedBytes> record = archive.value().read(entry);
            const std::string_view text = record.value().text();
            QByteArray json(text.data(), static_cast<qsizetype>(text.size()));
            json.replace(": -Infinity", ": \"-Infinity\"");
            return QJsonDocument::fromJson(json).object();
        }
    return {};
}

// Nodes that stay nodes, with those of regions in place of the region's own.
int nodesWithRegionsInlined(const QJsonObject& graph)
{
    int count = 0;
    for (const QJsonValue& node : graph["nodes"].toArray()) {
        const QString target = node["target"].toString();
        ++count;
        if (!target.contains("wrap_with_") && !target.contains("activation_checkpoint"))
            continue;
        --count;
        for (const QJsonValue& input : node["inputs"].toArray())
            if (input["arg"].toObject().contains("as_graph"))
                count += nodesWithRegionsInlined(input["arg"]["as_graph"]["graph"].toObject());
    }
    return count;
}

Model openTiny(const QString& name)
{
    Result<Model> model = openModel((testData + "/models/" + name).toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

} // namespace

class TestOpenModel : public QObject
{
    Q_OBJECT

private slots:
    void opensEveryModel_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : modelFiles())
            QTest::newRow(qPrintable(file.section('/', -2))) << file;
    }

    void opensEveryModel()
    {
        QFETCH(QString, file);
        const Result<Model> model = openModel(file.toStdString());
        QCOMPARE(opened(model), "ok");
        const QJsonObject program = programOf(readAll(file));
        const QJsonObject graph = program["graph_module"]["graph"].toObject();
        QCOMPARE(model->provenance.fileNodeCount, static_cast<std::size_t>(graph["nodes"].toArray().size()));
        QCOMPARE(model->graph.nodeCount(), static_cast<std::size_t>(nodesWithRegionsInlined(graph)));
        QCOMPARE(model->signature.inputs.size(), static_cast<std::size_t>(graph["inputs"].toArray().size()));
        QCOMPARE(QString::fromStdString(model->provenance.torchVersion), program["torch_version"].toString());
        QCOMPARE(model->name, QFileInfo(file).completeBaseName().toStdString());
    }

    void roundTripsAsText_data() { opensEveryModel_data(); }

    void roundTripsAsText()
    {
        QFETCH(QString, file);
        const Result<Model> model = openModel(file.toStdString());
        QCOMPARE(opened(model), "ok");
        const std::string text = printGraph(model->graph);
        const Result<Graph> again = parseGraph(text);
        QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
        QCOMPARE(printGraph(*again), text);
        for (const NodeId node : model->graph.nodes()) {
            QCOMPARE((*again)[node].arguments, model->graph[node].arguments);
            QCOMPARE((*again)[node].outputs, model->graph[node].outputs);
            QVERIFY(std::ranges::equal(again->predecessors(node), model->graph.predecessors(node)));
        }
        for (const ValueId value : model->graph.values()) {
            QCOMPARE((*again)[value].meta, model->graph[value].meta);
            QCOMPARE((*again)[value].kind, model->graph[value].kind);
        }
    }

    void countsParametersAsTheOracle_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonObject>("expected");
        const QByteArray json = readAll(testData + "/oracle/profile.json");
        for (const QJsonValue& row : QJsonDocument::fromJson(json).object()["rows"].toArray())
            QTest::newRow(qPrintable(row["name"].toString())) << row["name"].toString() << row.toObject();
    }

    void countsParametersAsTheOracle()
    {
        QFETCH(QString, name);
        QFETCH(QJsonObject, expected);
        const Result<Model> model = openModel((resources + "/examples/" + name + ".pt2").toStdString());
        QCOMPARE(opened(model), "ok");
        QVERIFY(model->structureOnly());
        std::int64_t elements = 0;
        std::int64_t bytes = 0;
        const std::vector<ParameterGroup> groups = parameterGroups(*model);
        for (const ParameterGroup& group : groups) {
            const TensorMeta& meta = *model->graph[group.values.front()].meta;
            elements += *elementCount(meta, {});
            bytes += byteSize(meta, {})->count();
        }
        QCOMPARE(elements, expected["parameters"].toInteger());
        QCOMPARE(bytes, expected["parameter_bytes"].toInteger());
        QCOMPARE(static_cast<qint64>(groups.size()), expected["parameter_tensors"].toInteger());
    }

    void joinsTiedWeights()
    {
        const Model model = openTiny("small/torch-2.14/with-loss-static.pt2");
        const std::vector<ParameterGroup> groups = parameterGroups(model);
        QCOMPARE(groups.size(), 9u);
        QCOMPARE(groups[0].names,
                 (std::vector<std::string>{"head.weight", "embed.weight"})); // used one first
        const Model older = openTiny("small/torch-2.6/with-loss-static.pt2");
        QCOMPARE(parameterGroups(older)[0].names, groups[0].names);
    }

    void inlinesRegions()
    {
        const Model model = openTiny("tiny/llama-tiny.pt2");
        const Node& matmul = model.graph[*model.graph.findNode("matmul")];
        QCOMPARE(model.graph.context(matmul.context).gradEnabled, std::optional(false));
        QCOMPARE(model.graph.context(model.graph[NodeId(0)].context), Context());
    }

    void tellsModulesAndSources()
    {
        const Model model = openTiny("tiny/llama-tiny.pt2");
        const ModuleTree& modules = model.graph.modules();
        const std::optional<ModuleId> mlp = modules.find("model.model.layers.1.mlp");
        QVERIFY(mlp);
        QCOMPARE(modules[*mlp].className, std::string("transformers.models.llama.modeling_llama.LlamaMLP"));
        const Node& matmul = model.graph[*model.graph.findNode("matmul")];
        QCOMPARE(modules[matmul.module].path, std::string("model.model.rotary_emb"));
        const auto frames = model.graph.source(*matmul.source);
        QCOMPARE(frames.back().function, std::string("forward"));
        QVERIFY(frames.back().line > 0);
    }

    void readsSignatures()
    {
        const Model model = openTiny("small/torch-2.6/branches-dynamic.pt2");
        QCOMPARE(model.signature.forwardArgumentNames, std::vector<std::string>{"x"});
        QCOMPARE(model.signature.outputTree.dictKeys(), (std::vector<std::string>{"out", "mean"}));
        QCOMPARE(leafCount(model.signature.inputTree), 1u);
        QCOMPARE(model.graph.symbolRanges().at("s0"), (SymbolRange{2, 4096, 2}));
        QCOMPARE(model.provenance.container, ContainerKind::FlatZip);
        QCOMPARE(model.provenance.schemaVersion, std::string("8.2"));
    }

    // By tests/python/make_old_model.py: sizes are texts.
    void readsSizesOfPyTorch25()
    {
        const Model model = openTiny("old/torch-2.5.pt2");
        QCOMPARE(model.provenance.schemaVersion, std::string("7.3"));
        QCOMPARE(model.graph.symbolRanges().at("s0"), (SymbolRange{4, 64, 6}));
        QCOMPARE(model.graph.symbolRanges().at("s1"), (SymbolRange{2, 9, 5}));
        const auto sizesOf = [&](const char* value) {
            QStringList sizes;
            for (const SymInt& size : model.graph[*model.graph.findValue(value)].meta->sizes)
                sizes << QString::number(size.evaluate({{"s0", 11}, {"s1", 4}}).value());
            return sizes.join(" ");
        };
        QCOMPARE(sizesOf("view"), "22 3");
        QCOMPARE(sizesOf("cat"), "32 3"); // and the first 22 / 2 - 1 of them
        QCOMPARE(sizesOf("pad"), "2 7");  // 11 % 3 + 1 more
        QCOMPARE(model.weights.find("a.weight")->meta.sizes, (std::vector<SymInt>{6, 4}));
    }

    // By the same: all weights are one pickle, which is never run.
    void readsWeightsOfPyTorch28()
    {
        const Model newer = openTiny("old/torch-2.8.pt2");
        const Model older = openTiny("old/torch-2.5.pt2");
        QCOMPARE(newer.provenance.container, ContainerKind::Pt2Archive);
        QVERIFY(!newer.structureOnly());
        QCOMPARE(newer.weights.names(), older.weights.names());
        for (const std::string& name : newer.weights.names())
            QVERIFY2(std::ranges::equal(newer.weights.find(name)->bytes, older.weights.find(name)->bytes),
                     name.c_str());
    }

    void readsWeightsInPlace()
    {
        // The same weights, in both containers.
        const Model newer = openTiny("small/torch-2.14/skip-static.pt2");
        const Model older = openTiny("small/torch-2.6/skip-static.pt2");
        QVERIFY(!newer.structureOnly());
        QVERIFY(!older.structureOnly());
        QCOMPARE(newer.weights.names(), older.weights.names());
        for (const std::string& name : newer.weights.names()) {
            const auto a = newer.weights.find(name);
            const auto b = older.weights.find(name);
            QCOMPARE(a->meta.sizes, b->meta.sizes);
            QVERIFY2(std::ranges::equal(a->bytes, b->bytes), name.c_str());
        }
    }

    // Operators and what each reads, by position: names are each version's own.
    void versionsOfTorchWriteTheSameGraph_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"branches", "skip", "with-loss", "mixture"})
            for (const char* sizes : {"-static", "-dynamic"})
                QTest::newRow(qPrintable(QString(name) + sizes)) << QString(name) + sizes;
    }
    void versionsOfTorchWriteTheSameGraph()
    {
        QFETCH(QString, name);
        const auto shapeOf = [&](const QString& version) {
            const Model model = openTiny("small/" + version + "/" + name + ".pt2");
            QStringList lines;
            for (const NodeId node : model.graph.nodes()) {
                QStringList words{QString::fromStdString(model.graph[node].target)};
                for (const ValueId input : model.graph[node].inputs)
                    words << QString::number(input.index());
                lines << words.join(' ');
            }
            return lines;
        };
        const QStringList newer = shapeOf("torch-2.14");
        QVERIFY(newer.size() >= 9);
        QCOMPARE(shapeOf("torch-2.6"), newer);
    }

    void canBeCancelled()
    {
        std::stop_source stop;
        const Progress progress(stop.get_token(),
                                [&](std::string_view, std::optional<double>) { stop.request_stop(); });
        const Result<Model> model = openModel((resources + "/examples/gpt2.pt2").toStdString(), progress);
        QVERIFY(!model.has_value());
        QCOMPARE(model.error().code, ErrorCode::Cancelled);
    }

    void ofSeveralProgramsOneIsAskedFor()
    {
        const std::string file = (testData + "/models/made/package/programs.pt2").toStdString();
        QCOMPARE(opened(openModel(file)), file +
                                              ": holds several programs (encoder, decoder); say which "
                                              "(--program NAME of stagecraft-cli), or save the one to open "
                                              "in a file of its own");
        QCOMPARE(opened(openProgram(file, "head")),
                 file + ": holds no program 'head'; there are encoder, decoder");
        const auto sizesOf = [&](const char* program, const char* operation) {
            const Result<Model> model = openProgram(file, program);
            if (!model.has_value() || !model->weights.hasData())
                return QString::fromStdString(opened(model));
            const Graph& graph = model->graph;
            const auto last = std::get<ValueId>(graph.outputs().front());
            return QString::fromStdString(model->name + ": " + metaText(*graph[last].meta)) +
                   (graph[*graph[last].producer].target == operation ? "" : " of another operator");
        };
        QCOMPARE(sizesOf("encoder", "aten::relu.default"), QString("programs-encoder: f32[4, 16]"));
        QCOMPARE(sizesOf("decoder", "aten::tanh.default"), QString("programs-decoder: f32[4, 4]"));
        const std::string single = (testData + "/models/tiny/gpt2-tiny.pt2").toStdString();
        QVERIFY(opened(openProgram(single, "head")).ends_with("holds no program 'head'; there are model"));
    }

    void readsSampleInputs()
    {
        for (const char* file : {"small/torch-2.14/skip-static.pt2", "small/torch-2.6/skip-static.pt2"}) {
            const Model model = openTiny(file);
            QCOMPARE(model.sampleInputs.size(), leafCount(model.signature.inputTree));
            QVERIFY(model.sampleInputs[0].tensor);
            QVERIFY(!model.sampleInputs[0].bytes.empty());
        }
        // Of a program without weights: shapes alone.
        const Result<Model> gpt2 = openModel((resources + "/examples/gpt2.pt2").toStdString());
        QCOMPARE(opened(gpt2), "ok");
        QCOMPARE(gpt2->sampleInputs.size(), 1u);
        QCOMPARE(metaText(*gpt2->sampleInputs[0].tensor), std::string("i64[8, 1024]"));
        QVERIFY(gpt2->sampleInputs[0].bytes.empty());
    }
};

QTEST_GUILESS_MAIN(TestOpenModel)
#include "tst_open_model.moc"
