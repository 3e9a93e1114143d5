#include "core/stage/python_code.h"

#include "core/stage/cut.h"
#include "core/stage/python_text.h"
#include "stage_test.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

// forward() of one stage, without the indentation of the class.
QString forwardOf(const Model& model, const Partition& partition, std::size_t stage)
{
    const auto programs = cutStages(model, partition);
    if (!programs.has_value())
        return message(programs);
    const StageCode code = stageCode(model, (*programs)[stage]);
    QStringList lines = QString::fromStdString(code.text).split('\n');
    lines = lines.mid(lines.indexOf(QRegularExpression("^    def forward.*")));
    for (QString& line : lines)
        line = line.mid(4);
    return lines.join('\n');
}

} // namespace

class TestPythonCode : public QObject
{
    Q_OBJECT

private slots:
    void sendsConjugatesWrittenOut()
    {
        const Model model = modelOf(R"(graph fourier
  input %x : f32[8]
  %a : c64[5] = aten::fft_rfft.default(self %x)
  %b : c64[5] = aten::_conj.default(self %a)
  %c : c64[5] = aten::mul.Tensor(self %b, other %b)
  return %c
)");
        QVERIFY(forwardOf(model, stagesOf({0, 0, 1}), 0).contains("return b.contiguous().resolve_conj()\n"));
    }

    void writesOperatorsAsPyTorchPrintsThem()
    {
        const Model model = modelOf(R"(graph mlp
  input %x : f32[4, 8]
  input %mask : bool[4, 8]
  param %w "layers.0.weight" : f32[8, 8]
  buffer %scale "norm.scale" : f32[8]
  %a : f32[4, 8] = aten::linear.default(input %x, weight %w)
  %v : f32[4, 3], %i : i64[4, 3] = aten::topk.default(self %a, k 3)
  %m : f32[4, 8] = aten::masked_fill.Scalar(self %a, mask %mask, value -inf)
  %z : f32[8] = aten::zeros.default(size [8], dtype=f32, device=device(cpu), pin_memory=false)
  %s : f32[8] = aten::add.Tensor(self %z, other %scale)
  %b : f32[4, 8] = aten::mul.Tensor(self %m, other %s)
  return %b, %v
)");
        QCOMPARE(forwardOf(model, stagesOf({0, 0, 1, 1, 1, 1}), 0), R"(def forward(self, x, mask):
    a = torch.ops.aten.linear.default(x, self.layers[0].weight);  del x  # f32[4, 8]
    v, i = torch.ops.aten.topk.default(a, 3);  del i  # f32[4, 3]
    return (a.contiguous(), v.contiguous())
)");
        QCOMPARE(forwardOf(model, stagesOf({0, 0, 1, 1, 1, 1}), 1), R"(def forward(self, a, v, *, mask):
    m = torch.ops.aten.masked_fill.Scalar(a, mask, -inf);  del a, mask  # f32[4, 8]
    z = torch.ops.aten.zeros.default([8], dtype=torch.float32, device=self.device, pin_memory=False)  # f32[8]
    s = torch.ops.aten.add.Tensor(z, self.norm.scale);  del z  # f32[8]
    b = torch.ops.aten.mul.Tensor(m, s);  del m, s  # f32[4, 8]
    return (b, v)
)");
    }

