#include "core/stage/repeated_blocks.h"

#include "core/stage/cut.h"
#include "core/stage/python_code.h"
#include "stage_test.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

// Layers of four operators, each with a weight of its own; `slopes` are their constants.
std::string layers(const std::vector<std::string>& slopes, const std::string& module = "layers.")
{
    std::string head = "graph stack\n  module \"\" \"app.Net\"\n";
    std::string weights = "  input %x : f32[4, 8]\n";
    std::string nodes;
    std::string last = "%x";
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const std::string n = std::to_string(i);
        head += "  module " + module + n + " \"app.MyLayer\"\n";
        weights += "  param %w" + n + " \"" + module + n + ".fc.weight\" : f32[8, 8]\n";
        const std::string end = " @" + module + n + "\n";
        nodes +=
            "  %a_" + n + " : f32[4, 8] = aten::linear.default(input " + last + ", weight %w" + n + ")" + end;
        nodes += "  %b_" + n + " : f32[4, 8] = aten::leaky_relu.default(self %a_" + n + ", negative_slope " +
                 slopes[i] + ")" + end;
        nodes += "  %c_" + n + " : f32[4, 8] = aten::neg.default(self %b_" + n + ")" + end;
        nodes += "  %d_" + n + " : f32[4, 8] = aten::add.Tensor(self %c_" + n + ", other " + last + ")" + end;
        last = "%d_" + n;
    }
    return head + weights + nodes + "  return " + last + "\n";
}

StageCode codeOf(const Model& model)
{
    return stageCode(model, cutStages(model, evenly(model.graph, 1))->front());
}

// What stands behind the constructor, without the indentation of the class.
QString methodsOf(const Model& model)
{
    QStringList lines = QString::fromStdString(codeOf(model).text).split('\n');
    lines = lines.mid(lines.indexOf(QRegularExpression("^class Stage.*")));
    lines = lines.mid(lines.indexOf("    def __init__(self, device='cpu'):"));
    lines = lines.mid(lines.indexOf("") + 1);
    for (QString& line : lines)
        line = line.mid(4);
    return lines.join('\n');
}

} // namespace

class TestRepeatedBlocks : public QObject
{
    Q_OBJECT

private slots:
    void callsWhatDiffersInWeightsAloneInALoop()
    {
        const Model model = modelOf(layers({"0.1", "0.1", "0.1"}));
        QCOMPARE(methodsOf(model), R"(def run_my_layer(self, module, x):
    """MyLayer: layers.0, layers.1 and 1 more."""
    a = torch.ops.aten.linear.default(x, module.fc.weight)  # f32[4, 8]
    b = torch.ops.aten.leaky_relu.default(a, 0.1);  del a  # f32[4, 8]
    c = torch.ops.aten.neg.default(b);  del b  # f32[4, 8]
    d = torch.ops.aten.add.Tensor(c, x);  del x, c  # f32[4, 8]
    return d

def forward(self, x):
    # layers
    d_2 = x;  del x
    for layer in range(3):
        d_2 = self.run_my_layer(self.layers[layer], d_2)  # f32[4, 8]
    return d_2
)");
    }

    void writesOutWhatHasAnotherConstant()
    {
        const Model model = modelOf(layers({"0.1", "0.1", "0.2", "0.1", "-0.0", "0.0"}));
        const QString code = methodsOf(model);
        QCOMPARE(code.count("def run_"), 1);
        QCOMPARE(code.count("self.run_my_layer(self.layers["), 3);
        for (const char* constant : {", 0.2)", ", -0.0)", ", 0.0)"})
            QCOMPARE(code.count(constant), 1);
    }

    // Of names of its own a model may have any.
    void namesNothingLikeAModule()
    {
        const Model model = modelOf(layers({"0.1", "0.1", "0.1"}, "run_my_layer.range."));
        const QString code = methodsOf(model);
        QVERIFY2(code.contains("def run_my_layer_1(self, module, x):"), qPrintable(code));
        QVERIFY2(code.contains("d_2 = self.run_my_layer_1(self.run_my_layer.range[layer], d_2)"),
                 qPrintable(code));
    }

    void tellsAllNodesOfALine()
    {
        const Model model = modelOf(layers({"0.1", "0.1", "0.1"}));
        const StageCode code = codeOf(model);
        const QStringList lines = QString::fromStdString(code.text).split('\n');
        QCOMPARE(code.nodesOfLine.size(), static_cast<std::size_t>(lines.size() - 1));
        const auto nodesOf = [&](const char* text) {
            return names(model.graph,
                         code.nodesOfLine[static_cast<std::size_t>(lines.indexOf(QRegularExpression(text)))]);
        };
        QCOMPARE(nodesOf(".* b = .*"), "b_0 b_1 b_2");
        QCOMPARE(nodesOf(".* d = .*"), "d_0 d_1 d_2");
        QCOMPARE(nodesOf(".* d_2 = self.*"), "a_0 b_0 c_0 d_0 a_1 b_1 c_1 d_1 a_2 b_2 c_2 d_2");
        QCOMPARE(nodesOf(".*return d$"), "");
    }

    void writesEachTimeWhereAsked()
    {
        const Model model = modelOf(layers({"0.1", "0.1", "0.1"}));
        const auto programs = cutStages(model, evenly(model.graph, 1));
        const QString text =
            QString::fromStdString(stageCode(model, programs->front(), RepeatedCode::EachTime).text);
        QCOMPARE(text.count("torch.ops.aten.leaky_relu"), 3);
        QCOMPARE(text.count("def run_"), 0);
    }
};

QTEST_GUILESS_MAIN(TestRepeatedBlocks)
#include "tst_repeated_blocks.moc"
