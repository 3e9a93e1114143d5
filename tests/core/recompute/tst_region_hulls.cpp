// Hulls of regions, against traces of what they say: each choice, and all that could be kept.
#include "core/profile/oracle.h"
#include "core/recompute/region_hulls.h"
#include "tests/core/recompute/counted_plan.h"
#include "tests/core/recompute/open_file.h"

#include <QTest>

#include <cmath>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

// Regions of `length` nodes each, what must be kept kept. A region that is refused is left out.
RecomputePlan planOf(const Model& model, std::size_t length, OperatorSchemas& schemas)
{
    RecomputePlan plan;
    for (std::size_t first = 0; first < model.graph.nodeCount(); first += length) {
        RecomputeRegion region;
        for (std::size_t i = first; i < std::min(first + length, model.graph.nodeCount()); ++i)
            region.nodes.push_back(NodeId(i));
        const RecomputePlan one = withNeededKept(model, {{region}}, schemas);
        if (checkPlan(model, one, schemas).has_value())
            plan.regions.push_back(one.regions.front());
    }
    return plan;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)) + 1e-13;
}

} // namespace

class TestRegionHulls : public QObject
{
    Q_OBJECT

private slots:
    void choicesDoWhatTheySay_data();
    void choicesDoWhatTheySay();
    void nothingIsBelowTheHull_data();
    void nothingIsBelowTheHull();
    void equalRegionsShareAHull();
};

void TestRegionHulls::choicesDoWhatTheySay_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("length");
    for (const char* file : {"oracle/recompute/perceptron", "oracle/recompute/attention",
                             "oracle/recompute/convolutions", "oracle/recompute/gated",
                             "models/tiny/gpt2-tiny", "models/tiny/llama-tiny", "models/tiny/mobilenet-tiny"})
        for (const int length : {4, 7, 30})
            QTest::addRow("%s %d", file, length) << QString(file) + ".pt2" << length;
}

// All regions at once, each at its first, at its second, ... choice: bytes and times are those of the trace.
void TestRegionHulls::choicesDoWhatTheySay()
{
    QFETCH(QString, file);
    QFETCH(int, length);
    const Model model = openFile(file);
    OperatorSchemas schemas;
    const RecomputePlan plan = planOf(model, static_cast<std::size_t>(length), schemas);
    if (plan.regions.empty())
        QSKIP("operators in place everywhere");
    const Counted base = count(model, plan);
    const auto hulls = regionHulls(model, plan, base.trace, base.profile, schemas);
    QCOMPARE(hulls.size(), plan.regions.size());
    std::size_t most = 0;
    for (const auto& hull : hulls)
        most = std::max(most, hull->choices.size());
    for (std::size_t step = 0; step < most; ++step) {
        std::vector<const RegionChoice*> choices;
        Bytes kept = base.profile.totals.savedBytes;
        Seconds added;
        for (const auto& hull : hulls) {
            choices.push_back(&hull->choices[std::min(step, hull->choices.size() - 1)]);
            kept += choices.back()->keptBytes;
            added += choices.back()->added;
        }
        const RecomputePlan chosen = withChoices(plan, choices);
        const Result<void> checked = checkPlan(model, chosen, schemas);
        QVERIFY2(checked.has_value(), checked.has_value() ? "" : checked.error().message.c_str());
        const Counted real = count(model, chosen);
        QCOMPARE(real.profile.totals.savedBytes.count(), kept.count());
        QVERIFY2(isNear(real.profile.totals.timeRecomputed.value(), added.value()),
                 qPrintable(QString("%1: %2, not %3")
                                .arg(step)
                                .arg(real.profile.totals.timeRecomputed.value())
                                .arg(added.value())));
    }
}

void TestRegionHulls::nothingIsBelowTheHull_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("first");
    QTest::newRow("perceptron") << "perceptron" << 0;
    QTest::newRow("attention") << "attention" << 14;
    QTest::newRow("convolutions") << "convolutions" << 8;
    QTest::newRow("gated") << "gated" << 6;
}

// Every set of nodes that may be kept, traced: none lies below the line between two choices.
void TestRegionHulls::nothingIsBelowTheHull()
{
    QFETCH(QString, file);
    QFETCH(int, first);
    constexpr std::size_t length = 8;
    const Model model = openFile("oracle/recompute/" + file + ".pt2");
    OperatorSchemas schemas;
    RecomputePlan plan{{{}}};
    for (std::size_t i = 0; i < length && i + static_cast<std::size_t>(first) < model.graph.nodeCount(); ++i)
        plan.regions[0].nodes.push_back(NodeId(static_cast<std::size_t>(first) + i));
    const std::vector<NodeId> nodes = plan.regions[0].nodes;
    plan = withNeededKept(model, plan, schemas);
    const Counted base = count(model, plan);
    const auto hull = regionHulls(model, plan, base.trace, base.profile, schemas).front();
    const double baseBytes = base.profile.totals.savedBytes.asDouble();
    int tried = 0, touched = 0;
    for (std::size_t set = 0; set < std::size_t{1} << nodes.size(); ++set) {
        RecomputePlan other{{{nodes, {}}}};
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (set >> i & 1)
                other.regions[0].kept.push_back(nodes[i]);
        if (!checkPlan(model, other, schemas).has_value())
            continue;
        const Counted real = count(model, other);
        const double bytes = real.profile.totals.savedBytes.asDouble() - baseBytes;
        const double time = real.profile.totals.timeRecomputed.value();
        ++tried;
        const std::vector<RegionChoice>& points = hull->choices;
        QVERIFY(bytes >= points.front().keptBytes.asDouble());
        QVERIFY(time >= points.back().added.value() * (1 - 1e-9));
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            const double b0 = points[i].keptBytes.asDouble(), b1 = points[i + 1].keptBytes.asDouble();
            const double t0 = points[i].added.value(), t1 = points[i + 1].added.value();
            const double line = t0 + (t1 - t0) * (bytes - b0) / (b1 - b0);
            QVERIFY2(time >= line - 1e-9 * t0, qPrintable(QString("set %1").arg(set)));
            touched += isNear(time, line) ? 1 : 0;
        }
    }
    qInfo("%d sets, %zu choices", tried, hull->choices.size());
    QVERIFY(tried >= 8 && touched >= 2);
}

void TestRegionHulls::equalRegionsShareAHull()
{
    const Model model = openFile("oracle/recompute/perceptron.pt2");
    OperatorSchemas schemas;
    const RecomputePlan plan = planOf(model, 5, schemas); // a block each
    const Counted base = count(model, plan);
    const auto hulls = regionHulls(model, plan, base.trace, base.profile, schemas);
    QCOMPARE(hulls.size(), std::size_t{3});
    QVERIFY(hulls[0] == hulls[1]);
    QVERIFY(hulls[0]->choices.size() >= 3);
}

QTEST_GUILESS_MAIN(TestRegionHulls)
#include "tst_region_hulls.moc"
