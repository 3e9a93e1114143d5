#include "views/plan/plan_options_panel.h"

#include "tests/core/graph_text/graph_text_parser.h"
#include "tests/views/view_test.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

class TestPlanOptionsPanel : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void settingIsSilentAndChangingIsNot();
    void everyFieldReachesTheRequest();
    void everyFieldOfARequestHasAControl();
    void aDecimalCommaIsAPoint();
    void whatAFieldCannotShowStays();
    void aLimitThatCannotBeReadWaits();
    void anExactLimitSurvivesItsRounding();
    void limitsThatDifferByStageStay();
    void whetherAChangeSplitsAgainIsSaid();
    void stagesAreNoMoreThanOps();
    void aScheduleThatCannotBeLaidOutWaits();
    void devicesAreAFigureOfTheirOwn();
    void aGoalThatWasChosenStays();
    void aLimitOfAFewBytesWaits();
    void whatWaitsForALimitIsSaid();
    void openSizesAreBoundWhereTheyDiffer();
    void sizesAreNamedByTheInputsTheyStandIn();
    void splitIsOffWhileSearching();
    void theWheelScrollsAndChangesNothing();
    void anInferenceHasNoOptimizer();
    void regionsByHandAreAChoiceWhileThereAreSome();
    void notesStandBelowTheFields();

private:
    template <class Widget>
    Widget* field(const QString& name) const
    {
        for (auto* widget : m_panel->findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    void type(const QString& limit)
    {
        auto* line = field<QLineEdit>("Memory limit");
        line->setText(limit);
        emit line->editingFinished();
    }

    std::unique_ptr<PlanOptionsPanel> m_panel;
};

void TestPlanOptionsPanel::init()
{
    m_panel = std::make_unique<PlanOptionsPanel>();
    m_panel->setDevices({{.id = "a100", .name = "A100", .memory = Bytes(std::int64_t{80} << 30)},
                         {.id = "l4", .name = "L4", .memory = Bytes(std::int64_t{24} << 30)}});
    m_panel->setRequest({.device = "a100"});
}

void TestPlanOptionsPanel::settingIsSilentAndChangingIsNot()
{
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    m_panel->setRequest({.device = "l4", .plan = {.stageCount = 6}});
    QCOMPARE(changes.count(), 0);
    QCOMPARE(field<QSpinBox>("Stages")->value(), 6);
    QCOMPARE(field<QComboBox>("Device")->currentText(), QString("L4"));
    field<QSpinBox>("Stages")->setValue(7);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{7});
    field<QSpinBox>("Stages")->setValue(7);
    QCOMPARE(changes.count(), 1);
}

void TestPlanOptionsPanel::everyFieldReachesTheRequest()
{
    field<QSpinBox>("Stages")->setValue(3);
    field<QSpinBox>("Microbatches")->setValue(32);
    field<QComboBox>("Device")->setCurrentIndex(1);
    field<QComboBox>("Schedule")->setCurrentIndex(1);
    field<QComboBox>("Objective")->setCurrentIndex(3);
    field<QComboBox>("Sending")->setCurrentIndex(1);
    field<QComboBox>("Mode")->setCurrentIndex(1);
    field<QComboBox>("Optimizer")->setCurrentIndex(0);
    type("20 GiB");
    const PlanRequest expected{.device = "l4",
                               .profile = {.mode = TrainingMode::Infer, .optimizer = OptimizerKind::None},
                               .plan = {.stageCount = 3,
                                        .microbatches = 32,
                                        .schedule = ScheduleKind::GPipe,
                                        .send = SendKind::Direct,
                                        .runtime = usualRuntime,
                                        .objective = Objective::Iteration,
                                        .memoryLimits = {Bytes(std::int64_t{20} << 30)}}};
    QVERIFY(m_panel->request() == expected);
}

