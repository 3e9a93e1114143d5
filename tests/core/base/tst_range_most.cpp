// Where the most of a run of figures is, against a walk over it.
#include "core/base/range_most.h"

#include <QTest>

#include <random>

using namespace stagecraft;

class TestRangeMost : public QObject
{
    Q_OBJECT

private slots:
    void isTheLastOfTheMost()
    {
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 draw(seed);
        for (std::size_t count = 1; count < 70; ++count) {
            std::vector<double> row;
            for (std::size_t i = 0; i < count; ++i)
                row.push_back(static_cast<double>(draw() % 6));
            const RangeMost most(row);
            for (std::size_t first = 0; first < count; ++first) {
                std::size_t at = first;
                for (std::size_t end = first + 1; end <= count; ++end) {
                    at = row[end - 1] >= row[at] ? end - 1 : at;
                    QCOMPARE(most.in(first, end), at);
                }
                QCOMPARE(most[first], row[first]);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestRangeMost)
#include "tst_range_most.moc"
