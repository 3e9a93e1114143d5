// Drives the whole window with mouse and keyboard.
#include "app/document/gallery.h"
#include "app/window/export_controller.h"
#include "app/window/key_table.h"
#include "views/base/find_field.h"
#include "views/base/message_bar.h"
#include "views/base/theme.h"
#include "views/code/code_view.h"
#include "views/pages/export_dialog.h"
#include "views/pages/welcome_page.h"
#include "views/plan/stages_table.h"
#include "window_fixture.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QTreeWidget>

#include <algorithm>
#include <set>

using namespace stagecraft;

class TestMainWindow : public QObject
{
    Q_OBJECT

private slots:
    void everyActionHasTextTooltipAndItsOwnKey()
    {
        const WindowFixture f;
        std::set<QString> keys;
        const QList<QAction*> actions = menuActions(*f.window);
        QVERIFY(actions.size() > 40);
        for (const QAction* action : actions) {
            QVERIFY(!action->text().isEmpty());
            QVERIFY2(!action->toolTip().isEmpty() && action->toolTip() != action->text(),
                     qPrintable(action->text()));
            const QString key = action->shortcut().toString();
            QVERIFY2(key.isEmpty() || keys.insert(key).second, qPrintable(action->text() + ' ' + key));
        }
        for (QAction* action : f.window->findChildren<QAction*>(Qt::FindDirectChildrenOnly)) {
            if (!action->isSeparator() && !action->text().isEmpty())
                QVERIFY2(actions.contains(action), qPrintable(action->text()));
        }
    }

