// Sets of bits against sets of numbers.
#include "core/base/bit_span.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace stagecraft;

namespace {

using Numbers = std::set<std::size_t>;

constexpr std::size_t count = 150;

Numbers randomNumbers(std::mt19937& random, unsigned outOf)
{
    Numbers numbers;
    for (std::size_t number = 0; number < count; ++number) {
        if (random() % outOf == 0)
            numbers.insert(number);
    }
    return numbers;
}

BitWords bitsOf(const Numbers& numbers)
{
    BitWords bits(wordsForBits(count), 0);
    for (const std::size_t number : numbers)
        setBit(bits, number);
    return bits;
}

Numbers numbersOf(BitSpan bits)
{
    Numbers numbers;
    forEachBit(bits, [&](std::size_t bit) { numbers.insert(numbers.end(), bit); });
    return numbers;
}

} // namespace

class TestBitSpan : public QObject
{
    Q_OBJECT

private slots:
    void wordsAreCounted();
    void setsAreSets();
};

void TestBitSpan::wordsAreCounted()
{
    QCOMPARE(wordsForBits(0), std::size_t{0});
    QCOMPARE(wordsForBits(64), std::size_t{1});
    QCOMPARE(wordsForBits(65), std::size_t{2});
}

void TestBitSpan::setsAreSets()
{
    std::mt19937 random(1);
    int disjoint = 0;
    int included = 0;
    for (unsigned round = 0; round < 200; ++round) {
        const Numbers a = randomNumbers(random, 2 + round % 60);
        Numbers b = randomNumbers(random, 2 + round % 30);
        if (round % 4 == 0)
            std::erase_if(b, [&](std::size_t number) { return !a.contains(number); });
        const BitWords bits = bitsOf(a);
        QCOMPARE(numbersOf(bits), a);
        QCOMPARE(countBits(bits), a.size());
        for (std::size_t number = 0; number < count; ++number)
            QCOMPARE(hasBit(bits, number), a.contains(number));

        Numbers both;
        std::ranges::set_union(a, b, std::inserter(both, both.end()));
        BitWords changed = bits;
        unite(changed, bitsOf(b));
        QCOMPARE(numbersOf(changed), both);

        Numbers rest;
        std::ranges::set_difference(a, b, std::inserter(rest, rest.end()));
        QCOMPARE(meets(bits, bitsOf(b)), rest.size() < a.size());
        QCOMPARE(includes(bits, bitsOf(b)), std::ranges::includes(a, b));
        disjoint += rest.size() == a.size();
        included += std::ranges::includes(a, b);

        changed = bits;
        for (const std::size_t number : b)
            clearBit(changed, number);
        QCOMPARE(numbersOf(changed), rest);
    }
    QVERIFY(disjoint > 10 && included > 10);
}

QTEST_GUILESS_MAIN(TestBitSpan)
#include "tst_bit_span.moc"
