#include "core/stage/cut.h"

#include "stage_test.h"

#include <stop_token>

using namespace stagecraft;
using namespace stagecraft::testing;

class TestCut : public QObject
{
    Q_OBJECT

private slots:
    void relaysWhatSkipsAStage()
    {
        const Model model = modelOf(R"(graph skip
  input %x : f32[4]
  %a : f32[4] = aten::relu.default(self %x)
  %b : f32[4] = aten::neg.default(self %a)
  %c : f32[4] = aten::add.Tensor(self %b, other %a)
  return %c
)");
        const auto programs = cutStages(model, stagesOf({0, 1, 2}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[0]), " | x");
        QCOMPARE(names(model.graph, (*programs)[0].outputs), "a");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "a | ");
        QCOMPARE(names(model.graph, (*programs)[1].outputs), "a b");
        QCOMPARE(names(model.graph, (*programs)[1].relays), "a");
        QCOMPARE(inputs(model.graph, (*programs)[2]), "a b | ");
        QCOMPARE(names(model.graph, (*programs)[2].outputs), "c");
    }

    void givesLaterStagesTheModelsInputs()
    {
        const Model model = modelOf(R"(graph late
  input %x : f32[4]
  input %mask : f32[4]
  input %unused : f32[4]
  %a : f32[4] = aten::relu.default(self %x)
  %b : f32[4] = aten::mul.Tensor(self %a, other %mask)
  return %b, %x
)");
        const auto programs = cutStages(model, stagesOf({0, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[0]), " | x mask unused");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "a | x mask");
        QCOMPARE(names(model.graph, (*programs)[1].outputs), "b x");
    }

    void sendsTheLastVersionOnce()
    {
        const Model model = modelOf(R"(graph versions
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %r : f32[4] = aten::relu_.default(self %a)
  %s : f32[4] = aten::add.Tensor(self %a, other %r) after r
  return %s
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(names(model.graph, (*programs)[0].outputs), "r");
        const StageProgram& last = (*programs)[1];
        QCOMPARE(inputs(model.graph, last), "r | ");
        QCOMPARE(last.resolve(*model.graph.findValue("a")), *model.graph.findValue("r"));
        QVERIFY(last.cloned.empty());
    }

    void copiesWhatItReceivesAndWrites()
    {
        const Model model = modelOf(R"(graph write
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %r : f32[4] = aten::relu_.default(self %a)
  %s : f32[4] = aten::neg.default(self %a) after r
  return %s
)");
        const auto programs = cutStages(model, stagesOf({0, 1, 2}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(names(model.graph, (*programs)[1].cloned), "a");
        QCOMPARE(names(model.graph, (*programs)[1].relays), "");
        QCOMPARE(names(model.graph, (*programs)[1].outputs), "r");
        QCOMPARE((*programs)[2].resolve(*model.graph.findValue("a")), *model.graph.findValue("r"));
    }

    // Base and view would come apart in stage 1 if both were sent.
    void makesViewsOfWrittenStorageAgain()
    {
        const Model model = modelOf(R"(graph views
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %v : f32[2, 2] = aten::view.default(self %a, size [2, 2])
  %r : f32[4] = aten::relu_.default(self %a)
  %s : f32[2, 2] = aten::neg.default(self %v) after r
  return %s, %r
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 1, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "a | ");
        QCOMPARE(names(model.graph, (*programs)[1].cloned), "a");
        QCOMPARE(names(model.graph, (*programs)[1].repeated), "v");
    }

    // The strides that something was made with, in the stage that reads it; a stage that only passes it on
    // leaves it row-major.
    void givesReceivedTensorsTheirStrides()
    {
        const Model model = modelOf(R"(graph strides
  input %x : f32[6, 4]
  %a : f32[6, 4] strides [1, 6] = aten::neg.default(self %x)
  %b : f32[6, 4] = aten::neg.default(self %x)
  %e : f32[3, 6, 4] strides [0, 1, 6] = aten::neg.default(self %x)
  %n : f32[6, 4] = aten::neg.default(self %b)
  %t : f32[4, 6] = aten::t.default(self %a)
  %s : f32[6, 4] = aten::sum.dim_IntList(self %e, dim [0], keepdim false)
  return %t, %s, %n
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0, 1, 2, 2}));
        QCOMPARE(message(programs), "ok");
        QVERIFY((*programs)[1].laidOut.empty());
        QCOMPARE(names(model.graph, (*programs)[1].relays), "a e");
        const std::vector<ReceivedLayout> expected{{*model.graph.findValue("a"), {}, {1, 6}, {}},
                                                   {*model.graph.findValue("e"), {0}, {0, 1, 6}, {}}};
        QCOMPARE((*programs)[2].laidOut, expected);
    }

    // Where the other parts lie in the model there is nothing in the stage.
    void closesTheGapsOfParts()
    {
        const Model model = modelOf(R"(graph parts
  input %x : f32[2, 6]
  %p : f32[2, 6] = aten::neg.default(self %x)
  %l : f32[2, 3] strides [6, 1] = aten::slice.Tensor(self %p, dim 1, start 0, end 3)
  %r : f32[2, 3] strides [6, 1] offset [3] = aten::slice.Tensor(self %p, dim 1, start 3, end 6)
  %t : f32[3, 2] strides [1, 6] offset [3] = aten::t.default(self %r)
  %e : f32[4, 2, 3] strides [0, 6, 1] = aten::expand.default(self %l, size [4, 2, 3])
  %m : f32[2, 3] = aten::neg.default(self %l)
  %n : f32[3, 2] = aten::neg.default(self %t)
  %o : f32[4, 2, 3] = aten::neg.default(self %e)
  return %m, %n, %o
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0, 0, 0, 1, 1, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "l t e | ");
        const std::vector<ReceivedLayout> expected{{*model.graph.findValue("t"), {}, {1, 3}, {}},
                                                   {*model.graph.findValue("e"), {0}, {0, 3, 1}, {}}};
        QCOMPARE((*programs)[1].laidOut, expected);
    }

    void keepsTheGaps_data()
    {
        QTest::addColumn<QString>("rest");
        QTest::addColumn<std::vector<std::size_t>>("stages");
        // With gaps this reshape is a copy, which does not see what is written.
        QTest::newRow("of what is written") << R"(
  %f : f32[6] = aten::reshape.default(self %l, shape [6])
  %w : f32[2, 3] strides [6, 1] = aten::relu_.default(self %l) after f
  %n : f32[6] = aten::neg.default(self %f) after w
  return %w, %n
)" << std::vector<std::size_t>{0, 0, 1, 1, 1};
        QTest::newRow("of what is returned") << R"(
  %t : f32[3, 2] strides [1, 6] = aten::t.default(self %l)
  return %t
)" << std::vector<std::size_t>{0, 0, 1};
    }
    void keepsTheGaps()
    {
        QFETCH(QString, rest);
        QFETCH(std::vector<std::size_t>, stages);
        const Model model = modelOf(R"(graph gaps
  input %x : f32[2, 6]
  %p : f32[2, 6] = aten::neg.default(self %x)
  %l : f32[2, 3] strides [6, 1] = aten::slice.Tensor(self %p, dim 1, start 0, end 3))" +
                                    rest.toStdString());
        const auto programs = cutStages(model, stagesOf(stages));
        QCOMPARE(message(programs), "ok");
        const std::vector<ReceivedLayout> expected{{*model.graph.findValue("l"), {}, {6, 1}, {}}};
        QCOMPARE((*programs)[1].laidOut, expected);
    }

    void givesStridesOfSymbolsByTheirOrder()
    {
        const Model model = modelOf(R"(graph strides
  symbol s0 hint 8 range 2..64
  input %x : f32[s0, 4]
  %a : f32[4, s0] strides [1, 4] = aten::t.default(self %x)
  %c : f32[4, s0] strides [1, 4] = aten::neg.default(self %a)
  %b : f32[s0, 4] = aten::t.default(self %c)
  return %b
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        const std::vector<ReceivedLayout> expected{{*model.graph.findValue("c"), {}, {}, {1, 0}}};
        QCOMPARE((*programs)[1].laidOut, expected);
    }

    // Windows share elements: what they are windows of is sent.
    void makesOverlappingViewsAgain()
    {
        const Model model = modelOf(R"(graph windows
  input %x : f32[6]
  %a : f32[6] = aten::neg.default(self %x)
  %w : f32[4, 3] strides [1, 1] = aten::unfold.default(self %a, dimension 0, size 3, step 1)
  %b : f32[4, 3] = aten::neg.default(self %w)
  return %b
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "a | ");
        QCOMPARE(names(model.graph, (*programs)[1].repeated), "w");
    }

    // A reshape that copies shares nothing with what is written.
    void sendsCopiesAsTheyAre()
    {
        const Model model = modelOf(R"(graph copies
  input %x : f32[6, 4]
  %a : f32[6, 4] = aten::neg.default(self %x)
  %t : f32[4, 6] strides [1, 4] = aten::t.default(self %a)
  %c : f32[24] = aten::reshape.default(self %t, shape [24])
  %r : f32[6, 4] = aten::relu_.default(self %a)
  %q : f32[6, 4] = aten::neg_.default(self %r)
  %s : f32[24] = aten::neg.default(self %c)
  return %s, %q
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0, 0, 1, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "c r | ");
        QVERIFY((*programs)[1].repeated.empty());
    }

    // The view between them is read by nothing in stage 1, but must be made there too.
    void makesViewsOfViewsAgain()
    {
        const Model model = modelOf(R"(graph chain
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %v : f32[2, 2] = aten::view.default(self %a, size [2, 2])
  %t : f32[2, 2] strides [1, 2] = aten::t.default(self %v)
  %r : f32[4] = aten::relu_.default(self %a)
  return %t, %r
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "a | ");
        QCOMPARE(names(model.graph, (*programs)[1].repeated), "v t");
    }

    void makesViewsOfWrittenInputsAgain()
    {
        const Model model = modelOf(R"(graph input
  input %x : f32[4]
  %v : f32[2, 2] = aten::view.default(self %x, size [2, 2])
  %r : f32[4] = aten::neg_.default(self %x)
  %s : f32[2, 2] = aten::neg.default(self %v) after r
  return %s, %r
)");
        const auto programs = cutStages(model, stagesOf({0, 1, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(names(model.graph, (*programs)[1].repeated), "v");
    }

    void readsSizesFromTensorsAtHand()
    {
        const Model model = modelOf(R"(graph sizes
  symbol s0 hint 8 range 2..64
  input %x : f32[s0, 4]
  %n : size(s0) = aten::sym_size.int(self %x, dim 0)
  %two : size(2*s0) = _operator::mul(a %n, b 2)
  %a : f32[s0, 4] = aten::neg.default(self %x)
  %b : f32[2*s0, 2] = aten::view.default(self %a, size [%two, 2])
  return %b
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        const StageProgram& last = (*programs)[1];
        QCOMPARE(inputs(model.graph, last), "a | ");
        QCOMPARE(last.sizes,
                 (std::vector<SizeSource>{{*model.graph.findValue("n"), *model.graph.findValue("a"), 0}}));
        QCOMPARE(names(model.graph, last.repeated), "two");
    }

    void sendsTheMeasuredTensorWhereNoOtherHasTheSize()
    {
        const Model model = modelOf(R"(graph far
  symbol s0 hint 8 range 2..64
  input %x : f32[s0]
  input %y : f32[4]
  %h : f32[s0] = aten::neg.default(self %x)
  %n : size(s0) = aten::sym_size.int(self %h, dim 0)
  %a : f32[4] = aten::neg.default(self %y)
  %b : f32[4] = aten::mul.Scalar(self %a, other %n)
  return %b
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "h a | ");
        QCOMPARE(names(model.graph, (*programs)[1].repeated), "n");
    }

    void leavesOutChecksOfFarTensors()
    {
        const Model model = modelOf(R"(graph checks
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %b : f32[4] = aten::neg.default(self %a)
  aten::_assert_tensor_metadata.default(a %a) named far
  aten::_assert_tensor_metadata.default(a %b) named near
  %c : f32[4] = aten::neg.default(self %b)
  return %c
)");
        const auto programs = cutStages(model, stagesOf({0, 0, 1, 1, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(names(model.graph, (*programs)[1].dropped), "far");
        QCOMPARE(names(model.graph, (*programs)[1].nodes), "near c");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "b | ");
    }

    void keepsAWrittenBufferInOneStage()
    {
        const Model model = modelOf(R"(graph counter
  input %x : f32[4]
  buffer %steps "steps" : f32[4]
  %a : f32[4] = aten::add.Tensor(self %x, other %steps)
  %w : f32[4] = aten::add_.Scalar(self %steps, other 1) after a
  %b : f32[4] = aten::mul.Tensor(self %a, other %steps) after w
  return %b
)");
        QCOMPARE(
            message(cutStages(model, stagesOf({0, 1, 1}))),
            "this partition cannot be cut: 'steps' is read in stage 1 and written in stage 2; it can only "
            "live in one");
        // Afterwards its content may be sent on.
        const auto programs = cutStages(model, stagesOf({0, 0, 1}));
        QCOMPARE(message(programs), "ok");
        QCOMPARE(names(model.graph, (*programs)[0].buffers), "steps");
        QCOMPARE(names(model.graph, (*programs)[1].buffers), "");
        QCOMPARE(inputs(model.graph, (*programs)[1]), "a w | ");

        const auto groups = inseparableNodes(model);
        QCOMPARE(groups.size(), 1u);
        QCOMPARE(names(model.graph, groups.front()), "a w");
        const Partition mended = withInseparableNodesTogether(model, stagesOf({0, 1, 1}));
        QCOMPARE(mended, stagesOf({1, 1, 1}));
    }

    void canBeCancelled()
    {
        const Model model = modelOf(R"(graph one
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  return %a
)");
        std::stop_source stop;
        stop.request_stop();
        const auto programs = cutStages(model, stagesOf({0}), Progress(stop.get_token()));
        QVERIFY(!programs.has_value());
        QCOMPARE(programs.error().code, ErrorCode::Cancelled);
    }

    void refusesWhatIsNoPartition()
    {
        const Model model = modelOf(R"(graph two
  input %x : f32[4]
  %a : f32[4] = aten::neg.default(self %x)
  %b : f32[4] = aten::neg.default(self %a)
  return %b
)");
        QCOMPARE(message(cutStages(model, stagesOf({1, 0}))),
                 "this partition cannot be cut: node 'b' needs 'a', which is in a later stage");
        QCOMPARE(message(cutStages(model, stagesOf({0}))),
                 "this partition cannot be cut: it is of a graph of 1 nodes, the model has 2");
    }
};

QTEST_GUILESS_MAIN(TestCut)
#include "tst_cut.moc"
