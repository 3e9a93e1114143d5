#include "views/charts/step_memory_panel.h"

#include "core/profile/memory/live_memory.h"
#include "tests/views/sample_plan.h"
#include "views/base/cell_delegate.h"
#include "views/base/format.h"
#include "views/charts/stages_memory_plot.h"
#include "views/charts/step_memory_plot.h"

#include <QComboBox>
#include <QSignalSpy>
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

// Each stage takes a second for either pass, keeps 10 bytes of a microbatch and needs 1 while it runs.
std::shared_ptr<const StagesMemory> runStages(ScheduleKind kind, std::size_t stages, std::size_t devices,
                                              Bytes limit = Bytes::max())
{
    const Schedule schedule = makeSchedule(kind, stages, devices, 2 * stages).value();
    ScheduleCosts costs;
    std::vector<DeviceCost> deviceCosts(devices);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        StageTimes times;
        times.forward = times.backwardInput = Seconds(1);
        times.state = Bytes(static_cast<std::int64_t>(100 * (stage + 1)));
        times.saved = Bytes(10);
        times.transient = Bytes(1);
        costs.stages.push_back(times);
        if (stage > 0)
            costs.links.push_back({stage - 1, stage});
        DeviceCost& device = deviceCosts[schedule.deviceOfStage[stage]];
        device.stages.push_back(StageId(stage));
        device.memoryLimit = limit;
    }
    const Timeline timeline = simulate(schedule, costs).value();
    return std::make_shared<const StagesMemory>(stagesMemoryOf(timeline, costs.stages, deviceCosts));
}

void choose(const StepMemoryPanel& panel, const QString& scope)
{
    auto* scopes = panel.findChild<QComboBox*>();
    QVERIFY2(scopes->findText(scope) >= 0, qPrintable(scope));
    scopes->setCurrentIndex(scopes->findText(scope));
}