// Of the table, and of what is not in it. Pins, groups and values that are never sent are set at the graph;
// devices of stages, speeds and links have a table of their own; a plan of a model has no empty stage.
void TestPlanOptionsPanel::everyFieldOfARequestHasAControl()
{
    // Another field does not compile here: it needs a control, and a line below.
    [[maybe_unused]] const auto [device, profile, plan, devicesOfStages] = PlanRequest{};
    [[maybe_unused]] const auto [mode, lowering, optimizer, variant, master, gradients, segments, precision,
                                 bindings, bounds, loss] = profile;
    [[maybe_unused]] const auto [stages, microbatches, schedule, each, send, runtime, objective, empty,
                                 speeds, links, limits, pins, together, neverCut, time, seed, recompute] =
        plan;

    m_panel->setLoss({LossOutput::Origin::Name,
                      {{"loss", ValueId(0), true, true}, {"logits", ValueId(1), true, false}},
                      0});
    m_panel->setOpenSizes(
        {{"s0", "x[0]", {.min = 1, .max = 64, .hint = 4}}, {"u0", "nonzero", {.min = 0}, true}});
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    for (const RequestField& asked : requestFields()) {
        const QString title = QString::fromUtf8(asked.title.data(), static_cast<int>(asked.title.size()));
        const std::string before = asked.print(m_panel->request());
        const auto count = changes.count();
        if (auto* box = field<QComboBox>(title))
            box->setCurrentIndex(box->currentIndex() == 0 ? 1 : 0);
        else if (auto* number = field<QSpinBox>(title))
            number->setValue(number->value() + 1);
        QVERIFY2(asked.print(m_panel->request()) != before, qPrintable(title));
        QCOMPARE(changes.count(), count + 1);
        m_panel->setRequest({.device = "a100"});
    }
    const auto changesBy = [&](const auto& act, const auto& at) {
        m_panel->setRequest({.device = "a100"});
        const auto before = at(m_panel->request());
        act();
        return !(at(m_panel->request()) == before);
    };
    QVERIFY(changesBy([&] { field<QComboBox>("Device")->setCurrentIndex(1); },
                      [](const PlanRequest& request) { return request.device; }));
    QVERIFY(changesBy([&] { field<QCheckBox>("Master weights")->click(); },
                      [](const PlanRequest& request) { return request.profile.masterWeights; }));
    QVERIFY(changesBy([&] { field<QComboBox>("Loss")->setCurrentIndex(1); },
                      [](const PlanRequest& request) { return request.profile.lossOutput; }));
    QCOMPARE(m_panel->request().profile.lossOutput, "logits");
    QVERIFY(changesBy([&] { field<QSpinBox>("x[0]")->setValue(8); },
                      [](const PlanRequest& request) { return request.profile.bindings; }));
    QVERIFY(changesBy(
        [&] {
            field<QSpinBox>("nonzero")->setValue(9);
            field<QComboBox>("nonzero: exactly or at most")->setCurrentIndex(1);
        },
        [](const PlanRequest& request) { return request.profile.bounds; }));
    QCOMPARE(m_panel->request().profile.bounds, (Bindings{{"u0", 9}}));
    QVERIFY(m_panel->request().profile.bindings.empty());
    QVERIFY(changesBy([&] { field<QSpinBox>("Stages")->setValue(6); },
                      [](const PlanRequest& request) { return request.plan.stageCount; }));
    QVERIFY(changesBy(
        [&] {
            field<QComboBox>("Schedule")->setCurrentText("Interleaved 1F1B");
            field<QSpinBox>("Stages per device")->setValue(3);
        },
        [](const PlanRequest& request) { return request.plan.stagesPerDevice; }));
    QVERIFY(changesBy([&] { type("20 GiB"); },
                      [](const PlanRequest& request) { return request.plan.memoryLimits; }));
    QVERIFY(changesBy([&] { field<QDoubleSpinBox>("Search time")->setValue(30); },
                      [](const PlanRequest& request) { return request.plan.timeLimit; }));
}

void TestPlanOptionsPanel::aDecimalCommaIsAPoint()
{
    auto* time = field<QDoubleSpinBox>("Search time");
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, "1,5");
    QTest::keyClick(time, Qt::Key_Return);
    QCOMPARE(time->value(), 1.5);
    QCOMPARE(m_panel->request().plan.timeLimit, Seconds(1.5));
}

void TestPlanOptionsPanel::whatAFieldCannotShowStays()
{
    PlanRequest request{.device = "a100"};
    request.profile.lossOutput = "elsewhere"; // of no output that is offered
    request.plan.seed = std::uint64_t{1} << 40;
    request.plan.timeLimit = Seconds(0.123);
    m_panel->setRequest(request);
    field<QSpinBox>("Microbatches")->setValue(9);
    request.plan.microbatches = 9;
    QVERIFY(m_panel->request() == request);
    field<QToolButton>("Show more options")->click();
    QVERIFY(!field<QComboBox>("Lowering")->parentWidget()->isHidden());
}

void TestPlanOptionsPanel::aLimitThatCannotBeReadWaits()
{
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    type("many");
    QCOMPARE(changes.count(), 0);
    QVERIFY(m_panel->request().plan.memoryLimits.empty());
    type("24GiB");
    QCOMPARE(m_panel->request().plan.memoryLimits, std::vector{Bytes(std::int64_t{24} << 30)});
    type("");
    QVERIFY(m_panel->request().plan.memoryLimits.empty());
    QCOMPARE(changes.count(), 2);
}

