// What is prepared for drags of a plan whose stages choose what they recompute.
#include "app/document/plan_edit.h"
#include "app/document/plan_settler.h"
#include "document_fixture.h"

#include <QTest>

using namespace stagecraft;

class TestPlanSettler : public QObject
{
    Q_OBJECT

private slots:
    // One stage that stands in for those that are looked for is no plan to drag: what stages choose is known
    // of as many as are asked for.
    void whatStandsInForAPlanIsNotPrepared()
    {
        const auto document = openedDocument();
        PlanState state = document->state();
        state.request.plan.recompute = {.kind = RecomputeKind::Auto};
        JobQueue settling, preparing;
        int asked = 0;
        PlanSettler settler(
            settling, preparing,
            [&](const PlanState&) -> Result<PlanQuestion> {
                ++asked;
                return Error{ErrorCode::Cancelled, "only counted"};
            },
            [](const PlanState&, const Result<Profiled>&) {});
        settler.follow(unsplit(state));
        QCOMPARE(asked, 0);
        QVERIFY(!settler.dragOf(unsplit(state)));
        settler.follow(state);
        QCOMPARE(asked, 1);
    }
};

QTEST_MAIN(TestPlanSettler)
#include "tst_plan_settler.moc"
