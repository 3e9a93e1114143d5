// As a screen reader asks, and as who has no mouse goes: every part of every panel and dialog has a name and
// a role, tables have titles, and Tab comes everywhere and gets away again.
#include "window_fixture.h"

#include "views/pages/export_dialog.h"

#include <QAccessible>
#include <QAccessibleInterface>
#include <QDialog>
#include <QDockWidget>
#include <QSet>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

using namespace stagecraft;

namespace {

QString pathOf(const QAccessibleInterface& part)
{
    const QObject* object = part.object();
    QString path = object ? object->metaObject()->className() + (' ' + object->objectName()) : QString("?");
    for (QAccessibleInterface* around = part.parent(); around && path.size() < 300; around = around->parent())
        path = around->text(QAccessible::Name) + '/' + path;
    return path;
}

// What a screen reader would have nothing to say of.
class Listener
{
public:
    void listen(QAccessibleInterface* part, int depth = 0)
    {
        if (!part || !part->isValid() || depth > 40)
            return;
        ++m_count;
        const QAccessible::State state = part->state();
        const auto* widget = qobject_cast<const QWidget*>(part->object());
        const bool isSeen = !widget || !widget->visibleRegion().isEmpty();
        if (!state.invisible && !state.offscreen && isSeen)
            judge(*part, state);
        const int children = part->tableInterface() ? std::min(part->childCount(), 60) : part->childCount();
        for (int i = 0; i < children; ++i)
            listen(part->child(i), depth + 1);
    }
    int count() const { return m_count; }
    QStringList faults() const { return QStringList(m_faults.begin(), m_faults.end()); }

private:
    void judge(QAccessibleInterface& part, QAccessible::State state)
    {
        const bool isCell = part.role() == QAccessible::Cell || part.role() == QAccessible::TreeItem ||
                            part.role() == QAccessible::ListItem; // an empty one is empty
        const bool isButton = part.role() == QAccessible::Button || part.role() == QAccessible::CheckBox ||
                              part.role() == QAccessible::ButtonMenu;
        const bool isQts = part.object() && part.object()->objectName().startsWith("qt_");
        if ((state.focusable || isButton) && !isCell && !isQts && part.text(QAccessible::Name).isEmpty())
            m_faults << "no name: " + pathOf(part);
        if (state.focusable && part.role() == QAccessible::NoRole)
            m_faults << "no role: " + pathOf(part);
        QAccessibleTableInterface* table = part.tableInterface();
        for (int column = 0; table && column < table->columnCount(); ++column)
            if (table->columnCount() > 1 && table->columnDescription(column).isEmpty())
                m_faults << QString("column %1 has no title: ").arg(column) + pathOf(part);
    }

    int m_count = 0;
    QSet<QString> m_faults;
};

QAction* actionCalled(const MainWindow& window, const QString& start)
{
    for (QAction* action : menuActions(window))
        if (QString(action->text()).remove('&').startsWith(start))
            return action;
    return nullptr;
}

QAbstractButton* buttonCalled(const MainWindow& window, const QString& name)
{
    for (auto* button : window.findChildren<QAbstractButton*>())
        if (button->accessibleName() == name)
            return button;
    return nullptr;
}

// Those that are on top of the window, or beside it.
QWidget* openedDialog(const MainWindow& window)
{
    for (QWidget* top : QApplication::topLevelWidgets())
        if (top != &window && top->isVisible() && qobject_cast<QDialog*>(top))
            return top;
    return nullptr;
}

} // namespace

