// Hulls of random closure problems, against all choices.
#include "core/recompute/choice_hull.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace stagecraft;

namespace {

ChoiceProblem randomProblem(std::mt19937& random, std::size_t count)
{
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    ChoiceProblem problem;
    const int kind = number(0, 2);
    for (std::size_t i = 0; i < count; ++i) {
        // What is paid for, what pays, or both; few sizes, so that there are ties.
        const bool pays = kind == 0 || (kind == 1 && i % 2 == 0);
        problem.items.add(
            {.bytes = pays ? number(kind == 0 ? -6 : 0, 6) : number(0, 8) * 512,
             .time = pays ? -number(0, 40) : number(0, kind == 2 ? 9 : 0) - (kind == 2 ? 5 : 0)});
    }
    const int edges = count < 2 ? 0 : number(0, static_cast<int>(2 * count));
    for (int e = 0; e < edges; ++e) {
        const auto at = [&] { return static_cast<std::size_t>(number(0, static_cast<int>(count) - 1)); };
        if (const auto a = at(), b = at(); a != b) // circles, too: all of them or none
            problem.needs.emplace_back(ChoiceItemId(a), ChoiceItemId(b));
    }
    return problem;
}

using Point = std::pair<std::int64_t, std::int64_t>;

// The corners of the lower hull of all closed choices, from the fewest bytes to the least time.
std::vector<Point> cornersOfAll(const ChoiceProblem& problem)
{
    std::map<std::int64_t, std::int64_t> least; // time by bytes
    for (std::size_t set = 0; set < std::size_t{1} << problem.items.size(); ++set) {
        if (std::ranges::any_of(problem.needs, [&](const auto& need) {
                return (set >> need.first.index() & 1) && !(set >> need.second.index() & 1);
            }))
            continue;
        Point sum;
        for (const ChoiceItemId item : problem.items.ids())
            if (set >> item.index() & 1) {
                sum.first += problem.items[item].bytes;
                sum.second += problem.items[item].time;
            }
        const auto [entry, isNew] = least.emplace(sum.first, sum.second);
        entry->second = std::min(entry->second, sum.second);
    }
    std::vector<Point> hull;
    for (const auto& [bytes, time] : least) {
        if (!hull.empty() && time >= hull.back().second)
            continue;
        // Above or on the line from the one before to this: no corner.
        while (hull.size() >= 2) {
            const auto& [b0, t0] = hull[hull.size() - 2];
            const auto& [b1, t1] = hull.back();
            if ((t1 - t0) * (bytes - b0) < (time - t0) * (b1 - b0))
                break;
            hull.pop_back();
        }
        hull.emplace_back(bytes, time);
    }
    return hull;
}

std::vector<Point> cornersOf(const std::vector<ChoicePoint>& points)
{
    std::vector<Point> corners;
    for (const ChoicePoint& point : points) {
        while (corners.size() >= 2) {
            const auto& [b0, t0] = corners[corners.size() - 2];
            const auto& [b1, t1] = corners.back();
            if ((t1 - t0) * (point.bytes - b0) != (point.time - t0) * (b1 - b0))
                break;
            corners.pop_back();
        }
        corners.emplace_back(point.bytes, point.time);
    }
    return corners;
}

// Is the point what it says, and is everything there that what is chosen needs?
bool isTrue(const ChoiceProblem& problem, const ChoicePoint& point)
{
    Point sum;
    for (const ChoiceItemId item : point.chosen) {
        sum.first += problem.items[item].bytes;
        sum.second += problem.items[item].time;
    }
    const auto chosen = [&](ChoiceItemId item) { return std::ranges::binary_search(point.chosen, item); };
    return sum == Point(point.bytes, point.time) && std::ranges::all_of(problem.needs, [&](const auto& need) {
               return !chosen(need.first) || chosen(need.second);
           });
}

} // namespace

class TestChoiceHull : public QObject
{
    Q_OBJECT

private slots:
    void isThatOfAllChoices();
    void ofNothingIsOnePoint();
    void largeNumbersStayExact();
};

void TestChoiceHull::isThatOfAllChoices()
{
    constexpr std::uint32_t seed = 20;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    std::size_t most = 0;
    for (int run = 0; run < 600; ++run) {
        const std::size_t count = run % 20 == 0 ? 16 : static_cast<std::size_t>(run) % 12;
        const ChoiceProblem problem = randomProblem(random, count);
        const std::vector<ChoicePoint> points = choiceHull(problem);
        for (const ChoicePoint& point : points)
            QVERIFY2(isTrue(problem, point), qPrintable(QString("run %1").arg(run)));
        QVERIFY2(cornersOf(points) == cornersOfAll(problem), qPrintable(QString("run %1").arg(run)));
        most = std::max(most, points.size());
    }
    QVERIFY(most >= 6);
}

void TestChoiceHull::ofNothingIsOnePoint()
{
    QCOMPARE(choiceHull({}), std::vector<ChoicePoint>{ChoicePoint()});
}

// Terabytes, and femtoseconds of minutes.
void TestChoiceHull::largeNumbersStayExact()
{
    ChoiceProblem problem;
    for (std::int64_t i = 0; i < 40; ++i)
        problem.items.add({.bytes = (std::int64_t{1} << 40) + i, .time = -(std::int64_t{1} << 54) + i * i});
    const std::vector<ChoicePoint> points = choiceHull(problem);
    QCOMPARE(points.size(), std::size_t{41});
    for (std::size_t i = 0; i < points.size(); ++i)
        QCOMPARE(points[i].chosen.size(), i);
}

QTEST_GUILESS_MAIN(TestChoiceHull)
#include "tst_choice_hull.moc"
