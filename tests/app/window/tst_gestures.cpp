// What a restless person does, at random: whatever it is, the window lives, and undoing all of it brings the
// plan back that there was.
//
// Of the environment: STAGECRAFT_GESTURES, how many (few by default); STAGECRAFT_SEED, which. It is printed.
#include "app/document/constraint_steps.h"
#include "app/document/kept_request.h"
#include "app/document/recomputed_plans.h"
#include "chance.h"
#include "core/plan/evaluate.h"
#include "views/pages/export_dialog.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTimer>
#include <QWheelEvent>

#include <utility>

using namespace stagecraft;

namespace {

// Answers whatever menus and dialogs come up, so that nothing waits for a person.
class Bystander : public QObject
{
public:
    explicit Bystander(Chance& chance) : m_chance(chance) { lookAgain(); }

private:
    void lookAgain() { QTimer::singleShot(2, this, &Bystander::look); }
    void look()
    {
        lookAgain(); // also while a dialog runs that an answer opens
        if (auto* popup = QApplication::activePopupWidget())
            return closePopup(popup);
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
            answer(dialog);
    }
    void closePopup(const QPointer<QWidget>& popup)
    {
        auto* menu = qobject_cast<QMenu*>(popup.data());
        if (menu && !menu->actions().isEmpty() && m_chance.oneIn(2)) {
            QAction* action = m_chance.of(menu->actions());
            if (action->isEnabled() && !action->menu() && !action->isSeparator())
                action->trigger();
        }
        if (popup)
            popup->close();
    }
    void answer(QDialog* dialog)
    {
        const auto buttons = dialog->findChildren<QPushButton*>();
        const bool isOfFiles = qobject_cast<QFileDialog*>(dialog) != nullptr;
        if (isOfFiles || buttons.isEmpty() || m_chance.oneIn(3))
            return dialog->reject();
        QPushButton* button = m_chance.of(buttons);
        const bool isAnswer = qobject_cast<QMessageBox*>(dialog) != nullptr || m_chance.oneIn(2);
        if (button->isEnabled() && button->isVisible() && isAnswer && !button->text().contains("older"))
            button->click();
    }

    Chance& m_chance;
};

const QList<Qt::Key> keys{Qt::Key_Up,          Qt::Key_Down,
                          Qt::Key_Left,        Qt::Key_Right,
                          Qt::Key_Return,      Qt::Key_Escape,
                          Qt::Key_Delete,      Qt::Key_Space,
                          Qt::Key_Home,        Qt::Key_End,
                          Qt::Key_Tab,         Qt::Key_PageDown,
                          Qt::Key_BracketLeft, Qt::Key_BracketRight,
                          Qt::Key_Backspace,   Qt::Key_0,
                          Qt::Key_Plus,        Qt::Key_Minus,
                          Qt::Key_A,           Qt::Key_D,
                          Qt::Key_E,           Qt::Key_F,
                          Qt::Key_L,           Qt::Key_P,
                          Qt::Key_S,           Qt::Key_W,
                          Qt::Key_Z,           Qt::Key_Y,
                          Qt::Key_G,           Qt::Key_K,
                          Qt::Key_Comma,       Qt::Key_Period,
                          Qt::Key_X,           Qt::Key_1};
const QList<Qt::KeyboardModifiers> modifiers{Qt::NoModifier,
                                             Qt::NoModifier,
                                             Qt::NoModifier,
                                             Qt::ShiftModifier,
                                             Qt::ControlModifier,
                                             Qt::AltModifier,
                                             Qt::ControlModifier | Qt::ShiftModifier};

QStringList fiveModels()
{
    const QString data = STAGECRAFT_TEST_DATA "/models/";
    return {data + "tiny/gpt2-tiny.pt2", data + "run/makes-nan.pt2", data + "tiny/t5-tiny.pt2",
            data + "made/nested.pt2", data + "tiny/mobilenet-tiny.pt2"};
}

class Person
{
public:
    Person(const WindowFixture& fixture, Chance& chance)
        : f(fixture), views(fixture.window->views()), actions(fixture.window->actionTable()), m_chance(chance)
    {
        for (QAction* action :
             {actions.close, actions.quit, actions.openInWindow, actions.newWindow, actions.aboutQt}) {
            action->setEnabled(false);
            m_left << action;
        }
    }

