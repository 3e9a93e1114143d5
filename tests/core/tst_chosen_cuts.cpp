// Cuts by what each stage takes by itself.
#include "core/chosen_cuts.h"

#include "tests/core/row_problem.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <numeric>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr std::size_t nodeCount = 60;
constexpr std::size_t stages = 4;
using Counts = std::array<std::size_t, stages>; // nodes of each stage

std::vector<std::size_t> allPlaces()
{
    std::vector<std::size_t> places(nodeCount + 1);
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
}

std::size_t countOf(const Partition& partition, StageId stage)
{
    return static_cast<std::size_t>(std::ranges::count(partition.stageOf, stage));
}

Counts countsOf(const Partition& partition)
{
    Counts counts{};
    for (const StageId stage : partition.stageOf)
        ++counts[stage.index()];
    return counts;
}

// Early stages have room for few; the first takes twice as long.
std::optional<Seconds> loadOf(const Partition& partition, StageId stage)
{
    constexpr Counts room{3, 5, 8, nodeCount};
    const std::size_t count = countOf(partition, stage);
    if (count > room[stage.index()])
        return std::nullopt;
    return Seconds(static_cast<double>(stage == StageId(0) ? 2 * count : count));
}

bool never()
{
    return false;
}

} // namespace

class TestChosenCuts : public QObject
{
    Q_OBJECT

private slots:
    void roomIsFilled();
    void whatIsTooFastIsNotFound();
    void placesAreKept();
    void stagesThatCanBeAgainAreFound();
    void tooFewPlacesHoldNoPlan();
    void othersAreLegalToo();
    void endsWhenItIsOver();
};

void TestChosenCuts::roomIsFilled()
{
    const PartitionProblem problem = rowProblem(nodeCount, stages);
    const auto found = ChosenCuts(problem, allPlaces(), loadOf).fastest(Seconds(15), Seconds(1000), never);
    QVERIFY(found);
    QVERIFY((countsOf(*found) == Counts{3, 5, 8, 44}));
    QVERIFY(checkPartition(problem, *found).has_value());
}

void TestChosenCuts::whatIsTooFastIsNotFound()
{
    const PartitionProblem problem = rowProblem(nodeCount, stages);
    const ChosenCuts cuts(problem, allPlaces(), loadOf);
    QVERIFY(!cuts.within(Seconds(43.9), never));
    QVERIFY(cuts.within(Seconds(44), never));
    const auto none = [](const Partition&, StageId) { return std::optional<Seconds>(); };
    QVERIFY(!ChosenCuts(problem, allPlaces(), none).within(Seconds(1000), never));
}

// The first stage has room for three, but may end behind two.
void TestChosenCuts::placesAreKept()
{
    const PartitionProblem problem = rowProblem(nodeCount, stages);
    const auto found = ChosenCuts(problem, {0, 2, 6, 7, 12, 15, 30, nodeCount}, loadOf)
                           .fastest(Seconds(15), Seconds(1000), never);
    QVERIFY(found);
    QVERIFY((countsOf(*found) == Counts{2, 5, 8, 45}));
}

// The first three have room for one node, or for exactly twelve.
void TestChosenCuts::stagesThatCanBeAgainAreFound()
{
    const PartitionProblem problem = rowProblem(nodeCount, stages);
    const auto load = [](const Partition& partition, StageId stage) {
        const std::size_t count = countOf(partition, stage);
        return count == 1 || count == 12 || stage == StageId(3)
                   ? std::optional(Seconds(static_cast<double>(count)))
                   : std::nullopt;
    };
    const ChosenCuts cuts(problem, allPlaces(), load);
    const auto found = cuts.fastestOfAll(Seconds(1000), never);
    QVERIFY(found);
    QVERIFY((countsOf(*found) == Counts{12, 12, 12, 24}));
    QVERIFY(!cuts.fastestOfAll(Seconds(24), never));
    QVERIFY(checkPartition(problem, *found).has_value());
}

void TestChosenCuts::tooFewPlacesHoldNoPlan()
{
    const PartitionProblem problem = rowProblem(nodeCount, stages);
    const ChosenCuts cuts(problem, {0, 30, 31, nodeCount}, loadOf);
    QVERIFY(!cuts.fastest(Seconds(15), Seconds(1000), never));
    QVERIFY(!cuts.fastestOfAll(Seconds(1000), never));
}

// Who is asked what a stage takes is given a plan that may be.
void TestChosenCuts::othersAreLegalToo()
{
    PartitionProblem problem = rowProblem(nodeCount, stages);
    problem.groups.push_back({{NodeId(1), NodeId(2)}, "kept together"});
    std::vector<std::size_t> places = allPlaces();
    std::erase(places, std::size_t{2});
    bool areLegal = true;
    const auto load = [&](const Partition& partition, StageId stage) {
        areLegal = areLegal && checkPartition(problem, partition).has_value();
        return loadOf(partition, stage);
    };
    const ChosenCuts cuts(problem, places, load);
    QVERIFY(cuts.fastest(Seconds(15), Seconds(1000), never));
    QVERIFY(cuts.fastestOfAll(Seconds(1000), never));
    QVERIFY(areLegal);
}

void TestChosenCuts::endsWhenItIsOver()
{
    const PartitionProblem problem = rowProblem(nodeCount, stages);
    const auto now = [] { return true; };
    QVERIFY(!ChosenCuts(problem, allPlaces(), loadOf).fastest(Seconds(15), Seconds(1000), now));
    QVERIFY(!ChosenCuts(problem, allPlaces(), loadOf).fastestOfAll(Seconds(1000), now));
}

QTEST_GUILESS_MAIN(TestChosenCuts)
#include "tst_chosen_cuts.moc"
