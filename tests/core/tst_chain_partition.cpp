// Stages from where they end along a chain: what floats beside it is where there is time for it, and of these
// where the least is sent.
#include "core/chain_partition.h"
#include "core/float_ranges.h"
#include "tests/core/row_problem.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr std::size_t links = 4;

// Four links, a stage each, and behind them what floats.
struct Beside
{
    PartitionProblem problem = rowProblem(links, links);
    ModelChain chain;

    Beside()
    {
        for (const NodeId node : problem.nodes.ids()) {
            chain.links.push_back({node});
            chain.places.push_back({.link = node.index()});
        }
        chain.places.push_back({.link = links});
        chain.nodes = Table<NodeId, ChainNode>(links, {.seconds = 1});
    }

    NodeId add(double seconds)
    {
        chain.nodes.add({.seconds = seconds});
        return problem.nodes.add({.name = "float", .forward = Seconds(seconds)});
    }
    // Its reader is of the third link.
    NodeId addReadInThird(double seconds)
    {
        const NodeId node = add(seconds), reader = add(0);
        chain.links[2].push_back(reader);
        send(node, reader, 1);
        return node;
    }
    void send(NodeId from, NodeId to, std::int64_t bytes)
    {
        problem.values.push_back({.producer = from, .readers = {to}, .forwardBytes = Bytes(bytes)});
        problem.precedences.push_back({from, to});
    }
    void giveBack(NodeId from, std::int64_t bytes)
    {
        problem.values.push_back({.producer = from, .forwardBytes = Bytes(bytes), .returned = true});
    }
    std::size_t stageOf(NodeId node, std::vector<double> spare = {9, 9, 9, 9}) const
    {
        return partitionAt(problem, chain, std::vector<std::size_t>{1, 2, 3, 4}, std::move(spare))
            .stageOf[node]
            .index();
    }
};

} // namespace

class TestChainPartition : public QObject
{
    Q_OBJECT

private slots:
    // The smaller of what it reads and what it makes passes by the stages.
    void whatIsReturnedIsWhereTheLeastIsSent()
    {
        for (const bool isLarger : {false, true}) {
            Beside of;
            const NodeId result = of.add(0);
            of.send(NodeId(0), result, 10);
            of.giveBack(result, isLarger ? 20 : 5);
            QCOMPARE(of.stageOf(result), isLarger ? 3u : 0u);
        }
    }

    // Alone the first of two in a row would be early, for the sake of both they are late.
    void whoHangTogetherGoTogether()
    {
        Beside of;
        const NodeId first = of.add(0), second = of.add(0);
        of.send(NodeId(0), first, 10);
        of.send(first, second, 5);
        of.giveBack(second, 30);
        QCOMPARE(of.stageOf(first), 3u);
        QCOMPARE(of.stageOf(second), 3u);
    }

    void masksAreMadeWhereTheyAreRead()
    {
        Beside of;
        QCOMPARE(of.stageOf(of.addReadInThird(0)), 2u);
    }

    // Not where it is read: there is no time left.
    void whatTakesTimeIsWhereThereIsSome()
    {
        Beside of;
        const NodeId slow = of.addReadInThird(2);
        QCOMPARE(of.stageOf(slow), 2u);
        QCOMPARE(of.stageOf(slow, {9, 2, 1, 9}), 1u);
        QCOMPARE(of.stageOf(slow, {9, 1, 1, 9}), 0u);
    }

    void rangesAreBehindAndBefore()
    {
        using Place = std::optional<std::size_t>;
        const Table<NodeId, Place> placeOf(std::vector<Place>{3, std::nullopt, std::nullopt, 7});
        const auto ranges = floatRanges(
            {{NodeId(0), NodeId(1)}, {NodeId(1), NodeId(2)}, {NodeId(1), NodeId(3)}}, placeOf, {0, 9});
        const auto isFrom = [&](std::size_t node, std::size_t first, std::size_t last) {
            return ranges[NodeId(node)].first == first && ranges[NodeId(node)].last == last;
        };
        QVERIFY(isFrom(0, 3, 3));
        QVERIFY(isFrom(1, 3, 7));
        QVERIFY(isFrom(2, 3, 9));
        QVERIFY(isFrom(3, 7, 7));
    }
};

QTEST_GUILESS_MAIN(TestChainPartition)
#include "tst_chain_partition.moc"
