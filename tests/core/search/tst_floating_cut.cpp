// What must cross a boundary however floating groups are placed.
#include "core/search/ideals/floating_cut.h"

#include <QTest>

using namespace stagecraft;

namespace {

using Side = FloatingCut::Side;

// Values that all groups share, half of them inside for certain, none outside.
std::vector<FloatingCut::Item> sharedByAll(std::uint32_t groups)
{
    std::vector<std::uint32_t> all(groups);
    for (std::uint32_t group = 0; group < groups; ++group)
        all[group] = group;
    std::vector<FloatingCut::Item> items(groups, {.price = 1, .bits = {0}, .floats = all});
    for (std::uint32_t item = 0; item < groups / 2; ++item)
        items[item].inside = true;
    return items;
}

} // namespace

class TestFloatingCut : public QObject
{
    Q_OBJECT

private slots:
    void theCheaperWayCounts()
    {
        // Inside it sends what it makes, outside it receives what it reads.
        FloatingCut cut({{.price = 3, .inside = true, .bits = {0}, .floats = {0}},
                         {.price = 5, .outside = true, .bits = {0}, .floats = {0}}},
                        {1}, 1);
        const BitWords none{0};
        const std::vector<Side> open{Side::Open}, inside{Side::Inside};
        QVERIFY(std::abs(cut.least(none, none, open).transfer - 3) < 1e-9);
        QCOMPARE(cut.least(none, none, inside).transfer, 0); // what crosses for sure is counted elsewhere
    }

    // Who has nothing left to send is not asked again.
    void stepsAreCounted()
    {
        constexpr std::uint32_t groups = 60;
        FloatingCut cut(sharedByAll(groups), std::vector<double>(groups, 1), 1, 1);
        const BitWords none{0};
        const std::vector<Side> open(groups, Side::Open);
        QCOMPARE(cut.least(none, none, open).transfer, 0);
        const std::size_t steps = cut.takeSteps();
        QVERIFY(steps > 0);
        constexpr std::size_t searches = groups / 2; // one of each value inside
        QVERIFY2(steps <= searches * 3 * groups * groups, qPrintable(QString::number(steps)));
        QCOMPARE(cut.takeSteps(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestFloatingCut)
#include "tst_floating_cut.moc"
