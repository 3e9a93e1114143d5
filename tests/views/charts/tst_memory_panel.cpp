#include "views/charts/memory_panel.h"

#include "core/profile/memory/live_memory.h"
#include "tests/views/sample_plan.h"
#include "views/base/cell_delegate.h"
#include "views/base/format.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

#include <numeric>

using namespace stagecraft;

class TestMemoryPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void rowsOfEveryKindAddUpToThePeak();
    void longListsKeepTheirSum();
    void modulesHoldWhatIsBelowThem();
    void choosingARowSelectsItsOps();
    void figuresOfTheDeviceAreSaid();
    void theLargestBatchCanBeAskedFor();
    void nothingIsThereWithoutAProfile();
    void rowsAreComparedWithTheSameRows();
    void differencesStandBesideBytes();

private:
    static Bytes sum(const std::vector<MemoryRow>& rows)
    {
        return std::accumulate(rows.begin(), rows.end(), Bytes(0),
                               [](Bytes total, const MemoryRow& row) { return total + row.bytes; });
    }
    QTreeWidget* rows() const { return m_panel->findChild<QTreeWidget*>(); }
    bool says(const QString& text) const
    {
        for (const QLabel* label : m_panel->findChildren<QLabel*>())
            if (label->text().contains(text) && !label->isHidden())
                return true;
        return false;
    }

    PlanView m_plan;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<MemoryPanel> m_panel;
};

// Every op keeps its weights and two activations; one input belongs to none.
void TestMemoryPanel::init()
{
    m_plan = sample::plan(4, 2);
    auto profile = std::make_shared<Profile>(*m_plan.profile);
    MemoryTimeline& memory = profile->memory;
    const auto end = static_cast<std::uint32_t>(memory.samples.size());
    memory.lives.push_back({MemoryCategory::Inputs, Bytes(100), 0, end, {}, {}});
    for (const NodeId node : m_plan.graph->nodes()) {
        const ValueId made = (*m_plan.graph)[node].results.front();
        const auto size = static_cast<std::int64_t>(node.index() + 1);
        memory.lives.push_back({MemoryCategory::Parameters, Bytes(1000 * size), 0, end, node, {}});
        memory.lives.push_back({MemoryCategory::SavedActivations, Bytes(10 * size), 0, end, node, made});
        memory.lives.push_back({MemoryCategory::Temporaries, Bytes(1), 0, 1, node, made}); // gone at the peak
    }
    profile->stepMemory.laterSteps = {Bytes(1 << 20), Bytes(2 << 20), Bytes(3 << 20)};
    profile->stepMemory.fits = true;
    profile->options.device.name = "Toy";
    profile->options.device.memory = Bytes(4 << 20);
    m_plan.profile = profile;
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<MemoryPanel>(m_selection.get());
    m_panel->resize(400, 600);
    m_panel->setPlan(m_plan);
    m_panel->show();
}

void TestMemoryPanel::rowsOfEveryKindAddUpToThePeak()
{
    const Bytes peak = memoryAt(m_plan.profile->memory, m_plan.profile->memory.peakSample).total();
    QVERIFY(peak > Bytes(0));
    for (const MemoryBy by : {MemoryBy::Category, MemoryBy::Module, MemoryBy::Op})
        QCOMPARE(sum(rowsAtPeak(m_plan, by)).count(), peak.count());
    const auto categories = rowsAtPeak(m_plan, MemoryBy::Category);
    QCOMPARE(categories.size(), std::size_t{3});
    QCOMPARE(categories[0].name, QString("Parameters"));
    for (const MemoryRow& category : categories)
        QCOMPARE(sum(category.children).count(), category.bytes.count());
}

void TestMemoryPanel::longListsKeepTheirSum()
{
    auto profile = std::make_shared<Profile>(*m_plan.profile);
    for (int i = 0; i < 500; ++i)
        profile->memory.lives.push_back({MemoryCategory::Outputs,
                                         Bytes(i + 1),
                                         0,
                                         static_cast<std::uint32_t>(profile->memory.samples.size()),
                                         {},
                                         {}});
    m_plan.profile = profile;
    const MemoryRow outputs = rowsAtPeak(m_plan, MemoryBy::Category).back();
    QCOMPARE(outputs.bytes, Bytes(500 * 501 / 2));
    QCOMPARE(outputs.children.size(), std::size_t{201});
    QCOMPARE(outputs.children.front().bytes, Bytes(500));
    QCOMPARE(outputs.children.back().name, QString("and 300 more"));
    QCOMPARE(sum(outputs.children).count(), outputs.bytes.count());
}

void TestMemoryPanel::modulesHoldWhatIsBelowThem()
{
    const auto modules = rowsAtPeak(m_plan, MemoryBy::Module);
    QCOMPARE(modules.size(), std::size_t{2}); // the model, and what is of no op
    QCOMPARE(modules[0].nodes.size(), m_plan.graph->nodeCount());
    const MemoryRow* row = &modules[0];
    while (!row->children.empty()) {
        QVERIFY(sum(row->children) <= row->bytes);
        QVERIFY(std::ranges::is_sorted(row->children, std::greater(), &MemoryRow::bytes));
        row = &row->children.front();
    }
    QCOMPARE(modules[1].bytes, Bytes(100));
}

void TestMemoryPanel::choosingARowSelectsItsOps()
{
    auto* by = m_panel->findChild<QComboBox*>();
    by->setCurrentIndex(by->findData(int(MemoryBy::Op)));
    rows()->setCurrentItem(rows()->topLevelItem(0)); // the last op holds most
    QCOMPARE(m_selection->nodes(), std::vector{NodeId(m_plan.graph->nodeCount() - 1)});
    by->setCurrentIndex(by->findData(int(MemoryBy::Category)));
    rows()->setCurrentItem(rows()->topLevelItem(0));
    QCOMPARE(m_selection->nodes().size(), m_plan.graph->nodeCount());
}

