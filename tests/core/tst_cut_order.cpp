// Orders in which a model's nodes are cut.
#include "core/cut_order.h"

#include "tests/core/row_problem.h"

#include <QTest>

#include <algorithm>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr std::size_t towerLength = 8;
constexpr std::size_t stages = 4;

// Two rows beside each other, the one behind the other in the program, and a node behind both.
PartitionProblem towers(std::size_t length = towerLength)
{
    PartitionProblem problem = rowProblem(2 * length + 1, stages);
    std::erase(problem.precedences, Precedence{NodeId(length - 1), NodeId(length)});
    problem.precedences.push_back({NodeId(length - 1), NodeId(2 * length)});
    return problem;
}

bool isLegal(const PartitionProblem& problem, const CutOrder& order)
{
    return order.nodes().size() == problem.nodes.size() &&
           std::ranges::all_of(problem.precedences, [&](const Precedence& edge) {
               return order.placeOf(edge.before) < order.placeOf(edge.after);
           });
}

} // namespace

class TestCutOrder : public QObject
{
    Q_OBJECT

private slots:
    void theProgramsIsItsOwn()
    {
        const PartitionProblem problem = towers();
        const CutOrder order = programOrder(problem);
        QVERIFY(isLegal(problem, order));
        for (const NodeId node : problem.nodes.ids()) {
            QCOMPARE(order.placeOf(node), std::size_t{node.index()});
            QVERIFY(order.at(order.placeOf(node)) == node);
        }
    }

    void oneHasTheTowersTheOtherWayRound()
    {
        const PartitionProblem problem = towers();
        const std::vector<CutOrder> orders = otherOrders(problem);
        QCOMPARE(orders.size(), std::size_t{1});
        QVERIFY(isLegal(problem, orders.front()));
        const NodeId lastOfFirst(towerLength - 1), firstOfSecond(towerLength);
        QCOMPARE(orders.front().placeOf(firstOfSecond), std::size_t{0});
        QCOMPARE(orders.front().placeOf(lastOfFirst), 2 * towerLength - 1);
    }

    void chainsAndShortBranchesHaveNoOther()
    {
        QVERIFY(otherOrders(rowProblem(2 * towerLength, stages)).empty());
        // Behind the towers, which are shorter than a stage by then, comes a row.
        PartitionProblem problem = rowProblem(20 * towerLength, stages);
        std::erase(problem.precedences, Precedence{NodeId(towerLength - 1), NodeId(towerLength)});
        problem.precedences.push_back({NodeId(towerLength - 1), NodeId(2 * towerLength)});
        QVERIFY(otherOrders(problem).empty());
    }

    // A table that only the second tower reads, behind the first in the program: any stage has room for it.
    void tablesMayBeFirst()
    {
        PartitionProblem problem = towers();
        const NodeId table(towerLength);
        problem.nodes[table].forward = {};
        problem.nodes[table].state = Bytes(30);
        problem.options.memoryLimits.assign(stages, Bytes(100));
        const auto hasTableFirst = [&] {
            const std::vector<CutOrder> orders = otherOrders(problem);
            return std::ranges::any_of(orders, [&](const CutOrder& order) {
                return isLegal(problem, order) && order.placeOf(table) == 0 && order.placeOf(NodeId(0)) == 1;
            });
        };
        QVERIFY(hasTableFirst());
        problem.options.memoryLimits.assign(stages, Bytes(10000)); // it is no burden there
        QVERIFY(!hasTableFirst());
        problem.options.memoryLimits.assign(stages, Bytes(100));
        problem.precedences.push_back({NodeId(towerLength - 1), table}); // not before the first tower
        QVERIFY(!hasTableFirst());
    }

    // Whatever order it is in within its stages.
    void stagesAreBehindEachOther()
    {
        const PartitionProblem problem = towers();
        Partition partition{stages, Table<NodeId, StageId>(problem.nodes.size(), StageId(0))};
        for (const NodeId node : problem.nodes.ids()) // both towers in every stage
            partition.stageOf[node] = StageId(std::min(node.index() % towerLength / 2, stages - 1));
        partition.stageOf[NodeId(2 * towerLength)] = StageId(stages - 1);
        for (const CutOrder& within : {programOrder(problem), otherOrders(problem).front()}) {
            const CutOrder order = orderOfStages(partition, within);
            QVERIFY(isLegal(problem, order));
            for (std::size_t i = 1; i < order.nodes().size(); ++i) {
                const NodeId one = order.at(i - 1), next = order.at(i);
                QVERIFY(partition.stageOf[one] <= partition.stageOf[next]);
                if (partition.stageOf[one] == partition.stageOf[next])
                    QVERIFY(within.placeOf(one) < within.placeOf(next));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestCutOrder)
#include "tst_cut_order.moc"
