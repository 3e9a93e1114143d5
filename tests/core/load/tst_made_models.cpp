// Exports made by tests/python/make_models.py, compared with what PyTorch said of them then.
#include "core/load/open_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <set>

using namespace stagecraft;

namespace {

const QString folder = QString(STAGECRAFT_TEST_DATA) + "/models/made/";

Model opened(const QString& name)
{
    Result<Model> model = openModel((folder + name + ".pt2").toStdString());
    if (!model.has_value())
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

QStringList sorted(const QJsonArray& array)
{
    QStringList list;
    for (const QJsonValue& value : array)
        list << value.toString();
    list.sort();
    return list;
}

QStringList targetsOf(const Model& model, InputSpec::Kind kind)
{
    QStringList list;
    for (const InputSpec& spec : model.signature.inputs)
        if (spec.kind == kind)
            list << QString::fromStdString(spec.target);
    list.sort();
    return list;
}

const Node& nodeOf(const Graph& graph, std::string_view target)
{
    for (const NodeId node : graph.nodes())
        if (graph[node].target == target)
            return graph[node];
    qFatal("no such node");
}

} // namespace

class TestMadeModels : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithPyTorch_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& file : QDir(folder).entryList({"*.pt2"}))
            QTest::newRow(qPrintable(file)) << QFileInfo(file).completeBaseName();
        QVERIFY(!QDir(folder).entryList({"*.pt2"}).isEmpty());
    }

    void agreesWithPyTorch()
    {
        QFETCH(QString, name);
        QFile file(folder + name + ".json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject expected = QJsonDocument::fromJson(file.readAll()).object();
        const Model model = opened(name);
        QCOMPARE(model.provenance.fileNodeCount,
                 static_cast<std::size_t>(expected["nodes"].toArray().size()));
        std::set<std::string> names;
        for (const NodeId node : model.graph.nodes())
            names.insert(model.graph[node].name);
        for (const QJsonValue& node : expected["nodes"].toArray())
            if (!expected["regions"].toArray().contains(node))
                QVERIFY2(names.contains(node.toString().toStdString()), qPrintable(node.toString()));
        QCOMPARE(leafCount(model.signature.inputTree),
                 static_cast<std::size_t>(expected["input_leaves"].toInt()));
        QCOMPARE(leafCount(model.signature.outputTree),
                 static_cast<std::size_t>(expected["output_leaves"].toInt()));
        QCOMPARE(targetsOf(model, InputSpec::Kind::Parameter), sorted(expected["parameters"].toArray()));
        QCOMPARE(targetsOf(model, InputSpec::Kind::Buffer), sorted(expected["buffers"].toArray()));
        const std::string text = printGraph(model.graph);
        const Result<Graph> again = parseGraph(text);
        QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
        QCOMPARE(printGraph(*again), text);
    }

    void readsNestedArguments()
    {
        const Model model = opened("nested");
        QCOMPARE(model.signature.outputTree.dictKeys(),
                 (std::vector<std::string>{"out", "pair", "none", "n"}));
        QCOMPARE(model.signature.inputTree.children[1].dictKeys(),
                 (std::vector<std::string>{"mask", "options", "mode"}));
        QVector<LiteralArgument> literals;
        for (const InputSpec& spec : model.signature.inputs)
            if (spec.kind == InputSpec::Kind::Literal)
                literals << spec.literal;
        QCOMPARE(literals,
                 (QVector<LiteralArgument>{true, NoneArgument{}, NoneArgument{}, std::string("sum")}));
        QCOMPARE(model.graph.outputs()[3], Argument(NoneArgument{}));
        QCOMPARE(model.graph.outputs()[4], Argument(std::int64_t{3}));
        QCOMPARE(model.sampleInputs.size(), 7u);
        QCOMPARE(model.sampleInputs[3].literal, Argument(true));
    }

    void inlinesModesAndKeepsControlFlow()
    {
        const Model model = opened("control");
        const Graph& graph = model.graph;
        QCOMPARE(nodeOf(graph, "higher_order::cond").subgraphs.size(), 2u);
        QVERIFY(nodeOf(graph, "higher_order::while_loop").subgraphs[0]->returnsBareValue());
        const Context linear = graph.context(nodeOf(graph, "aten::linear.default").context);
        QVERIFY(linear.autocast);
        QCOMPARE(linear.autocast->deviceType, std::string("cpu"));
        QCOMPARE(linear.autocast->dtype, std::optional(DType::BF16));
        QVERIFY(linear.autocast->enabled);
        QVERIFY(!linear.gradEnabled);
    }

    void ordersWritesThroughViews()
    {
        const Model model = opened("lists");
        QVERIFY(!model.graph.orderEdges().empty());
        const Node& copy = nodeOf(model.graph, "aten::copy_.default");
        const NodeId writer = *model.graph.findNode(copy.name);
        // cache is read by its own name after it was written through a view.
        QVERIFY(!model.graph.successors(writer).empty());
    }

    void readsEveryElementType()
    {
        const Model model = opened("types");
        std::set<DType> types;
        for (const std::string& name : model.weights.names())
            types.insert(model.weights.find(name)->meta.dtype);
        QVERIFY(types.size() >= 15);
        const std::vector<ParameterGroup> groups = parameterGroups(model);
        QCOMPARE(groups.size(),
                 model.weights.find("tied")->storage == model.weights.find("strided")->storage ? 1u : 2u);
        QCOMPARE(model.weights.find("strided")->meta.strides, (std::vector<SymInt>{1, 6}));
    }

    void readsSymbolicSizes()
    {
        const Model model = opened("sizes");
        QVERIFY(model.graph.symbolRanges().size() >= 2);
        QVERIFY(opened("norm-shapes").structureOnly());
        const Model core = opened("norm-core");
        QCOMPARE(core.signature.outputs[0].kind, OutputSpec::Kind::BufferMutation);
        QCOMPARE(core.provenance.dialect, std::string("ATEN"));
    }
};

QTEST_GUILESS_MAIN(TestMadeModels)
#include "tst_made_models.moc"
