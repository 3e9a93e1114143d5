// The command palette: everything by its name, with the keyboard alone.
#include "tests/app/window/window_fixture.h"

#include "app/window/palette_entries.h"
#include "views/base/cell_delegate.h"
#include "views/base/find_field.h"
#include "views/code/code_view.h"

#include <QLineEdit>
#include <QListWidget>

using namespace stagecraft;

namespace {

CommandPalette* openPalette(const MainWindow* window)
{
    CommandPalette* palette = nullptr;
    const auto isThere = [&] {
        palette = window->findChild<CommandPalette*>();
        return palette && palette->isVisible();
    };
    return QTest::qWaitFor(isThere, patience) ? palette : nullptr;
}

struct Palette : WindowFixture
{
    Palette()
    {
        if (!open(tinyModel))
            qFatal("the model does not open");
        window->activateWindow();
        window->views().graph->setFocus();
        QTest::keyClick(window, Qt::Key_K, Qt::ControlModifier);
        palette = openPalette(window);
        if (!palette)
            qFatal("no palette");
    }
    // As a window manager does it.
    void comeBack() const
    {
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window))
            qFatal("the window is not active again");
    }
    QLineEdit* field() const { return palette->findChild<QLineEdit*>(); }
    QListWidget* list() const { return palette->findChild<QListWidget*>(); }
    void choose(const char* text) const
    {
        QTest::keyClicks(field(), text);
        QTest::keyClick(field(), Qt::Key_Return);
    }

    QPointer<CommandPalette> palette;
};

} // namespace

class TestPalette : public QObject
{
    Q_OBJECT

private slots:
    void whatBeginsSoComesFirst()
    {
        std::vector<PaletteEntry> entries;
        for (const char* title : {"Unexported", "Save export", "Export stages", "Quit"})
            entries.push_back({title, "File", {}});
        QCOMPARE(matchingEntries(entries, "export"), (std::vector<std::size_t>{2, 1, 0}));
        QCOMPARE(matchingEntries(entries, "FILE stages"), (std::vector<std::size_t>{2}));
        QCOMPARE(matchingEntries(entries, " ").size(), entries.size());
        QVERIFY(matchingEntries(entries, "nothing").empty());
    }

    void everyActionThatCanBeUsedIsThere()
    {
        const Palette f;
        QStringList titles;
        for (const PaletteEntry& entry :
             paletteEntries(*f.window->menuBar(), f.document(), f.window->views().selection))
            titles << entry.title;
        for (QAction* action : menuActions(*f.window))
            if (action->isEnabled() && action->isVisible())
                QVERIFY2(titles.contains(action->text().remove('&').section('\t', 0, 0)),
                         qPrintable(action->text()));
    }