    QString gesture()
    {
        using Gesture = void (Person::*)();
        static const std::vector<std::pair<const char*, Gesture>> gestures{
            {"drag a boundary", &Person::dragBoundary},
            {"drag a boundary", &Person::dragBoundary},
            {"drag in the charts", &Person::dragInCharts},
            {"drag in the graph", &Person::dragInGraph},
            {"press a key", &Person::pressKey},
            {"press a key", &Person::pressKey},
            {"choose an action", &Person::chooseAction},
            {"undo or redo", &Person::undoOrRedo},
            {"turn the wheel", &Person::turnWheel},
            {"click anywhere", &Person::clickAnywhere},
            {"click anywhere", &Person::clickAnywhere},
            {"change an option", &Person::changeOption},
            {"edit the plan", &Person::editPlan},
            {"close or open a panel", &Person::toggleDock},
            {"change the detail", &Person::changeDetail},
            {"resize", &Person::resize},
            {"wait", &Person::wait},
        };
        const auto& [name, gesture] = m_chance.of(gestures);
        (this->*gesture)();
        return name;
    }

private:
    QWidget* surface() { return views.graph->viewport(); }

    void drag(QWidget* widget, QPoint from, QPoint to, Qt::MouseButton button)
    {
        const Qt::KeyboardModifiers held = m_chance.of(modifiers);
        QTest::mousePress(widget, button, held, from);
        const int steps = m_chance.between(1, 6);
        for (int i = 1; i <= steps; ++i) {
            QTest::mouseMove(widget, from + (to - from) * i / steps);
            if (m_chance.oneIn(8))
                QTest::qWait(m_chance.below(10));
            if (m_chance.oneIn(15))
                QTest::keyClick(widget, Qt::Key_Escape);
            if (m_chance.oneIn(15)) // in the midst of it
                undoOrRedo();
        }
        QTest::mouseRelease(widget, button, held, to);
    }
    void dragBoundary()
    {
        if (!f.document().hasModel())
            return;
        const int count = static_cast<int>(f.document().shown().partition->stageCount) - 1;
        if (const auto handle =
                views.graph->boundaryHandle(BoundaryId(static_cast<std::size_t>(m_chance.below(count)))))
            drag(surface(), handle->center(), handle->center() + QPoint(0, m_chance.between(-300, 300)),
                 Qt::LeftButton);
    }
    void dragInCharts()
    {
        QWidget* plot = views.charts->focusProxy();
        if (!plot->isVisible())
            return;
        QPoint from = m_chance.within(plot->size());
        if (m_chance.oneIn(2) && f.document().state().partition &&
            f.document().state().partition->stageCount > 1)
            from.setX(qRound(views.charts->positionToPixel(f.boundary(0))));
        drag(plot, from, m_chance.within(plot->size()), Qt::LeftButton);
    }
    void dragInGraph()
    {
        drag(surface(), m_chance.within(surface()->size()), m_chance.within(surface()->size()),
             m_chance.of(QList{Qt::LeftButton, Qt::LeftButton, Qt::LeftButton, Qt::MiddleButton}));
    }
    // A part of any panel that shows, or of the graph, that takes keys.
    QWidget* keyTaker()
    {
        QList<QWidget*> takers{views.graph};
        for (const QDockWidget* dock : f.window->findChildren<QDockWidget*>())
            for (QWidget* part : dock->findChildren<QWidget*>())
                if (part->isVisible() && part->focusPolicy() != Qt::NoFocus)
                    takers << part;
        return m_chance.of(takers);
    }
    void pressKey()
    {
        QWidget* widget = keyTaker();
        widget->setFocus();
        if (QWidget* focused = QApplication::focusWidget(); focused && m_chance.oneIn(2))
            widget = focused;
        const QPointer<QWidget> taker(widget);
        for (int i = m_chance.between(1, 3); i > 0 && taker; --i)
            QTest::keyClick(taker, m_chance.of(keys), m_chance.of(modifiers));
    }
    void chooseAction()
    {
        QList<QAction*> all = f.window->findChildren<QAction*>();
        QAction* action = m_chance.of(all);
        if (action->isEnabled() && !action->menu() && !m_left.contains(action))
            action->trigger();
    }
    void undoOrRedo() { (m_chance.oneIn(3) ? actions.redo : actions.undo)->trigger(); }
    void turnWheel()
    {
        QWidget* widget = m_chance.oneIn(2) ? surface() : views.charts->focusProxy();
        const QPoint at = m_chance.within(widget->size());
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, m_chance.between(-4, 4) * 120}, Qt::NoButton,
                          m_chance.of(modifiers), Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    void clickAnywhere()
    {
        QList<QWidget*> all;
        for (QWidget* widget : f.window->findChildren<QWidget*>())
            if (widget->isVisible() && !widget->size().isEmpty() && !qobject_cast<QMenuBar*>(widget))
                all << widget;
        if (all.isEmpty())
            return;
        QWidget* widget = m_chance.of(all);
        const QPoint at = m_chance.within(widget->size());
        const auto held = m_chance.of(modifiers);
        if (m_chance.oneIn(6))
            QTest::mouseDClick(widget, Qt::LeftButton, held, at);
        else
            QTest::mouseClick(widget, m_chance.oneIn(5) ? Qt::RightButton : Qt::LeftButton, held, at);
        if (m_chance.oneIn(5)) { // a click of the right button alone does not make the event
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
            QApplication::sendEvent(widget, &event);
        }
    }
    // Of the plan's options, or of any panel.
    void changeOption()
    {
        const QWidget* panel = views.options;
        if (m_chance.oneIn(3))
            panel = m_chance.of(f.window->findChildren<QDockWidget*>());
        const auto boxes = panel->findChildren<QComboBox*>();
        const auto numbers = panel->findChildren<QSpinBox*>();
        const auto lines = panel->findChildren<QLineEdit*>();
        if (boxes.isEmpty() || numbers.isEmpty() || lines.isEmpty())
            return chooseIn(*panel);
        switch (m_chance.below(3)) {
        case 0: {
            QComboBox* box = m_chance.of(boxes);
            box->setCurrentIndex(m_chance.below(box->count()));
            break;
        }
        case 1: {
            QSpinBox* number = m_chance.of(numbers);
            number->setValue(m_chance.oneIn(6) ? m_chance.between(0, 5000) : m_chance.between(1, 8));
            break;
        }
        default: {
            QLineEdit* line = m_chance.of(lines);
            line->setText(
                m_chance.of(QStringList{"", "1 GiB", "64 KiB", "nonsense", "-3", "30", "1e99 GiB"}));
            QTest::keyClick(line, Qt::Key_Return);
        }
        }
    }
    // Of a panel with fewer kinds of fields than the options have.
    void chooseIn(const QWidget& panel)
    {
        if (const auto boxes = panel.findChildren<QComboBox*>(); !boxes.isEmpty()) {
            QComboBox* box = m_chance.of(boxes);
            box->setCurrentIndex(m_chance.below(box->count()));
        }
        const auto buttons = panel.findChildren<QAbstractButton*>();
        if (QAbstractButton* button = buttons.isEmpty() ? nullptr : m_chance.of(buttons);
            button && button->isEnabled() && button->isVisible())
            button->click();
    }
    void editPlan()
    {
        Document& document = f.document();
        if (!document.hasModel())
            return;
        const auto random = [&](std::size_t count) {
            return static_cast<std::size_t>(m_chance.below(static_cast<int>(count) + 1));
        };
        const std::size_t nodes = document.model()->graph.nodeCount();
        const std::size_t stages = document.state().partition->stageCount;
        std::vector<NodeId> some;
        for (int i = m_chance.between(0, 4); i > 0; --i)
            some.emplace_back(random(nodes - 1));
        std::ranges::sort(some);
        some.erase(std::unique(some.begin(), some.end()), some.end());
        switch (m_chance.below(9)) {
        case 0:
            return document.addBoundary(random(nodes));
        case 1:
            return document.removeBoundary(BoundaryId(random(stages)));
        case 2:
            return document.splitStage(StageId(random(stages - 1)));
        case 3:
            return document.send(some, m_chance.oneIn(2) ? StageDirection::Next : StageDirection::Previous);
        case 4:
            return toggleLock(document, BoundaryId(random(stages)));
        case 5:
            return togglePins(document, some);
        case 6:
            return keepTogether(document, some);
        case 7:
            return letApart(document, some);
        default:
            return views.selection->setNodes(some);
        }
    }
    void toggleDock()
    {
        const auto docks = f.window->findChildren<QDockWidget*>();
        QDockWidget* dock = m_chance.of(docks);
        if (m_chance.oneIn(4))
            dock->setFloating(!dock->isFloating());
        else if (m_chance.oneIn(2))
            dock->toggleViewAction()->trigger();
        else
            dock->raise();
    }
    void changeDetail()
    {
        for (QSlider* slider : f.window->findChildren<QSlider*>())
            slider->setValue(m_chance.between(slider->minimum(), slider->maximum()));
    }
    void resize() { f.window->resize(m_chance.between(300, 2000), m_chance.between(200, 1400)); }
    void wait() { QTest::qWait(m_chance.below(40)); }

