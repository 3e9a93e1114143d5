#include "program_run.h"

#include "core/run/index_bounds.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

#include <algorithm>
#include <cstring>

using namespace stagecraft;

namespace {

Graph graphOf(const char* text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return std::move(graph).value();
}

// A weight of `numbers`; the store does not own them.
StorageKey addWeight(WeightStore& store, const std::string& name, const std::vector<float>& numbers)
{
    const StorageKey key = store.addStorage(std::as_bytes(std::span(numbers)), nullptr);
    const auto size = static_cast<std::int64_t>(numbers.size());
    const Result<void> added = store.addTensor(name, contiguousMeta(DType::F32, {size}), key);
    if (!added.has_value())
        qFatal("%s", added.error().message.c_str());
    return key;
}

} // namespace

class TestModelValues : public QObject
{
    Q_OBJECT

private slots:
    void neverWritesToTheFile()
    {
        const std::vector<float> numbers{1, 2, 3};
        const std::vector<float> mean{0, 0, 0};
        Model model{.name = "norm", .graph = graphOf(R"(graph norm
  input %x : f32[8, 3]
  buffer %count "count" : f32[3]
  buffer %mean "mean" : f32[3]
  buffer %var "var" : f32[3]
  %more : f32[3] = aten::add_.Tensor(self %count, other 1)
  %y : f32[8, 3] = aten::batch_norm.default(input %x, weight none, bias none, running_mean %mean, running_var %var, training true, momentum 0.1, eps 0.00001, cudnn_enabled false)
  return %more, %y, %mean
)")};
        addWeight(model.weights, "count", numbers);
        addWeight(model.weights, "mean", mean);
        addWeight(model.weights, "var", numbers);
        const Result<GraphRun> run = runModel(model, 1);
        QVERIFY2(run.has_value(), run.has_value() ? "" : run.error().message.c_str());
        QCOMPARE(run->outputs[0].numbers, (std::vector<double>{2, 3, 4}));
        QVERIFY(run->outputs[2].numbers != std::vector<double>(3, 0)); // running statistics moved
        QCOMPARE(numbers, (std::vector<float>{1, 2, 3}));
        QCOMPARE(mean, (std::vector<float>{0, 0, 0}));
    }

    void tiedWeightsAreOneTensor()
    {
        const std::vector<float> numbers{1, 2, 3};
        Model model{.name = "tied", .graph = graphOf(R"(graph tied
  param %a "a" : f32[3]
  param %b "b" : f32[3]
  %y : f32[3] = aten::mul.Tensor(self %a, other %b)
  return %y
)")};
        const StorageKey key = addWeight(model.weights, "a", numbers);
        QVERIFY(model.weights.addTensor("b", contiguousMeta(DType::F32, {3}), key).has_value());
        const Result<GraphRun> run = runModel(model, 1);
        QVERIFY(run.has_value());
        QCOMPARE(run->gradients[0].numbers, (std::vector<double>{2, 4, 6})); // d(a*a) = 2a
        QCOMPARE(run->gradients[1].numbers, run->gradients[0].numbers);
    }

    void integersStayWithinWhatTheyIndex()
    {
        Model model{.name = "embed", .graph = graphOf(R"(graph embed
  input %ids : i64[64]
  param %w "w" : f32[3, 2]
  %column : i64[64, 1] = aten::unsqueeze.default(self %ids, dim 1)
  %y : f32[64, 1, 2] = aten::embedding.default(weight %w, indices %column)
  return %ids, %y
)")};
        QCOMPARE(indexBound(model.graph, model.graph.inputs()[0], {}), 3);
        const Result<GraphRun> run = runModel(model, 5);
        QVERIFY2(run.has_value(), run.has_value() ? "" : run.error().message.c_str());
        const auto [least, most] = std::ranges::minmax(run->outputs[0].numbers);
        QCOMPARE(least, 0.0);
        QCOMPARE(most, 2.0);
        QCOMPARE(runModel(model, 5)->outputs[0].numbers, run->outputs[0].numbers);
        QVERIFY(runModel(model, 6)->outputs[0].numbers != run->outputs[0].numbers);
    }

    void boundsOfOtherIndices()
    {
        const Graph graph = graphOf(R"(graph bounds
  input %target : i64[8]
  input %index : i64[2]
  input %free : i64[8]
  input %x : f32[8, 10]
  input %offsets : i64[3]
  %bags : f32[3, 10] = aten::embedding_bag.default(weight %x, indices %index, offsets %offsets)
  %log : f32[8, 10] = aten::log_softmax.int(self %x, dim 1)
  %loss : f32[] = aten::nll_loss_nd.default(self %log, target %target)
  %rows : f32[2, 10] = aten::index.Tensor(self %x, indices [%index])
  %columns : f32[8, 2] = aten::index_select.default(self %x, dim 1, index %index)
  %sum : i64[] = aten::sum.default(self %free)
  return %loss
)");
        QCOMPARE(indexBound(graph, graph.inputs()[0], {}), 10);
        QCOMPARE(indexBound(graph, graph.inputs()[1], {}), 8); // the least of 8 and 10
        QVERIFY(!indexBound(graph, graph.inputs()[2], {}).has_value());
        QCOMPARE(indexBound(graph, graph.inputs()[4], {}), 1); // the first is to be 0
    }

    void boundsOfWhatIsDecomposedOrWritesInPlace()
    {
        const Graph graph = graphOf(R"(graph bounds
  input %index : i64[12]
  input %offsets : i64[3]
  input %rows : i64[2, 8]
  input %x : f32[8, 10]
  input %w : f32[5, 10]
  %bags : f32[3, 10], %a : i64[0], %b : i64[3], %c : i64[3] = aten::_embedding_bag.default(weight %w, indices %index, offsets %offsets)
  %from : i64[8], %to : i64[8] = aten::unbind.int(self %rows)
  %sum : f32[8, 10] = aten::index_add_.default(self %x, dim 0, index %to, source %x)
  return %bags, %sum
)");
        QCOMPARE(indexBound(graph, graph.inputs()[0], {}), 5);
        QCOMPARE(indexBound(graph, graph.inputs()[1], {}), 1);
        QCOMPARE(indexBound(graph, graph.inputs()[2], {}), 8);
    }

    // A mask is no number of a row.
    void masksAreTrue()
    {
        Model model{.name = "mask", .graph = graphOf(R"(graph mask
  input %x : f32[4, 3]
  input %mask : bool[4]
  %y : f32[4, 3] = aten::index_put.default(self %x, indices [%mask], values %x, accumulate false)
  return %y
)")};
        const Result<GraphRun> run = runModel(model, 1);
        QVERIFY2(run.has_value(), run.has_value() ? "" : run.error().message.c_str());
    }

    void modelsWithoutWeightsGetSmallRandomOnes()
    {
        Model model{.name = "empty", .graph = graphOf(R"(graph empty
  param %w "fc.weight" : f32[100, 100]
  param %g "norm.weight" : f32[100]
  return %w, %g
)")};
        model.weights.addShape("fc.weight", contiguousMeta(DType::F32, {100, 100}));
        model.weights.addShape("norm.weight", contiguousMeta(DType::F32, {100}));
        const Result<GraphRun> run = runModel(model, 1);
        QVERIFY(run.has_value());
        const auto [least, most] = std::ranges::minmax(run->outputs[0].numbers);
        QVERIFY(least < 0 && least > -0.2 && most > 0 && most < 0.2);
        QVERIFY(std::ranges::min(run->outputs[1].numbers) > 0.5);
    }
};

QTEST_GUILESS_MAIN(TestModelValues)
#include "tst_model_values.moc"
