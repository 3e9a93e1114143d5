#include "views/plan/constraints_panel.h"

#include "tests/views/sample_plan.h"
#include "tests/views/view_test.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

using namespace stagecraft;

using Kind = ConstraintInForce::Kind;

class TestConstraintsPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void withoutAnyItSaysHowToMakeOne();
    void everyKindHasARow();
    void choosingOneSelectsItsOps();
    void deletingNamesWhatWasChosen_data();
    void deletingNamesWhatWasChosen();
    void deletingATitleLeavesWhatAFilterHides();
    void aRightClickDeletesWhatIsBelowIt();

private:
    QTreeWidget* rows() const { return m_panel->findChild<QTreeWidget*>(); }
    QPushButton* button() const { return m_panel->findChild<QPushButton*>(); }

    PlanView m_plan = sample::plan(4, 3);
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<ConstraintsPanel> m_panel;
};

void TestConstraintsPanel::init()
{
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<ConstraintsPanel>(m_selection.get());
    const Graph& graph = *m_plan.graph;
    const ValueId value = graph[NodeId(3)].outputs.front().values.front();
    m_panel->setConstraints({{Kind::Pin, {NodeId(1)}, StageId(0)},
                             {Kind::Pin, {NodeId(5)}, StageId(1)},
                             {Kind::Lock, {NodeId(7), NodeId(8)}, StageId(0)},
                             {Kind::Group, {NodeId(2), NodeId(3), NodeId(4)}},
                             {Kind::NeverCut, {NodeId(3), NodeId(4)}, {}, value},
                             {Kind::Limit, {}, {}, {}, {Bytes(std::int64_t{30} << 30)}}},
                            m_plan.graph);
}

void TestConstraintsPanel::withoutAnyItSaysHowToMakeOne()
{
    QVERIFY(!rows()->isHidden() && !button()->isHidden());
    m_panel->setConstraints({}, m_plan.graph);
    QVERIFY(rows()->isHidden() && button()->isHidden());
    const auto labels = m_panel->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel* label) { return !label->isHidden() && label->text().startsWith("None."); }));
}

void TestConstraintsPanel::everyKindHasARow()
{
    QStringList texts;
    for (int i = 0; i < rows()->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* title = rows()->topLevelItem(i);
        texts << title->text(0) + ' ' + title->text(1);
        for (int j = 0; j < title->childCount(); ++j)
            texts << title->child(j)->text(0) + ": " + title->child(j)->text(1);
    }
    const auto name = [&](std::uint32_t node) {
        return QString::fromStdString((*m_plan.graph)[NodeId(node)].name);
    };
    const QString all = texts.join('\n');
    for (const QString& expected :
         {QString("Locked boundaries 1\nboundary 1|2: held by 2 ops"),
          "Pinned ops 2\n" + name(1) + ": stage 1\n" + name(5) + ": stage 2", QString("Kept together 1\n"),
          QString(": 3 ops\nNever sent 1\n"), QString("Memory limits 1\nevery device: 30.0 GiB")})
        QVERIFY2(all.contains(expected), qPrintable(all));
}

void TestConstraintsPanel::choosingOneSelectsItsOps()
{
    QVERIFY(!button()->isEnabled());
    rows()->setCurrentItem(rows()->topLevelItem(2)->child(0));
    QCOMPARE(m_selection->nodes(), (std::vector{NodeId(2), NodeId(3), NodeId(4)}));
    QVERIFY(button()->isEnabled());
}

void TestConstraintsPanel::deletingNamesWhatWasChosen_data()
{
    QTest::addColumn<bool>("byKey");
    QTest::newRow("button") << false;
    QTest::newRow("key") << true;
}

void TestConstraintsPanel::deletingNamesWhatWasChosen()
{
    QFETCH(bool, byKey);
    std::vector<std::size_t> deleted;
    connect(m_panel.get(), &ConstraintsPanel::deleteRequested,
            [&](const std::vector<std::size_t>& chosen) { deleted = chosen; });
    const auto act = [&] {
        byKey ? QTest::keyClick(rows(), Qt::Key_Delete) : QTest::mouseClick(button(), Qt::LeftButton);
    };
    rows()->setCurrentItem(rows()->topLevelItem(1)->child(1));
    act();
    QCOMPARE(deleted, std::vector<std::size_t>{1});
    rows()->setCurrentItem(rows()->topLevelItem(1)); // the title: all of its kind
    act();
    QCOMPARE(deleted, (std::vector<std::size_t>{0, 1}));
}

void TestConstraintsPanel::deletingATitleLeavesWhatAFilterHides()
{
    auto* field = m_panel->findChild<QLineEdit*>();
    field->setText(QString::fromStdString((*m_plan.graph)[NodeId(5)].name));
    QSignalSpy deleted(m_panel.get(), &ConstraintsPanel::deleteRequested);
    QTreeWidgetItem* pins = rows()->topLevelItem(1);
    QVERIFY(pins->child(0)->isHidden() && !pins->child(1)->isHidden());
    pins->setSelected(true);
    button()->click();
    QCOMPARE(deleted.count(), 1);
    QCOMPARE(deleted.front().front().value<std::vector<std::size_t>>(), std::vector<std::size_t>{1});
}

void TestConstraintsPanel::aRightClickDeletesWhatIsBelowIt()
{
    m_panel->resize(500, 500);
    m_panel->show();
    QSignalSpy deleted(m_panel.get(), &ConstraintsPanel::deleteRequested);
    QSignalSpy revealed(m_selection.get(), &Selection::revealRequested);
    rows()->setCurrentItem(rows()->topLevelItem(0)->child(0));
    const auto placeOf = [this](QTreeWidgetItem* item) { return rows()->visualItemRect(item).center(); };
    QTreeWidgetItem* pin = rows()->topLevelItem(1)->child(1);
    menuAt(rows()->viewport(), placeOf(pin), "Delete");
    QCOMPARE(deleted.count(), 1);
    QCOMPARE(deleted.front().front().value<std::vector<std::size_t>>(), std::vector<std::size_t>{1});
    menuAt(rows()->viewport(), placeOf(pin), "Show in the graph");
    QCOMPARE(revealed.count(), 1);
    QCOMPARE(m_selection->nodes(), std::vector{NodeId(5)});
    const QStringList ofLimit = menuAt(rows()->viewport(), placeOf(rows()->topLevelItem(4)->child(0)));
    QCOMPARE(ofLimit.mid(0, 3), QStringList({"(Show in the graph)", "Delete", "Copy as CSV"}));
}

QTEST_MAIN(TestConstraintsPanel)
#include "tst_constraints_panel.moc"