    const WindowFixture& f;
    const WindowViews& views;
    const Actions& actions;
    Chance& m_chance;
    QList<QAction*> m_left;
};

int fromEnvironment(const char* name, int otherwise)
{
    bool isNumber = false;
    const int value = qEnvironmentVariableIntValue(name, &isNumber);
    return isNumber ? value : otherwise;
}

} // namespace

class TestGestures : public QObject
{
    Q_OBJECT

private slots:
    void whateverIsDoneCanBeUndone()
    {
        const int count = fromEnvironment("STAGECRAFT_GESTURES", 150);
        const int seed = fromEnvironment("STAGECRAFT_SEED", 1);
        qInfo("seed %d, %d gestures", seed, count);
        Chance chance(static_cast<unsigned>(seed));
        QTemporaryDir dataFolder;
        WindowFixture f(dataFolder.path());
        const QStringList models = fiveModels();
        Person person(f, chance);
        Bystander bystander(chance);
        const int rounds = std::max(static_cast<int>(models.size()), count / 100);
        bool isOther = false; // was another model opened, in the midst of it?
        connect(&f.document(), &Document::modelChanged, f.window, [&] { isOther = true; });
        int done = 0;
        for (int round = 0; round < rounds; ++round) {
            const QString& model = models[round % models.size()];
            QVERIFY2(openAtRest(f, model), qPrintable(model));
            PlanState start = f.document().state();
            isOther = false;
            for (const int end = count * (round + 1) / rounds; done < end; ++done) {
                const QString what = person.gesture();
                QVERIFY2(f.window, qPrintable(what));
                QCoreApplication::processEvents();
                if (std::exchange(isOther, false)) {
                    QVERIFY2(undoAll(f), qPrintable(what));
                    start = f.document().state();
                }
                const QString wrong = wrongIn(f);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1: after '%2', gesture %3 of seed %4")
                                                         .arg(wrong, what)
                                                         .arg(done)
                                                         .arg(seed)));
            }
            const QString where = QString("%1, gesture %2 of seed %3").arg(model).arg(done).arg(seed);
            qInfo("%s", qPrintable(where));
            QTest::keyClick(f.window->views().graph, Qt::Key_Escape);
            QVERIFY2(atRest(f), qPrintable(where));
            QVERIFY2(!f.document().isDragging(), qPrintable(where));
            QVERIFY2(settled(f), qPrintable(where));
            QVERIFY2(!isUnsettled(f.document().state()) && wrongIn(f).isEmpty(), qPrintable(where));
            QVERIFY2(undoAll(f), qPrintable(where));
            QVERIFY2(!f.document().undoStack().canUndo(),
                     qPrintable(where + ": left to undo: " + f.document().undoStack().undoText()));
            if (isOther || !start.cost) // or nothing was known of it yet, as that was ended
                start = f.document().state();
            const PlanState& end = f.document().state();
            QVERIFY2(*end.partition == *start.partition, qPrintable(where));
            QVERIFY2(end.request == start.request,
                     qPrintable(where + requestJson(end.request) + requestJson(start.request)));
            QVERIFY2(end.request.plan.pins.empty() && end.locks.empty() && !end.times, qPrintable(where));
            QVERIFY2(end.cost->bottleneckTime == start.cost->bottleneckTime, qPrintable(where));
            QVERIFY2(!f.window->isWindowModified(), qPrintable(where));
        }
    }

