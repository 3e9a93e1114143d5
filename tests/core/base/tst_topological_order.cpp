#include "core/base/topological_order.h"

#include <QTest>

#include <functional>

using namespace stagecraft;

class TestTopologicalOrder : public QObject
{
    Q_OBJECT

private slots:
    void takesTheFirstOfThoseThatMayComeNext();
    void leavesCyclesAndWhatIsBehindThemOut();
};

namespace {

using Order = std::vector<std::size_t>;

Order orderOf(const std::vector<Order>& after)
{
    return topologicalOrder<std::size_t>(
        after.size(), [&](std::size_t item) { return after[item]; }, std::greater{});
}

} // namespace

void TestTopologicalOrder::takesTheFirstOfThoseThatMayComeNext()
{
    QCOMPARE(orderOf({}), Order());
    QCOMPARE(orderOf({{}, {}, {}}), (Order{0, 1, 2}));
    QCOMPARE(orderOf({{3}, {2, 2}, {0}, {}}), (Order{1, 2, 0, 3})); // 2 needs 1 twice
    QCOMPARE(orderOf({{}, {0}, {0}, {2}}), (Order{1, 3, 2, 0}));
}

void TestTopologicalOrder::leavesCyclesAndWhatIsBehindThemOut()
{
    QCOMPARE(orderOf({{1}, {2}, {1, 3}, {}, {}}), (Order{0, 4}));
    QCOMPARE(orderOf({{0}}), Order());
}

QTEST_GUILESS_MAIN(TestTopologicalOrder)
#include "tst_topological_order.moc"