void TestPlanOptionsPanel::anExactLimitSurvivesItsRounding()
{
    const Bytes exact(25'769'803'777); // one byte more than 24 GiB
    m_panel->setRequest({.device = "a100", .plan = {.memoryLimits = {exact}}});
    field<QSpinBox>("Stages")->setValue(5);
    QCOMPARE(m_panel->request().plan.memoryLimits, std::vector{exact});
}

void TestPlanOptionsPanel::limitsThatDifferByStageStay()
{
    const std::vector<Bytes> limits{Bytes(std::int64_t{30} << 30), Bytes(std::int64_t{20} << 30)};
    m_panel->setRequest({.device = "a100", .plan = {.stageCount = 2, .memoryLimits = limits}});
    QCOMPARE(field<QLineEdit>("Memory limit")->text(), QString());
    QCOMPARE(field<QLineEdit>("Memory limit")->placeholderText(), QString("by stage"));
    field<QSpinBox>("Microbatches")->setValue(5);
    QCOMPARE(m_panel->request().plan.memoryLimits, limits);
    type("10");
    QCOMPARE(m_panel->request().plan.memoryLimits, std::vector{Bytes(std::int64_t{10} << 30)});
}

void TestPlanOptionsPanel::whetherAChangeSplitsAgainIsSaid()
{
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::splitsAgainChanged);
    QVERIFY(!m_panel->splitsAgain());
    field<QComboBox>("After a change")->setCurrentText("Split again");
    QVERIFY(m_panel->splitsAgain());
    QCOMPARE(changes.count(), 1);
    m_panel->setSplitsAgain(true);
    QCOMPARE(changes.count(), 1);
}

void TestPlanOptionsPanel::stagesAreNoMoreThanOps()
{
    m_panel->setMaximumStages(3);
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{3});
    m_panel->setMaximumStages(0);
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{1});
}

void TestPlanOptionsPanel::aScheduleThatCannotBeLaidOutWaits()
{
    auto* schedule = field<QComboBox>("Schedule");
    auto* each = field<QSpinBox>("Stages per device");
    auto* error = field<QLabel>("What is wrong with the schedule");
    QVERIFY(!each->isEnabled()); // 1F1B
    schedule->setCurrentIndex(schedule->findText("Interleaved 1F1B"));
    QVERIFY(each->isEnabled());
    QCOMPARE(m_panel->request().plan.stagesPerDevice, std::size_t{2});
    QVERIFY(error->isHidden());
    each->setValue(3);
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{12});
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    field<QSpinBox>("Stages")->setValue(4); // 4 stages cannot run 3 to a device
    QCOMPARE(changes.count(), 0);
    QVERIFY(!error->isHidden() && !error->text().isEmpty());
    field<QSpinBox>("Stages")->setValue(6);
    QCOMPARE(changes.count(), 1);
    QVERIFY(error->isHidden());
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{6});
    QCOMPARE(m_panel->request().plan.stagesPerDevice, std::size_t{3});
    schedule->setCurrentIndex(schedule->findText("GPipe"));
    QCOMPARE(m_panel->request().plan.stagesPerDevice, std::size_t{1});
    schedule->setCurrentIndex(schedule->findText("Zero bubble, V (ZBV)"));
    QCOMPARE(m_panel->request().plan.stagesPerDevice, std::size_t{2});
    QVERIFY(!each->isEnabled());
}

// Stages = devices x stages per device, whichever of them is changed; said before a search is asked for.
void TestPlanOptionsPanel::devicesAreAFigureOfTheirOwn()
{
    auto* schedule = field<QComboBox>("Schedule");
    auto* stages = field<QSpinBox>("Stages");
    auto* devices = field<QSpinBox>("Devices");
    auto* each = field<QSpinBox>("Stages per device");
    auto* staging = field<QLabel>("Stages on devices");
    QCOMPARE(devices->value(), 4);
    QVERIFY(staging->isHidden());
    const int interleaved = schedule->findText("Interleaved 1F1B");
    QCOMPARE(schedule->itemData(interleaved, Qt::ToolTipRole).toString(), QString("8 stages on 4 devices"));
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    schedule->setCurrentIndex(interleaved);
    QCOMPARE(changes.count(), 1); // all of it at once
    QCOMPARE(devices->value(), 4);
    QCOMPARE(stages->value(), 8);
    QCOMPARE(staging->text(), QString("8 stages on 4 devices"));
    QVERIFY(!staging->isHidden());
    QCOMPARE(m_panel->request().plan.objective, Objective::Iteration);
    devices->setValue(3);
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{6});
    each->setValue(3);
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{9});
    QCOMPARE(devices->value(), 3);
    stages->stepUp(); // by what one device more would run
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{12});
    QCOMPARE(devices->value(), 4);
    schedule->setCurrentIndex(schedule->findText("1F1B"));
    QCOMPARE(m_panel->request().plan.stageCount, std::size_t{4});
    QCOMPARE(m_panel->request().plan.objective, Objective::Sum);
    m_panel->setRequest(
        {.plan = {.stageCount = 6, .schedule = ScheduleKind::ZeroBubbleV, .stagesPerDevice = 2}});
    QCOMPARE(devices->value(), 3);
}

