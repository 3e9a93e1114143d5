// What a stage is charged, by hand, and one stage of a plan against evaluate().
#include "core/plan/evaluate.h"
#include "core/plan/stage_cost.h"

#include <QTest>

using namespace stagecraft;

namespace {

// "0 sends over 0, 1 receives over 0": who pays for a value of stages 0 .. 3, some of which hold it.
std::string payments(SendKind send, const ValueStages& value, const std::string& held)
{
    PartitionOptions options{.stageCount = held.size(), .send = send};
    std::string text;
    forEachPayment(
        options, value, [&](std::size_t stage) { return held[stage] == 'x'; },
        [&](std::size_t stage, Payment way, std::size_t boundary) {
            text += (text.empty() ? "" : ", ") + std::to_string(stage) +
                    (way == Payment::Send ? " sends over " : " receives over ") + std::to_string(boundary);
        });
    return text;
}

} // namespace

class TestStageCost : public QObject
{
    Q_OBJECT

private slots:
    void relayedValuesArePaidByAllThatTheyPass();
    void directValuesArePaidByTheirEnds();
    void whatLeadsBackTakesTheLinksOfTheEnds();
    void loadsFollowTheObjective();
    void memoryAddsUp();
    void whatIsLeftIsNeverBelowZero();
    void linksTakeLatencyAndBandwidth();
    void figuresOfAPlanAreTheSame();
};

void TestStageCost::relayedValuesArePaidByAllThatTheyPass()
{
    QCOMPARE(payments(SendKind::Relay, {0, 2, 0}, "x.x."),
             std::string("0 sends over 0, 1 receives over 0, 1 sends over 1, 2 receives over 1"));
    QCOMPARE(payments(SendKind::Relay, {1, 1, 1}, ".x.."), std::string());
}

void TestStageCost::directValuesArePaidByTheirEnds()
{
    QCOMPARE(payments(SendKind::Direct, {0, 3, 0}, "x.xx"),
             std::string("0 sends over 0, 2 receives over 1, 3 receives over 2"));
    QCOMPARE(payments(SendKind::Direct, {2, 2, 2}, "..x."), std::string());
}

void TestStageCost::whatLeadsBackTakesTheLinksOfTheEnds()
{
    QCOMPARE(payments(SendKind::Direct, {0, 3, 3}, "x..x"), std::string("0 receives over 0, 3 sends over 2"));
}

void TestStageCost::loadsFollowTheObjective()
{
    const auto load = [](Objective objective) {
        return stageLoad(objective, Seconds(3), Seconds(4), Seconds(2)).value();
    };
    QCOMPARE(load(Objective::Sum), 9.0);
    QCOMPARE(load(Objective::Iteration), 9.0);
    QCOMPARE(load(Objective::Compute), 3.0);
    QCOMPARE(load(Objective::Overlap), 4.0);
    const StageTimes times{.forward = Seconds(1),
                           .backwardInput = Seconds(1),
                           .backwardWeight = Seconds(1),
                           .receiveActivations = Seconds(3),
                           .sendActivations = Seconds(0.5),
                           .receiveGradients = Seconds(1.5),
                           .sendGradients = Seconds(1)};
    QCOMPARE(stageLoad(Objective::Sum, times).value(), 9.0);
    QCOMPARE(stageLoad(Objective::Overlap, times).value(), 4.0);
}

void TestStageCost::memoryAddsUp()
{
    HeldBytes held = heldBy(ProblemNode{.name = "a", .state = Bytes(100), .saved = Bytes(10)});
    held += heldBy(SharedState{"w", Bytes(5), Bytes(20), {}});
    QCOMPARE(held.of(0).count(), 120);
    QCOMPARE(held.of(3).count(), 150);
    QCOMPARE(stageMemory(held, Bytes(7), 3).count(), 157);
    held -= heldBy(ProblemNode{.name = "a", .state = Bytes(100), .saved = Bytes(10)});
    QCOMPARE(held.of(3).count(), 20);
}

void TestStageCost::whatIsLeftIsNeverBelowZero()
{
    const HeldBytes left =
        HeldBytes{Bytes(10), Bytes(1)}.without(HeldBytes{.state = Bytes(4), .saved = Bytes(5)});
    QCOMPARE(left.of(100).count(), 6);
}

void TestStageCost::linksTakeLatencyAndBandwidth()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    problem.options.links = {Link{100, Seconds(0.5)}};
    ProblemValue value{.forwardBytes = Bytes(50), .backwardBytes = Bytes(25), .fixedTime = Seconds(4)};
    QCOMPARE(forwardTime(problem, value, 0).value(), 5.0);
    QCOMPARE(backwardTime(problem, value, 0).value(), 0.75);
    QCOMPARE(transferTime(problem, value, 0).value(), 5.75);
    value.backwardBytes = Bytes(0);
    QCOMPARE(backwardTime(problem, value, 0).value(), 0.0);
    problem.options.links.front().bandwidth = 0; // nothing to pay for bytes
    QCOMPARE(forwardTime(problem, value, 0).value(), 4.5);
}

void TestStageCost::figuresOfAPlanAreTheSame()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    problem.options.microbatches = 4;
    problem.options.speeds = {2, 1};
    completeOptions(problem.options, Link{10, Seconds(1)});
    for (std::int64_t i = 1; i <= 3; ++i)
        problem.nodes.add({.name = "n",
                           .forward = Seconds(static_cast<double>(i)),
                           .state = Bytes(100 * i),
                           .saved = Bytes(10 * i),
                           .transient = Bytes(i)});
    problem.values.push_back({.producer = NodeId(0), .readers = {NodeId(2)}, .forwardBytes = Bytes(20)});
    const PlanCost cost =
        evaluate(problem, {2, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(1)})});
    const StageCost& first = cost.stages[StageId(0)];
    QCOMPARE(first.load.value(), (1.0 + 2.0) / 2 + 3);
    QCOMPARE(first.send.value(), 3.0);
    QCOMPARE(first.stateBytes.count(), 300);
    QCOMPARE(first.peakMemory.count(), 300 + 2 * 30 + 2);
    QCOMPARE(cost.stages[StageId(1)].receive.value(), 3.0);
}

QTEST_GUILESS_MAIN(TestStageCost)
#include "tst_stage_cost.moc"
