// Where the same follows, beside every pair of windows compared.
#include "core/equal_windows.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stagecraft;

class TestEqualWindows : public QObject
{
    Q_OBJECT

private slots:
    void theFirstIsFound_data();
    void theFirstIsFound();
};

void TestEqualWindows::theFirstIsFound_data()
{
    QTest::addColumn<std::size_t>("width");
    for (const std::size_t width : {1, 2, 4, 16})
        QTest::addRow("%zu", width) << width;
}

void TestEqualWindows::theFirstIsFound()
{
    QFETCH(std::size_t, width);
    std::minstd_rand draw(1);
    for (int times = 0; times < 50; ++times) {
        std::vector<std::size_t> values(1 + draw() % 60);
        const std::size_t period = 1 + draw() % 7;
        for (std::size_t at = 0; at < values.size(); ++at)
            values[at] = at < period || draw() % 20 == 0 ? draw() % 3 : values[at - period];
        const std::vector<std::size_t> found = equalWindows(values, width);
        QCOMPARE(found.size(), values.size());
        for (std::size_t at = 0; at < values.size(); ++at) {
            std::size_t first = at;
            for (std::size_t before = at; before-- > 0 && at + width <= values.size();)
                if (std::equal(values.begin() + static_cast<std::ptrdiff_t>(at),
                               values.begin() + static_cast<std::ptrdiff_t>(at + width),
                               values.begin() + static_cast<std::ptrdiff_t>(before)))
                    first = before;
            QCOMPARE(found[at], first);
        }
    }
}

QTEST_GUILESS_MAIN(TestEqualWindows)
#include "tst_equal_windows.moc"
