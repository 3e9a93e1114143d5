// What people expect of any window of a desktop.
#include "tests/app/window/window_fixture.h"
#include "views/base/elided_label.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

using namespace stagecraft;

namespace {

// The nearest thing around it that has a name.
QString nameOfPlace(const QWidget* part)
{
    while (part->parentWidget() && part->accessibleName().isEmpty() && part->objectName().isEmpty())
        part = part->parentWidget();
    return part->accessibleName() + ' ' + part->objectName();
}

// What of the graph is seen.
struct Sight
{
    explicit Sight(const GraphView* graph)
        : expansion(graph->graphLayout()->expansion),
          zoom(graph->zoom()),
          center(graph->mapToScene(graph->viewport()->rect().center()))
    {
    }
    bool isLike(const Sight& other) const
    {
        return expansion == other.expansion && zoom == other.zoom &&
               QLineF(center, other.center).length() * zoom <= 2;
    }

    Expansion expansion;
    double zoom;
    QPointF center;
};

void turnWheel(const GraphView* graph, int delta, Qt::KeyboardModifiers held = {})
{
    const QPoint at = graph->viewport()->rect().center();
    QWheelEvent event(at, graph->viewport()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, held,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(graph->viewport(), &event);
}

// The last that is inside a closed box.
std::optional<NodeId> foldedNode(const Layout& layout)
{
    std::optional<NodeId> found;
    for (const NodeId node : layout.tree->order)
        if (const auto item = layout.itemOf[node]; item && layout.items[*item].kind == ItemKind::ClosedBox)
            found = node;
    return found;
}

// Windows, but tooltips and menus, that have shown themselves while it lives.
class ShownWindows : public QObject
{
public:
    ShownWindows() { qApp->installEventFilter(this); }
    const QStringList& names() const { return m_names; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        const auto* widget = event->type() == QEvent::Show ? qobject_cast<QWidget*>(object) : nullptr;
        if (widget && widget->windowType() == Qt::Window)
            m_names << widget->metaObject()->className();
        return false;
    }

private:
    QStringList m_names;
};

} // namespace

class TestWindowHabits : public QObject
{
    Q_OBJECT

private slots:
    void aMessageHasTheStatusBarToItself()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        QStatusBar* bar = f.window->statusBar();
        bar->showMessage("said");
        f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OneModule);
        QVERIFY(f.settle()); // what the labels say is another
        QCOMPARE(bar->currentMessage(), QString("said"));
        for (const QLabel* label : bar->findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || label->accessibleName().isEmpty(),
                     qPrintable(label->accessibleName()));
        bar->clearMessage();
        const auto isSaid = [&](const QLabel* label) {
            return label->isVisible() && label->accessibleName() == "Model";
        };
        QVERIFY(std::ranges::any_of(bar->findChildren<QLabel*>(), isSaid));
    }

    // Figures are what a person looks for there; the window's title has the whole name.
    void aLongNameLeavesRoomForFigures()
    {
        const QTemporaryDir folder;
        const QString name = QString("a name that a script made and nobody would type ").repeated(3) + "end";
        const QString path = folder.filePath(name + ".pt2");
        QVERIFY(QFile::copy(tinyModel, path));
        const WindowFixture f;
        QVERIFY(f.open(path));
        const auto label = [&](const QString& called) {
            for (const auto* each : f.window->statusBar()->findChildren<ElidedLabel*>())
                if (each->accessibleName() == called)
                    return each;
            return static_cast<const ElidedLabel*>(nullptr);
        };
        QTRY_VERIFY(label("Slowest stage")->isVisible());
        for (const QString& called : {QString("Model"), QString("Slowest stage"), QString("Bound")})
            QTRY_COMPARE(label(called)->readableText(), label(called)->text());
        QVERIFY(label("Model")->text().contains("end, "));
        QVERIFY(label("Model")->toolTip().contains(name));
    }

    // As the system finds who takes a drop: the innermost widget that does.
    void filesCanBeDroppedOnAnything()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        for (QWidget* part : f.window->findChildren<QWidget*>()) {
            if (!part->isVisible() || part->window() != f.window)
                continue;
            const QWidget* taker = part;
            while (taker && !taker->acceptDrops())
                taker = taker->parentWidget();
            QVERIFY2(taker == f.window, qPrintable(part->metaObject()->className() + QString(" ") +
                                                   part->objectName() + part->accessibleName()));
        }
    }

    void theStatusSaysWhatThePlanIsFor()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const auto setup = [&] {
            for (const QToolButton* button : f.window->statusBar()->findChildren<QToolButton*>())
                if (button->accessibleName() == "What the plan is made for")
                    return button->text();
            return QString();
        };
        QVERIFY2(setup().contains(" × ") && setup().contains("8 microbatches"), qPrintable(setup()));
        PlanRequest request = f.document().request();
        request.plan.microbatches = 16;
        request.plan.schedule = ScheduleKind::GPipe;
        f.document().setRequest(request);
        QTRY_VERIFY2(setup().contains("16 microbatches") && setup().contains("GPipe"), qPrintable(setup()));
    }

    // A screen reader says what has the keyboard, by its name or by the text that stands on it.
    void everythingThatTakesTheKeyboardHasAName()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        QStringList nameless;
        for (const QWidget* part : f.window->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(part);
            const bool isPart = part->objectName().startsWith("qt_") || part->focusProxy() ||
                                qobject_cast<const QLabel*>(part) ||
                                qobject_cast<const QAbstractSpinBox*>(part->parentWidget()) ||
                                qobject_cast<const QComboBox*>(part->parentWidget());
            const bool isSpare = qobject_cast<const QTabBar*>(part) && !part->isVisible(); // Qt keeps some
            // What is typed into is part of its field; a label says its text.
            if (isSpare || part->focusPolicy() == Qt::NoFocus || part->window() != f.window || isPart)
                continue;
            if (part->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
                nameless << part->metaObject()->className() + (" in " + nameOfPlace(part));
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
    }

    // Folds, zoom and part of the graph, with the selection; what lies between two jumps is no place.
    void backAndForthShowWhatWasSeen()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        GraphView* graph = f.window->views().graph;
        Selection* selection = f.window->views().selection;
        f.window->activateWindow();
        graph->setFocus();
        QTRY_VERIFY(graph->hasFocus());
        turnWheel(graph, 240, Qt::ControlModifier);
        for (int i = 0; i < 5; ++i)
            turnWheel(graph, -20);
        const Sight first(graph);
        const std::optional<NodeId> far = foldedNode(*graph->graphLayout());
        QVERIFY(far);
        selection->setNodes({*far});
        selection->reveal({*far});
        QVERIFY(f.settle());
        QVERIFY(graph->graphLayout()->expansion != first.expansion);
        f.window->actionTable().actualSize->trigger();
        QVERIFY(selection->nodes() == std::vector{*far});
        for (int i = 0; i < 5; ++i)
            turnWheel(graph, 40);
        const Sight second(graph);
        QVERIFY(!second.isLike(first));

        QTest::keyClick(graph, Qt::Key_Left, Qt::AltModifier);
        QVERIFY(f.settle());
        QVERIFY(Sight(graph).isLike(first));
        QVERIFY(selection->nodes().empty());
        QVERIFY(!f.window->actionTable().goBack->isEnabled());
        QTest::keyClick(graph, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(f.settle());
        QVERIFY(Sight(graph).isLike(second));
        QVERIFY(selection->nodes() == std::vector{*far});
        QVERIFY(!f.window->actionTable().goForward->isEnabled());
    }

    void aNewWindowIsEmpty()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->activateWindow();
        f.window->views().graph->setFocus();
        QTRY_VERIFY(f.window->views().graph->hasFocus());
        QTest::keyClick(f.window->views().graph, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        MainWindow* other = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* window = qobject_cast<MainWindow*>(widget); window && window != f.window)
                other = window;
        QVERIFY(other && other->isVisible());
        QVERIFY(!other->document().hasModel());
        QVERIFY(f.document().hasModel());
        QVERIFY(other->close());
    }

    // A part that is shown before it belongs to the window is one of its own for a moment.
    void nothingElseShowsAsAWindow()
    {
        const QTemporaryDir data;
        WindowFixture f(data.path());
        QVERIFY(f.open(tinyModel));
        QVERIFY(f.window->close());
        const ShownWindows shown;
        f.start();
        const auto isOffered = [&] {
            return std::ranges::any_of(f.window->findChildren<QPushButton*>(), [](const QPushButton* button) {
                return button->accessibleName().startsWith("Go on with");
            });
        };
        QTRY_VERIFY(isOffered());
        QVERIFY(f.open(tinyModel));
        for (QAction* action : menuActions(*f.window))
            if (action->text() == "&Keep this plan as B")
                action->trigger();
        for (QTabBar* tabs : f.window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                QCoreApplication::processEvents();
            }
        QCOMPARE(shown.names(), QStringList{"stagecraft::MainWindow"});
    }

    void theWindowFitsItsScreen()
    {
        const WindowFixture f;
        const QSize screen = f.window->screen()->availableSize();
        MainWindow other{Environment{
            .settings = std::make_shared<QSettings>(f.folder.filePath("other.ini"), QSettings::IniFormat)}};
        QVERIFY2(other.width() <= screen.width() && other.height() < screen.height(),
                 qPrintable(QString("%1x%2").arg(other.width()).arg(other.height())));
        QVERIFY2(
            other.minimumSizeHint().width() <= 1280 && other.minimumSizeHint().height() <= 690,
            qPrintable(
                QString("%1x%2").arg(other.minimumSizeHint().width()).arg(other.minimumSizeHint().height())));
    }
};

QTEST_MAIN(TestWindowHabits)
#include "tst_window_habits.moc"