void TestMemoryPanel::figuresOfTheDeviceAreSaid()
{
    QVERIFY(says("fits on one Toy"));
    QVERIFY(says("<b>1.00 MiB</b> allocated"));
    QVERIFY(says("<b>2.00 MiB</b> reserved"));
    QVERIFY(says("<b>3.00 MiB</b> on the device, of 4.00 MiB"));
    auto profile = std::make_shared<Profile>(*m_plan.profile);
    profile->stepMemory.fits = false;
    m_plan.profile = profile;
    m_panel->setPlan(m_plan);
    QVERIFY(says("does not fit on one Toy"));
}

void TestMemoryPanel::theLargestBatchCanBeAskedFor()
{
    QSignalSpy asked(m_panel.get(), &MemoryPanel::largestBatchRequested);
    auto* find = m_panel->findChild<QPushButton*>();
    find->click();
    QCOMPARE(asked.size(), 1);
    m_panel->setBatchState(MemoryPanel::BatchState::Searching);
    QVERIFY(!find->isEnabled());
    m_panel->setLargestBatch(LargestBatch{.batch = 24, .total = Bytes(3 << 20)});
    QVERIFY(says("At most 24 in a batch: 3.00 MiB"));
    QVERIFY(find->isHidden());
    m_panel->setPlan(m_plan); // the same profile: the answer stands
    QVERIFY(says("At most 24"));
    QCOMPARE(largestBatchText({}), QString("No input of this model has a batch dimension."));
    QCOMPARE(largestBatchText(LargestBatch{}), QString("Not even a batch of 1 fits."));
    QVERIFY(
        largestBatchText(LargestBatch{.basis = LargestBatch::Basis::Scaled, .batch = 8}).contains("grow"));
}

void TestMemoryPanel::nothingIsThereWithoutAProfile()
{
    m_panel->setPlan({});
    QVERIFY(!rows()->isVisible());
    QVERIFY(says("once a model is profiled"));
    QCOMPARE(peakMoment({}), QString());
    QVERIFY(rowsAtPeak({}, MemoryBy::Op).empty());
}

void TestMemoryPanel::rowsAreComparedWithTheSameRows()
{
    for (const MemoryBy by : {MemoryBy::Category, MemoryBy::Module, MemoryBy::Op}) {
        std::vector<MemoryRow> rows = rowsAtPeak(m_plan, by);
        compareRows(rows, m_plan, by);
        for (const MemoryRow& row : rows)
            QCOMPARE(row.compared, std::optional(row.bytes)); // with itself
    }
    auto profile = std::make_shared<Profile>(*m_plan.profile);
    const auto end = static_cast<std::uint32_t>(profile->memory.samples.size());
    std::erase_if(profile->memory.lives, [](const LiveInterval& live) {
        return live.category == MemoryCategory::SavedActivations && live.node == NodeId(0);
    });
    profile->memory.lives.push_back({MemoryCategory::Gradients, Bytes(7), 0, end, NodeId(1), {}});
    const PlanView other{.graph = m_plan.graph, .profile = profile};
    std::vector<MemoryRow> categories = rowsAtPeak(m_plan, MemoryBy::Category);
    compareRows(categories, other, MemoryBy::Category);
    QCOMPARE(categories.size(), std::size_t{4});
    QCOMPARE(std::ranges::count(categories, Bytes(7),
                                [](const MemoryRow& row) { return row.compared.value_or(Bytes(0)); }),
             1); // only the other has gradients
    const auto saved = std::ranges::find(categories, MemoryCategory::SavedActivations, &MemoryRow::category);
    QCOMPARE(saved->bytes - saved->compared.value(), Bytes(10));
    std::vector<MemoryRow> ops = rowsAtPeak(m_plan, MemoryBy::Op);
    compareRows(ops, other, MemoryBy::Op);
    const auto bytesOf = [&](const char* name) { // here, there
        const auto row = std::ranges::find(ops, name, &MemoryRow::name);
        return std::pair(row->bytes.count(), row->compared.value().count());
    };
    QCOMPARE(bytesOf("embed"), std::pair(1010L, 1000L));
    QCOMPARE(bytesOf("norm1_0"), std::pair(2020L, 2027L));
}

void TestMemoryPanel::differencesStandBesideBytes()
{
    auto other = std::make_shared<ComparedPlan>();
    auto profile = std::make_shared<Profile>(*m_plan.profile);
    for (LiveInterval& live : profile->memory.lives)
        if (live.category == MemoryCategory::Parameters)
            live.bytes = Bytes(live.bytes.count() / 2);
    other->profile = profile;
    m_panel->setCompared(other);
    const QTreeWidgetItem* parameters = rows()->topLevelItem(0);
    const auto content = parameters->data(1, cellRole).value<CellContent>();
    const auto categories = rowsAtPeak(m_plan, MemoryBy::Category);
    QCOMPARE(content.change, '+' + toText(Bytes(categories[0].bytes.count() / 2)));
    QCOMPARE(content.changeKind, CellContent::Change::Worse);
    QVERIFY(parameters->toolTip(1).contains("in B"));
    QCOMPARE(rows()->topLevelItem(1)->data(1, cellRole).value<CellContent>().change, QString());
    m_panel->setCompared(nullptr);
    QCOMPARE(rows()->topLevelItem(0)->data(1, cellRole).value<CellContent>().change, QString());
}

QTEST_MAIN(TestMemoryPanel)
#include "tst_memory_panel.moc"
