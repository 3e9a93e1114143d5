// Files that are not what they claim to be, each made from a good one: one line that names the cause.
#include "core/load/json_view.h"
#include "core/load/open_model.h"
#include "tests/core/load/zip_writer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdlib>
#include <memory>

using namespace stagecraft;

namespace {

const QString testData = STAGECRAFT_TEST_DATA;

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray goodFile()
{
    return readAll(testData + "/models/small/torch-2.14/skip-static.pt2");
}

QByteArray flatFile()
{
    return readAll(testData + "/models/small/torch-2.6/skip-static.pt2");
}

// The good file with one record, found by its ending, changed or (if it becomes null) left out.
QByteArray withRecord(const QByteArray& file, const QByteArray& ending,
                      const std::function<QByteArray(QByteArray)>& change)
{
    std::vector<ZipRecord> records = zipRecords(file);
    std::erase_if(records, [&](ZipRecord& record) {
        if (!record.name.endsWith(ending))
            return false;
        record.data = change(record.data);
        return record.data.isNull();
    });
    return zipOf(records);
}

QByteArray withText(const QByteArray& ending, const char* before, const char* after)
{
    return withRecord(goodFile(), ending, [&](QByteArray data) {
        const qsizetype at = data.indexOf(before);
        if (at < 0)
            qFatal("'%s' is not in %s", before, ending.constData());
        return data.replace(at, qstrlen(before), after);
    });
}

// The good file with its program edited.
QByteArray withEdited(const std::function<void(QJsonObject& graph, QJsonObject& signature)>& edit)
{
    return withRecord(goodFile(), "models/model.json", [&](const QByteArray& data) {
        QJsonObject program = QJsonDocument::fromJson(data).object();
        QJsonObject module = program["graph_module"].toObject();
        QJsonObject graph = module["graph"].toObject();
        QJsonObject signature = module["signature"].toObject();
        edit(graph, signature);
        module["graph"] = graph;
        module["signature"] = signature;
        program["graph_module"] = module;
        return QJsonDocument(program).toJson(QJsonDocument::Compact);
    });
}

// The good file with the last record of its directory where the last but one is.
QByteArray withOverlap()
{
    QByteArray bytes = goodFile();
    const qsizetype last = bytes.lastIndexOf("PK\1\2");
    const qsizetype before = bytes.lastIndexOf("PK\1\2", last - 1);
    constexpr qsizetype offsetField = 42;
    return bytes.replace(last + offsetField, 4, bytes.mid(before + offsetField, 4));
}

QByteArray withNodes(const std::function<void(QJsonArray& nodes)>& edit)
{
    return withEdited([&](QJsonObject& graph, QJsonObject&) {
        QJsonArray nodes = graph["nodes"].toArray();
        edit(nodes);
        graph["nodes"] = nodes;
    });
}

QByteArray withProgram(const char* before, const char* after)
{
    return withText("models/model.json", before, after);
}

} // namespace

class TestBadModels : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    // What is said of a file with these bytes, without its path.
    QString said(const QByteArray& bytes)
    {
        const QString path = m_folder.filePath("model.pt2");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            return file.errorString();
        file.close();
        const Result<Model> model = openModel(path.toStdString());
        if (model.has_value())
            return "ok";
        const QString message = QString::fromStdString(model.error().message);
        if (!message.startsWith(path + ": ") || message.contains('\n'))
            return "not one line that starts with the path: " + message;
        return withoutUsualStep(message.mid(path.size() + 2));
    }

    // Each message says what to do: itself, or as damaged files have in common.
    static QString withoutUsualStep(const QString& message)
    {
        static const QRegularExpression ownStep("; |: open the model|torch.export.save|File > Import");
        for (const QString usual :
             {"; copy or download the file again, or export the model again (torch.export.save)",
              "; export the model again without that, or with another version of PyTorch"})
            if (message.endsWith(usual))
                return message.chopped(usual.size());
        return message.contains(ownStep) ? message : "does not say what to do: " + message;
    }

