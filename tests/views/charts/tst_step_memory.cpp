#include "views/charts/step_memory_panel.h"

#include "core/profile/memory/live_memory.h"
#include "tests/views/sample_plan.h"
#include "views/base/format.h"
#include "views/charts/step_memory_plot.h"

#include <QComboBox>
#include <QTreeWidget>
#include <QtTest>

using namespace stagecraft;

namespace {

// The sample plan has no storages: some that live and die, one of each kind of owner.
PlanView planWithLives()
{
    PlanView plan = sample::plan(4, 3);
    auto profile = std::make_shared<Profile>(*plan.profile);
    auto& lives = profile->memory.lives;
    lives.clear();
    const auto count = static_cast<std::uint32_t>(profile->memory.samples.size());
    for (const NodeId node : plan.graph->nodes()) {
        lives.push_back({MemoryCategory::Parameters, Bytes(1000), 0, count, node, std::nullopt});
        const auto at = static_cast<std::uint32_t>(node.index()) % count;
        lives.push_back({MemoryCategory::SavedActivations, Bytes(10), at, count, node, std::nullopt});
    }
    lives.push_back({MemoryCategory::Inputs, Bytes(7), 0, count, std::nullopt, std::nullopt});
    std::ranges::stable_sort(lives, {}, &LiveInterval::first);
    plan.profile = profile;
    return plan;
}

} // namespace

class TestStepMemory : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_plan = planWithLives(); }

    void theWholeModelIsWhatIsAliveAtEachSample()
    {
        const MemoryTimeline& timeline = m_plan.profile->memory;
        const StackedMemory memory = stackedMemory(m_plan, {});
        QCOMPARE(memory.samples.size(), timeline.samples.size());
        for (std::size_t i = 0; i < memory.samples.size(); ++i) {
            QCOMPARE(memory.uses[i], memoryAt(timeline, i));
            QVERIFY(memory.totalAt(i) <= memory.totalAt(memory.peak));
        }
        QCOMPARE(memory.others, Bytes{});
    }

    void stagesShareWhatThereIs()
    {
        const StackedMemory whole = stackedMemory(m_plan, {});
        const std::size_t last = m_plan.profile->memory.samples.size() - 1;
        MemoryUse sum;
        for (std::size_t stage = 0; stage < 3; ++stage) {
            const auto uses = memoryOverStep(m_plan.profile->memory, [&](const LiveInterval& life) {
                return life.node ? m_plan.partition->stageOf[*life.node].index() == stage : stage == 0;
            });
            sum += uses[last];
            const StackedMemory memory = stackedMemory(m_plan, StageId(stage));
            QVERIFY(memory.samples.size() < whole.samples.size() || whole.samples.size() < 3);
            for (std::size_t i = 0; i < memory.samples.size(); ++i)
                QCOMPARE(memory.uses[i], uses[memory.samples[i]]);
            const StageCost& cost = m_plan.cost->stages[StageId(stage)];
            QCOMPARE(memory.others, cost.savedBytes * (cost.inFlight - 1));
        }
        QCOMPARE(sum, whole.uses[last]);
    }

    void rowsAddUpToTheMoment()
    {
        for (const std::optional<StageId> stage : {std::optional<StageId>(), std::optional(StageId(0))}) {
            const StackedMemory memory = stackedMemory(m_plan, stage);
            for (const std::size_t at :
                 {std::size_t{0}, memory.samples.size() / 2, memory.samples.size() - 1}) {
                Bytes sum;
                for (const MemoryRow& row : rowsAt(m_plan, stage, memory, at))
                    sum += row.bytes;
                QCOMPARE(sum, memory.totalAt(at));
            }
        }
        QVERIFY(rowsAt(m_plan, {}, stackedMemory(m_plan, {}), 1 << 30).empty());
    }

    void theMouseReadsAndAClickSelects()
    {
        Selection selection;
        StepMemoryPanel panel(&selection);
        panel.resize(1000, 300);
        panel.setPlan(m_plan);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(panel.text().startsWith("Peak "));
        StepMemoryPlot* plot = panel.plot();
        const std::size_t at = plot->memory().samples.size() / 2;
        const QPoint place(static_cast<int>(plot->positionToPixel(at)), plot->height() / 2);
        QTest::mouseMove(plot, place);
        const MemorySample& sample = m_plan.profile->memory.samples[plot->memory().samples[at]];
        const QString expected =
            momentText(*m_plan.graph, sample) + ": " + toText(plot->memory().totalAt(at));
        QTRY_VERIFY2(panel.text().startsWith(expected), qPrintable(panel.text() + " / " + expected));
        QTest::mouseClick(plot, Qt::LeftButton, {}, place);
        if (sample.node)
            QCOMPARE(selection.nodes(), std::vector<NodeId>{*sample.node});
        QVERIFY(panel.findChild<QTreeWidget*>()->topLevelItemCount() >= 2);
        panel.findChild<QComboBox*>()->setCurrentIndex(1);
        QVERIFY(panel.text().startsWith("Peak "));
        QCOMPARE(plot->memory().samples, stackedMemory(m_plan, StageId(0)).samples);
        panel.setPlan({});
        QCOMPARE(plot->memory().samples.size(), std::size_t{0});
    }

private:
    PlanView m_plan;
};

QTEST_MAIN(TestStepMemory)
#include "tst_step_memory.moc"
