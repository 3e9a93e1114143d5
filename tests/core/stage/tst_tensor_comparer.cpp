#include "compared_numbers.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace stagecraft;
using stagecraft::testing::comparedNumbers;

namespace {

// Of a size that is compared in several parts, the last of which is not full.
constexpr std::size_t size = 200'001;

std::vector<float> ones()
{
    return std::vector<float>(size, 1.0F);
}

std::vector<float> with(std::size_t index, float number)
{
    std::vector<float> numbers = ones();
    numbers[index] = number;
    return numbers;
}

} // namespace

class TestTensorComparer : public QObject
{
    Q_OBJECT

private slots:
    void seesADifferenceAnywhere()
    {
        QVERIFY(comparedNumbers(ones(), ones()).passed);
        for (const std::size_t index : {std::size_t{0}, size / 2, size - 1}) {
            const Comparison wrong = comparedNumbers(ones(), with(index, 1.5F));
            QVERIFY(!wrong.passed);
            QCOMPARE(wrong.maxAbsolute, 0.5);
            QCOMPARE(wrong.maxRelative, 0.5);
            QVERIFY(comparedNumbers(ones(), with(index, 1.00001F)).passed);
        }
    }

    // The largest number may be in another part than the largest difference.
    void whatIsAllowedFollowsTheLargestNumber()
    {
        const std::vector<float> whole = with(0, 1000);
        std::vector<float> stages = whole;
        stages[size - 1] = 1.05F;
        QVERIFY(comparedNumbers(whole, stages).passed);
        QVERIFY(!comparedNumbers(ones(), with(size - 1, 1.05F)).passed);
    }

    void whatIsNoNumberMustBeInBoth()
    {
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        constexpr float infinite = std::numeric_limits<float>::infinity();
        for (const std::size_t index : {std::size_t{0}, size - 1}) {
            const Comparison wrong = comparedNumbers(ones(), with(index, none));
            QVERIFY(!wrong.passed);
            QVERIFY(std::isnan(wrong.maxAbsolute));
            QVERIFY(!comparedNumbers(ones(), with(index, infinite)).passed);
            QVERIFY(!comparedNumbers(with(index, infinite), with(index, -infinite)).passed);
            QVERIFY(comparedNumbers(with(index, none), with(index, none)).passed);
            QVERIFY(comparedNumbers(with(index, infinite), with(index, infinite)).passed);
        }
    }
};

QTEST_GUILESS_MAIN(TestTensorComparer)
#include "tst_tensor_comparer.moc"
