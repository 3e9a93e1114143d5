#include "views/graph/graph_colors.h"

#include "graph_sample.h"
#include "views/base/colors.h"

#include <QtTest>

using namespace stagecraft;

class TestGraphColors : public QObject
{
    Q_OBJECT

private slots:
    void withoutAProfileThereAreOnlyStages()
    {
        PlanView plan = sample::plan(2, 2);
        plan.profile.reset();
        for (const ColorBy by : {ColorBy::Stage, ColorBy::Time, ColorBy::Memory, ColorBy::Origin})
            QVERIFY(graphColors(plan, by, {}).isByStage());
        QVERIFY(!graphColors(plan, ColorBy::OpKind, {}).isByStage());
        QVERIFY(graphColors({}, ColorBy::OpKind, {}).isByStage());
    }

    void theSlowestIsTheBrightest()
    {
        const PlanView plan = sample::plan(2, 2);
        const GraphColors colors = graphColors(plan, ColorBy::Time, themeOf(lightPalette()));
        NodeId slowest(0);
        for (const NodeId node : plan.graph->nodes())
            if (plan.profile->nodes[node].time() > plan.profile->nodes[slowest].time())
                slowest = node;
        QCOMPARE(colors.fill[slowest], viridis(1));
        QCOMPARE(colors.largest, QString::fromStdString(formatSeconds(plan.profile->nodes[slowest].time())));
        QVERIFY(colors.isHeat());
    }

    void equalKindsHaveEqualColours()
    {
        const PlanView plan = sample::plan(2, 2);
        const GraphColors colors = graphColors(plan, ColorBy::OpKind, themeOf(lightPalette()));
        QVERIFY(!colors.categories.empty());
        for (const NodeId a : plan.graph->nodes())
            for (const NodeId b : plan.graph->nodes())
                if ((*plan.graph)[a].target == (*plan.graph)[b].target)
                    QCOMPARE(colors.fill[a], colors.fill[b]);
    }
};

QTEST_MAIN(TestGraphColors)
#include "tst_graph_colors.moc"