class TestAccessibility : public QObject
{
    Q_OBJECT

private slots:
    void everyPartOfEveryPanelHasANameAndARole()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        Listener listener;
        for (QDockWidget* dock : f.window->findChildren<QDockWidget*>()) {
            dock->show();
            dock->raise();
            QTest::qWait(1);
            listener.listen(QAccessible::queryAccessibleInterface(f.window));
        }
        QVERIFY2(listener.count() > 1000, qPrintable(QString::number(listener.count())));
        QVERIFY2(listener.faults().isEmpty(), qPrintable(listener.faults().join('\n')));
    }

    void soHasTheFirstPage()
    {
        const WindowFixture f;
        Listener listener;
        listener.listen(QAccessible::queryAccessibleInterface(f.window));
        QVERIFY2(listener.faults().isEmpty(), qPrintable(listener.faults().join('\n')));
    }

    void soHasEveryDialog_data()
    {
        QTest::addColumn<QString>("start");
        for (const char* start : {"Preferences", "New model", "Devices", "Export stages",
                                  "Export plan for other frameworks", "Statistics of a real step", "Keys",
                                  "Commands", "About Stagecraft", "Code of A and B", "This panel"})
            QTest::newRow(start) << start;
    }
    void soHasEveryDialog()
    {
        QFETCH(const QString, start);
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        actionCalled(*f.window, "Keep this plan as B")->trigger();
        QVERIFY(f.settle());
        QAction* action = actionCalled(*f.window, start);
        QAbstractButton* button = action ? nullptr : buttonCalled(*f.window, start);
        QVERIFY(action || button);
        QStringList faults;
        bool wasOpen = false;
        // Also where the dialog runs until it is closed.
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            QPointer<QWidget> dialog = openedDialog(*f.window);
            if (!dialog)
                return;
            wasOpen = true;
            Listener listener;
            listener.listen(QAccessible::queryAccessibleInterface(dialog));
            faults += listener.faults();
            look.stop();
            QTest::keyClick(dialog, Qt::Key_Escape);
            QVERIFY2(!dialog || !dialog->isVisible(), "Escape does not close it");
        });
        look.start(20);
        action ? action->trigger() : button->click();
        QTRY_VERIFY(wasOpen);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    // From field to field by Tab: each that shows comes once, and none keeps the focus for itself.
    void tabGoesEverywhere()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->activateWindow();
        QStringList missing;
        for (QDockWidget* dock : f.window->findChildren<QDockWidget*>()) {
            dock->show();
            dock->raise();
            QTest::qWait(1);
            QVERIFY(f.settle());
            for (const QString& part : unreached(f, dock->widget()))
                missing << dock->windowTitle() + ": " + part;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }

    // Where there are no panels, too: on the first page.
    void theFocusIsInSight()
    {
        const WindowFixture f;
        f.window->activateWindow();
        QTRY_VERIFY(QApplication::focusWidget());
        QStringList unseen;
        for (int i = 0; i < 30; ++i) {
            const QWidget* focused = QApplication::focusWidget();
            const QWidget* there =
                f.window->childAt(focused->mapTo(f.window.data(), focused->rect().center()));
            if (there != focused && !focused->isAncestorOf(there))
                unseen << nameOf(focused);
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join('\n')));
        QVERIFY(f.open(tinyModel));
        const auto isReached = [](const QTabBar* bar) { return bar->focusPolicy() == Qt::TabFocus; };
        const auto bars = f.window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
        QTRY_VERIFY(!bars.isEmpty() && std::ranges::all_of(bars, isReached)); // with panels they are of use
    }

private:
    // By name: a panel may be filled anew meanwhile.
    static QString nameOf(const QWidget* part)
    {
        return part->metaObject()->className() + (' ' + part->accessibleName());
    }

    static QSet<QString> unreached(const WindowFixture& f, const QWidget* panel)
    {
        QSet<QString> wanted;
        for (const QWidget* part : panel->findChildren<QWidget*>())
            if (part->isVisible() && part->isEnabled() && !part->focusProxy() &&
                (part->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !part->visibleRegion().isEmpty())
                wanted << nameOf(part);
        f.window->views().graph->setFocus();
        QStringList way;
        for (int i = 0; i < 150 && !wanted.isEmpty() && QApplication::focusWidget(); ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            way << nameOf(QApplication::focusWidget());
            wanted.remove(way.back());
        }
        if (!wanted.isEmpty())
            qInfo("%s", qPrintable(way.mid(0, 70).join(", ")));
        return wanted;
    }
};

QTEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
