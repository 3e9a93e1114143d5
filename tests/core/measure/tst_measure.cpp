// What a measurement of a model's nodes says while it runs, and where it refuses to.
#include "core/load/open_model.h"
#include "core/measure/measure.h"
#include "core/measure/measured_times_json.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

namespace {

// With its parameters as the file of such a graph would name them.
Model modelOf(const char* text)
{
    Model model{.name = "made", .graph = *parseGraph(text)};
    for (const ValueId input : model.graph.inputs()) {
        const bool isUsers = model.graph[input].kind == ValueKind::UserInput;
        model.signature.inputs.push_back(
            {.kind = isUsers ? InputSpec::Kind::User : InputSpec::Kind::Parameter, .value = input});
    }
    return model;
}

// A profile in which every phase of a node takes 8 s.
Profile estimatesOf(const Model& model, TrainingMode mode)
{
    Profile profile;
    NodeCost cost;
    cost.forward.time = Seconds(8);
    if (mode == TrainingMode::Train)
        cost.backwardInput.time = cost.backwardWeight.time = Seconds(8);
    profile.nodes = Table<NodeId, NodeCost>(model.graph.nodeCount(), cost);
    profile.options.mode = mode;
    return profile;
}

const NodeTimes& timesOf(const Model& model, const MeasuredTimes& times, const char* node)
{
    return *times.nodes[*model.graph.findNode(node)];
}

} // namespace

class TestMeasure : public QObject
{
    Q_OBJECT

private slots:
    // Two activities that take turns have no time left to tell: each counts anew (time_left.h).
    void nodesAreOneActivity()
    {
        const Model model = *openModel(STAGECRAFT_TEST_DATA "/times/mlp.pt2");
        MeasureOptions options;
        options.repeats = 200;
        options.enoughPerNode = Seconds(0.2);
        QStringList said;
        const Progress progress({}, [&](std::string_view activity, std::optional<double>) {
            const QString text = QString::fromUtf8(activity.data(), qsizetype(activity.size()));
            if (said.isEmpty() || said.last() != text)
                said << text;
        });
        QVERIFY(measureModel(model, options, progress).has_value());
        QCOMPARE(said.count("Measuring"), 1);
    }

    void whatHasNoDerivativeIsMeasuredForwardAlone()
    {
        const Model model = modelOf(R"(graph made
  param %w "w" : f32[3]
  input %x : f32[3]
  %a : f32[3] = aten::mul.Tensor(self %w, other %x) named mul
  %r : f32[3] = aten::special_zeta.default(self %a, other %x) named zeta
  return %r
)");
        const Result<MeasuredTimes> times = measureModel(model, {.repeats = 2, .threads = 1});
        QVERIFY2(times.has_value(), times.has_value() ? "" : times.error().message.c_str());
        QCOMPARE(QString::fromStdString(times->withoutBackward.value_or("")),
                 "zeta has no derivative in PyTorch");
        QVERIFY(timesOf(model, *times, "zeta").forward > Seconds{});
        QCOMPARE(timesOf(model, *times, "mul").backwardWeight.value(), 0.0);
        QCOMPARE(times->step.backward.value(), 0.0);

        Profile training = estimatesOf(model, TrainingMode::Train);
        applyTimes(*times, CostOrigin::Measured, training);
        QCOMPARE(training.totals.timeBackward.value(), 32.0); // as estimated
        QVERIFY(training.totals.timeForward < Seconds(8));
        QVERIFY(training.notes[0].ends_with(" forward"));
        QCOMPARE(QString::fromStdString(training.notes[1]),
                 "backward was not measured, and its times are estimates: zeta has no derivative in PyTorch");
        Profile inference = estimatesOf(model, TrainingMode::Infer);
        applyTimes(*times, CostOrigin::Measured, inference);
        QCOMPARE(inference.notes.size(), std::size_t{1});
        QVERIFY(inference.notes[0].ends_with(" forward"));

        const std::string text = measuredTimesJson(model.graph, *times);
        const Result<MeasuredTimes> kept = parseMeasuredTimes(text, "kept", model.graph);
        QVERIFY(kept.has_value() && kept->withoutBackward == times->withoutBackward);
    }

    // The branch that no output hangs on, and that whose result is detached, have no backward in a step.
    void whatBackwardDoesNotComeByTakesNone()
    {
        const Model model = modelOf(R"(graph made
  param %w "w" : f32[64, 64]
  input %x : f32[64, 64]
  %a : f32[64, 64] = aten::mm.default(self %x, mat2 %w) named used
  %b : f32[64, 64] = aten::mm.default(self %x, mat2 %w) named unused
  %c : f32[64, 64] = aten::mm.default(self %x, mat2 %w) named cut
  %d : f32[64, 64] = aten::detach.default(self %c) named detach
  %r : f32[64, 64] = aten::add.Tensor(self %a, other %d) named add
  return %r
)");
        const Result<MeasuredTimes> times = measureModel(model, {.repeats = 2, .threads = 1});
        QVERIFY2(times.has_value(), times.has_value() ? "" : times.error().message.c_str());
        QVERIFY(timesOf(model, *times, "used").backwardWeight > Seconds{});
        for (const char* node : {"unused", "cut"}) {
            QVERIFY(timesOf(model, *times, node).forward > Seconds{});
            QCOMPARE(timesOf(model, *times, node).backwardWeight.value(), 0.0);
            QCOMPARE(timesOf(model, *times, node).backwardInput.value(), 0.0);
        }
    }

    void operatorsOfARegionAreNotTimedAlone()
    {
        Result<Graph> graph = parseGraph(R"(graph vmapped
  input %x : f32[3, 2]
  none = torch._functorch.predispatch::_vmap_increment_nesting(3, "error") named open
  %row : f32[2] = torch._functorch.predispatch::_add_batch_dim(%x, 0, 1)
  %r : f32[3, 2] = torch._functorch.predispatch::_remove_batch_dim(%row, 1, 3, 0)
  none = torch._functorch.predispatch::_vmap_decrement_nesting() named close
  return %r
)");
        QVERIFY(graph.has_value());
        const Result<MeasuredTimes> times = measureModel({.name = "made", .graph = *std::move(graph)});
        QVERIFY(!times.has_value());
        QVERIFY2(times.error().message.find(
                     "cannot be timed one by one: profile the model with estimated times") !=
                     std::string::npos,
                 times.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestMeasure)
#include "tst_measure.moc"
