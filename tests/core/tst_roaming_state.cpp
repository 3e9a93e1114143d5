// The state that floats beside a chain, beside every way to have it in some stage.
#include "core/roaming_state.h"

#include "core/plan/stage_cost.h"
#include "core/recompute_known.h"
#include "tests/core/bound_case.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

constexpr std::size_t stageCount = 3;

// A chain of single nodes, what floats beside it, and state that some of them have, each or together.
class Drawn
{
public:
    explicit Drawn(std::minstd_rand& draw)
    {
        const std::size_t count = 6 + draw() % 4;
        problem.options.stageCount = stageCount;
        problem.nodes = Table<NodeId, ProblemNode>(count);
        linkOf = Table<NodeId, std::optional<std::size_t>>(count);
        for (const NodeId node : problem.nodes.ids())
            if (node == NodeId(0) || draw() % 5 < 3) {
                if (!chain.links.empty())
                    problem.precedences.push_back({chain.links.back().front(), node});
                linkOf[node] = chain.links.size();
                chain.links.push_back({node});
            }
        for (const NodeId node : problem.nodes.ids())
            addFloat(node, draw);
        for (const NodeId node : problem.nodes.ids())
            problem.nodes[node].state = Bytes(static_cast<std::int64_t>(draw() % 50));
        for (std::size_t i = 0; i < 3; ++i)
            problem.shared.push_back({.name = {},
                                      .parameterBytes = {},
                                      .stateBytes = Bytes(static_cast<std::int64_t>(draw() % 100)),
                                      .users = twoNodes(count, draw)});
        std::ranges::sort(problem.precedences);
    }

    bool floats(NodeId node) const { return !linkOf[node]; }

    PartitionProblem problem;
    ModelChain chain;
    Table<NodeId, std::optional<std::size_t>> linkOf;

private:
    void addFloat(NodeId node, std::minstd_rand& draw)
    {
        if (!floats(node))
            return;
        if (draw() % 2 == 0)
            problem.precedences.push_back({NodeId(draw() % node.index()), node});
        const std::size_t behind = problem.nodes.size() - 1 - node.index();
        if (behind > 0 && draw() % 4 != 0)
            problem.precedences.push_back({node, NodeId(node.index() + 1 + draw() % behind)});
    }

    static std::vector<NodeId> twoNodes(std::size_t count, std::minstd_rand& draw)
    {
        const std::size_t first = draw() % count, second = draw() % count;
        return first == second ? std::vector{NodeId(first)} : std::vector{NodeId(first), NodeId(second)};
    }
};

// Where links and floats are, no node in an earlier stage than one before it.
class Placings
{
public:
    explicit Placings(const Drawn& drawn) : m_drawn(drawn), m_stageOf(drawn.problem.nodes.size(), 0) {}

    template <typename Visit>
    void forEach(const Visit& visit)
    {
        place(NodeId(0), visit);
    }

private:
    template <typename Visit>
    void place(NodeId node, const Visit& visit)
    {
        if (node.index() == m_stageOf.size()) {
            visit(m_stageOf);
            return;
        }
        std::size_t first = 0;
        for (const Precedence& edge : m_drawn.problem.precedences)
            if (edge.after == node)
                first = std::max(first, m_stageOf[edge.before]);
        for (std::size_t stage = first; stage < stageCount; ++stage) {
            m_stageOf[node] = stage;
            place(NodeId(node.index() + 1), visit);
        }
    }

    const Drawn& m_drawn;
    Table<NodeId, std::size_t> m_stageOf;
};

// What a stage has, of links' nodes alone or of all.
enum class Of : std::uint8_t { Links, All };
double stateOf(const Drawn& drawn, const Table<NodeId, std::size_t>& stageOf, std::size_t stage, Of of)
{
    const auto isThere = [&](NodeId node) {
        return stageOf[node] == stage && (of == Of::All || !drawn.floats(node));
    };
    Bytes state;
    for (const NodeId node : drawn.problem.nodes.ids())
        state += isThere(node) ? drawn.problem.nodes[node].state : Bytes{};
    for (const SharedState& shared : drawn.problem.shared)
        state += std::ranges::any_of(shared.users, isThere) ? shared.stateBytes : Bytes{};
    return state.asDouble();
}

// Where stages end: so many links are before.
std::vector<ChainPlace> endsOf(const Drawn& drawn, const Table<NodeId, std::size_t>& stageOf)
{
    std::vector<ChainPlace> ends(stageCount);
    for (std::size_t stage = 0; stage < stageCount; ++stage)
        ends[stage].link =
            static_cast<std::size_t>(std::ranges::count_if(drawn.problem.nodes.ids(), [&](NodeId node) {
                return !drawn.floats(node) && stageOf[node] <= stage;
            }));
    return ends;
}

