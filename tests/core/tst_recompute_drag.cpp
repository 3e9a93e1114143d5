// Figures while boundaries are dragged and stages choose anew: those of a trace where nothing changed, near
// it elsewhere.
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/recompute_drag.h"
#include "core/recompute_search.h"
#include "core/search/improve/even_split.h"
#include "tests/core/recomputed_plans.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

constexpr std::size_t stages = 3;

// All that is shown of a stage.
QString figuresOf(const StageCost& cost)
{
    QString text;
    for (const Seconds time : {cost.forward, cost.backwardInput, cost.backwardWeight, cost.recomputed,
                               cost.receive, cost.send, cost.load})
        text += QString::number(time.value(), 'g', 12) + ' ';
    for (const Bytes bytes : {cost.parameterBytes, cost.stateBytes, cost.savedBytes, cost.transientBytes,
                              cost.nodeBytes, cost.turns.forward, cost.turns.backward, cost.waitingBytes,
                              cost.releasedBytes, cost.runtimeBytes, cost.peakMemory, cost.memoryLimit})
        text += QString::number(bytes.count()) + ' ';
    return text + QString::number(cost.nodeCount) + ' ' + QString::number(cost.inFlight);
}

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
    void aPlanThatStaysHasTheFiguresOfItsTrace_data() { rows({"gpt2", "llama", "mobilenet", "t5"}); }
    void aPlanThatStaysHasTheFiguresOfItsTrace();
    void stagesThatStayHaveThoseThatTheyAreDroppedWith_data() { rows({"gpt2", "llama", "mobilenet", "t5"}); }
    void stagesThatStayHaveThoseThatTheyAreDroppedWith();
    void stagesThatChangeAreNearTheirTrace_data() { rows({"gpt2", "llama", "mobilenet"}); }
    void stagesThatChangeAreNearTheirTrace();
    void whereThereIsRoomNothingRunsAgain();
    void lookingAheadChangesNoFigures();
    void theWayThereChangesNoFigures();

private:
    static void rows(std::initializer_list<const char*> models)
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<PipelineRuntime>("runtime");
        for (const char* const name : models)
            for (const PipelineRuntime runtime : {PipelineRuntime::Ideal, PipelineRuntime::Torch214})
                QTest::addRow("%s, %s", name, std::string(nameOf(pipelineRuntimes, runtime)).c_str())
                    << QString("%1-tiny.pt2").arg(name) << runtime;
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
            return {std::make_shared<const RecomputeChooser>(std::move(chooser).value()),
                    std::make_shared<const PartitionProblem>(plan.of.problem), partition()};
        }
        // What a trace says of those boundaries, with the regions that the stage has now, and no others.
        RecomputedProblem droppedAs(const Partition& moved, StageId stage) const
        {
            PartitionOptions asked = options;
            asked.recompute = {.kind = RecomputeKind::Plan,
                               .regions = plan.of.problem.options.recompute.regions};
            std::erase_if(asked.recompute.regions.regions, [&](const RecomputeRegion& region) {
                return partition().stageOf[region.nodes.front()] != stage;
            });
            return recomputedProblem(model, asked, profiled, &moved).value();
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
    // Of the row, or of that model; of a limit between what all and what no recomputation holds.
    static const Given& given()
    {
        QFETCH(QString, file);
        QFETCH(PipelineRuntime, runtime);
        return given(file, runtime);
    }
    static const Given& given(const QString& file, PipelineRuntime runtime = PipelineRuntime::Ideal)
    {
        static std::map<std::pair<QString, PipelineRuntime>, Given> made;
        const auto there = made.find({file, runtime});
        return there != made.end()
                   ? there->second
                   : made.emplace(std::pair(file, runtime), make(file, runtime)).first->second;
    }
    static Given make(const QString& file, PipelineRuntime runtime)
    {
        const auto model = modelOf(file);
        const auto asked = [&](RecomputeKind kind, Bytes limit = Bytes::max()) {
            PartitionOptions options = optionsFor(kind, stages, limit);
            options.runtime = runtime;
            return options;
        };
        const PartitionProblem none =
            recomputedProblem(model, asked(RecomputeKind::None), profiled, nullptr).value().problem;
        const Partition even = evenSplit(none).value();
        const auto evaluated = [&](const PartitionOptions& options) {
            return evaluateRecomputedPlan(model, options, even, profiled).value();
        };
        const Bytes all = evaluated(asked(RecomputeKind::Full)).found.solution.cost.peakMemory();
        const Bytes limit((evaluate(none, even).peakMemory().count() + 2 * all.count()) / 3);
        const PartitionOptions options = asked(RecomputeKind::Auto, limit);
        return {model, options, evaluated(options)};
    }
};

void TestRecomputeDrag::aPlanThatStaysHasTheFiguresOfItsTrace()
{
    const Given& of = given();
    QVERIFY(std::ranges::any_of(of.cost().stages,
                                [](const StageCost& cost) { return cost.recomputed > Seconds{}; }));
    RecomputeDrag drag = of.drag();
    const auto compare = [&] {
        const PlanCost same = drag.of(of.partition());
        for (const StageId stage : same.stages.ids())
            QCOMPARE(figuresOf(same.stages[stage]), figuresOf(of.cost().stages[stage]));
        QCOMPARE(same.iteration, of.cost().iteration);
        QCOMPARE(same.peakMemory(), of.cost().peakMemory());
    };
    compare();
    of.forEachPlace(BoundaryId(0), 29, [&](const Partition& moved) {
        drag.of(moved);
        compare();
    });
}

// What other stages recompute does not matter, so there it is nothing.
void TestRecomputeDrag::stagesThatStayHaveThoseThatTheyAreDroppedWith()
{
    const Given& of = given();
    RecomputeDrag drag = of.drag();
    int count = 0;
    for (const auto& [boundary, stays] : {std::pair(BoundaryId(0), StageId(2)), {BoundaryId(1), StageId(0)}})
        of.forEachPlace(boundary, 11, [&](const Partition& moved) {
            const RecomputedProblem dropped = of.droppedAs(moved, stays);
            QCOMPARE(figuresOf(drag.of(moved).stages[stays]),
                     figuresOf(evaluate(dropped.problem, moved).stages[stays]));
            ++count;
        });
    QVERIFY(count > 5);
}

void TestRecomputeDrag::stagesThatChangeAreNearTheirTrace()
{
    const Given& of = given();
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

// One drag over many places shows at each what one from where it began to there does, to the bit.
void TestRecomputeDrag::theWayThereChangesNoFigures()
{
    const Given& of = given("llama-tiny.pt2");
    const RecomputeDrag begun = of.drag();
    RecomputeDrag drag = begun;
    int count = 0;
    for (const BoundaryId boundary : {BoundaryId(0), BoundaryId(1), BoundaryId(0)})
        of.forEachPlace(boundary, 13, [&](const Partition& moved) {
            RecomputeDrag direct = begun;
            const PlanCost shown = drag.of(moved), anew = direct.of(moved);
            for (const StageId stage : anew.stages.ids())
                QCOMPARE(figuresOf(shown.stages[stage]), figuresOf(anew.stages[stage]));
            QCOMPARE(shown.iteration, anew.iteration);
            ++count;
        });
    QVERIFY(count > 5);
}

QTEST_GUILESS_MAIN(TestRecomputeDrag)
#include "tst_recompute_drag.moc"
