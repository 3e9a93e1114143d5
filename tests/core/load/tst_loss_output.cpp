#include "core/load/loss_output.h"

#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

namespace {

// Outputs of all kinds: %logits, %loss and %aside need a gradient, %still, %best and %count do not.
const std::string manyOutputs = R"(graph many
  input %x : f32[4, 8]
  param %w "w" : f32[8, 8]
  %logits : f32[4, 8] = aten::linear.default(%x, %w)
  %ce : f32[] = aten::mean.default(%logits)
  %aside : f32[] = aten::sum.default(%logits)
  %still : f32[] = aten::detach.default(%ce)
  %best : i64[] = aten::argmax.default(%logits)
  %norm : f32[] = aten::mean.default(%x)
  return )";

Model modelOf(const std::string& text, Pytree outputTree = {})
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    Model model{.name = "m", .graph = std::move(*graph), .signature = {}, .weights = {}, .provenance = {}};
    if (!outputTree.isLeaf()) {
        model.signature.outputs.assign(model.graph.outputs().size(), OutputSpec{});
        model.signature.outputTree = std::move(outputTree);
    }
    return model;
}

Pytree dictOf(const std::vector<std::string>& keys)
{
    return dictPytree(keys, std::vector<Pytree>(keys.size(), leafPytree()));
}

QString textOf(const Model& model, const std::string& wanted = {})
{
    const Result<LossOutput> loss = lossOutput(model, wanted);
    return QString::fromStdString(loss.has_value() ? lossText(*loss) : loss.error().message);
}

} // namespace

class TestLossOutput : public QObject
{
    Q_OBJECT

private slots:
    void takesTheOutputCalledLoss()
    {
        const Model model =
            modelOf(manyOutputs + "%aside, %ce, %logits", dictOf({"aside", "loss", "logits"}));
        QCOMPARE(textOf(model), "loss: output 'loss', called so");
        QCOMPARE(lossOutput(model)->index, 1u);
    }

    void findsTheNameInNestedOutputs()
    {
        const Pytree nested =
            dictPytree({"first", "second"}, {tuplePytree({leafPytree(), leafPytree()}), dictOf({"loss"})});
        QCOMPARE(textOf(modelOf(manyOutputs + "%logits, %aside, %ce", nested)),
                 "loss: output 'second.loss', called so");
        const Pytree fields{
            "some.Output", R"([["loss", "logits"], ["cache"]])", {leafPytree(), leafPytree()}};
        QCOMPARE(textOf(modelOf(manyOutputs + "%ce, %aside", fields)), "loss: output 'loss', called so");
    }

    void takesALossForEachSample()
    {
        QCOMPARE(textOf(modelOf(manyOutputs + "%logits, %ce", dictOf({"loss", "mean"}))),
                 "loss: output 'loss', called so");
    }

    void takesTheOnlyScalarThatNeedsAGradient()
    {
        QCOMPARE(textOf(modelOf(manyOutputs + "%logits, %still, %best, %norm, %ce")),
                 "loss: output '4', the only scalar that needs a gradient");
        QCOMPARE(textOf(modelOf(manyOutputs + "%ce, %ce, %logits")),
                 "loss: output '0', the only scalar that needs a gradient");
        QCOMPARE(textOf(modelOf(manyOutputs + "%ce")),
                 "loss: output 'ce', the only scalar that needs a gradient");
    }

    void passesOverALossWithoutGradient()
    {
        QCOMPARE(textOf(modelOf(manyOutputs + "%still, %ce", dictOf({"loss", "total"}))),
                 "loss: output 'total', the only scalar that needs a gradient");
    }

    void asksWhereSeveralScalarsMayBeMeant()
    {
        const Model model = modelOf(manyOutputs + "%ce, %logits, %aside", dictOf({"ce", "logits", "aside"}));
        const LossOutput loss = *lossOutput(model);
        QCOMPARE(
            QString::fromStdString(lossQuestion(loss).value_or("")),
            "which output is the loss, 'ce' or 'aside'? Name it (--loss-output NAME), or all for the sum "
            "of all");
        QCOMPARE(loss.values().size(), 3u);
        QVERIFY(!lossQuestion(*lossOutput(model, "ce")));
        QCOMPARE(textOf(model, "ce"), "loss: output 'ce', as asked for");
        QCOMPARE(textOf(model, "2"), "loss: output 'aside', as asked for");
        QCOMPARE(textOf(model, "all"),
                 "loss: as asked for, a step goes back from the sum of 'ce', 'logits', 'aside'");
    }

    void takesAnAnswerByItsNameInTheGraph()
    {
        QCOMPARE(textOf(modelOf(manyOutputs + "%ce, %aside"), "aside"), "loss: output '1', as asked for");
    }

    void refusesWhatIsNoLoss()
    {
        const Model model = modelOf(manyOutputs + "%logits, %still", dictOf({"logits", "still"}));
        QCOMPARE(textOf(model, "loss"),
                 "the model returns no differentiable output named 'loss'; there is 'logits'");
        QCOMPARE(textOf(model, "still"),
                 "the model returns no differentiable output named 'still'; there is 'logits'");
        QCOMPARE(textOf(model, "7"),
                 "the model returns no differentiable output named '7'; there is 'logits'");
    }

    void saysThatLogitsAreNoLoss()
    {
        const Model model = modelOf(manyOutputs + "%logits, %best");
        QVERIFY(textOf(model).startsWith(
            "no output is a loss: a step goes back from the sum of '0', which tests"));
        QVERIFY(lossOutput(model)->isSum());
        QCOMPARE(textOf(modelOf(manyOutputs + "%best, %still")), "no loss: no output needs a gradient");
    }

    void showsNamesThatAreNotPlain()
    {
        QCOMPARE(textOf(modelOf(manyOutputs + "%ce, %best", dictOf({"a\x1b[2J", "b"}))),
                 "loss: output 'a\\u001b[2J', the only scalar that needs a gradient");
    }

    void keepsWhatTheFileSays()
    {
        Model model = modelOf(manyOutputs + "%ce, %aside", dictOf({"loss", "aside"}));
        model.signature.outputs[1].kind = OutputSpec::Kind::Loss;
        QCOMPARE(textOf(model), "loss: output 'aside', as the file says");
        QCOMPARE(textOf(model, "loss"), "the file says that output 'aside' is the loss, not 'loss'");
    }

    // Written through a view, and read under the name that the storage had before.
    void followsGradientsThroughWrites()
    {
        const Model model = modelOf(R"(graph written
  input %x : f32[4, 8]
  param %w "w" : f32[8, 8]
  %y : f32[4, 8] = aten::linear.default(%x, %w)
  %all : f32[4, 8] = aten::zeros.default([4, 8])
  %row : f32[8] = aten::select.int(%all, 0, 0)
  %first : f32[8] = aten::select.int(%y, 0, 0)
  %copied : f32[8] = aten::copy_.default(%row, %first)
  %sum : f32[] = aten::sum.default(%all)
  return %sum, %y
)");
        QCOMPARE(textOf(model), "loss: output '0', the only scalar that needs a gradient");
    }
};

QTEST_APPLESS_MAIN(TestLossOutput)
#include "tst_loss_output.moc"
