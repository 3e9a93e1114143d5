#include "views/plan/advice_panel.h"

#include "tests/views/sample_plan.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

class TestAdvicePanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void aReasonSelectsWhatItIsAbout();
    void whatCrossesSelectsItsBoundary();
    void gainsAreOfThePlanAsItIs();
    void everySuggestionCanBeAppliedAndShown();
    void nothingIsAppliedWhileBetterAdviceIsSought();

private:
    QList<QPushButton*> buttons() const
    {
        QCoreApplication::processEvents(); // rows become visible in the event loop
        QList<QPushButton*> shown;
        for (auto* button : m_panel->findChildren<QPushButton*>())
            if (!button->parentWidget()->isHidden())
                shown << button;
        return shown;
    }
    QLabel* labelWith(const QString& text) const
    {
        for (auto* label : m_panel->findChildren<QLabel*>())
            if (label->text().contains(text))
                return label;
        return nullptr;
    }
    void show(AdvicePanel::State state) { m_panel->setAdvice(m_advice, m_plan, state); }

    PlanView m_plan = sample::plan(4, 3);
    std::shared_ptr<PlanAdvice> m_advice;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<AdvicePanel> m_panel;
};

void TestAdvicePanel::init()
{
    m_advice = std::make_shared<PlanAdvice>();
    BottleneckReport& report = m_advice->report;
    report.stage = StageId(1);
    report.cost = m_plan.cost->stages[StageId(1)];
    report.nodes = {{NodeId(13), Seconds(4e-3)}, {NodeId(15), Seconds(2e-3)}};
    report.values = {{ValueId(20), NodeId(10), BoundaryId(0), Seconds(1e-4), Bytes(4096)}};
    report.bound = {Seconds(1e-2), "heaviest node", {NodeId(13), NodeId(14)}};
    report.forced = ForcedShare{.nodes = {NodeId(12), NodeId(13), NodeId(16)}};
    report.reasons = {"stage 2 takes 12 ms", "most of it goes to 'x'", "'x' alone takes 10 ms",
                      "any faster plan has 3 nodes in stage 2"};
    Suggestion move{.text = "move boundary 1|2"};
    move.moved = {NodeId(11), NodeId(12)};
    move.solution.cost.bottleneckTime = Seconds(6e-3);
    move.solution.bound = {.value = Seconds(3e-3), .kind = "area", .witness = {}};
    move.bottleneckGain = Seconds(2e-3);
    move.solution.cost.iteration = Seconds(0.1);
    Suggestion grow{.kind = Suggestion::Kind::AddStage, .text = "part stage 2"};
    m_advice->suggestions = {move, grow};
    m_selection = std::make_unique<Selection>();
    m_panel = std::make_unique<AdvicePanel>(m_selection.get());
    show(AdvicePanel::State::Ready);
}

void TestAdvicePanel::aReasonSelectsWhatItIsAbout()
{
    const AdviceText text = reasonsText(*m_advice, m_plan, applicationTheme());
    QVERIFY(text.html.contains("Stage 2 takes 12 ms"));
    QLabel* reasons = labelWith("Stage 2 takes 12 ms");
    QVERIFY(reasons);
    QSignalSpy revealed(m_selection.get(), &Selection::revealRequested);
    emit reasons->linkActivated("subject:0");
    const auto stages = nodesByStage(*m_plan.partition);
    QVERIFY(m_selection->nodes() == stages[1]);
    emit reasons->linkActivated("subject:1");
    QVERIFY(m_selection->nodes() == std::vector{NodeId(13)});
    emit reasons->linkActivated("subject:2");
    QVERIFY(m_selection->nodes() == m_advice->report.bound.witness);
    emit reasons->linkActivated("subject:3");
    QVERIFY(m_selection->nodes() == m_advice->report.forced->nodes);
    QCOMPARE(revealed.count(), 4);
    emit reasons->linkActivated("subject:99"); // of a text that is gone
    QCOMPARE(revealed.count(), 4);
}

void TestAdvicePanel::whatCrossesSelectsItsBoundary()
{
    const AdviceText text = reasonsText(*m_advice, m_plan, applicationTheme());
    QCOMPARE(text.subjects.back().boundary, std::optional(BoundaryId(0)));
    QVERIFY(text.html.contains("1|2"));
    emit labelWith("Stage 2 takes")->linkActivated(QString("subject:%1").arg(text.subjects.size() - 1));
    QCOMPARE(m_selection->boundary(), std::optional(BoundaryId(0)));
    QVERIFY(m_selection->nodes() == std::vector{NodeId(10)});
}

void TestAdvicePanel::gainsAreOfThePlanAsItIs()
{
    // 8 ms become 6 ms; the step does not change
    QCOMPARE(suggestionGain(m_advice->suggestions[0]), QString("slowest 6.00 ms (\u221225 %)"));
    Suggestion fitting;
    QCOMPARE(suggestionGain(fitting), QString("keeps within the memory limit"));
    fitting.solution.cost.stages = Table<StageId, StageCost>(1);
    fitting.solution.cost.stages[StageId(0)].peakMemory = Bytes(2);
    fitting.solution.cost.stages[StageId(0)].memoryLimit = Bytes(1);
    QVERIFY(suggestionGain(fitting).contains("still over"));
}

void TestAdvicePanel::everySuggestionCanBeAppliedAndShown()
{
    QVERIFY(labelWith("Move boundary 1|2")->text().contains("proven within 50 % of optimal"));
    QSignalSpy applied(m_panel.get(), &AdvicePanel::applyRequested);
    QCOMPARE(buttons().size(), 2);
    buttons()[1]->click();
    QCOMPARE(applied.count(), 1);
    QCOMPARE(applied[0][0].value<std::size_t>(), std::size_t{1});
    emit labelWith("Move boundary 1|2")->linkActivated("moved");
    QVERIFY(m_selection->nodes() == m_advice->suggestions[0].moved);
    m_advice = std::make_shared<PlanAdvice>(*m_advice);
    m_advice->suggestions.clear();
    show(AdvicePanel::State::Ready);
    QVERIFY(buttons().isEmpty());
    QVERIFY(labelWith("Nothing tried would help"));
}

void TestAdvicePanel::nothingIsAppliedWhileBetterAdviceIsSought()
{
    show(AdvicePanel::State::Searching);
    for (const QPushButton* button : buttons())
        QVERIFY(!button->isEnabled());
    m_advice.reset();
    m_plan = {};
    show(AdvicePanel::State::None);
    QVERIFY(m_panel->isHidden());
    QVERIFY(buttons().isEmpty());
}

QTEST_MAIN(TestAdvicePanel)
#include "tst_advice_panel.moc"
