// What a measurement of a model's nodes says while it runs, and where it refuses to.
#include "core/load/open_model.h"
#include "core/measure/measure.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

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
