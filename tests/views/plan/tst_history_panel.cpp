#include "views/plan/history_panel.h"

#include "core/plan/plan_difference.h"
#include "tests/views/sample_plan.h"
#include "tests/views/view_test.h"
#include "views/base/theme.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

using namespace stagecraft;

class TestHistoryPanel : public QObject
{
    Q_OBJECT

private slots:
    void columnsAreWiderOnlyWhileThereAreDifferences();
    void aRightClickActsOnThePlanBelowIt();
};

namespace {

// One like the sample, and one that takes twice as long.
std::vector<HistoryEntry> twoPlans()
{
    const PlanView view = sample::plan(4, 4);
    ComparedPlan first = *sample::slowerPlan(view);
    first.cost = view.cost;
    return {{.id = 1, .setup = "4 × A", .origin = "Opened", .when = {}, .plan = first},
            {.id = 2, .setup = "4 × A", .origin = "Moved", .when = {}, .plan = *sample::slowerPlan(view)}};
}

} // namespace

void TestHistoryPanel::columnsAreWiderOnlyWhileThereAreDifferences()
{
    const std::vector<HistoryEntry> plans = twoPlans();
    HistoryPanel panel;
    panel.resize(1400, 300);
    panel.show();
    const QAbstractItemView* view = panel.findChild<QTreeView*>();
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
    for (int column = 1; column <= static_cast<int>(planFigureCount); ++column) {
        const int text = view->sizeHintForColumn(column);
        QVERIFY2(compared[column] >= text, qPrintable(QString::number(column)));
        QVERIFY2(compared[column] <= std::max(alone[column], text + em(&panel, 2)),
                 qPrintable(QString::number(column))); // no room for differences twice
    }
    panel.setPlans(plans, 2, {});
    QCOMPARE(widths(), alone);
}

void TestHistoryPanel::aRightClickActsOnThePlanBelowIt()
{
    HistoryPanel panel;
    panel.resize(1400, 300);
    panel.show();
    panel.setPlans(twoPlans(), 2, {});
    auto* view = panel.findChild<QTreeView*>();
    const auto placeOf = [view](int row) { return view->visualRect(view->model()->index(row, 0)).center(); };
    const QStringList always{"Copy as CSV", "Copy as Markdown", "Save table…", "Filter rows"};
    QCOMPARE(menuAt(view->viewport(), placeOf(0)),
             QStringList({"(Go back to it)", "★ Star", "Keep as B", "(Remove)"}) + always);
    QCOMPARE(menuAt(view->viewport(), placeOf(1)),
             QStringList({"Go back to it", "★ Star", "Keep as B", "Remove"}) + always);
    QCOMPARE(menuAt(view->viewport(), {20, view->viewport()->height() - 5}), always);
    QSignalSpy returned(&panel, &HistoryPanel::returnRequested);
    view->setCurrentIndex(view->model()->index(0, 0));
    menuAt(view->viewport(), placeOf(1), "Go back to it");
    QCOMPARE(returned.count(), 1);
    QCOMPARE(returned[0][0].toULongLong(), 1ULL);
    QContextMenuEvent byKey(QContextMenuEvent::Keyboard, {0, 0}, view->mapToGlobal(QPoint()));
    QStringList offered;
    QTimer::singleShot(0, view, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        offered << menu->actions().front()->text();
        menu->close();
    });
    QApplication::sendEvent(view, &byKey);
    QCOMPARE(offered, QStringList("Go back to it")); // of the current row, the first that was made
}

QTEST_MAIN(TestHistoryPanel)
#include "tst_history_panel.moc"
