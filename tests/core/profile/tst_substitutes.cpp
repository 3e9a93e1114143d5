// Expressions and substitutes: what a person says of operators that are not known here.
#include "core/graph/graph_builder.h"
#include "core/load/open_model.h"
#include "core/profile/model/profile_model.h"
#include "core/run/interpreter.h"
#include "core/trace/substitute_kinds.h"

#include <QtTest>

using namespace stagecraft;

namespace {

const char* const scanFile =
    "{\"operators\": {\"stagecraft_test::scan\": {"
    "\"outputs\": [{\"shape\": [\"size(x, 0)\", \"size(x, 1)\", \"width\"], \"dtype\": \"x\"}],"
    "\"forward\": {\"flops\": \"2 * numel(x) * width\", \"bytes\": 1000, \"time\": \"2e-5\"},"
    "\"backward_input\": {\"flops\": \"numel(out0)\"}}}}";

const char* const knownFile = "{\"operators\": {\"aten::linear\": {\"forward\": {\"time\": \"0.5\"}}}}";

Result<Profile> profileWith(const char* substitutes)
{
    const Model model = *openModel(STAGECRAFT_TEST_DATA "/models/custom/scan.pt2");
    ProfileOptions options;
    options.device = *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "h100-sxm.json");
    if (substitutes)
        options.substitutes = std::make_shared<const Substitutes>(*Substitutes::parse(substitutes, "s.json"));
    return profileModel(model, options);
}

// An operator of two matrices, whose first argument has that name.
Graph callWith(const char* argument)
{
    const TensorMeta matrix{.dtype = DType::F32, .sizes = {SymInt(4), SymInt(4)}};
    GraphBuilder builder("call");
    Node node{.name = "y", .target = "a::b.default"};
    for (const char* name : {"x", "w"})
        node.arguments.push_back(
            {name, builder.addInput({.name = name, .kind = ValueKind::UserInput, .meta = matrix})});
    node.arguments.front().name = argument;
    const ValueId result = builder.addValue({.name = "y", .meta = matrix});
    node.outputs = {{NodeOutput::Kind::Value, {result}}};
    builder.addNode(std::move(node));
    builder.addOutput(result);
    return std::move(builder).finish().value();
}

// The same as graphs have it that were functionalised: of an operator that writes in place.
Graph functionalizedCall(const char* called)
{
    const TensorMeta matrix{.dtype = DType::F32, .sizes = {SymInt(4), SymInt(4)}};
    GraphBuilder builder("call");
    const ValueId x = builder.addInput({.name = "x", .kind = ValueKind::UserInput, .meta = matrix});
    Node node{.name = "y", .target = "higher_order::auto_functionalized_v2"};
    node.arguments = {{"", OperatorArgument{called}}, {"x", x}};
    const ValueId result = builder.addValue({.name = "y", .meta = matrix});
    node.outputs = {{NodeOutput::Kind::None, {}}, {NodeOutput::Kind::Value, {result}}};
    builder.addNode(std::move(node));
    builder.addOutput(result);
    return std::move(builder).finish().value();
}

} // namespace

