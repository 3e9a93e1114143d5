// Who keeps values for backward: by name, in small graphs.
#include "text_profile.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

const char* views = R"(graph views
  input %x : f32[8, 16]
  param %w1 "fc1.weight" : f32[32, 16]
  param %w2 "fc2.weight" : f32[4, 64]
  param %w3 "fc3.weight" : f32[4, 8]
  %linear : f32[8, 32] = aten::linear.default(%x, %w1)
  %view : f32[256] = aten::view.default(%linear, [256])
  %view_1 : f32[4, 64] = aten::view.default(%view, [4, 64])
  %linear_1 : f32[4, 4] = aten::linear.default(%view_1, %w2)
  %view_2 : f32[2, 8] = aten::view.default(%linear_1, [2, 8])
  %linear_2 : f32[2, 4] = aten::linear.default(%view_2, %w3)
  %neg : f32[4, 4] = aten::neg.default(%linear_1)
  return %linear_2, %neg
)";

const char* results = R"(graph results
  input %x : f32[8, 16]
  param %w1 "fc1.weight" : f32[16, 16]
  param %w2 "fc2.weight" : f32[16, 16]
  param %w3 "fc3.weight" : f32[16, 16]
  %linear : f32[8, 16] = aten::linear.default(%x, %w1)
  %linear_1 : f32[8, 16] = aten::linear.default(%linear, %w2)
  %view : f32[4, 32] = aten::view.default(%linear_1, [4, 32])
  %tanh : f32[4, 32] = aten::tanh.default(%view)
  %view_1 : f32[8, 16] = aten::view.default(%tanh, [8, 16])
  %linear_2 : f32[8, 16] = aten::linear.default(%view_1, %w3)
  return %linear_2
)";

} // namespace

class TestKeptValues : public QObject
{
    Q_OBJECT

private slots:
    void valuesKnowWhoKeepsThem();
    void viewsAreKeptAsWhatTheyShow();
    void nodesInFrontOfResultsThatAreKept();
};

void TestKeptValues::valuesKnowWhoKeepsThem()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    const auto keepers = [&](const char* name) { return profile.keptBy[*model.graph.findValue(name)]; };
    QCOMPARE(keepers("relu"), (std::vector<NodeId>{NodeId(1), NodeId(2)}));
    QCOMPARE(keepers("linear"), std::vector<NodeId>());
    QCOMPARE(keepers("x"), std::vector<NodeId>()); // an input, which nobody need keep
}

// A stage is sent no two of what is made of one another alone; a tensor and another view of it, it may be.
void TestKeptValues::viewsAreKeptAsWhatTheyShow()
{
    const Model model = modelOf(views);
    const Profile profile = profileOf(model);
    const auto keepers = [&](const char* name) { return profile.keptBy[*model.graph.findValue(name)]; };
    for (const char* name : {"linear", "view", "view_1"})
        QCOMPARE(keepers(name), std::vector<NodeId>{NodeId(3)});
    QCOMPARE(keepers("linear_1"), std::vector<NodeId>{NodeId(5)});
    QCOMPARE(keepers("view_2"), std::vector<NodeId>()); // read beside it
}

// As the view's stage holds it, with what it keeps: the gradients of `tanh` and of what `linear` reads, that
// of its weight, and the result.
void TestKeptValues::nodesInFrontOfResultsThatAreKept()
{
    const Model model = modelOf(results);
    const Profile profile = profileOf(model);
    const auto inFront = [&](const char* name) { return profile.inFront[*model.graph.findValue(name)]; };
    const Bytes sent(8 * 16 * 4), weight(16 * 16 * 4);
    QCOMPARE(inFront("tanh"), sent * 2 + weight);
    QCOMPARE(inFront("view_1"), inFront("tanh"));
    QCOMPARE(inFront("linear_1"), Bytes()); // kept by the next, not by its maker
}

QTEST_GUILESS_MAIN(TestKeptValues)
#include "tst_kept_values.moc"
