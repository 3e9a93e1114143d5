// What stages hold for what floats beside a chain, beside every way to have it before the stage, in it or
// behind it.
#include "core/chain_floats.h"
#include "core/float_holdings.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <random>

using namespace stagecraft;

namespace {

enum class Where : std::uint8_t { Before, Here, Behind };

// A chain of single nodes, and what floats beside it: much of it reads one of them, and is read by one.
class Drawn
{
public:
    explicit Drawn(std::minstd_rand& draw)
    {
        const std::size_t linkCount = 4 + draw() % 3, floatCount = 1 + draw() % 5;
        const std::size_t count = linkCount + floatCount;
        std::vector<char> isLink(count, 0);
        std::fill_n(isLink.begin() + 1, linkCount - 1, char{1});
        std::shuffle(isLink.begin() + 1, isLink.end(), draw);
        isLink.front() = 1;
        ground.none.options.stageCount = 2;
        ground.none.nodes = Table<NodeId, ProblemNode>(count);
        ground.needs = Table<NodeId, NodeNeeds>(count);
        for (const NodeId node : ground.none.nodes.ids())
            if (isLink[node.index()] != 0)
                chain.links.push_back({node});
            else
                floats.push_back(node);
        for (std::size_t link = 1; link < chain.links.size(); ++link)
            ground.none.precedences.push_back({chain.links[link - 1].front(), chain.links[link].front()});
        const NodeId often = chain.links[draw() % 2].front();
        for (const NodeId node : floats)
            addReads(node, often, draw);
        for (const NodeId node : ground.none.nodes.ids())
            addValue(node, draw);
        for (const NodeId node : floats)
            addHoldings(node, draw);
    }

    bool isFloat(NodeId node) const { return std::ranges::find(floats, node) != floats.end(); }

    RecomputeGround ground;
    ModelChain chain;
    std::vector<NodeId> floats;

private:
    using Readers = std::vector<std::vector<NodeId>>;

    void addReads(NodeId node, NodeId often, std::minstd_rand& draw)
    {
        m_readers.resize(ground.none.nodes.size());
        if (often < node && draw() % 4 != 0)
            m_readers[often.index()].push_back(node);
        else if (const NodeId other(draw() % node.index()); !isFloat(other) || draw() % 3 == 0)
            m_readers[other.index()].push_back(node);
        std::vector<NodeId> behind;
        for (const std::vector<NodeId>& link : chain.links)
            if (link.front() > node)
                behind.push_back(link.front());
        for (std::size_t i = 0; i < (draw() % 5 == 0 ? 2U : 1U) && !behind.empty(); ++i)
            m_readers[node.index()].push_back(behind[draw() % behind.size()]);
    }

    void addValue(NodeId node, std::minstd_rand& draw)
    {
        ProblemValue value{.value = ValueId(node.index()),
                           .producer = node,
                           .forwardBytes = Bytes(static_cast<std::int64_t>(1 + draw() % 100)),
                           .returned = isFloat(node) && draw() % 8 == 0};
        for (const NodeId reader : m_readers[node.index()])
            if (std::ranges::find(value.readers, reader) == value.readers.end()) {
                value.readers.push_back(reader);
                ground.none.precedences.push_back({node, reader});
            }
        ground.none.values.push_back(std::move(value));
    }

    void addHoldings(NodeId node, std::minstd_rand& draw)
    {
        ground.none.shared.push_back({.name = {},
                                      .parameterBytes = {},
                                      .stateBytes = Bytes(static_cast<std::int64_t>(draw() % 150)),
                                      .users = {node}});
        if (draw() % 3 != 0)
            ground.needs[node].made.push_back({.storage = StorageId(node.index()),
                                               .bytes = Bytes(static_cast<std::int64_t>(1 + draw() % 60)),
                                               .isNeeded = true,
                                               .savers = {node},
                                               .again = Seconds(static_cast<double>(draw() % 50))});
    }

    Readers m_readers;
};

struct Paid
{
    double bytes = 0;   // of a microbatch, what crosses the stage's begin
    double state = 0;   // bytes
    double seconds = 0; // at a price of a byte, for what backward needs
};

Paid paidOf(const Drawn& drawn, const Table<NodeId, Where>& where, double price)
{
    Paid paid;
    for (const ProblemValue& value : drawn.ground.none.values) {
        const auto isBehind = [&](NodeId node) { return where[node] != Where::Before; };
        const auto isLinkBehind = [&](NodeId node) { return isBehind(node) && !drawn.isFloat(node); };
        const bool forLinks =
            !drawn.isFloat(value.producer) && std::ranges::any_of(value.readers, isLinkBehind);
        if (!isBehind(value.producer) && !forLinks &&
            (value.returned || std::ranges::any_of(value.readers, isBehind)))
            paid.bytes += value.forwardBytes.asDouble();
    }
    for (const SharedState& shared : drawn.ground.none.shared)
        if (where[shared.users.front()] == Where::Here)
            paid.state += heldBy(shared).always().asDouble();
    for (const NodeId node : drawn.floats)
        if (where[node] == Where::Here)
            for (const NodeNeeds::Made& made : drawn.ground.needs[node].made)
                paid.seconds += std::min(price * made.bytes.asDouble(), made.again.value());
    return paid;
}

// Every way that is legal to have what floats, of a stage with these links.
template <typename Each>
void forEachWay(const Drawn& drawn, std::size_t first, std::size_t end, Each each)
{
    Table<NodeId, Where> where(drawn.ground.none.nodes.size(), Where::Before);
    for (std::size_t link = first; link < drawn.chain.links.size(); ++link)
        where[drawn.chain.links[link].front()] = link < end ? Where::Here : Where::Behind;
    std::size_t ways = 1;
    for (std::size_t i = 0; i < drawn.floats.size(); ++i)
        ways *= 3;
    for (std::size_t way = 0; way < ways; ++way) {
        std::size_t left = way;
        for (const NodeId node : drawn.floats) {
            where[node] = static_cast<Where>(left % 3);
            left /= 3;
        }
        if (std::ranges::all_of(drawn.ground.none.precedences, [&](const Precedence& edge) {
                return where[edge.before] <= where[edge.after];
            }))
            each(where);
    }
}

constexpr double rounding = 1e-9;

} // namespace

