// Choices for a stage, against all selections.
#include "core/recompute/stage_choice.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

using namespace stagecraft;

namespace {

using Hulls = std::vector<std::shared_ptr<const RegionHull>>;

// Bytes rise, time falls ever more slowly, the transient falls.
std::shared_ptr<const RegionHull> randomHull(std::mt19937& random, std::size_t count)
{
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    std::vector<double> slopes;
    for (std::size_t i = 1; i < count; ++i)
        slopes.push_back(number(1, 40));
    std::ranges::sort(slopes, std::ranges::greater());
    RegionHull hull;
    RegionChoice choice{
        .kept = {}, .keptBytes = Bytes(0), .added = Seconds(0), .transient = Bytes(number(0, 60))};
    hull.choices.push_back(choice);
    for (const double slope : slopes) {
        const int step = number(1, 9);
        choice.keptBytes += Bytes(step);
        choice.added -= Seconds(slope * step);
        choice.transient = std::max(Bytes(), choice.transient - Bytes(number(0, 20)));
        hull.choices.push_back(choice);
    }
    for (RegionChoice& one : hull.choices)
        one.added -= choice.added; // the last adds nothing
    return std::make_shared<const RegionHull>(std::move(hull));
}

// The least time of all selections within the room; infinite: there is none. And the least room.
struct Best
{
    double time = std::numeric_limits<double>::infinity();
    Bytes room = Bytes::max();
};

void tryAll(const Hulls& hulls, std::size_t region, StageChoice sum, Bytes room, std::int64_t inFlight,
            Best& best)
{
    if (region == hulls.size()) {
        best.room = std::min(best.room, sum.of(inFlight));
        if (sum.of(inFlight) <= room)
            best.time = std::min(best.time, sum.added.value());
        return;
    }
    for (const RegionChoice& choice : hulls[region]->choices) {
        StageChoice next = sum;
        next.keptBytes += choice.keptBytes;
        next.added += choice.added;
        next.transient = std::max(next.transient, choice.transient);
        tryAll(hulls, region + 1, next, room, inFlight, best);
    }
}

} // namespace

class TestStageChoice : public QObject
{
    Q_OBJECT

private slots:
    void isWithinOneStepOfTheBest();
    void ofNoRegionsNothingIsChosen();
    void whatIsSharedMayKeepLessThanNothing();
};

void TestStageChoice::isWithinOneStepOfTheBest()
{
    constexpr std::uint32_t seed = 7;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    int impossible = 0, equal = 0, runs = 400;
    for (int run = 0; run < runs; ++run) {
        Hulls hulls;
        double largest = 0;
        for (int region = number(1, 5); region > 0; --region) {
            const bool isAgain = !hulls.empty() && number(0, 1) == 1;
            hulls.push_back(isAgain ? hulls.back()
                                    : randomHull(random, static_cast<std::size_t>(number(1, 6))));
            const std::vector<RegionChoice>& choices = hulls.back()->choices;
            for (std::size_t i = 1; i < choices.size(); ++i)
                largest = std::max(largest, (choices[i - 1].added - choices[i].added).value());
        }
        const std::int64_t inFlight = number(1, 4);
        const Bytes room(number(0, 250));
        Best best;
        tryAll(hulls, 0, {}, room, inFlight, best);
        QCOMPARE(leastRoom(hulls, inFlight).count(), best.room.count());
        const std::optional<StageChoice> found = chooseWithin(hulls, room, inFlight);
        QCOMPARE(found.has_value(), best.room <= room);
        if (!found) {
            ++impossible;
            continue;
        }
        StageChoice sum;
        for (std::size_t region = 0; region < hulls.size(); ++region) {
            const RegionChoice& choice = hulls[region]->choices[found->choices[region]];
            sum.keptBytes += choice.keptBytes;
            sum.added += choice.added;
            sum.transient = std::max(sum.transient, choice.transient);
        }
        QCOMPARE(found->keptBytes.count(), sum.keptBytes.count());
        QCOMPARE(found->transient.count(), sum.transient.count());
        QVERIFY(std::abs((found->added - sum.added).value()) < 1e-9);
        QVERIFY(found->of(inFlight) <= room);
        QVERIFY2(found->bound.value() <= best.time + 1e-9, qPrintable(QString("run %1").arg(run)));
        QVERIFY2(found->added.value() >= best.time - 1e-9, qPrintable(QString("run %1").arg(run)));
        QVERIFY2(found->added.value() <= found->bound.value() + largest + 1e-9,
                 qPrintable(QString("run %1").arg(run)));
        equal += found->added.value() < best.time + 1e-9 ? 1 : 0;
    }
    qInfo("%d impossible, %d of %d as good as the best", impossible, equal, runs - impossible);
    QVERIFY(impossible > 10 && equal > (runs - impossible) / 2);
}

void TestStageChoice::ofNoRegionsNothingIsChosen()
{
    const std::optional<StageChoice> none = chooseWithin({}, Bytes(), 3);
    QVERIFY(none && none->choices.empty() && none->of(3) == Bytes());
    QCOMPARE(leastRoom({}, 3).count(), 0);
}

// The rest of a stage counts less for what it shares with others.
void TestStageChoice::whatIsSharedMayKeepLessThanNothing()
{
    const RegionChoice rest{.kept = {}, .keptBytes = Bytes(-5), .added = {}, .transient = Bytes(3)};
    const Hulls hulls{std::make_shared<const RegionHull>(RegionHull{{rest}})};
    QCOMPARE(leastRoom(hulls, 2).count(), 3);
    QVERIFY(chooseWithin(hulls, leastRoom(hulls, 2), 2));
}

QTEST_GUILESS_MAIN(TestStageChoice)
#include "tst_stage_choice.moc"