NodeId addNode(PartitionProblem& problem, Bytes state = {})
{
    const NodeId node(problem.nodes.size());
    problem.nodes.add({.state = state});
    return node;
}

} // namespace

class TestRoamingState : public QObject
{
    Q_OBJECT

private slots:
    // A decoder's words are behind the encoder in the program, and the head has their table, too.
    void aTableIsDueWhereItIsRead()
    {
        PartitionProblem problem;
        const NodeId encoder = addNode(problem, Bytes(5)), words = addNode(problem),
                     decoder = addNode(problem, Bytes(5)), head = addNode(problem);
        problem.precedences = {{encoder, decoder}, {words, decoder}, {decoder, head}};
        problem.shared.push_back({.name = {}, .parameterBytes = {}, .stateBytes = Bytes(100), .users = {}});
        ModelChain chain;
        chain.links = {{encoder}, {decoder}, {head}};
        problem.shared.front().users = {words, head};
        const RoamingState state = roamingState(problem, chain);
        QCOMPARE(state.bytes, 100.0);
        QCOMPARE(state.due, std::size_t{2});
        QVERIFY(!state.isOfFloats());
        QVERIFY(!state.isUsed({.link = 0}, {.link = 1}));
        QVERIFY(state.isUsed({.link = 1}, {.link = 3}));
        problem.shared.front().users = {encoder, words}; // it is there in any case
        QCOMPARE(roamingState(problem, chain).bytes, 0.0);
        problem.shared.front().users = {words};
        QVERIFY(roamingState(problem, chain).isOfFloats());
    }

    void someStageHasIt()
    {
        std::minstd_rand draw(7);
        int counted = 0, late = 0, missed = 0;
        for (int i = 0; i < 300; ++i) {
            const Drawn drawn(draw);
            const RoamingState state = roamingState(drawn.problem, drawn.chain);
            if (state.bytes == 0)
                continue;
            Placings(drawn).forEach([&](const Table<NodeId, std::size_t>& stageOf) {
                const std::vector<ChainPlace> ends = endsOf(drawn, stageOf);
                bool isFound = false;
                std::size_t stage = 0;
                for (bool isDue = false; stage < stageCount && !isFound && !isDue; ++stage) {
                    const ChainPlace begin = stage > 0 ? ends[stage - 1] : ChainPlace{};
                    const double beside =
                        stateOf(drawn, stageOf, stage, Of::All) - stateOf(drawn, stageOf, stage, Of::Links);
                    isFound = beside >= state.bytes || state.isUsed(begin, ends[stage]);
                    isDue = ends[stage].link >= state.due;
                }
                missed += isFound ? 0 : 1;
                ++counted;
                late += stage > 1 ? 1 : 0;
            });
        }
        QCOMPARE(missed, 0);
        QVERIFY2(counted > 10000, qPrintable(QString::number(counted)));
        QVERIFY2(late > 1000, qPrintable(QString::number(late)));
    }

    // The decoder's words have the head's table: wherever it is, no plan is below the bound.
    void noPlanIsBelowTheBound()
    {
        BoundCase of(openBounded(STAGECRAFT_TEST_DATA "/architectures/whisper-small.pt2"), 4,
                     PipelineRuntime::Torch214);
        const PartitionProblem& problem = of.ground().none;
        const RecomputeChooser chooser(of.ground());
        const auto table = std::ranges::max_element(
            problem.shared, {}, [](const SharedState& shared) { return shared.stateBytes; });
        const NodeId words = *std::ranges::min_element(table->users);
        for (const std::size_t stage : {0, 1, 2}) {
            Partition partition = of.cutAt({126, 264, 610}).value();
            partition.stageOf[words] = StageId(stage);
            for (auto edge = problem.precedences.rbegin(); edge != problem.precedences.rend(); ++edge)
                if (StageId& before = partition.stageOf[edge->before];
                    before > partition.stageOf[edge->after])
                    before = partition.stageOf[edge->after];
            const std::vector<Bytes> rooms(4, Bytes(std::int64_t{2600000000}));
            RecomputeChooser::Known known;
            const PlanCost cost = of.costOf(partition, chooser.chooseOrLeast(partition, rooms, known).plan);
            std::vector<Bytes> limits;
            for (const StageCost& each : cost.stages)
                limits.push_back(each.peakMemory);
            const double bound = of.bound(limits, cost.bottleneckTime * 1.5, BoundBy::Nodes);
            qInfo("in stage %zu: %.3f of %.4f s", stage, bound / cost.bottleneckTime.value(),
                  cost.bottleneckTime.value());
            QVERIFY(bound <= cost.bottleneckTime.value() * (1 + 1e-9));
        }
    }
};

QTEST_GUILESS_MAIN(TestRoamingState)
#include "tst_roaming_state.moc"
