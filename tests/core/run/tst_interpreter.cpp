#include "program_run.h"
#include "run_text.h"

#include "core/graph/graph_builder.h"
#include "core/run/interpreter.h"

#include <QtTest>

using namespace stagecraft;

namespace {

std::vector<double> counted(std::size_t count)
{
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = static_cast<double>(i) + 1;
    return numbers;
}

// The body of a graph with one input %x.
QString runOn(const NamedArray& x, const std::string& body)
{
    return outputsOf(runGraphText("graph test\n  input %x : " + x.dtype + "[2, 2]\n" + body, {x}));
}

const NamedArray floats = arrayOf("f32", {2, 2}, {1, 2, 3, 4});
const NamedArray integers = arrayOf("i64", {2, 2}, {1, 2, 3, 4});

} // namespace

class TestInterpreter : public QObject
{
    Q_OBJECT

private slots:
    // --- arguments ---------------------------------------------------------------------------------------

    void numbersForTensorsDoNotPromote()
    {
        QCOMPARE(runOn(integers, "  %y : i64[2, 2] = aten::add.Tensor(self %x, other 1)\n  return %y\n"),
                 "i64[2,2] 2 3 4 5");
        QCOMPARE(runOn(floats, "  %y : f32[2, 2] = aten::mul.Tensor(self %x, other 0.5)\n  return %y\n"),
                 "f32[2,2] 0.5 1 1.5 2");
    }

    void leftOutArgumentsTakeTheirDefaults()
    {
        QCOMPARE(runOn(floats, "  %y : f32[2, 2] = aten::add.Tensor(self %x, other %x)\n  return %y\n"),
                 "f32[2,2] 2 4 6 8");
        QCOMPARE(
            runOn(floats, "  %y : f32[2, 2] = aten::add.Tensor(self %x, other %x, alpha=3)\n  return %y\n"),
            "f32[2,2] 4 8 12 16");
    }

    void aSingleNumberFillsAList()
    {
        const NamedArray image = arrayOf("f32", {1, 1, 4, 4}, counted(16));
        QCOMPARE(outputsOf(runGraphText(
                     "graph pool\n  input %x : f32[1, 1, 4, 4]\n"
                     "  %y : f32[1, 1, 2, 2] = aten::max_pool2d.default(self %x, kernel_size 2)\n"
                     "  return %y\n",
                     {image})),
                 "f32[1,1,2,2] 6 8 14 16");
    }

    void anAbsentElementIndexesEverything()
    {
        QCOMPARE(outputsOf(runGraphText("graph pick\n  input %x : f32[2, 2]\n  input %i : i64[1]\n"
                                        "  %y : f32[2, 1] = aten::index.Tensor(self %x, indices [none, %i])\n"
                                        "  return %y\n",
                                        {floats, arrayOf("i64", {1}, {1})})),
                 "f32[2,1] 2 4");
    }

    void listsOfResultsAreUnpacked()
    {
        QCOMPARE(runOn(floats,
                       "  [%a : f32[1, 2], %b : f32[1, 2]] = aten::split.Tensor(self %x, split_size 1)\n"
                       "  %v : f32[1], %i : i64[1] = aten::max.dim(self %b, dim 1)\n"
                       "  return %a, %v, %i\n"),
                 "f32[1,2] 1 2; f32[1] 4; i64[1] 1");
    }

    void sizesComeFromTheTensors()
    {
        QCOMPARE(runOn(floats, "  %n : size(2) = aten::sym_size.int(self %x, dim 0)\n"
                               "  %m : size(4) = _operator::mul(%n, 2)\n"
                               "  %y : f32[4] = aten::view.default(self %x, size [%m])\n"
                               "  %z : f32[4] = aten::mul.Tensor(self %y, other %m)\n"
                               "  return %z, %m\n"),
                 "f32[4] 4 8 12 16; number[] 4");
    }

    void everyDeviceIsTheRunsOwn()
    {
        QCOMPARE(
            runOn(floats,
                  "  %y : f32[2] = aten::ones.default(size [2], device=device(cuda:3), pin_memory=true)\n"
                  "  return %y\n"),
            "f32[2] 1 1");
    }

    // --- control flow ------------------------------------------------------------------------------------

