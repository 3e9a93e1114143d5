// What people come for, done by clicks of a mouse on what stands in the window, and the clicks counted: six
// at most.
#include "window_fixture.h"

#include "app/window/compare_controller.h"
#include "views/base/format.h"
#include "views/pages/export_dialog.h"
#include "views/pages/next_steps.h"
#include "views/plan/compare_bar.h"

#include <QClipboard>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace stagecraft;

namespace {

constexpr int mostClicks = 6;

// A stranger: knows only what can be read in the window.
class Stranger
{
public:
    explicit Stranger(const WindowFixture& fixture) : f(fixture) {}
    int clicks() const { return m_clicks; }

    void click(QWidget* widget, QPoint at)
    {
        ++m_clicks;
        QTest::mouseClick(widget, Qt::LeftButton, {}, at);
        QCoreApplication::processEvents();
    }
    void click(QWidget* widget) { click(widget, widget->rect().center()); }

    // The tab of a panel.
    bool clickPanel(const QString& title)
    {
        for (QTabBar* tabs : f.window->findChildren<QTabBar*>())
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isVisible() && tabs->tabText(i) == title) {
                    click(tabs, tabs->tabRect(i).center());
                    return true;
                }
        return false;
    }
    // Of the menu bar, and from there to the entry that begins so.
    bool clickMenu(const QStringList& path)
    {
        QMenuBar* bar = f.window->menuBar();
        QWidget* place = bar;
        for (const QString& text : path) {
            QAction* found = nullptr;
            for (QAction* action : place->actions())
                if (QString(action->text()).remove('&').startsWith(text))
                    found = action;
            if (!found || !found->isEnabled())
                return false;
            const QRect area =
                place == bar ? bar->actionGeometry(found) : static_cast<QMenu*>(place)->actionGeometry(found);
            click(place, area.center());
            if (!found->menu())
                return true;
            place = found->menu();
            if (!QTest::qWaitFor([place] { return place->isVisible(); }, patience))
                return false;
        }
        return true;
    }

private:
    const WindowFixture& f;
    int m_clicks = 0;
};

QTreeView* treeIn(QWidget* view)
{
    return view->findChild<QTreeView*>();
}

} // namespace

class TestFiveTasks : public QObject
{
    Q_OBJECT

private slots:
    void findTheMostExpensiveLayer()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        Stranger person(f);
        QVERIFY(person.clickPanel("Model"));
        QTreeView* tree = treeIn(f.window->views().modules);
        const QHeaderView* header = tree->header();
        int time = -1;
        for (int section = 0; section < header->count(); ++section)
            if (tree->model()->headerData(section, Qt::Horizontal).toString() == "Time")
                time = section;
        QVERIFY(time >= 0);
        person.click(
            header->viewport(),
            {header->sectionViewportPosition(time) + header->sectionSize(time) / 2, header->height() / 2});
        const QModelIndex root = tree->model()->index(0, 0);
        tree->expandAll(); // by the key *, which is no click
        QModelIndex first = root;
        while (tree->model()->rowCount(first) > 0 && tree->model()->rowCount(first) < 2)
            first = tree->model()->index(0, 0, first);
        const QModelIndex layer = tree->model()->index(0, 0, first);
        tree->scrollTo(layer);
        person.click(tree->viewport(), tree->visualRect(layer).center());
        QVERIFY(person.clicks() <= mostClicks);