private:
    // As a person does it: what was to be opened before is not any more. Edits of the model before are not in
    // the way, as all of them were undone.
    static bool openAtRest(const WindowFixture& f, const QString& model)
    {
        f.window->open(model);
        return QTest::qWaitFor([&] { return f.document().modelPath() == model.toStdString(); }, patience) &&
               atRest(f);
    }

    // Whatever was asked for may take its time, on a busy machine above all; what a dialog asks is answered.
    static bool atRest(const WindowFixture& f)
    {
        const auto isAsked = [] {
            return QApplication::activeModalWidget() || QApplication::activePopupWidget();
        };
        return QTest::qWaitFor([&] { return f.document().hasModel() && f.window->isSettled() && !isAsked(); },
                               patience);
    }

    // Where a person ended what settles it, the window offers to begin anew.
    static bool settled(const WindowFixture& f)
    {
        if (isUnsettled(f.document().state()))
            f.document().settle();
        return atRest(f);
    }

    static bool undoAll(const WindowFixture& f)
    {
        QTest::keyClick(f.window->views().graph, Qt::Key_Escape);
        if (!atRest(f))
            return false;
        while (f.document().undoStack().canUndo())
            f.document().undoStack().undo();
        return atRest(f);
    }

    // What the plan is said to cost is what evaluate() says of it.
    static QString wrongFigure(const PlanState& state)
    {
        if (!state.cost || !state.problem)
            return {};
        const PlanCost fresh = evaluate(*state.problem, *state.partition);
        const auto figuresOf = [](const PlanCost& of) {
            return QStringLiteral("%1 s, %2 s, %3, %4, %5")
                .arg(QString::number(of.bottleneckTime.value(), 'g', 17),
                     QString::number(of.iteration.value(), 'g', 17), QString::number(of.peakMemory().count()),
                     QString::number(of.bytesSent.count()), QString::number(of.bubble, 'g', 17));
        };
        const QString wrong = figuresOf(*state.cost) + ", not " + figuresOf(fresh);
        return figuresOf(*state.cost) == figuresOf(fresh)
                   ? QString()
                   : "figures of another plan: " + wrong + requestJson(state.request);
    }

    static QString wrongIn(const WindowFixture& f)
    {
        const Document& document = f.document();
        if (!document.hasModel())
            return "the model is gone";
        const std::size_t nodes = document.model()->graph.nodeCount();
        const std::size_t stages = document.shown().partition->stageCount;
        const Selection* selection = f.window->views().selection;
        if (!selection->nodes().empty() && selection->nodes().back().index() >= nodes)
            return "an op is selected that the model does not have";
        if (selection->boundary() && selection->boundary()->index() + 1 >= stages)
            return "a boundary is chosen that the plan does not have";
        if (selection->stage() && selection->stage()->index() >= stages)
            return "a stage is chosen that the plan does not have";
        for (const StageId stage : document.shown().partition->stageOf)
            if (stage.index() >= stages)
                return "an op is in no stage";
        // Of a plan whose stages choose anew what they recompute there are estimates until they have.
        return isUnsettled(document.state()) ? QString() : wrongFigure(document.state());
    }
};

QTEST_MAIN(TestGestures)
#include "tst_gestures.moc"