void TestPlanOptionsPanel::aGoalThatWasChosenStays()
{
    auto* schedule = field<QComboBox>("Schedule");
    auto* objective = field<QComboBox>("Objective");
    objective->setCurrentIndex(objective->findData("overlap"));
    schedule->setCurrentIndex(schedule->findText("Interleaved 1F1B"));
    QCOMPARE(m_panel->request().plan.objective, Objective::Overlap);
}

void TestPlanOptionsPanel::aLimitOfAFewBytesWaits()
{
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    type("3000");
    QCOMPARE(changes.count(), 0);
    QVERIFY(m_panel->request().plan.memoryLimits.empty());
    for (const char* text : {"30GiB", "30 gib", "30g", "30"}) {
        type(text);
        QCOMPARE(m_panel->request().plan.memoryLimits, std::vector{Bytes(std::int64_t{30} << 30)});
        type("");
    }
}

void TestPlanOptionsPanel::whatWaitsForALimitIsSaid()
{
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    auto* split = m_panel->findChild<QPushButton*>();
    auto* microbatches = field<QSpinBox>("Microbatches");
    type("3000");
    microbatches->setValue(microbatches->value() + 1);
    QCOMPARE(changes.count(), 0);
    QVERIFY(!split->isEnabled());
    const auto labels = m_panel->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return !label->isHidden() && label->text().endsWith("Until then no change here takes effect.");
    }));
    m_panel->setState(PlanOptionsPanel::State::Ready);
    QVERIFY(!split->isEnabled());
    type("30 GiB");
    QVERIFY(split->isEnabled());
    QCOMPARE(changes.count(), 1);
    QCOMPARE(m_panel->request().plan.microbatches, static_cast<std::size_t>(microbatches->value()));
}

void TestPlanOptionsPanel::openSizesAreBoundWhereTheyDiffer()
{
    auto* sizes = m_panel->findChild<SizeFields*>();
    QVERIFY(sizes->isHidden());
    m_panel->setOpenSizes({{"s0", "x[0]", {.min = 1, .max = 64, .hint = 4}},
                           {"s1", "x[1]", {.min = 2, .max = std::nullopt, .hint = 128}}});
    QVERIFY(!sizes->isHidden());
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    QCOMPARE(field<QSpinBox>("x[0]")->value(), 4);
    field<QSpinBox>("x[0]")->setValue(100);
    QCOMPARE(m_panel->request().profile.bindings, (Bindings{{"s0", 64}}));
    QCOMPARE(changes.count(), 1);
    m_panel->setRequest({.device = "a100", .profile = {.bindings = {{"s1", 256}}}});
    QCOMPARE(field<QSpinBox>("x[0]")->value(), 4);
    QCOMPARE(field<QSpinBox>("x[1]")->value(), 256);
    field<QSpinBox>("x[1]")->setValue(128);
    QVERIFY(m_panel->request().profile.bindings.empty());
    m_panel->setOpenSizes({});
    QVERIFY(sizes->isHidden());
}