// "Saved activations +12 KiB" of every row of the table that differs from B's.
QStringList changes(const StepMemoryPanel& panel)
{
    QStringList found;
    const auto* alive = panel.findChild<QTreeWidget*>();
    for (int i = 0; i < alive->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* item = alive->topLevelItem(i);
        if (const auto bytes = item->data(1, cellRole).value<CellContent>(); !bytes.change.isEmpty())
            found << item->text(0) + ' ' + bytes.change;
    }
    return found;
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
        choose(panel, "Whole model on one device");
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
        choose(panel, stageName(StageId(0)));
        QVERIFY(panel.text().startsWith("Peak "));
        QCOMPARE(plot->memory().samples, stackedMemory(m_plan, StageId(0)).samples);
        panel.setPlan({});
        QCOMPARE(plot->memory().samples.size(), std::size_t{0});
    }

    // One, several, more than there are colours, and several on a device.
    void allStagesAreOnOneAxis_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("devices");
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("three") << 3 << 3;
        QTest::newRow("sixteen") << 16 << 16;
        QTest::newRow("two each") << 8 << 4;
    }

    void allStagesAreOnOneAxis()
    {
        QFETCH(int, stages);
        QFETCH(int, devices);
        const auto count = static_cast<std::size_t>(stages);
        const auto memory = runStages(stages == devices ? ScheduleKind::OneFOneB : ScheduleKind::Interleaved,
                                      count, static_cast<std::size_t>(devices), Bytes(2000));
        m_plan = sample::plan(4, count);
        Selection selection;
        StepMemoryPanel panel(&selection);
        QSignalSpy wanted(&panel, &StepMemoryPanel::stagesWanted);
        connect(&panel, &StepMemoryPanel::stagesWanted, [&] { panel.setStages(memory); });
        panel.resize(1000, 300);
        panel.setPlan(m_plan);
        choose(panel, "Whole model on one device");
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QCOMPARE(wanted.size(), 0);
        choose(panel, "All stages over the step");
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(panel.text(), peakText(*memory));
        QVERIFY(panel.stagesPlot()->isVisible() && !panel.plot()->isVisible());
        const auto* alive = panel.findChild<QTreeWidget*>();
        QCOMPARE(alive->topLevelItemCount(), devices);
        QCOMPARE(alive->topLevelItem(0)->text(0), stages == devices ? "Stage 1" : "Device 1");
        const Seconds middle = memory->end / 2;
        const QPoint place(static_cast<int>(panel.stagesPlot()->timeToPixel(middle)), 100);
        QTest::mouseMove(panel.stagesPlot(), place - QPoint(30, 0)); // where it is already tells nothing
        QTest::mouseMove(panel.stagesPlot(), place);
        QTRY_VERIFY(panel.text() != peakText(*memory) && panel.text().endsWith('s'));
        QTest::mouseClick(panel.stagesPlot(), Qt::LeftButton, {}, place);
        QVERIFY(selection.stage() && selection.stage()->index() < count);
        panel.setPlan(m_plan); // another plan: its step is asked for, the scope stays
        QCOMPARE(wanted.size(), 2);
        panel.setPlan({});
        QCOMPARE(panel.findChild<QComboBox*>()->count(), 1);
    }

    // Of a plan of stages their memory matters; what a person chose stays.
    void stagesAreWhatIsShownAtFirst()
    {
        Selection selection;
        StepMemoryPanel panel(&selection);
        auto* scopes = panel.findChild<QComboBox*>();
        PlanView whole = m_plan;
        whole.partition = nullptr;
        whole.cost = nullptr;
        panel.setPlan(whole);
        QCOMPARE(scopes->currentText(), QString("Whole model on one device"));
        panel.setPlan(m_plan);
        QCOMPARE(scopes->currentText(), QString("All stages over the step"));
        choose(panel, "Whole model on one device");
        panel.setPlan(whole);
        panel.setPlan(m_plan);
        QCOMPARE(scopes->currentText(), QString("Whole model on one device"));
        choose(panel, stageName(StageId(1)));
        panel.setPlan(planWithLives());
        QCOMPARE(scopes->currentText(), stageName(StageId(1)));
    }

    void aStepThatIsNotKnownIsSaidToBe()
    {
        Selection selection;
        StepMemoryPanel panel(&selection);
        panel.setPlan(m_plan);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        choose(panel, "All stages over the step");
        QCOMPARE(panel.text(), QString("The step of this plan is not known yet."));
        QCOMPARE(panel.findChild<QTreeWidget*>()->topLevelItemCount(), 0);
        m_plan.cost = nullptr; // not planned yet
        panel.setPlan(m_plan);
        QCOMPARE(panel.findChild<QComboBox*>()->count(), 1);
    }

    // B keeps half of what is saved for backward, and nothing else differs.
    void rowsTellWhatDiffersFromB()
    {
        auto less = std::make_shared<Profile>(*m_plan.profile);
        for (LiveInterval& life : less->memory.lives)
            if (life.category == MemoryCategory::SavedActivations)
                life.bytes = Bytes(life.bytes.count() / 2);
        auto other = std::make_shared<ComparedPlan>();
        other->profile = less;
        other->partition = m_plan.partition;
        other->cost = m_plan.cost;
        Selection selection;
        StepMemoryPanel panel(&selection);
        panel.resize(1000, 300);
        panel.setPlan(m_plan);
        choose(panel, "Whole model on one device");
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const std::size_t peak = panel.plot()->memory().peak;
        const Bytes saved = panel.plot()->memory().uses[peak][MemoryCategory::SavedActivations];
        QCOMPARE(changes(panel), QStringList());
        panel.setCompared(other);
        QCOMPARE(changes(panel),
                 QStringList{"Saved activations " + changeText(Bytes(saved.count() / 2), saved)});
        choose(panel, stageName(StageId(1)));
        QCOMPARE(changes(panel).size(), 1);
        const auto memory = runStages(ScheduleKind::OneFOneB, 3, 3);
        const auto fuller = runStages(ScheduleKind::OneFOneB, 4, 4);
        connect(&panel, &StepMemoryPanel::stagesWanted, [&] { panel.setStages(fuller); });
        connect(&panel, &StepMemoryPanel::comparedStagesWanted, [&] { panel.setComparedStages(memory); });
        choose(panel, "All stages over the step");
        QVERIFY(changes(panel).last().startsWith("Stage 4 +")); // B has none such
        panel.setCompared(nullptr);
        QCOMPARE(changes(panel), QStringList());
    }

    void theSeriesOfCategoriesAddsUp()
    {
        for (const std::optional<StageId> stage : {std::optional<StageId>(), std::optional(StageId(1))}) {
            const StackedMemory memory = stackedMemory(m_plan, stage);
            const QStringList lines = seriesCsv(m_plan, memory).split("\r\n", Qt::SkipEmptyParts);
            QCOMPARE(lines.size(), static_cast<qsizetype>(memory.samples.size() + 1));
            const QStringList titles = lines.front().split(',');
            QCOMPARE(titles.last(), "total [bytes]");
            const QStringList peak = lines[static_cast<qsizetype>(memory.peak) + 1].split(',');
            QCOMPARE(peak.last().toLongLong(), memory.totalAt(memory.peak).count());
            long long sum = 0;
            for (qsizetype i = peak.size() - 2; titles[i].endsWith("[bytes]"); --i)
                sum += peak[i].toLongLong();
            QCOMPARE(sum, peak.last().toLongLong());
        }
    }

    void aMomentIsFoundAgainInAnotherPlan()
    {
        const StackedMemory all = stackedMemory(m_plan, {});
        const StackedMemory one = stackedMemory(m_plan, StageId(1));
        for (std::size_t at = 0; at < one.samples.size(); ++at) {
            const auto same = samePosition(*m_plan.profile, one, at, *m_plan.profile, all);
            QVERIFY(same);
            const MemorySample& here = m_plan.profile->memory.samples[one.samples[at]];
            const MemorySample& there = m_plan.profile->memory.samples[all.samples[*same]];
            QCOMPARE(momentText(*m_plan.graph, there), momentText(*m_plan.graph, here));
        }
        Profile other = *m_plan.profile;
        for (MemorySample& sample : other.memory.samples)
            sample.isRecomputed = true;
        QVERIFY(!samePosition(*m_plan.profile, all, 0, other, all));
    }

    void rowsOfAllStagesAddUp()
    {
        for (const auto& memory : {runStages(ScheduleKind::OneFOneB, 4, 4),
                                   runStages(ScheduleKind::Interleaved, 8, 4, Bytes(700))}) {
            for (double second = 0.5; second < memory->end.value(); second += 1) {
                const std::vector<MemoryRow> rows = rowsAt(*memory, Seconds(second));
                QCOMPARE(rows.size(), std::size_t{4});
                for (const MemoryRow& row : rows) {
                    Bytes sum;
                    for (const MemoryRow& child : row.children)
                        sum += child.bytes;
                    QCOMPARE(sum, row.bytes);
                    QVERIFY(heldText(*memory, Seconds(second)).contains(row.name + ": " + toText(row.bytes)));
                    if (memory->sharesDevices())
                        QCOMPARE(row.detail,
                                 row.bytes > Bytes(700) ? "over its limit of 700 B" : "limit 700 B");
                }
            }
        }
    }

    void theSeriesHasEveryMoment()
    {
        const auto memory = runStages(ScheduleKind::OneFOneB, 2, 2);
        const QStringList lines = seriesCsv(*memory).split("\r\n", Qt::SkipEmptyParts);
        QCOMPARE(lines.front(), QString("Time [s],Stage 1 [bytes],Stage 2 [bytes]"));
        QCOMPARE(lines[1], QString("0,100,200"));
        QCOMPARE(lines[2], QString("0,111,200")); // the first forward begins
        QCOMPARE(lines.back().section(',', 1), QString("100,200"));
        std::array<std::int64_t, 2> most{};
        for (const QString& line : lines.mid(1))
            for (int stage = 0; stage < 2; ++stage)
                most[static_cast<std::size_t>(stage)] =
                    std::max<std::int64_t>(most[static_cast<std::size_t>(stage)],
                                           line.section(',', stage + 1, stage + 1).toLongLong());
        QCOMPARE(most[0], peakOf(memory->memory[0]).bytes.count());
        QCOMPARE(most[1], peakOf(memory->memory[1]).bytes.count());
    }

private:
    PlanView m_plan;
};

QTEST_MAIN(TestStepMemory)
#include "tst_step_memory.moc"