    void tellsWhichNodeALineRuns()
    {
        const Model model = modelOf(R"(graph two
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %b : f32[4] = aten::relu.default(self %a)
  return %b
)");
        const auto programs = cutStages(model, stagesOf({0, 0}));
        const StageCode code = stageCode(model, programs->front());
        const QStringList lines = QString::fromStdString(code.text).split('\n');
        QCOMPARE(code.nodeOfLine.size(), static_cast<std::size_t>(lines.size() - 1));
        for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
            const auto node = code.nodeOfLine[static_cast<std::size_t>(i)];
            QCOMPARE(node.has_value(), lines[i].contains("torch.ops"));
            if (node)
                QVERIFY(
                    lines[i].trimmed().startsWith(QString::fromStdString(model.graph[*node].name) + " = "));
        }
    }

    void putsRegionsBack()
    {
        const Model model = modelOf(R"(graph regions
  context 1 grad off
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x) in 1
  %b : f32[4] = aten::relu.default(self %a) in 1
  %c : f32[4] = aten::neg.default(self %b)
  return %c
)");
        QCOMPARE(forwardOf(model, stagesOf({0, 1, 1}), 1), R"(def forward(self, a):
    with torch.set_grad_enabled(False):
        b = torch.ops.aten.relu.default(a);  del a  # f32[4]
    c = torch.ops.aten.neg.default(b);  del b  # f32[4]
    return c
)");
    }

    void writesNumbersAsPython()
    {
        const Model model = modelOf(R"(graph sizes
  symbol s0 hint 8 range 2..64
  input %x : f32[s0, 4]
  %n : size(s0) = aten::sym_size.int(self %x, dim 0)
  %m : size(s0 - 1) = _operator::add(a %n, b -1)
  %a : f32[s0, 4] = aten::neg.default(self %x)
  %b : f32[s0 - 1, 4] = aten::narrow.default(self %a, dim 0, start 0, length %m)
  return %b
)");
        QCOMPARE(forwardOf(model, stagesOf({0, 0, 0, 1}), 1), R"(def forward(self, a):
    n = torch.ops.aten.sym_size.int(a, 0)
    m = n + (-1)
    b = torch.ops.aten.narrow.default(a, 0, 0, m);  del a, m  # f32[s0 + (-1), 4]
    return b
)");
    }

    void writesControlFlowAsPython()
    {
        const Model model = modelOf(R"(graph flow
  input %x : f32[4]
  input %p : bool[]
  %y : f32[4] = higher_order::cond(%p, graph(0), graph(1), [%x])
    graph yes
      input %t : f32[4]
      %r : f32[4] = aten::neg.default(self %t)
      return %r
    graph no
      input %t : f32[4]
      %r : f32[4] = aten::relu.default(self %t)
      return %r
  return %y
)");
        QCOMPARE(forwardOf(model, stagesOf({0}), 0), R"(def forward(self, x, p):
    def _y_body_0(t):
        r = torch.ops.aten.neg.default(t);  del t  # f32[4]
        return (r,)
    def _y_body_1(t):
        r = torch.ops.aten.relu.default(t);  del t  # f32[4]
        return (r,)
    (y,) = (_y_body_0 if p else _y_body_1)(*[x]);  del x, p  # f32[4]
    return y
)");
    }

    void copiesWhatItWrites()
    {
        const Model model = modelOf(R"(graph write
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %r : f32[4] = aten::relu_.default(self %a)
  return %r
)");
        QCOMPARE(forwardOf(model, stagesOf({0, 1}), 1), R"(def forward(self, a):
    a = a.clone()  # is written to below
    r = torch.ops.aten.relu_.default(a);  del a  # f32[4]
    return r
)");
    }

    void keepsToPythonsGrammar()
    {
        QCOMPARE(pythonTarget("aten::random_.from"), std::string("getattr(torch.ops.aten.random_, 'from')"));
        QCOMPARE(pythonTarget("math::trunc"), std::string("math.trunc"));
        QCOMPARE(pythonAttribute("0.class.w"), std::string("self[0]['class'].w"));
        QCOMPARE(pythonAttribute("a.01.b-c"), std::string("self.a['01']['b-c']"));
        QCOMPARE(pythonString("a'b\\\n\x01"), std::string("'a\\'b\\\\\\n\\x01'"));
        QCOMPARE(pythonFloat(0.1), std::string("0.1"));
        QCOMPARE(pythonFloat(2), std::string("2.0"));
        QCOMPARE(pythonFloat(-std::numeric_limits<double>::infinity()), std::string("-inf"));
        QVERIFY(!isPythonIdentifier("lambda"));
        QVERIFY(!isPythonIdentifier("1a"));
    }

    void namesNothingLikeItsOwnNames()
    {
        const Model model = modelOf(R"(graph names
  input %self : f32[4]
  %torch : f32[4] = aten::neg.default(self %self)
  return %torch
)");
        QCOMPARE(forwardOf(model, stagesOf({0}), 0), R"(def forward(self, v_self):
    v_torch = torch.ops.aten.neg.default(v_self);  del v_self  # f32[4]
    return v_torch
)");
    }
};

QTEST_GUILESS_MAIN(TestPythonCode)
#include "tst_python_code.moc"