class TestFloatHoldings : public QObject
{
    Q_OBJECT

private slots:
    void noWayHoldsLess();
    void keysAndValuesOfLayersCount();
};

// Nowhere do what crosses the stage's begin, state and needs come to less, at any price, however often the
// run-time has what it receives.
void TestFloatHoldings::noWayHoldsLess()
{
    std::minstd_rand draw(1);
    int counted = 0, reached = 0;
    for (int times = 0; times < 400; ++times) {
        const Drawn drawn(draw);
        const FloatHoldings holdings(drawn.ground, drawn.chain);
        const ChainFloats floats(drawn.ground.none, drawn.chain.links);
        for (std::size_t first = 1; first < drawn.chain.links.size(); ++first)
            for (std::size_t end = first + 1; end <= drawn.chain.links.size(); ++end) {
                const double inFlight = 1 + static_cast<double>(draw() % 3);
                const double received = inFlight + static_cast<double>(draw() % 4);
                const double price = static_cast<double>(draw() % 30) / 10;
                const auto all = holdings.of(first, end, {.held = received, .inFlight = inFlight});
                double state = 0;
                for (const FloatHoldings::Held& held : all)
                    state += held.state;
                const double crosses = floats.crossing(first, ChainFloats::At::Before).bytes;
                const double needs = FloatHoldings::costOf(all, holdings.needsAt(price), price);
                const double bound = price * (received * crosses + state) / inFlight + needs;
                double least = infinite;
                forEachWay(drawn, first, end, [&](const Table<NodeId, Where>& where) {
                    const Paid paid = paidOf(drawn, where, price);
                    least = std::min(least,
                                     price * (received * paid.bytes + paid.state) / inFlight + paid.seconds);
                });
                QVERIFY2(bound <= least * (1 + rounding) + rounding,
                         qPrintable(QString("%1: %2, not %3").arg(times).arg(bound).arg(least)));
                counted += state + needs > 0 ? 1 : 0;
                reached += state + needs > 0 && bound >= least * (1 - rounding) - rounding ? 1 : 0;
            }
    }
    qInfo("%d stages have something of it, %d exactly so", counted, reached);
    QVERIFY(counted > 500);
    QVERIFY(reached > 200);
}

// Two layers read keys and values of what an encoder made: in a stage that has both, so are their weights.
void TestFloatHoldings::keysAndValuesOfLayersCount()
{
    RecomputeGround ground;
    ModelChain chain;
    constexpr std::size_t encoder = 0, layers = 2;
    ground.none.options.stageCount = 2;
    ground.none.nodes = Table<NodeId, ProblemNode>(1 + 3 * layers);
    ground.needs = Table<NodeId, NodeNeeds>(1 + 3 * layers);
    chain.links.push_back({NodeId(encoder)});
    ProblemValue made{.value = ValueId(encoder), .producer = NodeId(encoder), .forwardBytes = Bytes(100)};
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const NodeId reader(3 * layer + 3);
        for (const NodeId node : {NodeId(3 * layer + 1), NodeId(3 * layer + 2)}) {
            made.readers.push_back(node);
            ground.none.values.push_back({.value = ValueId(node.index()),
                                          .producer = node,
                                          .readers = {reader},
                                          .forwardBytes = Bytes(100)});
            ground.none.shared.push_back(
                {.name = {}, .parameterBytes = {}, .stateBytes = Bytes(40), .users = {node}});
            ground.none.precedences.push_back({NodeId(encoder), node});
            ground.none.precedences.push_back({node, reader});
        }
        ground.none.precedences.push_back({chain.links.back().front(), reader});
        chain.links.push_back({reader});
    }
    ground.none.values.push_back(made);
    const FloatHoldings holdings(ground, chain);
    const auto of = [&](std::size_t first, std::size_t end, double held) {
        double state = 0;
        for (const FloatHoldings::Held& each : holdings.of(first, end, {.held = held}))
            state += each.state;
        return state;
    };
    QCOMPARE(of(1, 3, 1), 160.0);
    QCOMPARE(of(1, 2, 1), 80.0);         // or 200 bytes are received in place of 100
    QCOMPARE(of(1, 3, infinite), 160.0); // it can receive nothing
    QCOMPARE(of(3, 2, 1), 0.0);          // it has a part of the third alone
    QCOMPARE(of(1, 3, 0), 0.0);          // what is received is not held
}

QTEST_GUILESS_MAIN(TestFloatHoldings)
#include "tst_float_holdings.moc"
