// What a person tries: other devices, other links, and back.
#include "app/document/tried_plan.h"
#include "tests/app/window/window_fixture.h"
#include "views/pages/device_dialog.h"
#include "views/plan/compare_bar.h"
#include "views/plan/places_table.h"
#include "views/plan/plan_options_panel.h"
#include "views/tables/table_tools.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>

using namespace stagecraft;

class TestWhatIf : public QObject
{
    Q_OBJECT

private slots:
    void aDeviceOfOnesOwnIsMadeAndUsed();
    void aDeviceThatIsUndoneIsNotKeptForNewPlans();
    void plansAreComparedWithOthersOnly();
    void aMovedPlanIsComparedWithItsBestCuts();
    void aSlowerLinkIsOneStepOfUndo();
    void aTypedNumberIsOneStepThatCtrlZUndoes_data();
    void aTypedNumberIsOneStepThatCtrlZUndoes();
    void stagesMoveToAnotherKindOfDevice();
    void kindsOfDevicesAreNamed();
    void columnsAreAsTheyWereLeft();

private:
    static void putOn(const WindowFixture& f, int row, const QString& device)
    {
        auto* table = named<QTableWidget>(f.window, "What each stage runs on");
        table->selectRow(row);
        for (QAction* action : table->parentWidget()->parentWidget()->findChild<QMenu*>()->actions())
            if (action->text() == device)
                action->trigger();
        QVERIFY(QTest::qWaitFor([&] { return f.document().undoStack().count() == 1; }, patience));
        QVERIFY(f.settle());
    }
    template <class Widget>
    static Widget* named(const QWidget* parent, const QString& name)
    {
        for (auto* widget : parent->findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    static QPushButton* button(const QWidget* parent, const QString& text)
    {
        for (auto* button : parent->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
};

void TestWhatIf::aDeviceOfOnesOwnIsMadeAndUsed()
{
    const QTemporaryDir data;
    const WindowFixture f(data.path());
    QVERIFY(f.open(tinyModel));
    const Seconds before = f.document().state().cost->iteration;
    named<QToolButton>(f.window, "Devices")->click();
    auto* dialog = f.window->findChild<DeviceDialog*>();
    QVERIFY(dialog);
    button(dialog, "Duplicate")->click();
    named<QLineEdit>(dialog, "Name")->setText("Mine");
    named<QLineEdit>(dialog, "Link bandwidth")->setText("1 Gbit/s");
    button(dialog, "Use for the plan")->click();
    QVERIFY(f.settle());
    const std::string id = f.document().request().device;
    QCOMPARE(f.document().state().profile->options.device.name, std::string("Mine"));
    QCOMPARE(f.document().state().profile->options.device.linkBandwidth, 1e9 / 8);
    QVERIFY(f.document().state().cost->iteration > before);
    QCOMPARE(f.document().undoStack().undoText(), "Device: " + QString::fromStdString(id));
    QVERIFY(QFile::exists(data.filePath("devices/" + QString::fromStdString(id) + ".json")));
    f.document().undoStack().undo();
    QCOMPARE(f.document().state().cost->iteration, before);
}

// What a new window begins with is what was chosen last and is still wanted.
void TestWhatIf::aDeviceThatIsUndoneIsNotKeptForNewPlans()
{
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    const QSettings& settings = *f.environment.settings;
    const auto kept = [&] { return settings.value("device").toString(); };
    QUndoStack& steps = f.document().undoStack();
    const auto choose = [&](const char* device) {
        f.window->views().options->chooseDevice(device);
        return f.settle() && f.document().request().device == device;
    };
    QCOMPARE(kept(), QString());
    QVERIFY(choose("h100-sxm"));
    QCOMPARE(kept(), QString("h100-sxm"));
    QVERIFY(choose("l4"));
    QCOMPARE(kept(), QString("l4"));
    steps.undo();
    QCOMPARE(kept(), QString("h100-sxm"));
    steps.undo();
    QVERIFY(!settings.contains("device"));
    steps.setIndex(2);
    QCOMPARE(kept(), QString("l4"));
    steps.setIndex(0);
    QVERIFY(!settings.contains("device"));
    // Another field says nothing of devices.
    PlanRequest request = f.document().request();
    ++request.plan.microbatches;
    emit f.window->views().options->requestChanged(request);
    QVERIFY(f.settle());
    QVERIFY(!settings.contains("device"));
}

// What would be the plan itself is not offered.
void TestWhatIf::plansAreComparedWithOthersOnly()
{
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    const auto refused = [&](const QString& title) {
        QStringList names;
        for (QMenu* menu : f.window->findChildren<QMenu*>())
            if (menu->title().remove('&') == title)
                for (const QAction* action : menu->actions())
                    if (!action->isEnabled())
                        names << action->text();
        return names.join(", ");
    };
    QCOMPARE(refused("With another schedule"), QString("1F1B"));
    QCOMPARE(refused("With another precision"), QString("As exported"));
    QCOMPARE(refused("With another device"), QString("NVIDIA A100 SXM 80GB"));
    PlanRequest request = f.document().request();
    setSchedule(request.plan, ScheduleKind::GPipe);
    request.device = "l4";
    f.document().setRequest(request);
    QVERIFY(f.settle());
    QCOMPARE(refused("With another schedule"), QString("GPipe"));
    QCOMPARE(refused("With another device"), QString("NVIDIA L4 24GB"));
    f.document().undoStack().undo();
    QCOMPARE(refused("With another schedule"), QString("1F1B"));
}

// A plan that was moved: the menus of others do not have its own set-up.
void TestWhatIf::aMovedPlanIsComparedWithItsBestCuts()
{
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    const auto best = f.document().state().partition;
    f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
    QVERIFY(f.settle());
    QVERIFY(*f.document().state().partition != *best);
    const auto* bar = f.window->findChild<CompareBar*>();
    QVERIFY(!bar->isVisible());
    for (QAction* action : f.window->findChildren<QAction*>())
        if (action->text().remove('&') == "With its best cuts")
            action->trigger();
    QVERIFY(f.settle());
    QVERIFY(bar->isVisible());
}

void TestWhatIf::aSlowerLinkIsOneStepOfUndo()
{
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    const PlanState before = f.document().state();
    auto* table = named<QTableWidget>(f.window, "What each stage runs on");
    table->item(2, PlacesTable::Bandwidth)->setText("1 GB/s"); // from stage 2
    QVERIFY(f.settle());
    const auto& options = f.document().state().problem->options;
    QCOMPARE(options.links[1].bandwidth, 1e9);
    QCOMPARE(options.links[0], before.problem->options.links[0]);
    QVERIFY(f.document().state().cost->iteration > before.cost->iteration);
    QCOMPARE(f.document().undoStack().undoText(), QString("Links by boundary"));
    const QList<QAction*> actions = menuActions(*f.window);
    QVERIFY(std::ranges::any_of(actions, [](const QAction* action) {
        return action->toolTip().startsWith("Undo: Links by boundary (") &&
               action->text().endsWith("Undo Links by boundary");
    }));
    f.document().undoStack().undo();
    QVERIFY(isSame(f.document().state(), before));
    QCOMPARE(table->item(2, PlacesTable::Bandwidth)->text(), table->item(1, PlacesTable::Bandwidth)->text());
}

void TestWhatIf::aTypedNumberIsOneStepThatCtrlZUndoes_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"Number of stages", "Stages", "Microbatches"})
        QTest::newRow(name) << name;
}

void TestWhatIf::aTypedNumberIsOneStepThatCtrlZUndoes()
{
    QFETCH(QString, name);
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    QUndoStack& steps = f.document().undoStack();
    auto* field = named<QSpinBox>(f.window, name);
    field->window()->activateWindow();
    field->setFocus();
    const int before = field->value();
    field->selectAll();
    QTest::keyClicks(field, "12");
    QCOMPARE(steps.count(), 0); // no digit of it is a choice
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(field->text(), QString::number(before)); // what was typed goes first
    QTest::keyClicks(field, "12");
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(f.settle());
    QCOMPARE(steps.count(), 1);
    QCOMPARE(field->value(), 12);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(f.settle());
    QCOMPARE(steps.index(), 0);
    QCOMPARE(field->value(), before);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(field, Qt::Key_Home); // a key without modifiers, which Qt takes for held otherwise
    QVERIFY(f.settle());
    QCOMPARE(field->value(), 12);
}

void TestWhatIf::stagesMoveToAnotherKindOfDevice()
{
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    PlanRequest request = f.document().request();
    request.device = "h100-sxm"; // whose host hands over no slower, which is what counts for so small a model
    f.document().setRequest(request);
    QVERIFY(f.settle());
    putOn(f, 4, "NVIDIA T4 16GB");
    const PartitionOptions& options = f.document().state().problem->options;
    const DeviceSpec t4 = findDevice(f.document().devices(), "t4").value();
    QVERIFY(options.speeds[3] < 1 && options.speeds[3] > 0);
    QCOMPARE(options.speeds[2], 1.0);
    QCOMPARE(options.memoryLimits[3], t4.memory - t4.contextMemory);
    QCOMPARE(options.links[2].bandwidth, t4.linkBandwidth);
    QVERIFY(options.links[1].bandwidth > t4.linkBandwidth);
    // What the plan costs is what evaluate() says of stages so slow.
    const PlanCost again = evaluate(*f.document().state().problem, *f.document().state().partition);
    QCOMPARE(f.document().state().cost->iteration, again.iteration);
}

// In the chip, in the step of undo, in a file and back.
void TestWhatIf::kindsOfDevicesAreNamed()
{
    const WindowFixture f;
    QVERIFY(f.open(tinyModel));
    const QString whole = planSetup(f.document().state().request, f.document().devices());
    putOn(f, 4, "NVIDIA T4 16GB");
    const PlanState kinds = f.document().state();
    const QString chip = named<QToolButton>(f.window, "What the plan is made for")->text();
    QCOMPARE(chip, QString(whole).replace("4 × ", "3 × ").replace(" · 8 ", " + 1 × NVIDIA T4 16GB · 8 "));
    QCOMPARE(f.document().undoStack().undoText(), QString("Stage 4: t4"));
    QCOMPARE(named<QTableWidget>(f.window, "What each stage runs on")->item(4, PlacesTable::Device)->text(),
             QString("t4"));
    const QString plan = f.folder.filePath("kinds.stagecraft");
    f.document().savePlan(plan.toStdString());
    QVERIFY(f.settle());
    f.document().undoStack().undo();
    QCOMPARE(planSetup(f.document().state().request, f.document().devices()), whole);
    f.document().open(plan.toStdString());
    QVERIFY(f.settle());
    QCOMPARE(f.document().state().request.stageDevices, kinds.request.stageDevices);
    QCOMPARE(f.document().state().cost->iteration, kinds.cost->iteration);
    QCOMPARE(f.document().state().problem->options.speeds, kinds.problem->options.speeds);
    QCOMPARE(named<QToolButton>(f.window, "What the plan is made for")->text(), chip);
    // Another device of the plan: the stage is as fast beside it as it is.
    PlanRequest asked = f.document().request();
    asked.device = "t4";
    f.document().setRequest(asked);
    QVERIFY(f.settle());
    QVERIFY(f.document().request().stageDevices.empty());
    QCOMPARE(f.document().state().problem->options.speeds, std::vector<double>(4, 1.0));
}

void TestWhatIf::columnsAreAsTheyWereLeft()
{
    const WindowFixture f;
    const auto stagesOf = [](const MainWindow* window) {
        for (auto* table : window->findChildren<TableTools*>())
            if (table->name() == "Stages")
                return qobject_cast<QTreeView*>(table->parent());
        return static_cast<QTreeView*>(nullptr);
    };
    QTreeView* stages = stagesOf(f.window);
    QVERIFY(stages);
    stages->setColumnHidden(2, true);
    stages->setColumnWidth(1, 155);
    f.window->close();
    Environment environment;
    environment.resources = STAGECRAFT_RESOURCES;
    environment.devices = readDevices(environment.resources / "devices").value();
    environment.settings =
        std::make_shared<QSettings>(f.folder.filePath("settings.ini"), QSettings::IniFormat);
    const MainWindow later(environment);
    QVERIFY(stagesOf(&later)->isColumnHidden(2));
    QCOMPARE(stagesOf(&later)->columnWidth(1), 155);
}

QTEST_MAIN(TestWhatIf)
#include "tst_what_if.moc"