class TestSubstitutes : public QObject
{
    Q_OBJECT

private slots:
    void expressionsHaveTheUsualPrecedence_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        QTest::newRow("sum and product") << "1 + 2 * 3" << 7.0;
        QTest::newRow("brackets") << "(1+2)*3" << 9.0;
        QTest::newRow("left to right") << "8 - 3 - 2" << 3.0;
        QTest::newRow("power from the right") << "2 ** 3 ** 2" << 512.0;
        QTest::newRow("minus below power") << "-2 ** 2" << -4.0;
        QTest::newRow("rounding down") << "-7 // 2" << -4.0;
        QTest::newRow("remainder") << "-7 % 4" << 1.0;
        QTest::newRow("tensor") << "numel(q) + size(q, -1) + dim(q) + bytes(q) + itemsize(q)"
                                << 24 + 4 + 3 + 48 + 2.0;
        QTest::newRow("functions") << "max(2, n) + min(2, n) + ceil(0.5) + floor(1.5) + sqrt(9) + log2(8)"
                                   << 15.0;
        QTest::newRow("number") << "1e9" << 1e9;
    }
    void expressionsHaveTheUsualPrecedence()
    {
        QFETCH(QString, text);
        QFETCH(double, value);
        const Operands operands{{"q", TensorOperand{DType::BF16, {2, 3, 4}}}, {"n", 5.0}};
        const Result<Expression> expression = Expression::parse(text.toStdString());
        QVERIFY2(expression.has_value(), expression.has_value() ? "" : expression.error().message.c_str());
        QCOMPARE(*expression->evaluate(operands), value);
    }

    void faultsNameTheColumn_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("end") << "2 *"
                             << "'2 *' at 4: a value is missing";
        QTest::newRow("bracket") << "(1 + 2"
                                 << "'(1 + 2' at 7: ')' is missing";
        QTest::newRow("rest") << "1 2"
                              << "'1 2' at 3: '2' is not expected here";
        QTest::newRow("function") << "1 + foo(2)"
                                  << "'1 + foo(2)' at 5: there is no function 'foo'";
        QTest::newRow("arguments") << "size(q)"
                                   << "'size(q)' at 1: size() takes 2 arguments, not 1";
        QTest::newRow("not a tensor") << "numel(3)"
                                      << "'numel(3)' at 1: numel() takes the name of a tensor";
        QTest::newRow("name") << "2 * k"
                              << "'2 * k' at 5: there is no 'k'; there are n, q";
        QTest::newRow("a tensor")
            << "q + 1"
            << "'q + 1' at 1: 'q' is a tensor: numel(), size(), bytes() make numbers of it";
        QTest::newRow("dimension") << "size(q, 3)"
                                   << "'size(q, 3)' at 1: the tensor has 3 dimensions";
        QTest::newRow("zero") << "1 / (n - 5)"
                              << "'1 / (n - 5)' at 3: division by zero";
        QTest::newRow("infinite") << "10 ** 400"
                                  << "'10 ** 400' at 4: the result is not a finite number";
        QTest::newRow("deep") << QString(100, '-') + "1"
                              << "'" + QString(100, '-') + "1' at 65: nested too deeply";
        QTest::newRow("long") << "1" + QString("+1").repeated(100'000)
                              << "a formula of 200001 letters is too long; the most is 4000";
    }
    void faultsNameTheColumn()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Operands operands{{"q", TensorOperand{DType::F32, {2, 3, 4}}}, {"n", 5.0}};
        const Result<Expression> expression = Expression::parse(text.toStdString());
        const Result<double> value =
            expression.has_value() ? expression->evaluate(operands) : Result<double>(expression.error());
        QVERIFY(!value.has_value());
        QCOMPARE(QString::fromStdString(value.error().message), message);
    }

    void faultsInAFileNameTheField_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("not JSON") << QByteArray("[") << "s: is not JSON, or breaks off before its end";
        QTest::newRow("a list")
            << QByteArray("[]")
            << "s: is not a JSON object with a field \"operators\", from operator to what it does";
        QTest::newRow("field") << QByteArray("{\"operators\": {\"a::b\": {\"flops\": 1}}}")
                               << "s: a::b: 'flops' is not a field here";
        QTest::newRow("cost") << QByteArray("{\"operators\": {\"a::b\": {\"forward\": {\"flop\": 1}}}}")
                              << "s: a::b: forward: 'flop' is not a field here";
        QTest::newRow("expression") << QByteArray(
                                           "{\"operators\": {\"a::b\": {\"forward\": {\"flops\": \"2 *\"}}}}")
                                    << "s: a::b: forward.flops: '2 *' at 4: a value is missing";
        QTest::newRow("line breaks")
            << QByteArray("{\"operators\": {\"a::b\\n\": {\"forward\": {\"flops\": \"x\\n\\\"\"}}}}")
            << "s: a::b\\u000a: forward.flops: 'x\\u000a\"' at 2: '\\u000a' is not expected here";
        QTest::newRow("output")
            << QByteArray("{\"operators\": {\"a::b\": {\"outputs\": [{}]}}}")
            << "s: a::b: outputs[0]: must have a \"shape\", a list of expressions, and a \"dtype\"";
    }
    void faultsInAFileNameTheField()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const Result<Substitutes> substitutes = Substitutes::parse(text.toStdString(), "s");
        QVERIFY(!substitutes.has_value());
        QCOMPARE(QString::fromStdString(substitutes.error().message), message);
    }

    void costsAreThePersonsAndSaySo()
    {
        const Result<Profile> profile = profileWith(scanFile);
        QVERIFY2(profile.has_value(), profile.has_value() ? "" : profile.error().message.c_str());
        const Result<Profile> without = profileWith(nullptr);
        const NodeCost& scan = profile->nodes[NodeId(2)];
        QCOMPARE(scan.origin, CostOrigin::Inexact);
        QCOMPARE(scan.forward.flops.value(), 2.0 * 160 * 12);
        QCOMPARE(scan.forward.time.value(), 2e-5);
        QCOMPARE((scan.forward.bytesRead + scan.forward.bytesWritten).count(), std::int64_t{1000});
        QCOMPARE(scan.backwardInput.flops.value(), 120.0);
        QVERIFY(scan.backwardInput.time > Seconds{});
        QVERIFY(!isExact(*profile));
        QCOMPARE((profile->totals.flopsForward - without->totals.flopsForward).value(), 3840.0);
        QCOMPARE((profile->totals.flopsBackward - without->totals.flopsBackward).value(), 120.0);
        QVERIFY(noteTexts(*profile).front().find("s.json: stagecraft_test::scan") != std::string::npos);
    }

    void whatIsSaidComesBackFromItsText()
    {
        Substitutes said = *Substitutes::parse(scanFile, "s");
        const Substitutes again = *Substitutes::parse(said.text(), "t");
        QCOMPARE(QString::fromStdString(again.text()), QString::fromStdString(said.text()));
        const Substitute* scan = again.find("stagecraft_test::scan.default");
        QVERIFY(scan && scan->outputs && scan->outputs->size() == 1);
        QCOMPARE(scan->outputs->front().sizes[2].text(), std::string("width"));
        QCOMPARE(scan->forward.bytes->text(), std::string("1000"));
        QVERIFY(!scan->backwardWeight.flops);
        said.set("a::b", {.where = "a::b"});
        said.remove("stagecraft_test::scan");
        QVERIFY(said.find("a::b.default") && !said.find("stagecraft_test::scan.default"));
    }

    void usualKindsAreOfTheOperatorsTensors()
    {
        const Model model = *openModel(STAGECRAFT_TEST_DATA "/models/custom/scan.pt2");
        const std::vector<OperatorUse> unknown = unknownOperators(model.graph);
        QCOMPARE(unknown.size(), 1u);
        QCOMPARE(unknown[0].name, std::string("stagecraft_test::scan"));
        QCOMPARE(unknown[0].nodes, (std::vector<NodeId>{NodeId(2)}));
        const auto flops = [&](SubstituteKind kind, SubstituteWork Substitute::*phase) {
            const auto made = substituteOf(kind, model.graph, NodeId(2));
            if (!made)
                return QString("does not fit");
            const std::optional<Expression>& formula = ((*made).*phase).flops;
            return formula ? QString::fromStdString(formula->text()) : QString();
        };
        QCOMPARE(flops(SubstituteKind::Elementwise, &Substitute::forward), "numel(out0)");
        QCOMPARE(flops(SubstituteKind::Elementwise, &Substitute::backwardInput), "numel(out0)");
        const QString product = "2 * numel(out0) * size(x, -1)"; // with a parameter
        QCOMPARE(flops(SubstituteKind::MatrixProduct, &Substitute::forward), product);
        QCOMPARE(flops(SubstituteKind::MatrixProduct, &Substitute::backwardInput), product);
        QCOMPARE(flops(SubstituteKind::MatrixProduct, &Substitute::backwardWeight), product);
        QCOMPARE(flops(SubstituteKind::Attention, &Substitute::forward), "does not fit"); // two tensors
    }

    // Two of them are no one operator, though one target calls both.
    void ofAFunctionalizedCallTheOperatorWithinIsMeant()
    {
        for (const char* name : {"a::fill", "b::fill"}) {
            const Graph graph = functionalizedCall((std::string(name) + ".default").c_str());
            const std::vector<OperatorUse> unknown = unknownOperators(graph);
            QCOMPARE(unknown.size(), 1u);
            QCOMPARE(unknown[0].name, std::string(name));
            QVERIFY(isUnknownOperator(graph[NodeId(0)]));
            const auto made = substituteOf(SubstituteKind::Elementwise, graph, NodeId(0));
            QVERIFY(made);
            QCOMPARE(made->where, std::string(name));
            const Result<Interpreter> interpreter = Interpreter::prepare(graph, {});
            QVERIFY(!interpreter.has_value());
            QVERIFY2(interpreter.error().message.find(std::string("the operator ") + name +
                                                      ".default is not known here") != std::string::npos,
                     interpreter.error().message.c_str());
        }
    }

    // A file may call an argument as it likes.
    void argumentsThatNoFormulaCanNameDoNotFit()
    {
        QVERIFY(substituteOf(SubstituteKind::MatrixProduct, callWith("q"), NodeId(0)));
        for (const char* name : {"a b", "x) + (", "2x", ""})
            QVERIFY2(!substituteOf(SubstituteKind::MatrixProduct, callWith(name), NodeId(0)), name);
    }

    void aMatrixProductCostsWhatOneDoes()
    {
        const Model model = *openModel(STAGECRAFT_TEST_DATA "/models/custom/scan.pt2");
        Substitutes said;
        said.set("stagecraft_test::scan",
                 *substituteOf(SubstituteKind::MatrixProduct, model.graph, NodeId(2)));
        const Result<Profile> profile = profileWith(said.text().c_str());
        QVERIFY2(profile.has_value(), profile.has_value() ? "" : profile.error().message.c_str());
        const NodeCost& scan = profile->nodes[NodeId(2)];
        QCOMPARE(scan.forward.flops.value(), 2.0 * 10 * 16 * 12);
        QCOMPARE(scan.backwardInput.flops.value(), 2.0 * 10 * 16 * 12);
        QCOMPARE(scan.backwardWeight.flops.value(), 2.0 * 10 * 16 * 12);
    }

    void theTimeOfTheStepFollows()
    {
        const Result<Profile> profile = profileWith(knownFile);
        QVERIFY2(profile.has_value(), profile.has_value() ? "" : profile.error().message.c_str());
        Seconds forward;
        for (const MemorySample& sample : profile->memory.samples)
            if (sample.phase == Phase::Forward)
                forward += sample.time;
        QVERIFY(profile->totals.timeForward > Seconds(0.5));
        QVERIFY(std::abs(forward / profile->totals.timeForward - 1) < 1e-9);
    }

    void shapesReplaceTheFiles()
    {
        QByteArray text(scanFile);
        text.replace("\"width\"", "\"width + 12\"");
        const Result<Profile> profile = profileWith(text.constData());
        QCOMPARE(profile->nodes[NodeId(3)].origin, CostOrigin::Inexact); // it takes 12, and cannot run
        QCOMPARE(profile->nodes[NodeId(2)].outputBytes, Bytes(4 * 10 * 24));
        text.replace("\"width + 12\"", "\"width - 13\"");
        const QString message = QString::fromStdString(profileWith(text.constData()).error().message);
        QVERIFY2(
            message.contains("s.json: stagecraft_test::scan: outputs[0].shape: 'width - 13' at 1: is -1"),
            qPrintable(message));
    }
};

QTEST_GUILESS_MAIN(TestSubstitutes)
#include "tst_substitutes.moc"
