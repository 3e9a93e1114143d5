// What regions come to in a stage by estimate, beside traces of random ones.
#include "core/profile/oracle.h"
#include "core/recompute/region_estimate.h"
#include "tests/core/recompute/counted_plan.h"
#include "tests/core/recompute/open_file.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

// Random runs of nodes, some of them kept, with what must be. One that is refused is left out.
RecomputePlan drawPlan(const Model& model, std::mt19937& draw, OperatorSchemas& schemas)
{
    RecomputePlan plan;
    const std::size_t keepsOneOf = 2 + draw() % 12;
    for (std::size_t at = draw() % 6; at < model.graph.nodeCount(); at += draw() % 5) {
        RecomputeRegion region;
        for (const std::size_t end = std::min(model.graph.nodeCount(), at + 1 + draw() % 24); at < end;
             ++at) {
            region.nodes.push_back(NodeId(at));
            if (draw() % keepsOneOf == 0)
                region.kept.push_back(NodeId(at));
        }
        const RecomputePlan one = withNeededKept(model, {{region}}, schemas);
        if (checkPlan(model, one, schemas).has_value())
            plan.regions.push_back(one.regions.front());
    }
    return plan;
}

Bytes largestRegion(const Profile& profile)
{
    Bytes most;
    for (const NodeCost& node : profile.nodes)
        most = std::max(most, node.regionPeak);
    return most;
}

bool isNear(double a, double b, double share)
{
    return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b)) + 1e-12;
}

} // namespace

class TestRegionEstimate : public QObject
{
    Q_OBJECT

private slots:
    void isNearTraces_data();
    void isNearTraces();
};

void TestRegionEstimate::isNearTraces_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"oracle/recompute/perceptron", "oracle/recompute/attention",
                             "oracle/recompute/convolutions", "oracle/recompute/gated",
                             "models/tiny/gpt2-tiny", "models/tiny/llama-tiny", "models/tiny/mobilenet-tiny"})
        QTest::newRow(file) << QString(file) + ".pt2";
}

void TestRegionEstimate::isNearTraces()
{
    QFETCH(QString, file);
    const Model model = openFile(file);
    OperatorSchemas schemas;
    const Counted none = count(model, {});
    const Table<NodeId, NodeNeeds> needs = nodeNeeds(model, none.trace, none.profile, schemas);
    const Table<NodeId, NodeMoments> moments = nodeMoments(model.graph, none.trace);
    const ActivationUses storages = activationUses(needs);
    std::vector<NodeId> nodes;
    for (const NodeId node : model.graph.nodes())
        nodes.push_back(node);
    const RegionEstimate estimate(nodes, {needs, moments, storages});
    const unsigned seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 draw(seed);
    constexpr int rounds = 40;
    int nearBytes = 0, nearTimes = 0; // of regions that keep all, and of operators of several, the others
    for (int round = 0; round < rounds; ++round) {
        const RecomputePlan plan = drawPlan(model, draw, schemas);
        const RegionEstimate::Figures figures = estimate.of(estimate.shapesOf(plan.regions));
        const Profile real = count(model, plan).profile;
        const Bytes freed = none.profile.totals.savedBytes - real.totals.savedBytes;
        const QString text = QString("%1 regions: freed %2, not %3; at once %4, not %5; again %6, not %7")
                                 .arg(plan.regions.size())
                                 .arg((estimate.of({}).saved - figures.saved).count())
                                 .arg(freed.count())
                                 .arg(figures.transient.count())
                                 .arg(largestRegion(real).count())
                                 .arg(figures.added.value())
                                 .arg(real.totals.timeRecomputed.value());
        QVERIFY2(estimate.of({}).saved - figures.saved == freed, qPrintable(text));
        const Bytes atOnce = largestRegion(real);
        QVERIFY2(atOnce.asDouble() <= 1.2 * figures.transient.asDouble(), qPrintable(text));
        nearBytes += isNear(figures.transient.asDouble(), atOnce.asDouble(), 0.2) ? 1 : 0;
        nearTimes += isNear(figures.added.value(), real.totals.timeRecomputed.value(), 0.2) ? 1 : 0;
    }
    qInfo("%d near in bytes, %d in time, of %d", nearBytes, nearTimes, rounds);
    QVERIFY(3 * nearBytes >= 2 * rounds && 3 * nearTimes >= 2 * rounds);
}

QTEST_GUILESS_MAIN(TestRegionEstimate)
#include "tst_region_estimate.moc"