private slots:
    void opensWhatTheTestsWriter()
    {
        QCOMPARE(said(zipOf(zipRecords(goodFile()))), "ok");
        QCOMPARE(said(zipOf(zipRecords(flatFile()))), "ok");
        std::vector<ZipRecord> records = zipRecords(goodFile());
        for (ZipRecord& record : records)
            record.deflate = true;
        QCOMPARE(said(zipOf(records)), "ok");
    }

    // As torch.export writes a tensor subclass, whose numbers only Python could make of the pickle.
    void pickledWeightsAreShapes()
    {
        const QString path = m_folder.filePath("pickled.pt2");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(withText("model_weights_config.json", "\"use_pickle\": false", "\"use_pickle\": true"));
        file.close();
        const Result<Model> model = openModel(path.toStdString());
        QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
        QVERIFY(model->structureOnly());
        QCOMPARE(model->provenance.notes.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(model->provenance.notes[0])
                    .contains("is stored by pickle (tensor subclasses"));
        int shapes = 0;
        for (const std::string& name : model->weights.names())
            shapes += model->weights.find(name)->bytes.empty();
        QCOMPARE(shapes, 1);
    }

    void allMissingRecordsAreNamed()
    {
        std::vector<ZipRecord> records = zipRecords(goodFile());
        const std::size_t before = records.size();
        std::erase_if(records, [](const ZipRecord& record) {
            return record.name.contains("/data/weights/weight_") && !record.name.endsWith(".json");
        });
        const std::size_t count = before - records.size();
        QVERIFY(count > 1);
        const QString text = said(zipOf(records));
        QVERIFY2(text.startsWith("data/weights/ has no record of "), qPrintable(text));
        QCOMPARE(static_cast<std::size_t>(text.count("(weight_")), std::min<std::size_t>(count, 10));
        QVERIFY2(text.endsWith("; export the model again"), qPrintable(text));
    }

    // What is odd about a file is no reason not to open it.
    void notesOfTheWriterAreBoundedAndNeverStopAFile()
    {
        const auto notesOf = [this](QByteArray file, const QByteArray& name, const QByteArray& text) {
            std::vector<ZipRecord> records = zipRecords(file);
            const QByteArray root = records.front().name.left(records.front().name.indexOf('/') + 1);
            records.push_back({name.startsWith("extra/") ? root + name : name, text});
            const QString path = m_folder.filePath("noted.pt2");
            QFile out(path);
            if (!out.open(QIODevice::WriteOnly) || out.write(zipOf(records)) < 0)
                qFatal("cannot write");
            out.close();
            return openModel(path.toStdString()).value().provenance.notes;
        };
        using Notes = std::vector<std::string>;
        const QByteArray text = R"(["a draft", "in evaluation mode"])";
        const Notes wanted{"a draft", "in evaluation mode"};
        QCOMPARE(notesOf(goodFile(), "extra/stagecraft_notes.json", text), wanted);
        QCOMPARE(notesOf(flatFile(), "extra_files/stagecraft_notes.json", text), wanted);
        QCOMPARE(notesOf(goodFile(), "extra/other.json", text), Notes());
        for (const QByteArray& bad : {QByteArray("no json"), QByteArray(R"({"a": 1})"), QByteArray("[1]"),
                                      QByteArray("[\"") + QByteArray(2 << 20, 'x') + "\"]"}) {
            const Notes notes = notesOf(goodFile(), "extra/stagecraft_notes.json", bad);
            QCOMPARE(notes.size(), std::size_t(1));
            QVERIFY2(notes[0].starts_with("the notes in the file cannot be read: "), notes[0].c_str());
        }
        QByteArray many = "[\"" + QByteArray(5000, 'x') + "\"";
        for (int i = 0; i < 200; ++i)
            many += ", \"y\"";
        const Notes notes = notesOf(goodFile(), "extra/stagecraft_notes.json", many + "]");
        QCOMPARE(notes.size(), std::size_t(50));
        QCOMPARE(notes[0].size(), std::size_t(2000));
        // not inside a character of three bytes
        const QByteArray euros = "[\"" + QByteArray("\u20ac").repeated(1000) + "\"]";
        const Notes cut = notesOf(goodFile(), "extra/stagecraft_notes.json", euros);
        QCOMPARE(cut.at(0), QByteArray("\u20ac").repeated(666).toStdString());
    }

    void refusesRecordsThatShareBytes()
    {
        const QString text = said(withOverlap());
        QVERIFY2(text.contains(QRegularExpression("^the records .* and .* overlap$")), qPrintable(text));
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << message;
        };
        const QByteArray good = goodFile();
        row("empty", "",
            "not a model file; save one in Python with torch.export.save(program, \"model.pt2\")");
        row("text", "hello world, this is no model at all",
            "not a model file; save one in Python with torch.export.save(program, \"model.pt2\")");
        row("truncated", good.left(good.size() / 2),
            "the file is cut short: the zip directory at its end is missing");
        row("last byte missing", good.left(good.size() - 1),
            "the file is cut short: the zip directory at its end is missing");
        row("another zip", zipOf({{"a/readme.txt", "hello"}}),
            "a zip archive, but it holds no exported program; save one in Python with "
            "torch.export.save(program, \"model.pt2\")");
        row("no program", withRecord(good, "models/model.json", [](QByteArray) { return QByteArray(); }),
            "holds no exported program: torch.export.save() did not come to its end, or it is a package "
            "compiled for inference, which cannot be opened");
        row("weight missing", withRecord(good, "weights/weight_1", [](QByteArray) { return QByteArray(); }),
            "e1.bias: the record data/weights/weight_1 is missing; export the model again");
        row("config missing",
            withRecord(good, "weights_config.json", [](QByteArray) { return QByteArray(); }),
            "the record data/weights/model_weights_config.json is missing; export the model again");
        row("weight too short", withRecord(good, "weights/weight_0", [](QByteArray d) { return d.left(8); }),
            "e1.weight: the tensor e1.weight needs 216 elements, its record has 2");
        row("weight of another shape",
            withRecord(good, "weights_config.json",
                       [](QByteArray d) {
                           const qsizetype at = d.indexOf("\"as_int\": ", d.indexOf("\"e1.weight\"")) + 10;
                           return d.replace(at, d.indexOf('}', at) - at, "1");
                       }),
            "the weights have e1.weight as f32[1, 3, 3, 3], the program as f32[8, 3, 3, 3]; export the model "
            "again");
        row("weights of other shapes",
            withRecord(good, "weights_config.json",
                       [](QByteArray d) {
                           for (const char* name : {"\"e1.weight\"", "\"e1.bias\""}) {
                               const qsizetype at = d.indexOf("\"as_int\": ", d.indexOf(name)) + 10;
                               d.replace(at, d.indexOf('}', at) - at, "1");
                           }
                           return d;
                       }),
            "the weights have e1.weight as f32[1, 3, 3, 3], the program as f32[8, 3, 3, 3]; e1.bias as "
            "f32[1], "
            "the program as f32[8]; export the model again");
        row("weights of other names",
            withRecord(
                good, "weights_config.json",
                [](QByteArray d) {
                    return d.replace("\"e1.weight\"", "\"f1.weight\"").replace("\"e1.bias\"", "\"f1.bias\"");
                }),
            "the weights have no tensor e1.weight, e1.bias; export the model again");
        QByteArray wrongSum = good;
        wrongSum[wrongSum.indexOf("\"graph_module\"") + 3] = 'X';
        row("wrong checksum", wrongSum,
            "the record skip-static/models/model.json is damaged: its checksum is wrong");
        row("not JSON", withProgram("{", "<"), "models/model.json: the JSON is damaged");
        row("schema 9", withProgram("\"major\": 8", "\"major\": 9"),
            "models/model.json: written by PyTorch of version 2.14.1+debian in schema 9.20, this program "
            "reads 7.x and 8.x; export the model again with an older PyTorch");
        row("schema 6", withProgram("\"major\": 8", "\"major\": 6"),
            "models/model.json: written by PyTorch of version 2.14.1+debian in schema 6.20, this program "
            "reads 7.x and 8.x; export the model again with PyTorch 2.5 or newer");
        row("no graph", withRecord(good, "models/model.json", [](QByteArray) { return QByteArray("{}"); }),
            "models/model.json: not an exported program: it has no schema version or no graph");
        QByteArray deep = "[]";
        for (int i = 0; i < 5000; ++i)
            deep = "[" + deep + "]";
        row("nested deeply", withRecord(good, "models/model.json", [&](QByteArray) { return deep; }),
            "models/model.json: the JSON is nested too deeply");
    }

    // Of a record that packs to a few megabytes; the text here is memory that nobody touches.
    void aDescriptionLargerThanAnyIsNotParsed()
    {
        const std::size_t size = (std::size_t{512} << 20) + 1;
        const std::unique_ptr<char, decltype(&std::free)> text(static_cast<char*>(std::calloc(size, 1)),
                                                               &std::free);
        QVERIFY(text);
        const auto document = JsonDocument::parse({text.get(), size});
        QVERIFY(!document.has_value());
        QCOMPARE(document.error().message,
                 std::string("the JSON has more than 512 MiB, too much for a description"));
    }

    void saysWhatIsWrongInAProgram_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << "models/model.json: " + QString(message);
        };
        row("dangling name",
            withProgram("{\"as_tensor\": {\"name\": \"x\"}}, \"kind\"",
                        "{\"as_tensor\": {\"name\": \"nobody\"}}, \"kind\""),
            "node 'conv2d': argument 'input': reads 'nobody', which nothing before it makes");
        row("cycle", withNodes([](QJsonArray& nodes) { nodes.insert(0, nodes.takeAt(3)); }),
            "node 'relu': argument 'self': reads 'batch_norm', which nothing before it makes");
        row("node twice", withNodes([](QJsonArray& nodes) { nodes.insert(0, nodes.at(0)); }),
            "node 'conv2d': makes 'conv2d', which is there already");
        row("node name twice", withNodes([](QJsonArray& nodes) {
                QJsonObject node = nodes.at(1).toObject();
                node["name"] = "conv2d";
                nodes[1] = node;
            }),
            "graph 'model': two nodes are named 'conv2d'");
        row("input twice", withEdited([](QJsonObject& graph, QJsonObject& signature) {
                for (auto [holder, key] :
                     {std::pair(&graph, "inputs"), std::pair(&signature, "input_specs")}) {
                    QJsonArray list = (*holder)[QLatin1String(key)].toArray();
                    list.append(list.at(0));
                    (*holder)[QLatin1String(key)] = list;
                }
            }),
            "makes 'p_e1_weight', which is there already");
        row("no metadata", withEdited([](QJsonObject& graph, QJsonObject&) {
                QJsonObject values = graph["tensor_values"].toObject();
                values.remove("relu");
                graph["tensor_values"] = values;
            }),
            "node 'relu': nothing says what tensor 'relu' is");
        row("unknown type", withEdited([](QJsonObject& graph, QJsonObject&) {
                QJsonObject values = graph["tensor_values"].toObject();
                QJsonObject relu = values["relu"].toObject();
                relu["dtype"] = 99;
                values["relu"] = relu;
                graph["tensor_values"] = values;
            }),
            "node 'relu': tensor 'relu': the element type 99 is not known to this program");
        row("strides missing", withEdited([](QJsonObject& graph, QJsonObject&) {
                QJsonObject values = graph["tensor_values"].toObject();
                QJsonObject relu = values["relu"].toObject();
                relu["strides"] = QJsonArray();
                values["relu"] = relu;
                graph["tensor_values"] = values;
            }),
            "node 'relu': tensor 'relu': a tensor has 4 sizes but 0 strides");
        row("signature too short", withEdited([](QJsonObject&, QJsonObject& signature) {
                QJsonArray specs = signature["input_specs"].toArray();
                specs.removeLast();
                signature["input_specs"] = specs;
            }),
            "the graph has 21 inputs, its signature 20");
        row("signature out of order", withEdited([](QJsonObject&, QJsonObject& signature) {
                QJsonArray specs = signature["input_specs"].toArray();
                specs.insert(0, specs.takeAt(1));
                signature["input_specs"] = specs;
            }),
            "the graph's input 'p_e1_weight' is called 'p_e1_bias' in the signature");
        row("no outputs",
            withEdited([](QJsonObject& graph, QJsonObject&) { graph["outputs"] = QJsonArray(); }),
            "the graph has 0 outputs, its signature 1");
        row("nodes no list", withEdited([](QJsonObject& graph, QJsonObject&) { graph["nodes"] = 7; }),
            "'nodes' is not a list");
    }

    void saysWhatIsWrongInAProgram() { saysWhatIsWrong(); }

    // An unknown operator, argument kind or key is no reason to refuse a model.
    void opensWhatItDoesNotKnow()
    {
        QCOMPARE(said(withProgram("torch.ops.aten.relu.default", "torch.ops.elsewhere.gizmo.default")), "ok");
        QCOMPARE(said(withProgram("\"kind\": 1", "\"as_x\": 2")), "ok");
        QCOMPARE(said(withProgram("\"minor\": 20", "\"minor\": 99")), "ok");
        QCOMPARE(said(withNodes([](QJsonArray& nodes) {
                     QJsonObject node = nodes.at(3).toObject();
                     QJsonArray inputs = node["inputs"].toArray();
                     inputs.append(
                         QJsonObject{{"name", "new"}, {"arg", QJsonObject{{"as_riddle", 7}}}, {"kind", 1}});
                     node["inputs"] = inputs;
                     nodes[3] = node;
                 })),
                 "ok");
    }

    void opensAHundredThousandNodes()
    {
        QByteArray nodes;
        QByteArray values;
        QByteArray last = "x";
        for (int i = 0; i < 100'000; ++i) {
            const QByteArray name = "extra_" + QByteArray::number(i);
            nodes += "{'target': 'torch.ops.aten.relu_.default', 'inputs': [{'name': 'self', 'arg': "
                     "{'as_tensor': {'name': '" +
                     last + "'}}}], 'outputs': [{'as_tensor': {'name': '" + name + "'}}]}, ";
            values += "'" + name + "': {'dtype': 7, 'sizes': [], 'strides': [], 'device': {'type': 'cpu'}}, ";
            last = i % 3 == 0 ? "x" : name;
        }
        nodes.replace('\'', '"');
        values.replace('\'', '"');
        const QByteArray large = withRecord(goodFile(), "models/model.json", [&](QByteArray program) {
            program.insert(program.indexOf("\"nodes\": [") + 10, nodes);
            return program.insert(program.indexOf("\"tensor_values\": {") + 18, values);
        });
        QCOMPARE(said(large), "ok");
    }

    void saysWhatIsWrong()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        QCOMPARE(said(bytes), message);
    }
};

QTEST_GUILESS_MAIN(TestBadModels)
#include "tst_bad_models.moc"
