// What a stage could recompute instead, by estimates.
#include "core/plan/problem.h"
#include "core/region_moves.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace stagecraft;

namespace {

constexpr std::array<NodeId, 1> stage{NodeId(0)};
const MoveRooms rooms{.spared = Seconds(-10), .saved = Bytes(100), .doubt = {}};

// Changes that may take less than these rooms spare, of a stage of one node that runs nothing again.
std::vector<RecomputePlan> movesWhere(Seconds again)
{
    Table<NodeId, NodeNeeds> needs;
    needs.add({.made = {{.storage = StorageId(0), .bytes = Bytes(8), .isNeeded = true}}});
    Table<NodeId, Seconds> times;
    times.add(again);
    Table<NodeId, Bytes> keeping;
    keeping.add(Bytes(8));
    return RegionMoves(stage, needs, times, keeping).of({}, rooms, 5);
}

} // namespace

class TestRegionMoves : public QObject
{
    Q_OBJECT

private slots:
    void aNodeCanBeginARegion();
    void aStageThatMayRunNothingAgainHasNone();
};

void TestRegionMoves::aNodeCanBeginARegion()
{
    const std::vector<RecomputePlan> moves = movesWhere(Seconds(1));
    QVERIFY(std::ranges::any_of(moves, [](const RecomputePlan& plan) { return plan.regions.size() == 1; }));
}

void TestRegionMoves::aStageThatMayRunNothingAgainHasNone()
{
    QVERIFY(movesWhere(Seconds(infinite)).empty());
}

QTEST_GUILESS_MAIN(TestRegionMoves)
#include "tst_region_moves.moc"
