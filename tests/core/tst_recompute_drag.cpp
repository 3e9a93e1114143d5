// Figures while boundaries are dragged and stages choose anew: those of a trace where nothing changed, near
// it elsewhere.
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/recompute_drag.h"
#include "core/recompute_search.h"
#include "tests/core/recomputed_plans.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

constexpr std::size_t stages = 3;

double relative(Seconds estimated, Seconds traced)
{
    return std::abs(estimated / traced - 1);
}
double relative(Bytes estimated, Bytes traced)
{
    return std::abs(estimated.asDouble() / traced.asDouble() - 1);
}

} // namespace

class TestRecomputeDrag : public QObject
{
    Q_OBJECT

private slots:
    void stagesThatStayHaveTheFiguresOfTheirTrace_data() { models(); }
    void stagesThatStayHaveTheFiguresOfTheirTrace();
    void stagesThatChangeAreNearTheirTrace_data() { models(); }
    void stagesThatChangeAreNearTheirTrace();
    void whereThereIsRoomNothingRunsAgain();
    void lookingAheadChangesNoFigures();

private:
    static void models()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("gpt2") << "gpt2-tiny.pt2";
        QTest::newRow("llama") << "llama-tiny.pt2";
    }

    struct Given
    {
        std::shared_ptr<const Model> model;
        PartitionOptions options;
        RecomputedPlan plan;

        const Partition& partition() const { return plan.found.solution.partition; }
        const PlanCost& cost() const { return plan.found.solution.cost; }
        RecomputeDrag drag() const
        {
            auto chooser = recomputeChooser(model, options, profiled);
            return {std::make_shared<const RecomputeChooser>(std::move(chooser).value()), partition(),
                    cost()};
        }
        // The legal places of a boundary, each so many.
        template <class Visit>
        void forEachPlace(BoundaryId boundary, std::size_t step, Visit&& visit) const
        {
            for (const std::size_t place : legalPositions(plan.of.problem, partition(), boundary))
                if (place % step == 0)
                    visit(moveBoundary(plan.of.problem, partition(), boundary, place).value().partition);
        }
    };
    // Of a limit between what all and what no recomputation holds.
    static const Given& given(const QString& file)
    {
        static std::map<QString, Given> made;
        const auto there = made.find(file);
        return there != made.end() ? there->second : made.emplace(file, make(file)).first->second;
    }
    static Given make(const QString& file)
    {
        const auto model = modelOf(file.toStdString().c_str());
        const Bytes none =
            found(model, optionsFor(RecomputeKind::None, stages)).found.solution.cost.peakMemory();
        const Bytes full =
            found(model, optionsFor(RecomputeKind::Full, stages)).found.solution.cost.peakMemory();
        const PartitionOptions options =
            optionsFor(RecomputeKind::Auto, stages, Bytes((none.count() + 2 * full.count()) / 3));
        return {model, options, found(model, options)};
    }
};

void TestRecomputeDrag::stagesThatStayHaveTheFiguresOfTheirTrace()
{
    QFETCH(QString, file);
    const Given& of = given(file);
    QVERIFY(std::ranges::any_of(of.cost().stages,
                                [](const StageCost& cost) { return cost.recomputed > Seconds{}; }));
    RecomputeDrag drag = of.drag();
    const auto compare = [&](const StageCost& dragged, const StageCost& traced) {
        QCOMPARE(dragged.peakMemory, traced.peakMemory);
        QCOMPARE(dragged.savedBytes, traced.savedBytes);
        QVERIFY(relative(dragged.compute(), traced.compute()) < 1e-9);
    };
    const PlanCost same = drag.of(of.partition());
    for (const StageId stage : same.stages.ids())
        compare(same.stages[stage], of.cost().stages[stage]);
    QVERIFY(relative(same.iteration, of.cost().iteration) < 1e-6);
    of.forEachPlace(BoundaryId(1), 1, [&](const Partition& moved) {
        compare(drag.of(moved).stages[StageId(0)], of.cost().stages[StageId(0)]);
    });
    const PlanCost back = drag.of(of.partition());
    QCOMPARE(back.peakMemory(), same.peakMemory());
}

void TestRecomputeDrag::stagesThatChangeAreNearTheirTrace()
{
    QFETCH(QString, file);
    const Given& of = given(file);
    RecomputeDrag drag = of.drag();
    double offTime = 0, offMemory = 0;
    int count = 0;
    of.forEachPlace(BoundaryId(0), 17, [&](const Partition& moved) {
        const PlanCost dragged = drag.of(moved);
        const PlanCost traced =
            evaluateRecomputedPlan(of.model, of.options, moved, profiled).value().found.solution.cost;
        for (const StageId stage : dragged.stages.ids()) {
            if (traced.stages[stage].nodeCount == 0)
                continue;
            offTime += relative(dragged.stages[stage].compute(), traced.stages[stage].compute());
            offMemory += relative(dragged.stages[stage].peakMemory, traced.stages[stage].peakMemory);
            ++count;
        }
    });
    qInfo("%d stages: compute off by %.2f %%, memory by %.2f %%", count, 100 * offTime / count,
          100 * offMemory / count);
    QVERIFY(count > 5);
    QVERIFY(offTime / count < 0.03);
    QVERIFY(offMemory / count < 0.03);
}

void TestRecomputeDrag::whereThereIsRoomNothingRunsAgain()
{
    Given of = given("gpt2-tiny.pt2");
    of.options.memoryLimits = {Bytes::max()};
    of.plan = found(of.model, of.options);
    RecomputeDrag drag = of.drag();
    of.forEachPlace(BoundaryId(0), 1, [&](const Partition& moved) {
        const PlanCost dragged = drag.of(moved);
        const PlanCost none = evaluate(of.plan.of.problem, moved);
        for (const StageId stage : none.stages.ids()) {
            QCOMPARE(dragged.stages[stage].recomputed, Seconds{});
            QCOMPARE(dragged.stages[stage].peakMemory, none.stages[stage].peakMemory);
        }
    });
}

void TestRecomputeDrag::lookingAheadChangesNoFigures()
{
    const Given& of = given("gpt2-tiny.pt2");
    RecomputeDrag ahead = of.drag();
    ahead.lookAhead();
    of.forEachPlace(BoundaryId(0), 17, [&](const Partition& moved) {
        RecomputeDrag copy = ahead; // as each drag begins
        const PlanCost dragged = copy.of(moved), without = of.drag().of(moved);
        for (const StageId stage : dragged.stages.ids()) {
            QCOMPARE(dragged.stages[stage].peakMemory, without.stages[stage].peakMemory);
            QCOMPARE(dragged.stages[stage].compute(), without.stages[stage].compute());
        }
    });
}

QTEST_GUILESS_MAIN(TestRecomputeDrag)
#include "tst_recompute_drag.moc"
