// What a person could have told a stage, in the order in which it is tried.
#include "core/told_policies.h"

#include <QTest>

#include <array>

using namespace stagecraft;

namespace {

constexpr std::array caps{Bytes(10), Bytes(20)};
using Policy = ToldPolicies::Policy;

} // namespace

class TestToldPolicies : public QObject
{
    Q_OBJECT

private slots:
    void everyBlockComesFirst()
    {
        const ToldPolicies told(caps);
        QCOMPARE(told.all().size(), std::size_t(5));
        QVERIFY(told.all().front().isEveryBlock());
        QCOMPARE(told.all()[1].kind, RecomputeKind::Operators);
        QCOMPARE(told.all()[3].cap, std::optional(Bytes(10)));
        QVERIFY(!told.all()[3].isEveryBlock());
    }

    void whatMadeRoomComesFirstAndTheOthersStayInOrder()
    {
        ToldPolicies told(caps);
        const std::vector<Policy> before = told.all();
        told.madeRoom(before[3]);
        QVERIFY((told.all() == std::vector{before[3], before[0], before[1], before[2], before[4]}));
        told.madeRoom(before[1]);
        QVERIFY((told.all() == std::vector{before[1], before[3], before[0], before[2], before[4]}));
    }

    void whatIsNoneOfTheseIsLeftAlone()
    {
        ToldPolicies told(caps);
        const std::vector<Policy> before = told.all();
        told.madeRoom({RecomputeKind::Plan, Bytes(30)});
        QVERIFY(told.all() == before);
    }
};

QTEST_GUILESS_MAIN(TestToldPolicies)
#include "tst_told_policies.moc"
