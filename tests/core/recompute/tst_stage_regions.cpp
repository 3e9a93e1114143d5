// Regions of any runs of nodes: what a price of a byte and a cap make of a row of four.
#include "core/recompute/stage_regions.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace stagecraft;

namespace {

// Each makes 100 bytes that backward needs and the next reads; the second takes 5 s, the others 1 s.
Table<NodeId, NodeNeeds> row()
{
    Table<NodeId, NodeNeeds> needs(4);
    for (std::size_t i = 0; i < 4; ++i) {
        NodeNeeds& node = needs[NodeId(i)];
        node.made.push_back({.storage = StorageId(i), .bytes = Bytes(100), .isNeeded = true});
        node.again = node.toSave = node.whole = Seconds(i == 1 ? 5 : 1);
        if (i > 0)
            node.reads.push_back(StorageId(i - 1));
    }
    return needs;
}

const std::vector<NodeId> all{NodeId(0), NodeId(1), NodeId(2), NodeId(3)};
constexpr Bytes noCap(1000);

StageRegions runsOf(const Table<NodeId, NodeNeeds>& needs)
{
    return {needs, activationUses(needs), all};
}

} // namespace

class TestStageRegions : public QObject
{
    Q_OBJECT

private slots:
    void atNoPriceNothingRunsAgain();
    void whatIsDearIsKept();
    void noRegionMakesMoreThanTheCap();
    void whatMayNotRunAgainIsKept();
    void nothingRunsBehindTheLastThatSaves();
    void keepsMoreWhereThereIsRoom();
    void candidatesServeAllCaps();
    void whatTheCapHasNoRoomForIsKept();
};

void TestStageRegions::atNoPriceNothingRunsAgain()
{
    const auto needs = row();
    QVERIFY(runsOf(needs).at(0, noCap).runs.empty());
}

void TestStageRegions::whatIsDearIsKept()
{
    const auto needs = row();
    const StageRegions::Choice choice = runsOf(needs).at(0.02, noCap);
    QCOMPARE(choice.freed.count(), 300);
    QCOMPARE(choice.added.value(), 3.0);
    const StageRegions::Choice dear = runsOf(needs).at(10, noCap);
    QCOMPARE(dear.freed.count(), 400);
    QCOMPARE(dear.added.value(), 8.0);
}

void TestStageRegions::noRegionMakesMoreThanTheCap()
{
    const auto needs = row();
    const StageRegions::Choice choice = runsOf(needs).at(0.02, Bytes(100));
    QCOMPARE(choice.freed.count(), 200); // of the third, the fourth would have to be with it
    for (const StageRegions::Run& run : choice.runs)
        QVERIFY(run.made <= Bytes(100));
}

void TestStageRegions::whatMayNotRunAgainIsKept()
{
    auto needs = row();
    needs[NodeId(2)].again = needs[NodeId(2)].whole = Seconds(std::numeric_limits<double>::infinity());
    const StageRegions::Choice choice = runsOf(needs).at(10, noCap);
    QCOMPARE(choice.freed.count(), 300);
    for (const StageRegions::Again& again : choice.again)
        QVERIFY(again.node != NodeId(2));
}

// What the first makes the second saves, and takes long, but does not run again to save it; it makes what it
// saves itself in a fifth of its time.
void TestStageRegions::nothingRunsBehindTheLastThatSaves()
{
    auto needs = row();
    for (std::size_t i = 0; i < 4; ++i)
        needs[NodeId(i)].made.front().savers = {NodeId(std::min<std::size_t>(i + 1, 3))};
    needs[NodeId(1)].made.front().isNeeded = false;
    needs[NodeId(1)].made.front().savers.clear();
    const StageRegions::Choice choice = runsOf(needs).at(0.02, Bytes(100));
    QCOMPARE(choice.runs.front().region.nodes, (std::vector<NodeId>{NodeId(0), NodeId(1)}));
    QCOMPARE(choice.runs.front().region.kept, std::vector<NodeId>());
    QCOMPARE(choice.added.value(), 2.0); // and the third, with the fourth
    needs[NodeId(1)].made.push_back(
        {.storage = StorageId(4), .bytes = Bytes(100), .isNeeded = true, .savers = {NodeId(1)}});
    needs[NodeId(1)].again = needs[NodeId(1)].toSave = Seconds(1);
    const StageRegions::Choice more = runsOf(needs).at(0.02, Bytes(200));
    QCOMPARE(more.freed.count() - choice.freed.count(), 100);
    QCOMPARE(more.added.value(), 3.0);
}

void TestStageRegions::keepsMoreWhereThereIsRoom()
{
    const auto needs = row();
    StageRegions::Choice choice = runsOf(needs).at(10, noCap);
    StageRegions::keepMore(choice, Bytes(150));
    QCOMPARE(choice.freed.count(), 300);
    QCOMPARE(choice.added.value(), 3.0);
}

void TestStageRegions::candidatesServeAllCaps()
{
    const auto needs = row();
    const StageRegions runs = runsOf(needs);
    const StageRegions::Candidates candidates = runs.candidates(0.02, noCap);
    QVERIFY(!candidates.all.empty());
    for (const std::int64_t cap : {0, 50, 100, 200, 300, 1000}) {
        const StageRegions::Choice choice = runs.best(candidates, Bytes(cap));
        const StageRegions::Choice alone = runs.at(0.02, Bytes(cap));
        QCOMPARE(choice.freed.count(), alone.freed.count());
        QCOMPARE(choice.added.value(), alone.added.value());
        QCOMPARE(choice.least, alone.least);
        QVERIFY(choice.least <= choice.added.value() - 0.02 * choice.freed.asDouble() + 1e-12);
    }
}

// Each alone, or some of them in one region that has to keep the dear one for the cap.
void TestStageRegions::whatTheCapHasNoRoomForIsKept()
{
    auto needs = row();
    for (const NodeId node : all) // the last one's backward needs them all
        needs[node].made.front().savers = {NodeId(3)};
    const StageRegions runs = runsOf(needs);
    const std::vector<Bytes> caps{Bytes(100), Bytes(300), noCap};
    const StageRegions::Candidates whole = runs.candidates(0.1, noCap), squeezed = runs.candidates(0.1, caps);
    QCOMPARE(runs.best(whole, noCap).freed.count(), 400);
    QCOMPARE(runs.best(squeezed, noCap).freed.count(), 400);
    QCOMPARE(runs.best(whole, Bytes(300)).added.value(), 7.0);
    const StageRegions::Choice choice = runs.best(squeezed, Bytes(300));
    QCOMPARE(choice.freed.count(), 300);
    QCOMPARE(choice.added.value(), 3.0);
    QCOMPARE(choice.runs.size(), 1);
    QCOMPARE(choice.runs.front().region.kept, std::vector{NodeId(1)});
    QCOMPARE(choice.runs.front().made.count(), 300);
}

QTEST_GUILESS_MAIN(TestStageRegions)
#include "tst_stage_regions.moc"
