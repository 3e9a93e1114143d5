#include "views/plan/history_panel.h"

#include "tests/views/sample_plan.h"

#include <QHeaderView>
#include <QTreeView>
#include <QtTest>

using namespace stagecraft;

class TestHistoryPanel : public QObject
{
    Q_OBJECT

private slots:
    void columnsAreWiderOnlyWhileThereAreDifferences();
};

void TestHistoryPanel::columnsAreWiderOnlyWhileThereAreDifferences()
{
    const ComparedPlan plan = *sample::slowerPlan(sample::plan(4, 4));
    const std::vector<HistoryEntry> plans{
        {.id = 1, .setup = "4 × A", .origin = "Opened", .when = {}, .plan = plan},
        {.id = 2, .setup = "4 × A", .origin = "Moved", .when = {}, .plan = plan}};
    HistoryPanel panel;
    panel.resize(1400, 300);
    panel.show();
    const auto* header = panel.findChild<QTreeView*>()->header();
    const auto widths = [&] {
        std::vector<int> all;
        for (int column = 0; column < header->count(); ++column)
            all.push_back(header->sectionSize(column));
        return all;
    };
    panel.setPlans(plans, 2, {});
    const std::vector<int> alone = widths();
    panel.setPlans(plans, 2, 1);
    const std::vector<int> compared = widths();
    QVERIFY(compared[1] > alone[1]); // the step
    panel.setPlans(plans, 2, {});
    QCOMPARE(widths(), alone);
}

QTEST_MAIN(TestHistoryPanel)
#include "tst_history_panel.moc"
