// What floats beside a chain and what that sends, beside every way to have it before a place or behind it.
#include "core/chain_floats.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stagecraft;

namespace {

using At = ChainFloats::At;

// Some nodes, a few of them in links, and what they read of those before them.
class Drawn
{
public:
    explicit Drawn(std::minstd_rand& draw)
    {
        const std::size_t count = 5 + draw() % 5;
        problem.options.stageCount = 2;
        problem.nodes = Table<NodeId, ProblemNode>(count);
        for (const NodeId node : problem.nodes.ids()) {
            if (links.empty() || draw() % 2 == 0) {
                if (!links.empty())
                    for (const NodeId before : links.back())
                        problem.precedences.push_back({before, node});
                links.push_back({node});
            } else if (draw() % 4 == 0) { // beside the one before it
                if (links.size() > 1)
                    for (const NodeId before : links[links.size() - 2])
                        problem.precedences.push_back({before, node});
                links.back().push_back(node);
            }
        }
        for (const NodeId node : problem.nodes.ids())
            addValue(node, draw);
    }

    std::size_t linkOf(NodeId node) const // all: none
    {
        const auto link = std::ranges::find_if(
            links, [&](const auto& nodes) { return std::ranges::find(nodes, node) != nodes.end(); });
        return static_cast<std::size_t>(link - links.begin());
    }

    PartitionProblem problem;
    std::vector<std::vector<NodeId>> links;

private:
    void addValue(NodeId node, std::minstd_rand& draw)
    {
        ProblemValue value{.producer = node,
                           .forwardBytes = Bytes(static_cast<std::int64_t>(draw() % 100)),
                           .backwardBytes = Bytes(static_cast<std::int64_t>(draw() % 100)),
                           .returned = draw() % 4 == 0};
        for (std::size_t reader = node.index() + 1; reader < problem.nodes.size(); ++reader)
            if (draw() % 3 == 0 && (linkOf(node) == links.size() || linkOf(NodeId(reader)) != linkOf(node))) {
                value.readers.push_back(NodeId(reader));
                problem.precedences.push_back({node, NodeId(reader)});
            }
        problem.values.push_back(std::move(value));
    }
};

struct Sent
{
    Bytes forward;
    Bytes backward;
};

// Of what floats makes or reads, beside what links' nodes send each other.
Sent sentAt(const Drawn& drawn, const Table<NodeId, char>& isBefore)
{
    Sent sent;
    const auto isLinks = [&](NodeId node) { return drawn.linkOf(node) < drawn.links.size(); };
    const auto isBehind = [&](NodeId node) { return isBefore[node] == 0; };
    for (const ProblemValue& value : drawn.problem.values) {
        const bool forLinks = isLinks(value.producer) &&
                              (value.returned || std::ranges::any_of(value.readers, [&](NodeId reader) {
                                   return isLinks(reader) && isBehind(reader);
                               }));
        if (isBehind(value.producer) || forLinks)
            continue;
        if (value.returned || std::ranges::any_of(value.readers, isBehind)) {
            sent.forward += value.forwardBytes;
            sent.backward += value.backwardBytes;
        }
    }
    return sent;
}

// All ways that are legal to have nodes before a place or behind it.
template <typename Each>
void forEachWay(const Drawn& drawn, std::size_t link, At at, Each each)
{
    std::vector<NodeId> open;
    Table<NodeId, char> isBefore(drawn.problem.nodes.size(), 0);
    for (const NodeId node : drawn.problem.nodes.ids()) {
        const std::size_t of = drawn.linkOf(node);
        isBefore[node] = of < link ? 1 : 0;
        if (of == drawn.links.size() || (of == link && at == At::Within))
            open.push_back(node);
    }
    for (std::size_t way = 0; way < std::size_t{1} << open.size(); ++way) {
        for (std::size_t i = 0; i < open.size(); ++i)
            isBefore[open[i]] = (way >> i & 1) != 0;
        if (std::ranges::none_of(drawn.problem.precedences, [&](const Precedence& edge) {
                return isBefore[edge.before] == 0 && isBefore[edge.after] != 0;
            }))
            each(isBefore);
    }
}

constexpr double rounding = 1e-6; // bytes

} // namespace

class TestChainFloats : public QObject
{
    Q_OBJECT

private slots:
    void noWaySendsLess();
    void whatCanBeThereCounts();
    void whoMustBeWithOthersFillsNoStage();
};

// Before links it is what the cheapest way sends, of activations and of gradients; within them no more.
void TestChainFloats::noWaySendsLess()
{
    std::minstd_rand draw(1);
    int some = 0;
    for (int times = 0; times < 300; ++times) {
        const Drawn drawn(draw);
        const ChainFloats floats(drawn.problem, drawn.links);
        for (std::size_t link = 0; link <= drawn.links.size(); ++link)
            for (const At at : {At::Before, At::Within}) {
                double forward = infinite, backward = infinite;
                forEachWay(drawn, link, at, [&](const Table<NodeId, char>& isBefore) {
                    const Sent sent = sentAt(drawn, isBefore);
                    forward = std::min(forward, sent.forward.asDouble());
                    backward = std::min(backward, sent.backward.asDouble());
                });
                const TransferSize found = floats.crossing(link, at);
                const double activations = found.bytes - found.gradientBytes;
                QVERIFY2(activations <= forward + rounding, qPrintable(QString::number(times)));
                QVERIFY2(found.gradientBytes <= backward + rounding, qPrintable(QString::number(times)));
                if (at == At::Before)
                    QVERIFY2(activations >= forward - rounding && found.gradientBytes >= backward - rounding,
                             qPrintable(QString::number(times)));
                some += activations > 0 ? 1 : 0;
            }
    }
    QVERIFY2(some > 300, qPrintable(QString::number(some)));
}

void TestChainFloats::whatCanBeThereCounts()
{
    std::minstd_rand draw(1);
    for (int times = 0; times < 300; ++times) {
        const Drawn drawn(draw);
        const ChainFloats floats(drawn.problem, drawn.links);
        for (std::size_t link = 0; link <= drawn.links.size(); ++link)
            for (const At at : {At::Before, At::Within}) {
                const std::size_t count = drawn.problem.nodes.size();
                Table<NodeId, char> everBefore(count, 0), everBehind(count, 0);
                forEachWay(drawn, link, at, [&](const Table<NodeId, char>& isBefore) {
                    for (const NodeId node : isBefore.ids())
                        (isBefore[node] != 0 ? everBefore : everBehind)[node] = 1;
                });
                const auto there = std::ranges::count_if(drawn.problem.nodes.ids(), [&](NodeId node) {
                    return drawn.linkOf(node) == drawn.links.size() && everBefore[node] != 0 &&
                           everBehind[node] != 0;
                });
                QCOMPARE(floats.countAt(link, at), static_cast<std::size_t>(there));
            }
    }
}

void TestChainFloats::whoMustBeWithOthersFillsNoStage()
{
    PartitionProblem problem;
    problem.options.stageCount = 2;
    problem.nodes = Table<NodeId, ProblemNode>(4);
    const std::vector<std::vector<NodeId>> links{{NodeId(0)}, {NodeId(2)}};
    QCOMPARE(ChainFloats(problem, links).countAt(1, At::Before), std::size_t{2});
    problem.groups = {{{NodeId(1), NodeId(3)}, "of one"}, {{NodeId(2), NodeId(3)}, "of another"}};
    QCOMPARE(ChainFloats(problem, links).countAt(1, At::Before), std::size_t{0});
}

QTEST_GUILESS_MAIN(TestChainFloats)
#include "tst_chain_floats.moc"