    void aNarrowWindowLeavesTheGraphMoreThanHalf()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const auto dockOf = [&](const char* name) { return f.window->findChild<QDockWidget*>(name); };
        const auto arrange = [&](double width) {
            f.window->resize(em(f.window, width), em(f.window, width * 9 / 16));
            f.window->actionTable().resetLayout->trigger();
        };
        arrange(90);
        QCOMPARE(f.window->dockWidgetArea(dockOf("code")), Qt::BottomDockWidgetArea);
        QCOMPARE(f.window->dockWidgetArea(dockOf("details")), Qt::LeftDockWidgetArea);
        QTRY_VERIFY(f.window->views().graph->width() > f.window->width() / 2);
        // The form's panel is there where the model was made from a form.
        for (QDockWidget* dock : f.window->findChildren<QDockWidget*>())
            QVERIFY2(dock->isHidden() == (dock->objectName() == "formDock"), qPrintable(dock->windowTitle()));
        arrange(120);
        QCOMPARE(f.window->dockWidgetArea(dockOf("code")), Qt::RightDockWidgetArea);
    }

    void whatDoesNotFitIsSaidWhileItIsAsked()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        MessageBar& bar = f.window->messageBar();
        bar.clear();
        PlanRequest request = f.document().request();
        request.plan.memoryLimits = {Bytes(1 << 16)};
        f.document().setRequest(request);
        QVERIFY(f.settle());
        QVERIFY(!f.document().bound()); // the boundaries are kept, and there is no plan that fits
        const auto labels = f.window->statusBar()->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->accessibleName() == "Bound" && label->text() == "does not fit into memory";
        }));
        f.document().splitAutomatically();
        QVERIFY(f.settle());
        QCOMPARE(bar.count(), std::size_t{1});
        QVERIFY(!f.document().state().cost->fits());
        request.plan.memoryLimits.clear();
        f.document().setRequest(request);
        QCOMPARE(bar.count(), std::size_t{0});
    }

    void theKeyTableHasEveryKey()
    {
        const WindowFixture f;
        QStringList listed;
        for (const KeySection& section : keySections(*f.window->menuBar())) {
            for (const auto& [what, key] : section.keys)
                listed << key;
        }
        for (const QAction* action : menuActions(*f.window)) {
            const QString key = action->shortcut().toString(QKeySequence::NativeText);
            QVERIFY2(key.isEmpty() || listed.contains(key), qPrintable(key));
        }
    }

    void viewsHaveAccessibleNames()
    {
        const WindowFixture f;
        const WindowViews& views = f.window->views();
        for (const QWidget* view :
             std::initializer_list<const QWidget*>{views.graph, views.modules, views.stages, views.options,
                                                   views.code, views.details, views.charts})
            QVERIFY2(!view->accessibleName().isEmpty(), view->metaObject()->className());
    }

    void beforeAModelThereIsTheWelcomePage()
    {
        const WindowFixture f;
        QVERIFY(f.window->findChild<WelcomePage*>()->isVisible());
        QVERIFY(!f.window->views().charts->isVisible());
        QVERIFY(!f.window->actionTable().split->isEnabled());
        QVERIFY(f.open(tinyModel));
        QVERIFY(!f.window->findChild<WelcomePage*>()->isVisible());
        QVERIFY(f.window->views().charts->isVisible());
        QVERIFY(f.window->actionTable().split->isEnabled());
    }

    void everyGalleryModelOpensAndIsSplit_data()
    {
        QTest::addColumn<QString>("path");
        const std::vector<GalleryCard> cards = galleryCards(STAGECRAFT_RESOURCES).value();
        for (const GalleryCard& card : cards)
            QTest::newRow(qPrintable(card.title)) << card.path;
    }
    void everyGalleryModelOpensAndIsSplit()
    {
        QFETCH(QString, path);
        const WindowFixture f;
        QVERIFY(f.open(path));
        QCOMPARE(f.document().state().partition->stageCount, std::size_t{4});
        QCOMPARE(f.document().pages().size(), std::size_t{4});
        QVERIFY(f.window->views().graph->graphLayout());
        QVERIFY(f.window->views().graph->graphLayout()->notes.empty());
        QCOMPARE(f.window->views().graph->graphLayout()->boundaries.size(), std::size_t{3});
    }

    void aBoundaryIsDraggedInTheGraph()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        GraphView* graph = f.window->views().graph;
        graph->fitAll();
        const auto handle = graph->boundaryHandle(BoundaryId(1));
        QVERIFY(handle);
        const std::size_t before = f.boundary(1);
        QTest::mousePress(graph->viewport(), Qt::LeftButton, {}, handle->center());
        for (int dy = 10; dy <= 120; dy += 10)
            QTest::mouseMove(graph->viewport(), handle->center() - QPoint(0, dy));
        QVERIFY(f.document().isDragging());
        QVERIFY(f.boundary(1) < before); // while the mouse moves
        QTest::mouseRelease(graph->viewport(), Qt::LeftButton, {}, handle->center() - QPoint(0, 120));
        QVERIFY(!f.document().isDragging());
        const std::size_t after = f.boundary(1);
        QVERIFY(after < before);
        f.window->actionTable().undo->trigger();
        QCOMPARE(f.boundary(1), before);
        f.window->actionTable().redo->trigger();
        QCOMPARE(f.boundary(1), after);
        QVERIFY(f.settle());
        QCOMPARE(graph->graphLayout()->boundaries[1].position, after);
    }

    void anOpIsDraggedToAnotherStageInTheGraph()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const WindowViews& views = f.window->views();
        views.graph->expandAll();
        QVERIFY(f.settle());
        const auto& layout = *views.graph->graphLayout();
        const NodeId last = layout.tree->order[f.boundary(0) - 1];
        views.selection->reveal({last});
        const Partition before = *f.document().state().partition;
        const QPoint from = views.graph->itemCenter(*layout.itemOf[last]);
        const QPoint to(from.x(), views.graph->boundaryHandle(BoundaryId(0))->center().y() + 40);
        QTest::mousePress(views.graph->viewport(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 5; ++step)
            QTest::mouseMove(views.graph->viewport(), from + (to - from) * step / 5);
        QVERIFY(f.document().isDragging());
        QCOMPARE(f.document().shown().partition->stageOf[last], StageId(1)); // while the mouse moves
        QTest::keyClick(views.graph, Qt::Key_Escape);
        QVERIFY(!f.document().isDragging());
        QTest::mouseRelease(views.graph->viewport(), Qt::LeftButton, {}, to);
        QVERIFY(*f.document().state().partition == before);
        QTest::mousePress(views.graph->viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(views.graph->viewport(), to);
        QTest::mouseRelease(views.graph->viewport(), Qt::LeftButton, {}, to);
        QCOMPARE(f.document().state().partition->stageOf[last], StageId(1));
        QCOMPARE(f.document().undoStack().count(), 1);
        f.window->actionTable().undo->trigger();
        QVERIFY(*f.document().state().partition == before);
    }

    void aBoundaryIsDraggedInTheCharts()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        ExecutionCharts* charts = f.window->views().charts;
        QWidget* plot = charts->focusProxy();
        const std::size_t before = f.boundary(0);
        const auto at = [&](std::size_t position) {
            return QPoint(qRound(charts->positionToPixel(position)), plot->height() / 2);
        };
        const QPoint from = at(before);
        const QPoint to = at(before + 20);
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(plot, (from + to) / 2);
        QTest::mouseMove(plot, to);
        QVERIFY(f.document().isDragging());
        QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
        QVERIFY(f.boundary(0) > before);
        QCOMPARE(f.document().undoStack().count(), 1);
    }

    void stagesComeAndGoByKeyboard()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        GraphView* graph = f.window->views().graph;
        f.window->activateWindow();
        graph->setFocus();
        QTRY_VERIFY(graph->hasFocus());
        const std::vector<NodeId> second = nodesByStage(*f.document().state().partition)[1];
        f.window->views().selection->setNodes({second[second.size() / 2]});
        QTest::keyClick(graph, Qt::Key_S);
        QCOMPARE(f.document().state().partition->stageCount, std::size_t{5});
        QTest::keyClick(graph, Qt::Key_BracketRight);
        QCOMPARE(f.window->views().selection->boundary(), BoundaryId(0));
        QTest::keyClick(graph, Qt::Key_Delete);
        QCOMPARE(f.document().state().partition->stageCount, std::size_t{4});
        const NodeId last = nodesByStage(*f.document().state().partition)[0].back();
        f.window->views().selection->setNodes({last});
        QTest::keyClick(graph, Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.document().state().partition->stageOf[last], StageId(1));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(f.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!f.document().undoStack().canUndo());
    }

    void theNumberOfStagesIsTyped()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        auto* count = f.window->findChild<QSpinBox*>({}, Qt::FindChildrenRecursively);
        for (QSpinBox* box : f.window->findChildren<QSpinBox*>()) {
            if (box->accessibleName() == "Number of stages")
                count = box;
        }
        count->setValue(3);
        QTRY_COMPARE(f.document().state().partition->stageCount, std::size_t{3});
        f.window->actionTable().undo->trigger();
        QCOMPARE(count->value(), 4);
    }

    void findGoesFromMatchToMatch()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        auto* field = f.window->findChild<FindField*>();
        const Selection* selection = f.window->views().selection;
        QTest::keyClicks(field, "layer_norm");
        QCOMPARE(selection->nodes().size(), std::size_t{1});
        const NodeId first = selection->nodes().front();
        f.window->actionTable().findNext->trigger();
        QVERIFY(selection->nodes().front() > first);
        f.window->actionTable().findPrevious->trigger();
        QCOMPARE(selection->nodes().front(), first);
        QVERIFY(f.settle());
        const auto& layout = f.window->views().graph->graphLayout();
        QCOMPARE(layout->items[*layout->itemOf[first]].kind, ItemKind::Op); // its boxes were opened
    }

    void badFilesAreToldInTheMessageBar_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("this is no model");
        QFile model(tinyModel);
        QVERIFY(model.open(QIODevice::ReadOnly));
        QTest::newRow("half a zip") << model.read(model.size() / 2);
    }
    void badFilesAreToldInTheMessageBar()
    {
        QFETCH(QByteArray, bytes);
        const WindowFixture f;
        const QString path = f.folder.filePath("bad.pt2");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QSignalSpy failed(&f.document(), &Document::failed);
        f.window->open(path);
        QVERIFY(failed.wait(patience));
        QVERIFY2(failed[0][0].toString().contains("bad.pt2"), qPrintable(failed[0][0].toString()));
        QCOMPARE(f.window->messageBar().count(), std::size_t{1});
        QVERIFY(f.window->messageBar().isVisible());
        QVERIFY(f.window->findChild<WelcomePage*>()->isVisible()); // never a blank window
    }

    void aDroppedFileIsOpened()
    {
        const WindowFixture f;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(tinyModel)});
        const Qt::DropActions offered = Qt::CopyAction | Qt::MoveAction; // Shift asks for the second
        QDragEnterEvent enter({200, 200}, offered, &data, Qt::LeftButton, Qt::ShiftModifier);
        QCoreApplication::sendEvent(f.window, &enter);
        QVERIFY(enter.isAccepted());
        QCOMPARE(enter.dropAction(), Qt::CopyAction);
        QDropEvent drop(QPointF(200, 200), offered, &data, Qt::LeftButton, Qt::ShiftModifier);
        QCoreApplication::sendEvent(f.window, &drop);
        QVERIFY(drop.isAccepted());
        QCOMPARE(drop.dropAction(), Qt::CopyAction);
        QVERIFY(f.settle());
    }

    void cancellingIsImmediate()
    {
        const WindowFixture f;
        QSignalSpy failed(&f.document(), &Document::failed);
        f.window->open(QString(STAGECRAFT_RESOURCES "/examples/llama-3-8b.pt2"));
        QVERIFY(f.document().heavyQueue().isBusy());
        f.document().heavyQueue().cancelAll();
        QVERIFY(!f.document().heavyQueue().isBusy());
        QTest::qWait(50);
        QVERIFY(!f.document().hasModel());
        QCOMPARE(failed.size(), 0); // who cancels need not be told
        QVERIFY(f.open(tinyModel)); // and everything still works
    }

    void stagesAreExportedAndVerified_data()
    {
        QTest::addColumn<bool>("asPrograms");
        QTest::newRow(".pt2 and Python") << true;
        QTest::newRow("Python alone") << false;
    }

    void stagesAreExportedAndVerified()
    {
        QFETCH(bool, asPrograms);
        qputenv("STAGECRAFT_PYTHON", STAGECRAFT_PYTHON);
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        ExportDialog dialog(f.window);
        ExportController controller(f.document(), dialog, f.folder.path());
        const QString folder = f.folder.filePath("stages");
        dialog.setFolder(folder);
        for (QCheckBox* box : dialog.findChildren<QCheckBox*>())
            if (box->text().startsWith(".pt2"))
                box->setChecked(asPrograms);
        dialog.show();
        emit dialog.exportRequested();
        QTRY_VERIFY(QFile::exists(folder + "/manifest.json"));
        QTRY_VERIFY(!f.document().heavyQueue().isBusy());
        if (!dialog.verifyAfterwards()) {
            emit dialog.verifyRequested();
            QTRY_VERIFY(!f.document().heavyQueue().isBusy());
        }
        int equal = 0;
        for (const QTreeWidget* tree : dialog.findChildren<QTreeWidget*>()) {
            for (int i = 0; i < tree->topLevelItemCount(); ++i) {
                QVERIFY2(tree->topLevelItem(i)->text(4) != "differs",
                         qPrintable(tree->topLevelItem(i)->text(0)));
                equal += tree->topLevelItem(i)->text(4) == "equal";
            }
        }
        QVERIFY(equal > 10);
        QCOMPARE(QDir(folder).entryList({"stage_*.pt2"}).size(), asPrograms ? 4 : 0);
    }

    void theScheduleIsSavedFromTheMenu()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const std::size_t said = f.window->messageBar().count(); // of its figures
        const QString path = f.folder.filePath("step");
        QTimer::singleShot(0, f.window, [&] {
            auto* dialog = f.window->findChild<QFileDialog*>();
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        f.window->actionTable().saveSchedule->trigger();
        QVERIFY(QFile::exists(path + ".json"));
        QTimer::singleShot(0, f.window, [&] {
            auto* dialog = f.window->findChild<QFileDialog*>();
            dialog->selectNameFilter(dialog->nameFilters().constLast());
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        f.window->actionTable().saveSchedule->trigger();
        QFile table(path + ".csv");
        QVERIFY(table.open(QIODevice::ReadOnly) && table.readAll().contains("WAIT_SEND_F0"));
        QCOMPARE(f.window->messageBar().count(), said);
    }

    void panelsAreHiddenAndComeBack()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->actionTable().hidePanels->trigger();
        QVERIFY(!f.window->views().charts->isVisible());
        f.window->actionTable().hidePanels->trigger();
        QVERIFY(f.window->views().charts->isVisible());
    }

    void theOriginOfNaNIsPointedAt()
    {
        WindowFixture f;
        QVERIFY(f.open(STAGECRAFT_TEST_DATA "/models/run/makes-nan.pt2"));
        f.document().analyses().gatherStatistics();
        QTRY_VERIFY(f.document().analyses().statistics());
        MessageBar& bar = f.window->messageBar();
        QVERIFY(bar.accessibleDescription().contains("log (aten::log.default)"));
        const auto buttons = bar.findChildren<QPushButton*>();
        const auto show = std::ranges::find(buttons, QString("Show it"), &QPushButton::text);
        QVERIFY(show != buttons.end());
        (*show)->click();
        QCOMPARE(f.window->views().selection->nodes(),
                 std::vector{*f.document().model()->graph.findNode("log")});
        QCOMPARE(f.window->views().code->beside(), CodeView::Beside::Statistics);
    }

    // In the middle of opening, tracing or searching: nothing waits for it.
    void closingDuringWorkIsNotHeldUp()
    {
        WindowFixture f;
        QPointer<MainWindow> window = f.window;
        f.window->open(tinyModel);
        QVERIFY(f.document().heavyQueue().isBusy());
        QVERIFY(f.window->close());
        QVERIFY(!window->isVisible());
        QVERIFY(!f.document().heavyQueue().isBusy());
        QTRY_VERIFY(!window);
    }

    void aStageIsKeptAsItIsInOneStep()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        QAction* keep = f.window->actionTable().keepStage;
        QVERIFY(!keep->isEnabled());
        f.window->views().selection->setStage(StageId(1));
        QVERIFY(keep->isEnabled() && !keep->isChecked());
        keep->trigger();
        QCOMPARE(f.document().undoStack().count(), 1);
        QVERIFY(f.document().isLocked(BoundaryId(0)) && f.document().isLocked(BoundaryId(1)));
        QVERIFY(!f.document().isLocked(BoundaryId(2)));
        QVERIFY(keep->isChecked());
        f.window->actionTable().undo->trigger();
        QVERIFY(!f.document().isLocked(BoundaryId(0)) && !f.document().isLocked(BoundaryId(1)));
        QVERIFY(!keep->isChecked());
    }

    void theArrangementSurvivesClosing()
    {
        WindowFixture f;
        QVERIFY(f.open(tinyModel));
        QSettings settings(f.folder.filePath("settings.ini"), QSettings::IniFormat);
        QPointer<MainWindow> window = f.window;
        f.window->close();
        QTRY_VERIFY(!window);
        settings.sync();
        QVERIFY(!settings.value("window/state").toByteArray().isEmpty());
        QVERIFY(settings.value("recentFiles").toStringList().front().endsWith("gpt2-tiny.pt2"));
    }

    void aLaterStartShowsTheWelcomePageAlone()
    {
        WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->close();
        QTRY_VERIFY(!f.window);
        f.start();
        for (const QDockWidget* dock : f.window->findChildren<QDockWidget*>())
            QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName()));
        QCOMPARE(f.window->findChild<WelcomePage*>()->width(), f.window->width());
        QVERIFY(f.open(tinyModel));
        QVERIFY(f.window->views().stages->isVisible() && f.window->views().code->isVisible());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
