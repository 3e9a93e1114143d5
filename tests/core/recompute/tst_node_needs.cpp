// What backward needs of single nodes.
#include "open_file.h"

#include "counted_plan.h"

#include "core/recompute/node_needs.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

Table<NodeId, NodeNeeds> needsOf(const Model& model)
{
    const Counted none = count(model, {});
    OperatorSchemas schemas;
    return nodeNeeds(model, none.trace, none.profile, schemas);
}

} // namespace

class TestNodeNeeds : public QObject
{
    Q_OBJECT

private slots:
    // A batch norm that trains is never run again, so its region keeps it, and with it who writes what it
    // makes: an activation in place cannot run again either, and holds the copy of its input that it saves.
    void whoWritesWhatIsKeptIsKept()
    {
        const Model model = openFile("architectures/efficientnet-v2-m.pt2");
        const Table<NodeId, NodeNeeds> needs = needsOf(model);
        std::size_t written = 0;
        for (const NodeId node : model.graph.nodes()) {
            const NodeNeeds& of = needs[node];
            if (model.graph[node].target != "aten::silu_.default" || !of.follows ||
                model.graph[*of.follows].target != "aten::batch_norm.default")
                continue;
            ++written;
            QVERIFY(!std::isfinite(needs[*of.follows].again.value()));
            QVERIFY2(!std::isfinite(of.again.value()), model.graph[node].name.c_str());
        }
        QVERIFY(written > 50);
    }

    // Scores are added to in place before anybody saves or reads them.
    void whoWritesAResultRunsAgainWithIt()
    {
        const Model model = openFile("models/tiny/t5-tiny.pt2");
        const Table<NodeId, NodeNeeds> needs = needsOf(model);
        std::size_t written = 0;
        for (const NodeId node : model.graph.nodes()) {
            if (model.graph[node].target != "aten::add_.Tensor" || !needs[node].follows)
                continue;
            ++written;
            const NodeNeeds& maker = needs[*needs[node].follows];
            const auto made = std::ranges::max_element(maker.made, {}, &NodeNeeds::Made::again);
            QVERIFY(needs[node].whole > Seconds{});
            QCOMPARE(made->again, maker.whole + needs[node].whole);
        }
        QVERIFY(written > 0);
    }

    // Attention in several steps saves what each makes: no region lets go of the first alone, which would be
    // had again in no time.
    void whatANodeAloneSavesIsMadeAgainTogether()
    {
        const Model model = openFile("architectures/gqa-window.pt2");
        const Table<NodeId, NodeNeeds> needs = needsOf(model);
        const NodeId node = *model.graph.findNode("scaled_dot_product_attention");
        std::vector<Seconds> again;
        for (const NodeNeeds::Made& made : needs[node].made)
            if (made.isNeeded && made.savers == std::vector<NodeId>(made.savers.size(), node))
                again.push_back(made.again);
        QVERIFY(again.size() > 2);
        for (const Seconds each : again)
            QCOMPARE(each, again.front());
        QVERIFY(again.front() > needs[node].whole * 0.5);
    }
};

QTEST_GUILESS_MAIN(TestNodeNeeds)
#include "tst_node_needs.moc"