        // No sibling takes longer.
        const Profile& profile = *f.document().state().profile;
        const Graph& graph = f.document().model()->graph;
        const std::vector<NodeId>& chosen = f.window->views().selection->nodes();
        QVERIFY(!chosen.empty());
        const ModuleId module = *commonModule(graph, chosen);
        const auto timeOfModule = [&](ModuleId id) {
            double sum = 0;
            for (const NodeId node : graph.nodes())
                if (graph.modules().contains(id, graph[node].module))
                    sum += profile.nodes[node].time().value();
            return sum;
        };
        for (const ModuleId other : graph.modules().ids())
            if (graph.modules()[other].parent == graph.modules()[module].parent)
                QVERIFY2(timeOfModule(other) <= timeOfModule(module) * (1 + 1e-9),
                         graph.modules()[other].path.c_str());
    }

    void makeItFitFortyGigabytes()
    {
        const WindowFixture f({}, Seconds(2));
        QVERIFY(f.open(QString(STAGECRAFT_RESOURCES) + "/examples/llama-3-8b.pt2"));
        const auto largest = [&] {
            Bytes most;
            for (const StageCost& stage : f.document().state().cost->stages)
                most = std::max(most, stage.peakMemory);
            return most;
        };
        const Bytes forty(40'000'000'000);
        QVERIFY2(largest() > forty, "it fits before; another model would show more");
        Stranger person(f);
        QVERIFY(person.clickPanel("Plan"));
        QLineEdit* limit = nullptr;
        for (QLineEdit* field : f.window->views().options->findChildren<QLineEdit*>())
            if (field->accessibleName() == "Memory limit")
                limit = field;
        QVERIFY(limit);
        person.click(limit);
        limit->selectAll();
        QTest::keyClicks(limit, "40 GB");
        QTest::keyClick(limit, Qt::Key_Return);
        QVERIFY(f.settle());
        const auto* bar = f.window->findChild<QToolBar*>("bar");
        if (largest() > forty) {
            person.click(bar->widgetForAction(f.window->actionTable().split));
            QVERIFY(f.settle());
        }
        QVERIFY2(largest() <= forty, qPrintable(QString::number(largest().count())));
        QVERIFY(person.clicks() <= mostClicks);
    }

    void compareTwoSchedules()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        Stranger person(f);
        QCOMPARE(f.document().request().plan.schedule, ScheduleKind::OneFOneB);
        QVERIFY(person.clickMenu({"Compare", "With another schedule", "Zero bubble (ZB1P)"}));
        auto* bar = f.window->findChild<CompareBar*>();
        QVERIFY(bar);
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(f.settle());
        QString said;
        for (const QLabel* label : bar->findChildren<QLabel*>())
            said += label->text() + ' ';
        QVERIFY2(said.contains("ZB1P", Qt::CaseInsensitive), qPrintable(said));
        QVERIFY2(said.contains("ms") || said.contains("s"), qPrintable(said));
        QVERIFY(person.clicks() <= mostClicks);
    }

    void seeWhyTheSlowestStageIsSlow()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        Stranger person(f);
        QVERIFY(person.clickMenu({"Analyse", "Why no faster"}));
        QTRY_VERIFY(f.window->views().advice->isVisible());
        QString said;
        QTRY_VERIFY([&] {
            said.clear();
            for (const QLabel* label : f.window->views().advice->findChildren<QLabel*>())
                said += label->text() + '\n';
            return said.contains("Stage ") && f.document().isSettled();
        }());
        const QString slowest = slowestName(*f.document().state().cost);
        QVERIFY2(said.contains(slowest), qPrintable(slowest + ": " + said));
        QVERIFY(person.clicks() <= mostClicks);
    }

    // With real PyTorch, by the line that is offered for it.
    void exportAndRun()
    {
        qputenv("STAGECRAFT_PYTHON", STAGECRAFT_PYTHON);
        const WindowFixture f;
        PlanRequest request = f.document().request();
        request.plan.stageCount = 2;
        request.plan.microbatches = 2;
        f.document().setRequest(request);
        QVERIFY(f.open(tinyModel));
        Stranger person(f);
        const auto* bar = f.window->findChild<QToolBar*>("bar");
        person.click(bar->widgetForAction(f.window->actionTable().exportStages));
        ExportDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = f.window->findChild<ExportDialog*>()));
        const auto button = [&](const QString& text) -> QPushButton* {
            for (QPushButton* each : dialog->findChildren<QPushButton*>())
                if (each->text() == text && each->isVisible())
                    return each;
            return nullptr;
        };
        QTRY_VERIFY(button("Export") && button("Export")->isEnabled());
        person.click(button("Export"));
        QTRY_VERIFY(button("Copy"));
        QTRY_VERIFY(!f.document().heavyQueue().isBusy()); // it verifies, too
        person.click(button("Copy"));
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.contains("torchrun --nproc-per-node 2 pipeline.py"), qPrintable(command));
        QVERIFY(person.clicks() <= mostClicks);

        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const QString python = QFileInfo(STAGECRAFT_PYTHON).absolutePath();
        environment.insert("PATH", python + ':' + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.setProcessChannelMode(QProcess::MergedChannels);
        shell.start("sh", {"-c", command});
        QVERIFY(shell.waitForFinished(patience));
        const QByteArray said = shell.readAll();
        QVERIFY2(shell.exitCode() == 0, said);
    }
};

QTEST_MAIN(TestFiveTasks)
#include "tst_five_tasks.moc"
