#include "core/stage/python_code.h"

#include "core/stage/cut.h"
#include "core/stage/python_text.h"
#include "core/stage/writable.h"
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
    lines = lines.mid(lines.indexOf(QRegularExpression("^class Stage.*")));
    lines = lines.mid(lines.indexOf(QRegularExpression("^    def forward.*")));
    for (QString& line : lines)
        line = line.mid(4);
    return lines.join('\n');
}

QString targetOf(std::string_view target)
{
    OperatorSchemas schemas;
    const Result<PythonText> name = pythonTarget(target, schemas);
    return name.has_value() ? QString::fromStdString(name->text()) : "no: " + message(name);
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

    void stepsOfTransformsAreThemselves()
    {
        QCOMPARE(targetOf("torch._functorch.predispatch::_add_batch_dim"),
                 "torch._functorch.predispatch._add_batch_dim");
        QCOMPARE(targetOf("torch._functorch.predispatch::_make_dual"),
                 "torch._functorch.predispatch._make_dual");
    }

    void otherStepsSayWhatToDo()
    {
        const QString text = targetOf("torch._functorch.predispatch::_grad_increment_nesting");
        QVERIFY2(text.startsWith("no: ") && text.contains("run_decompositions()"), qPrintable(text));
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

    // Modules of one operator stand with their parent's.
    void namesTheModulesThatLinesComeFrom()
    {
        const Model model = modelOf(R"(graph two
  module "" "__main__.Net"
  module layers.0 "__main__.Block"
  module layers.0.a "torch.nn.Linear"
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x) @layers.0.a
  %b : f32[4] = aten::relu.default(self %a) @layers.0
  %c : f32[4] = aten::neg.default(self %b)
  return %c
)");
        QCOMPARE(forwardOf(model, stagesOf({0, 0, 0}), 0), R"(def forward(self, x):
    # layers.0  Block
    a = torch.ops.aten.neg.default(x);  del x  # f32[4]
    b = torch.ops.aten.relu.default(a);  del a  # f32[4]
    # the model itself  Net
    c = torch.ops.aten.neg.default(b);  del b  # f32[4]
    return c
)");
    }

    // What Python knows comes back as it was; other classes only where the process has registered them.
    void returnsContainersAsTheyWere()
    {
        Model model = modelOf(R"(graph containers
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %b : f32[4] = aten::relu.default(self %a)
  return %a, %b, %a, %b
)");
        const auto object = [](const char* type, const char* context, std::size_t leaves) {
            return Pytree{type, context, std::vector<Pytree>(leaves, leafPytree())};
        };
        model.signature.outputs.resize(4);
        model.signature.outputTree =
            tuplePytree({object("collections.deque", "3", 1), object("collections.namedtuple", "x.Pair", 2),
                         object("x.An's", R"([["logits"], ["loss"]])", 1)});
        const QString code = forwardOf(model, stagesOf({0, 0}), 0);
        QVERIFY2(code.contains("return (collections.deque([a], maxlen=3), registered('x.Pair', (b, a)), "
                               "registered('x.An\\'s', {'logits': b}, ('loss',)))"),
                 qPrintable(code));
        // Other classes are made of their parts and of plain data; of no more than that.
        model.signature.outputTree =
            tuplePytree({object("x.Cache", "[\"a\", {\"b'\": [1, -2, null, true]}]", 1),
                         object("x.Of", R"([{"__enum__": true, "fqn": "os:x"}])", 1),
                         object("x.Code", "__import__('os')", 2)});
        const QString others = forwardOf(model, stagesOf({0, 0}), 0);
        QVERIFY2(
            others.contains("return (registered('x.Cache', {'a': a}, context=(['a', {'b\\'': [1, -2, None, "
                            "True]}],)), registered('x.Of', (b,)), registered('x.Code', (a, b)))"),
            qPrintable(others));
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
        QCOMPARE(code.nodesOfLine.size(), static_cast<std::size_t>(lines.size() - 1));
        for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
            const std::vector<NodeId>& nodes = code.nodesOfLine[static_cast<std::size_t>(i)];
            QCOMPARE(nodes.size(), lines[i].contains("torch.ops") ? std::size_t(1) : std::size_t(0));
            for (const NodeId node : nodes)
                QVERIFY(
                    lines[i].trimmed().startsWith(QString::fromStdString(model.graph[node].name) + " = "));
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
    (y,) = run_branch(p, _y_body_0, _y_body_1, [x]);  del x, p  # f32[4]
    return y
)");
    }

    // As PyTorch returns it: nothing, of an operator that returns nothing, and the copies.
    void takesCopiesOfWhatAnOperatorWrites()
    {
        const Model model = modelOf(R"(graph functional
  input %x : f32[4]
  none, %y : f32[4] = higher_order::auto_functionalized_v2(operator("aten::relu_.default"), _self_base_index=0, _all_bases=[%x])
  return %y
)");
        QVERIFY2(forwardOf(model, stagesOf({0}), 0)
                     .contains("(_, y,) = torch.ops.higher_order.auto_functionalized_v2("),
                 qPrintable(forwardOf(model, stagesOf({0}), 0)));
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
        QCOMPARE(targetOf("aten::random_.from"), "getattr(torch.ops.aten.random_, 'from')");
        QCOMPARE(targetOf("math::trunc"), "math.trunc");
        QCOMPARE(pythonAttribute("0.class.w").text(), std::string("self[0]['class'].w"));
        QCOMPARE(pythonAttribute("a.01.b-c").text(), std::string("self.a['01']['b-c']"));
        QCOMPARE(pythonString("a'b\\\n\x01").text(), std::string("'a\\'b\\\\\\n\\x01'"));
        QCOMPARE(pythonFloat(0.1).text(), std::string("0.1"));
        QCOMPARE(pythonFloat(2).text(), std::string("2.0"));
        QCOMPARE(pythonFloat(-std::numeric_limits<double>::infinity()).text(), std::string("-inf"));
        QVERIFY(!pythonWord("lambda"));
        QVERIFY(!pythonWord("1a"));
        QVERIFY(!pythonWord("__a")); // _Stage0__a inside a class
        QVERIFY(!pythonWord("a\n"));
    }

    void namesWhatMayBeCalled()
    {
        QCOMPARE(targetOf("aten::linear.default"), "torch.ops.aten.linear.default");
        QCOMPARE(targetOf("aten::__and__.Tensor"), "torch.ops.aten.__and__.Tensor");
        QCOMPARE(targetOf("mylib::gate.default"), "torch.ops.mylib.gate.default");
        QCOMPARE(targetOf("higher_order::cond"), "torch.ops.higher_order.cond");
        QCOMPARE(targetOf("_operator::floordiv"), "operator.floordiv");
        QCOMPARE(targetOf("torch::sym_max"), "torch.sym_max");
        QCOMPARE(targetOf("builtins::max"), "max");
    }

    void namesNothingElse_data()
    {
        QTest::addColumn<QString>("target");
        for (const char* target : {"exec",
                                   "",
                                   "torch::os.system",
                                   "torch::hub.load",
                                   "builtins::exec.x",
                                   "math::os.system",
                                   "builtins::exec",
                                   "math::__loader__",
                                   "getattr(__import__('os'),'system')",
                                   "aten::nothing.default",
                                   "aten::__init__.__globals__",
                                   "aten::linear",
                                   "aten::linear.default.__call__",
                                   "aten::linear.overloads",
                                   "aten::add.Tensor\r",
                                   "mylib::__class__.x",
                                   "mylib::gate.__call__",
                                   "mylib::gate",
                                   "mylib::",
                                   "::",
                                   "mylib::a b.c",
                                   "mylib::a.b(c)",
                                   "my lib::a.b",
                                   "load_library::__func__.__call__",
                                   "load_library::x.y",
                                   "import_module::x.y",
                                   "prim::PythonOp.default",
                                   "aten::save.default",
                                   "aten::from_file.default",
                                   "higher_order::cond.py_impl",
                                   "higher_order::__init__",
                                   "higher_order::",
                                   "_operator::attrgetter",
                                   "operator::add",
                                   "torch.ops.aten.linear.default",
                                   "a\u2028::b.c",
                                   "1a::b.c"})
            QTest::addRow("%s", target) << QString(target);
    }
    void namesNothingElse()
    {
        QFETCH(QString, target);
        QVERIFY2(targetOf(target.toStdString()).startsWith("no: "),
                 qPrintable(targetOf(target.toStdString())));
    }

    // What may not be written may be looked at, and says what it lacks.
    void showsWhatMayNotBeCalled()
    {
        const Model model = modelOf(R"(graph calls
  input %x : f32[4]
  %a : f32[4] = torch::os.system(command "touch it")
  %b : f32[4] = mylib::apply.default(self %x, op operator("torch::hub.load"), other %a)
  return %b
)");
        const auto programs = cutStages(model, stagesOf({0, 0}));
        const StageCode code = stageCode(model, programs->front());
        const QString text = QString::fromStdString(code.text);
        QVERIFY2(text.contains("        a = NotImplemented  # f32[4]\n"), qPrintable(text));
        QVERIFY2(text.contains("torch.ops.mylib.apply.default(x, NotImplemented, a)") ||
                     text.contains("torch.ops.mylib.apply.default(x, op=NotImplemented, other=a)"),
                 qPrintable(text));
        QCOMPARE(code.refusals.size(), std::size_t(2));
        QVERIFY(QString::fromStdString(code.refusals.front()).startsWith("node 'a': 'torch::os.system'"));
    }

    void keepsCommentsOnTheirLine()
    {
        const auto comment = [](const std::string& text) {
            return QString::fromStdString(pythonComment(text).text());
        };
        QCOMPARE(comment("f32[8, s0]"), "f32[8, s0]");
        QCOMPARE(comment("a\rb\nc\fd\x1b\x7f\te"), "a?b?c?d???e");
        QCOMPARE(comment(std::string("a\0b", 3)), "a?b");
        QCOMPARE(comment("a\u2028b\u2029c\u0085d\u202e"), "a?b?c?d?");
        QCOMPARE(comment("a\"\"\"b\\"), "a'''b?");
        QCOMPARE(comment("\xff\xc0\x80\xed\xa0\x80\xe2\x80"), "????????");
        QCOMPARE(comment("M\u00f6hre \u6a21 \U0001f600"), QString::fromUtf8("M\u00f6hre \u6a21 \U0001f600"));
        QCOMPARE(comment(std::string(100000, 'a')).size(), qsizetype(503));
    }

    void quotesEverything()
    {
        const auto quoted = [](const std::string& text) {
            return QString::fromStdString(pythonString(text).text());
        };
        QCOMPARE(quoted("a\rb\u2028\U0001f600"), R"('a\x0db\u2028\U0001f600')");
        QCOMPARE(quoted(std::string("\0\xff", 2)), R"('\x00\udcff')");
        QCOMPARE(quoted("'''\\"), R"('\'\'\'\\')");
    }

    // What torch.nn.Module and the written classes have themselves is no attribute of a stage's.
    void readsTensorsWithNamesThatModulesHave()
    {
        const auto attribute = [](const char* path) {
            return QString::fromStdString(pythonAttribute(path).text());
        };
        QCOMPARE(attribute("place.weight"), "self['place'].weight");
        QCOMPARE(attribute("h.0.train"), "self.h[0]['train']");
        QCOMPARE(attribute("__getitem__._modules"), "self['__getitem__']['_modules']");
        QCOMPARE(attribute("device"), "self['device']");
        QCOMPARE(attribute("a..b"), "self.a[''].b");
        QCOMPARE(attribute("a\n'"), R"(self['a\n\''])");
    }

    void keepsArgumentsAndValuesApart()
    {
        Model model = modelOf(R"(graph names
  input %a_0 : f32[4]
  input %a_0_1 : f32[4]
  input %m : f32[4]
  input %b : f32[4]
  input %named : f32[4]
  %c : f32[4] = aten::add.Tensor(self %a_0, other %a_0_1)
  %max : f32[4] = aten::add.Tensor(self %c, other %m)
  %__d : f32[4] = aten::add.Tensor(self %max, other %b)
  %_ : f32[4] = aten::add.Tensor(self %__d, other %named)
  return %_
)");
        for (const ValueId input : model.graph.inputs())
            model.signature.inputs.push_back({.kind = InputSpec::Kind::User,
                                              .name = model.graph[input].name,
                                              .value = input,
                                              .target = {},
                                              .literal = {}});
        const Pytree leaf = leafPytree();
        // forward(a=[a_0], a_0, c=[m], *, b-b, torch)
        model.signature.inputTree =
            tuplePytree({tuplePytree({tuplePytree({leaf}), leaf, tuplePytree({leaf})}),
                         dictPytree({"b-b", "torch"}, {leaf, leaf})});
        model.signature.forwardArgumentNames = {"a", "a_0", "c"};
        QCOMPARE(forwardOf(model, stagesOf({0, 0, 0, 0}), 0), R"(def forward(self, a, a_0_2, c_1, **named):
    a_0 = a[0]
    a_0_1 = a_0_2
    m = c_1[0]
    b = named['b-b']
    v_named = named['torch']
    c = torch.ops.aten.add.Tensor(a_0, a_0_1);  del a_0, a_0_1  # f32[4]
    v_max = torch.ops.aten.add.Tensor(c, m);  del m, c  # f32[4]
    v___d = torch.ops.aten.add.Tensor(v_max, b);  del b, v_max  # f32[4]
    v__ = torch.ops.aten.add.Tensor(v___d, v_named);  del v_named, v___d  # f32[4]
    return v__
)");
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