void TestPlanOptionsPanel::sizesAreNamedByTheInputsTheyStandIn()
{
    Result<Graph> graph = parseGraph(R"(graph sized
  symbol s0 hint 6 range 3..64
  symbol s1 hint 4 range 2..
  symbol s2 hint 2 range 1..8
  symbol u0 range 0..256
  symbol u1 range 0..
  input %y : f32[2*s0, 2*s1]
  input %x : f32[s0, 8]
  input %n : size(s2)
  %found : i64[u0, 2] strides [1, u0] = aten::nonzero.default(self %x)
  %chosen : f32[u1] = aten::masked_select.default(self %x)
  return %found, %chosen
)");
    QVERIFY2(graph.has_value(), graph.has_value() ? "" : graph.error().message.c_str());
    m_panel->setOpenSizes(openSizes(*graph));
    QCOMPARE(field<QSpinBox>("x[0]")->value(), 6);
    QCOMPARE(field<QSpinBox>("x[0]")->minimum(), 3);
    QCOMPARE(field<QSpinBox>("x[0]")->maximum(), 64);
    QCOMPARE(field<QSpinBox>("s1, y[1] = 2*s1")->value(), 4);
    QCOMPARE(field<QSpinBox>("n")->maximum(), 8);
    QCOMPARE(field<QSpinBox>("found")->text(), QString("at most 256"));
    QCOMPARE(field<QSpinBox>("chosen")->text(), QString("not given"));
    field<QSpinBox>("found")->setValue(7);
    field<QSpinBox>("s1, y[1] = 2*s1")->setValue(9);
    QCOMPARE(m_panel->request().profile.bindings, (Bindings{{"s1", 9}, {"u0", 7}}));
}

void TestPlanOptionsPanel::splitIsOffWhileSearching()
{
    QSignalSpy splits(m_panel.get(), &PlanOptionsPanel::splitRequested);
    auto* button = m_panel->findChild<QPushButton*>();
    button->click();
    QCOMPARE(splits.count(), 1);
    m_panel->setState(PlanOptionsPanel::State::Searching);
    button->click();
    QCOMPARE(splits.count(), 1);
    m_panel->setState(PlanOptionsPanel::State::Ready);
    QVERIFY(button->isEnabled());
}

void TestPlanOptionsPanel::theWheelScrollsAndChangesNothing()
{
    m_panel->setOpenSizes({{.symbol = "s0", .place = "x[0]", .range = {.min = 2, .max = 64, .hint = 4}}});
    QSignalSpy changes(m_panel.get(), &PlanOptionsPanel::requestChanged);
    QList<QWidget*> fields;
    for (auto* box : m_panel->findChildren<QComboBox*>())
        fields << box;
    for (auto* box : m_panel->findChildren<QSpinBox*>())
        fields << box;
    QVERIFY(fields.size() >= 11);
    constexpr bool isInverted = false;
    for (QWidget* field : fields) {
        const QPointF middle = field->rect().center();
        QWheelEvent wheel(middle, field->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, isInverted);
        QApplication::sendEvent(field, &wheel);
    }
    QCOMPARE(changes.count(), 0);
}

void TestPlanOptionsPanel::anInferenceHasNoOptimizer()
{
    auto* optimizer = field<QComboBox>("Optimizer");
    QVERIFY(optimizer->isEnabled());
    optimizer->setCurrentIndex(optimizer->findText("Adafactor"));
    QCOMPARE(m_panel->request().profile.optimizer, OptimizerKind::Adafactor);
    auto* mode = field<QComboBox>("Mode");
    mode->setCurrentIndex(mode->findData("infer"));
    QVERIFY(!optimizer->isEnabled());
    QVERIFY(!field<QComboBox>("Recompute")->isEnabled());
    m_panel->setRequest({.device = "a100"});
    QVERIFY(optimizer->isEnabled());
    QVERIFY(field<QComboBox>("Recompute")->isEnabled());
}

void TestPlanOptionsPanel::regionsByHandAreAChoiceWhileThereAreSome()
{
    const auto* recompute = field<QComboBox>("Recompute");
    const int usual = recompute->count();
    PlanRequest request{.device = "a100"};
    request.plan.recompute = {.kind = RecomputeKind::Plan, .regions = {{{{NodeId(0)}, {}}}}};
    m_panel->setRequest(request);
    QCOMPARE(recompute->currentText(), QString("As chosen by hand"));
    QCOMPARE(recompute->count(), usual + 1);
    request.plan.recompute = {.kind = RecomputeKind::None};
    m_panel->setRequest(request);
    QCOMPARE(recompute->count(), usual);
    QVERIFY(m_panel->request() == request);
}

void TestPlanOptionsPanel::notesStandBelowTheFields()
{
    auto* sending = field<QComboBox>("Sending");
    QVERIFY(sending->itemText(1).startsWith("Straight"));
    auto* notes = field<QLabel>("What the figures of the plan leave out");
    QVERIFY(notes != nullptr && notes->isHidden());
    m_panel->setNotes({"one", "two"});
    QVERIFY(!notes->isHidden());
    QCOMPARE(notes->text(), "one\ntwo");
    m_panel->setNotes({});
    QVERIFY(notes->isHidden());
}

QTEST_MAIN(TestPlanOptionsPanel)
#include "tst_plan_options_panel.moc"
