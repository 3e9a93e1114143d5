#include "views/charts/chart_kinds.h"

#include "tests/views/sample_plan.h"
#include "views/charts/chart_area.h"

#include <QtTest>

using namespace stagecraft;

namespace {

// What each area of a plot reaches over; of one that has no values, nothing that is in any range.
QList<QCPRange> areasOf(QCustomPlot& plot)
{
    QList<QCPRange> ranges;
    for (int i = 0; i < plot.plottableCount(); ++i) {
        const auto* area = qobject_cast<StepArea*>(plot.plottable(i));
        if (area == nullptr)
            continue;
        bool isFound = false;
        ranges << area->getValueRange(isFound, QCP::sdBoth, QCPRange());
        if (!isFound)
            ranges.last().lower = ranges.last().upper = qQNaN();
    }
    return ranges;
}

} // namespace

class TestChartKinds : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_data = {};
        m_data.setPlan(sample::plan(4, 2)); // 34 ops, the boundary at 17
    }

    void eachSaysWhatItShows()
    {
        QStringList titles;
        QStringList hovers;
        for (const ChartKind& kind : chartKinds()) {
            titles << kind.title(m_data).section(',', 0, 0);
            hovers << kind.hover(m_data, 3);
        }
        QCOMPARE(titles, (QStringList{"Memory of each stage's device", "Time of each op: forward up",
                                      "Bytes across a boundary"}));
        QVERIFY(hovers[0].endsWith(" held"));
        QVERIFY(hovers[1].startsWith("forward "));
        QVERIFY(hovers[2].endsWith(" before it"));
    }

    // Areas are inside the range that a kind asks for; a limit may be far above.
    void whatIsDrawnIsInItsRange()
    {
        QCustomPlot plot;
        for (const ChartKind& kind : chartKinds()) {
            plot.clearPlottables();
            const Theme theme = applicationTheme();
            kind.draw({.key = plot.xAxis, .value = plot.yAxis, .theme = theme, .labelFont = {}}, m_data);
            const QCPRange range = kind.range(m_data);
            const QList<QCPRange> areas = areasOf(plot);
            QVERIFY(!areas.isEmpty());
            for (const QCPRange& drawn : areas)
                QVERIFY(drawn.lower >= range.lower && drawn.upper <= range.upper);
        }
    }

    // By the logarithm, too: the smallest time has a height, the largest is inside.
    void logarithmsAreInTheirRange()
    {
        m_data.setLook(ValueLook::Logarithmic);
        QVERIFY(m_data.times.cut.empty());
        QCustomPlot plot;
        const Theme theme = applicationTheme();
        for (const ChartKind& kind : chartKinds()) {
            plot.clearPlottables();
            const ValueScale values = kind.logarithmic(m_data);
            QVERIFY(values.isLogarithmic());
            kind.draw(
                {.key = plot.xAxis, .value = plot.yAxis, .theme = theme, .labelFont = {}, .values = values},
                m_data);
            const QCPRange range = kind.range(m_data);
            double highest = 0;
            for (const QCPRange& drawn : areasOf(plot)) {
                QVERIFY(drawn.lower >= values.shown(range.lower) && drawn.upper <= values.shown(range.upper));
                highest = std::max(highest, drawn.upper);
            }
            QVERIFY(highest > 1);
        }
    }

    void legendsNameWhatIsThere()
    {
        const auto namesOf = [&](const ChartKind& kind) {
            QStringList names;
            for (const ChartLegendEntry& entry : kind.legend(m_data, applicationTheme()))
                names << entry.name;
            return names.join(", ");
        };
        QVERIFY(namesOf(chartKinds()[0]).startsWith("weights, state, buffers, kept for backward, peak"));
        QCOMPARE(namesOf(chartKinds()[1]), "forward, backward");
        QVERIFY(!namesOf(chartKinds()[0]).contains("runs again"));
        m_data.memory.limits.assign(m_data.memory.limits.size(), 1.0);
        QVERIFY(namesOf(chartKinds()[0]).contains("limit, above it"));
        for (const double times : {1.5, 2.0}) { // as high as all that is held: a line, or words in the title
            m_data.memory.limits.assign(m_data.memory.limits.size(), times * m_data.memory.highest);
            QCOMPARE(namesOf(chartKinds()[0]).contains("limit"), times < farLimit);
        }
        auto inference = std::make_shared<Profile>(*m_data.plan.profile);
        inference->options.mode = TrainingMode::Infer;
        m_data.plan.profile = inference;
        QCOMPARE(namesOf(chartKinds()[1]), "forward");
    }

    void stagesPartTheOps()
    {
        const auto stages = m_data.stages();
        QCOMPARE(stages.size(), std::size_t{2});
        QCOMPARE(stages[0].first, std::size_t{0});
        QCOMPARE(stages[0].end, std::size_t{17});
        QCOMPARE(stages[1].first, std::size_t{17});
        QCOMPARE(stages[1].end, std::size_t{34});
    }

    void runsOfOpsAreJoined()
    {
        const auto text = [&](std::size_t most) {
            QString joined;
            for (const auto& [first, end] :
                 m_data.runsOf({NodeId(7), NodeId(1), NodeId(2), NodeId(12)}, most))
                joined += QString("%1-%2 ").arg(first).arg(end);
            return joined.trimmed();
        };
        QCOMPARE(text(10), "1-3 7-8 12-13");
        QCOMPARE(text(2), "1-3 7-13");
    }

    void withoutAProfileNothingIsLeft()
    {
        m_data.setAxis(ExecutionAxis::CumulativeTime);
        PlanView plan = m_data.plan;
        plan.profile = nullptr;
        m_data.setPlan(plan);
        QVERIFY(!m_data.hasCurves());
        QVERIFY(m_data.stages().empty());
        QCOMPARE(m_data.axis, ExecutionAxis::CumulativeTime);
        for (const ChartKind& kind : chartKinds())
            QVERIFY(kind.range(m_data).size() > 0);
    }

private:
    ChartData m_data;
};

QTEST_MAIN(TestChartKinds)
#include "tst_chart_kinds.moc"
