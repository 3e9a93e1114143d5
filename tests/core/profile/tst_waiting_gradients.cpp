// What a split backward pass holds between its parts, node by node.
#include "core/profile/memory/waiting_gradients.h"

#include "core/profile/model/profile_model.h"
#include "plain_options.h"
#include "tests/core/text_model.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

// 8 rows of 64 numbers: 2048 bytes; of 16: 512.
const char* tower = R"(graph tower
  input %x : f32[8, 64]
  param %up "up" : f32[16, 64]
  param %bias "bias" : f32[16]
  param %down "down" : f32[64, 16]
  param %scale "scale" : f32[64]
  param %shift "shift" : f32[64]
  %a : f32[8, 16] = aten::linear.default(%x, %up, %bias)
  %b : f32[8, 16] = aten::gelu.default(%a)
  %c : f32[8, 64] = aten::linear.default(%b, %down)
  %d : f32[8, 64] = aten::add.Tensor(%c, %shift)
  %e : f32[8, 64] = aten::add.Tensor(%d, %x)
  %f : f32[8, 64] = aten::layer_norm.default(%e, [64], %scale, %shift)
  return %f
)";

} // namespace

class TestWaitingGradients : public QObject
{
    Q_OBJECT

private slots:
    void whatFlowsIntoNodesWithWeights();
    void whatStagesHoldInEitherPart();
    void nothingInInference();
};

void TestWaitingGradients::whatFlowsIntoNodesWithWeights()
{
    const Model model = modelOf(tower);
    const Profile profile = profileModel(model, plainOptions(LoweringKind::Cpu)).value();
    const auto waiting = [&](std::size_t node) { return profile.nodes[NodeId(node)].waitingBytes.count(); };
    QCOMPARE(waiting(5), 4);    // the layer norm's: one number, spread out, as the loss is a sum
    QCOMPARE(waiting(4), 0);    // adds without weights pass gradients on
    QCOMPARE(waiting(3), 2048); // what goes through the addition of `shift`, which needs its sum
    QCOMPARE(waiting(2), 0);    // and is the same for `down`
    QCOMPARE(waiting(1), 0);
    QCOMPARE(waiting(0), 512); // once for the weight and the bias
}

// The first part goes from the layer norm to the first `linear`, the second the other way round. In a stage
// of the nodes 0 to 3 what arrives from the additions behind is in a buffer already.
void TestWaitingGradients::whatStagesHoldInEitherPart()
{
    const Model model = modelOf(tower);
    const Profile profile = profileModel(model, plainOptions(LoweringKind::Cpu)).value();
    const auto& split = profile.splitMemory;
    const auto at = [&](std::size_t node) { return split[NodeId(node)]; };
    QCOMPARE(at(0).read.count(), 4 + 2048 + 512);
    QCOMPARE(at(4).readBehind.count(), 4);
    QCOMPARE(at(3).madeBehind.count(), 4 + 2048); // the layer norm made what node 3 and `down` wait for
    // Of the first four nodes: at `gelu` the gradients of its output and of its input, 512 bytes each.
    QCOMPARE((at(1).input - at(3).madeBehind).count(), 2 * 512);
    QCOMPARE((at(2).input - at(3).madeBehind).count(), 512);
    // What waits for `linear`, and the gradients of its weight and bias.
    QCOMPARE((at(0).weight - at(1).read).count(), 512 + 4 * 16 * 64 + 4 * 16);
}

void TestWaitingGradients::nothingInInference()
{
    ProfileOptions options = plainOptions(LoweringKind::Cpu);
    options.mode = TrainingMode::Infer;
    const Profile profile = profileModel(modelOf(tower), options).value();
    for (const NodeCost& cost : profile.nodes)
        QCOMPARE(cost.waitingBytes, Bytes{});
}

QTEST_GUILESS_MAIN(TestWaitingGradients)
#include "tst_waiting_gradients.moc"