    void anActionIsDone()
    {
        const Palette f;
        f.choose("collapse all");
        QTRY_VERIFY(!f.palette);
        QTRY_VERIFY(f.document().isSettled());
        f.comeBack();
        f.window->actionTable().hidePanels->setChecked(false);
        QTest::keyClick(f.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        CommandPalette* again = openPalette(f.window);
        QVERIFY(again);
        QTest::keyClicks(again->findChild<QLineEdit*>(), "hide all panels");
        QTest::keyClick(again->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_VERIFY(f.window->actionTable().hidePanels->isChecked());
    }

    void aPanelBehindOthersComesBeforeThem()
    {
        const Palette f;
        QWidget* schedule = f.window->views().schedule;
        QVERIFY(schedule->visibleRegion().isEmpty());
        f.choose("schedule");
        QTRY_VERIFY(!schedule->visibleRegion().isEmpty());
        const QWidget* focused = f.window->focusWidget();
        QVERIFY(focused == schedule || schedule->isAncestorOf(focused));
    }

    void aScheduleIsChosenAsInTheOptions()
    {
        const Palette f;
        const std::size_t devices = f.document().request().plan.deviceCount();
        f.choose("schedule: interleaved");
        QTRY_COMPARE(f.document().asked().plan.schedule, ScheduleKind::Interleaved);
        QCOMPARE(f.document().asked().plan.deviceCount(), devices);
        QCOMPARE(f.document().asked().plan.stagesEach(), std::size_t(2));
    }

    // It was open while another was made.
    void whatItOffersIsOfThePlanThatThereIsThen()
    {
        const Palette f;
        PlanRequest request = f.document().request();
        request.plan.microbatches += 1;
        request.plan.stageCount = 2;
        f.document().setRequest(request);
        QVERIFY(f.settle());
        f.choose("stage 4");
        QTRY_VERIFY(!f.palette);
        QCoreApplication::processEvents();
        QVERIFY(!f.window->views().selection->stage());
        f.comeBack();
        QTest::keyClick(f.window, Qt::Key_K, Qt::ControlModifier);
        CommandPalette* again = openPalette(f.window);
        QVERIFY(again);
        request.plan.microbatches += 1;
        f.document().setRequest(request);
        QVERIFY(f.settle());
        QTest::keyClicks(again->findChild<QLineEdit*>(), "schedule: gpipe");
        QTest::keyClick(again->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_COMPARE(f.document().request().plan.schedule, ScheduleKind::GPipe);
        QCOMPARE(f.document().request().plan.microbatches, request.plan.microbatches);
    }

    void ofAnotherModelNothingIsSelected()
    {
        const Palette f;
        const ModuleTree& modules = f.document().model()->graph.modules();
        const QString module = QString::fromStdString(modules[ModuleId(modules.size() - 1)].path);
        f.document().open(STAGECRAFT_TEST_DATA "/models/tiny/mobilenet-tiny.pt2");
        QTRY_COMPARE(f.document().model()->name, std::string("mobilenet-tiny"));
        QVERIFY(f.settle());
        f.choose(qPrintable("Module " + module));
        QTRY_VERIFY(!f.palette);
        QCoreApplication::processEvents();
        QVERIFY(f.window->views().selection->nodes().empty());
    }

    void whatMatchesNothingSaysSo()
    {
        const Palette f;
        QTest::keyClicks(f.field(), "no such command");
        QCOMPARE(f.list()->count(), 1);
        QCOMPARE(f.list()->item(0)->text(), QString("No matches"));
        QVERIFY(f.list()->item(0)->data(cellRole).value<CellContent>().faint); // nothing to choose
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_PageDown, Qt::Key_Return})
            QTest::keyClick(f.field(), key);
        QTest::mouseClick(f.list()->viewport(), Qt::LeftButton, {},
                          f.list()->visualItemRect(f.list()->item(0)).center());
        QVERIFY(f.palette->isVisible());
        QVERIFY(f.list()->selectedItems().isEmpty());
        f.field()->clear();
        f.choose("collapse all");
        QTRY_VERIFY(!f.palette);
    }

    void aModuleIsSelected()
    {
        const Palette f;
        const ModuleTree& modules = f.document().model()->graph.modules();
        const Module& module = modules[ModuleId(modules.size() - 1)];
        QTest::keyClicks(f.field(), QString::fromStdString("Module " + module.path));
        QVERIFY(f.list()->count() > 0);
        QTest::keyClick(f.field(), Qt::Key_Return);
        QTRY_VERIFY(!f.window->views().selection->nodes().empty());
        for (const NodeId node : f.window->views().selection->nodes())
            QVERIFY(modules.contains(ModuleId(modules.size() - 1), f.document().model()->graph[node].module));
    }

    void aStageIsGoneTo()
    {
        const Palette f;
        f.choose("stage 3");
        QTRY_COMPARE(f.window->views().selection->stage(), StageId(2));
    }

    void aSettingIsOneStepBack()
    {
        const Palette f;
        const PlanRequest before = f.document().request();
        f.choose("schedule: gpipe");
        QTRY_COMPARE(f.document().request().plan.schedule, ScheduleKind::GPipe);
        QVERIFY(f.settle());
        f.window->actionTable().undo->trigger();
        QCOMPARE(f.document().request(), before);
    }

    void keysWalkAndEscLeaves()
    {
        const Palette f;
        QCOMPARE(f.list()->currentRow(), 0);
        QTest::keyClick(f.field(), Qt::Key_Down);
        QTest::keyClick(f.field(), Qt::Key_Down);
        QTest::keyClick(f.field(), Qt::Key_Up);
        QCOMPARE(f.list()->currentRow(), 1);
        QTest::keyClick(f.field(), Qt::Key_PageDown);
        QVERIFY(f.list()->currentRow() > 3);
        QTest::keyClicks(f.field(), "no such thing at all");
        QCOMPARE(f.list()->currentRow(), -1);
        QTest::keyClick(f.field(), Qt::Key_Return); // nothing to do
        QVERIFY(f.palette);
        QTest::keyClick(f.field(), Qt::Key_Escape);
        QTRY_VERIFY(!f.palette);
    }

    // Keys of a field would go before those of the window.
    void itOpensFromAnyField()
    {
        const Palette f;
        QTest::keyClick(f.field(), Qt::Key_Escape);
        QTRY_VERIFY(!f.palette);
        f.comeBack();
        auto* field = f.window->findChild<FindField*>();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(openPalette(f.window));
    }
};

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