    void condTakesTheBranchOfItsPredicate_data()
    {
        QTest::addColumn<double>("predicate");
        QTest::addColumn<QString>("expected");
        QTest::newRow("true") << 1.0 << "f32[2,2] 2 3 4 5";
        QTest::newRow("false") << 0.0 << "f32[2,2] 2 4 6 8";
    }

    void condTakesTheBranchOfItsPredicate()
    {
        QFETCH(double, predicate);
        QFETCH(QString, expected);
        const std::string text = R"(graph branches
  input %p : bool[]
  input %x : f32[2, 2]
  %y : f32[2, 2] = higher_order::cond(%p, graph(0), graph(1), [%x])
    graph yes
      input %a : f32[2, 2]
      %b : f32[2, 2] = aten::add.Tensor(self %a, other 1)
      return %b
    graph no
      input %a : f32[2, 2]
      %b : f32[2, 2] = aten::mul.Tensor(self %a, other 2)
      return %b
  return %y
)";
        QCOMPARE(outputsOf(runGraphText(text, {arrayOf("bool", {}, {predicate}), floats})), expected);
    }

    void whileLoopRunsUntilItsConditionFails()
    {
        const std::string text = R"(graph loop
  input %i : i64[]
  input %x : f32[2, 2]
  %n : i64[], %y : f32[2, 2] = higher_order::while_loop(graph(0), graph(1), [%i, %x], tensors[])
    graph more
      input %k : i64[]
      input %a : f32[2, 2]
      %c : bool[] = aten::lt.Scalar(self %k, other 3)
      return %c
    graph body
      input %k : i64[]
      input %a : f32[2, 2]
      %k1 : i64[] = aten::add.Tensor(self %k, other 1)
      %b : f32[2, 2] = aten::mul.Tensor(self %a, other 2)
      return %k1, %b
  return %n, %y
)";
        const Result<GraphRun> run = runGraphText(text, {arrayOf("i64", {}, {0}), floats});
        if (!run.has_value() || run->outputs.size() != 2)
            QFAIL(qPrintable(outputsOf(run)));
        QCOMPARE(outputsOf(run), "i64[] 3; f32[2,2] 8 16 24 32");
    }

    void mapStacksItsResults()
    {
        const std::string text = R"(graph rows
  input %x : f32[2, 2]
  input %w : f32[2]
  %y : f32[2, 2] = higher_order::map_impl(graph(0), [%x], [%w])
    graph row
      input %a : f32[2]
      input %b : f32[2]
      %c : f32[2] = aten::mul.Tensor(self %a, other %b)
      return %c
  return %y
)";
        QCOMPARE(outputsOf(runGraphText(text, {floats, arrayOf("f32", {2}, {10, 100})})),
                 "f32[2,2] 10 200 30 400");
    }

    void scanCarriesAndStacks()
    {
        const std::string text = R"(graph running_sum
  input %s : f32[2]
  input %x : f32[2, 2]
  %t : f32[2], %y : f32[2, 2] = higher_order::scan(graph(0), [%s], [%x], tensors[])
    graph step
      input %a : f32[2]
      input %b : f32[2]
      %c : f32[2] = aten::add.Tensor(self %a, other %b)
      return %c, %c
  return %t, %y
)";
        QCOMPARE(outputsOf(runGraphText(text, {arrayOf("f32", {2}, {0, 0}), floats})),
                 "f32[2] 4 6; f32[2,2] 1 2 4 6");
    }

    void associativeScanGivesAllRunningResults_data()
    {
        QTest::addColumn<std::vector<double>>("given");
        QTest::addColumn<QString>("expected");
        QTest::newRow("none") << std::vector<double>{} << "f32[0]";
        QTest::newRow("one") << std::vector<double>{3} << "f32[1] 3";
        QTest::newRow("even") << std::vector<double>{1, 2, 3, 4} << "f32[4] 1 3 6 10";
        QTest::newRow("odd") << std::vector<double>{1, 2, 3, 4, 5, 6, 7} << "f32[7] 1 3 6 10 15 21 28";
    }

    void associativeScanGivesAllRunningResults()
    {
        QFETCH(std::vector<double>, given);
        QFETCH(QString, expected);
        const auto length = static_cast<std::int64_t>(given.size());
        const std::string type = "f32[" + std::to_string(length) + "]";
        const std::string text = "graph sums\n  input %x : " + type + "\n  %y : " + type +
                                 R"( = higher_order::associative_scan(graph(0), [%x], tensors[])
    graph sum
      input %a : f32[]
      input %b : f32[]
      %c : f32[] = aten::add.Tensor(self %a, other %b)
      return %c
  return %y
)";
        QCOMPARE(outputsOf(runGraphText(text, {arrayOf("f32", {length}, given)})), expected);
    }

    void associativeScanEndsWhateverItsGraphReturns()
    {
        const std::string text = R"(graph endless
  input %x : f32[2, 2]
  %y : f32[2, 2] = higher_order::associative_scan(graph(0), [%x], tensors[])
    graph twice
      input %a : f32[2]
      input %b : f32[2]
      %c : f32[2] = aten::cat.default(tensors [%a, %b, %a, %b])
      return %c
  return %y
)";
        QVERIFY(outputsOf(runGraphText(text, {floats})).contains("does not return what it is given"));
    }

    // --- operators by name ---------------------------------------------------------------------------------

    void outDtypeComputesInTheTypeThatIsAskedFor()
    {
        const std::string text = R"(graph products
  input %x : i8[2, 2]
  input %w : i8[2, 2]
  %y : i32[2, 2] = higher_order::out_dtype(operator("aten::mm.default"), i32, %x, %w)
  return %y
)";
        QCOMPARE(outputsOf(runGraphText(text, {arrayOf("i8", {2, 2}, {100, 100, 1, 2}),
                                               arrayOf("i8", {2, 2}, {100, 1, 100, 2})})),
                 "i32[2,2] 20000 300 300 5");
    }

    void outDtypeOfWhatWritesIsRefused()
    {
        const std::string call = "higher_order::out_dtype(operator(\"aten::mul_.Tensor\"), f32, %x, %x)";
        QVERIFY(
            runOn(floats, "  %y : f32[2, 2] = " + call + "\n  return %y\n").contains("not for aten::mul_"));
    }

    // --- modes -------------------------------------------------------------------------------------------

    void aContextSwitchesGradientsOff()
    {
        const std::string text = R"(graph modes
  context 1 grad off
  input %x : f32[2, 2]
  param %w "w" : f32[2, 2]
  param %v "v" : f32[2, 2]
  %a : f32[2, 2] = aten::mul.Tensor(self %x, other %w) in 1
  %b : f32[2, 2] = aten::mul.Tensor(self %a, other %v)
  return %b
)";
        const Result<GraphRun> run = runGraphText(text, {floats, floats, floats});
        QVERIFY(run.has_value());
        QCOMPARE(run->gradients.size(), 1u);
        QCOMPARE(run->gradients[0].name, "v");
        QCOMPARE(textOf(run->gradients[0]), "f32[2,2] 1 4 9 16");
    }

    void aContextCastsAutomatically()
    {
        const std::string text = R"(graph cast
  context 1 autocast cpu bf16 on
  input %x : f32[2, 2]
  %a : bf16[2, 2] = aten::mm.default(self %x, mat2 %x) in 1
  %b : f32[2, 2] = aten::mm.default(self %x, mat2 %x)
  return %a, %b
)";
        QCOMPARE(outputsOf(runGraphText(text, {floats})), "bf16[2,2] 7 10 15 22; f32[2,2] 7 10 15 22");
    }

    // --- lifetimes and parts -----------------------------------------------------------------------------

    void dropsValuesAfterTheirLastUse()
    {
        const std::string text = R"(graph chain
  input %x : f32[2, 2]
  %a : f32[2, 2] = aten::neg.default(self %x)
  %b : f32[2, 2] = aten::neg.default(self %a)
  %unused : f32[2, 2] = aten::neg.default(self %a)
  %c : f32[2, 2] = aten::neg.default(self %b)
  return %c
)";
        const Result<GraphRun> run = runGraphText(text, {floats});
        QVERIFY(run.has_value());
        QCOMPARE(run->held, std::vector<std::string>{"c"});
    }

    void runsAPartOfAGraph()
    {
        const std::string text = R"(graph chain
  input %x : f32[2, 2]
  %a : f32[2, 2] = aten::neg.default(self %x)
  %b : f32[2, 2] = aten::add.Tensor(self %a, other 1)
  %c : f32[2, 2] = aten::mul.Tensor(self %b, other 2)
  %d : f32[2, 2] = aten::neg.default(self %c)
  return %d
)";
        NamedArray a = floats;
        a.name = "a";
        const Result<GraphRun> run = runPart(text, {"b", "c"}, {a}, {"c"});
        QCOMPARE(outputsOf(run), "f32[2,2] 4 6 8 10");
        QCOMPARE(run->held, (std::vector<std::string>{"a", "c"}));
    }

    // --- errors ------------------------------------------------------------------------------------------

    void namesAnUnknownOperator()
    {
        QCOMPARE(
            runOn(floats,
                  "  module h.0 \"Block\"\n  %y : f32[2, 2] = nobody::knows.this(%x) @h.0\n  return %y\n"),
            "node 'y' (nobody::knows.this) in module 'h.0': the operator nobody::knows.this is not known "
            "here; "
            "load the library that defines it (--op-library FILE), or, where Python alone has it, say its "
            "costs "
            "(--substitutes FILE)");
    }

    void touchesNoFiles()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("made");
        const QString said =
            runOn(floats, "  %y : f32[4] = aten::from_file.default(filename \"" + path.toStdString() +
                              "\", shared true, size 4)\n  return %y\n");
        QVERIFY2(said.contains("reads or writes files"), qPrintable(said));
        QVERIFY(!QFile::exists(path));
    }

    void namesTheNodeThatFails()
    {
        const QString error =
            runOn(floats, "  %y : f32[3] = aten::view.default(self %x, size [3])\n  return %y\n");
        QVERIFY2(error.startsWith("node 'y' (aten::view.default): shape '[3]' is invalid"),
                 qPrintable(error));
        QVERIFY(!error.contains('\n'));
    }

    void namesAnArgumentThatDoesNotFit()
    {
        QCOMPARE(runOn(floats, "  %y : f32[2, 2] = aten::neg.default(self %x, other=3)\n  return %y\n"),
                 "node 'y' (aten::neg.default): the operator has no argument 'other'");
        QCOMPARE(runOn(floats, "  %y : f32[2, 2] = aten::add.Tensor(self %x)\n  return %y\n"),
                 "node 'y' (aten::add.Tensor): argument 'other' is missing");
    }

    void saysWhereInTheSource()
    {
        GraphBuilder builder("source");
        Value value{.name = "x", .kind = ValueKind::UserInput, .meta = contiguousMeta(DType::F32, {2})};
        const ValueId x = builder.addInput(value);
        value.name = "y";
        value.kind = ValueKind::Activation;
        const ValueId y = builder.addValue(value);
        builder.addNode({.name = "y",
                         .target = "aten::neg.default",
                         .arguments = {{"self", x}},
                         .outputs = {{NodeOutput::Kind::Value, {y}}},
                         .module = builder.addModule("h.0"),
                         .source = builder.addSource(
                             {{"/a/train.py", 3, "main", ""}, {"/a/model.py", 41, "forward", ""}})});
        const Result<Graph> graph = std::move(builder).finish();
        QVERIFY(graph.has_value());
        QCOMPARE(describeNode(*graph, NodeId(0)),
                 "node 'y' (aten::neg.default) in module 'h.0', model.py:41");
    }

    // --- custom operators --------------------------------------------------------------------------------

    void groupedProductsAreThoseOfEachGroup()
    {
        const std::string text = R"(graph experts
  param %x "x" : f32[3, 2]
  param %w "w" : f32[2, 2, 2]
  input %offs : i32[2]
  %y : f32[3, 2] = transformers::grouped_mm_fallback.default(%x, %w, %offs)
  return %y
)";
        // Row 0 meets the first matrix, rows 1 and 2 the second.
        const Result<GraphRun> run = runGraphText(text, {arrayOf("f32", {3, 2}, {1, 2, 3, 4, 5, 6}),
                                                         arrayOf("f32", {2, 2, 2}, {1, 0, 0, 1, 2, 1, 0, 3}),
                                                         arrayOf("i32", {2}, {1, 3})});
        QCOMPARE(outputsOf(run), "f32[3,2] 1 2 6 15 10 23");
        QCOMPARE(textOf(run->gradients[0]), "f32[3,2] 1 1 3 3 3 3");
        QCOMPARE(textOf(run->gradients[1]), "f32[2,2,2] 1 1 2 2 8 8 10 10");
    }
};

QTEST_GUILESS_MAIN(TestInterpreter)
#include "tst_interpreter.moc"
