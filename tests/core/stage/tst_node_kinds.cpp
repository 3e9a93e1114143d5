#include "core/stage/node_kinds.h"

#include "stage_test.h"

using namespace stagecraft;
using namespace stagecraft::testing;

class TestNodeKinds : public QObject
{
    Q_OBJECT

private slots:
    void tellsWhatIsAlike_data();
    void tellsWhatIsAlike();
};

void TestNodeKinds::tellsWhatIsAlike_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("areAlike");
    const auto row = [](const char* what, const char* one, const char* other, bool areAlike) {
        QTest::newRow(what) << one << other << areAlike;
    };
    const char* const scaled = "%a : f32[4] = aten::leaky_relu.default(self %x, negative_slope 0.1)";
    row("another value read", scaled, "%b : f32[4] = aten::leaky_relu.default(self %y, negative_slope 0.1)",
        true);
    row("another constant", scaled, "%b : f32[4] = aten::leaky_relu.default(self %x, negative_slope 0.2)",
        false);
    row("another argument", scaled, "%b : f32[4] = aten::leaky_relu.default(self %x, slope 0.1)", false);
    row("passed otherwise", scaled, "%b : f32[4] = aten::leaky_relu.default(self %x, negative_slope=0.1)",
        false);
    row("another type", scaled, "%b : f16[4] = aten::leaky_relu.default(self %x, negative_slope 0.1)", false);
    row("another operator", scaled, "%b : f32[4] = aten::elu.default(self %x, negative_slope 0.1)", false);
    row("minus zero", "%a : f32[4] = aten::leaky_relu.default(self %x, negative_slope 0.0)",
        "%b : f32[4] = aten::leaky_relu.default(self %x, negative_slope -0.0)", false);
    row("a whole number", "%a : f32[4] = aten::leaky_relu.default(self %x, negative_slope 0.0)",
        "%b : f32[4] = aten::leaky_relu.default(self %x, negative_slope 0)", false);
    const char* const added = "%a : f32[4] = aten::addcmul.default(self %x, tensor1 %y, tensor2 %x)";
    row("in the same places", added, "%b : f32[4] = aten::addcmul.default(self %y, tensor1 %x, tensor2 %y)",
        true);
    row("in other places", added, "%b : f32[4] = aten::addcmul.default(self %x, tensor1 %y, tensor2 %y)",
        false);
    row("one twice", "%a : f32[4] = aten::mul.Tensor(self %x, other %y)",
        "%b : f32[4] = aten::mul.Tensor(self %x, other %x)", false);
    row("another size", "%a : f32[8] = aten::zeros.default(size [8], dtype=f32)",
        "%b : f32[4] = aten::zeros.default(size [4], dtype=f32)", false);
    row("another type as a literal", "%a : f32[8] = aten::zeros.default(size [8], dtype=f32)",
        "%b : f32[8] = aten::zeros.default(size [8], dtype=f16)", false);
    row("another device", "%a : f32[8] = aten::zeros.default(size [8], device=device(cpu))",
        "%b : f32[8] = aten::zeros.default(size [8], device=device(cuda))", false);
    row("symbols", "%a : f32[s0] = aten::neg.default(self %x)", "%b : f32[s0] = aten::neg.default(self %y)",
        true);
    row("another symbol", "%a : f32[s0] = aten::neg.default(self %x)",
        "%b : f32[s1] = aten::neg.default(self %x)", false);
}

void TestNodeKinds::tellsWhatIsAlike()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(bool, areAlike);
    const QString text =
        "graph pair\n  input %x : f32[4]\n  input %y : f32[4]\n  " + one + "\n  " + other + "\n  return %a\n";
    const Model model = modelOf(text.toStdString());
    const NodeKinds of = nodeKinds(model.graph);
    QCOMPARE(of[NodeId(0)] == of[NodeId(1)], areAlike);
}

QTEST_GUILESS_MAIN(TestNodeKinds)
#include "tst_node_kinds.moc"
