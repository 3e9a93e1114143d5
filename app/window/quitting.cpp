#include "app/window/quitting.h"

#include "app/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QEvent>
#include <QMessageBox>
#include <QPointer>

#include <vector>

namespace stagecraft {

namespace {

bool isBelow(const QObject* object, const QObject* ancestor)
{
    while (object && object != ancestor)
        object = object->parent();
    return object != nullptr;
}

// Gives the action to each dialog as it shows: a modal one keeps keys from the window.
class DialogWatch : public QObject
{
public:
    DialogWatch(QWidget* window, QAction* quit) : QObject(window), m_quit(quit)
    {
        qApp->installEventFilter(this);
    }
    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() == QEvent::Show && isBelow(object, parent()) && !qobject_cast<QMessageBox*>(object))
            if (auto* dialog = qobject_cast<QDialog*>(object))
                dialog->addAction(m_quit);
        return false;
    }

private:
    QAction* m_quit;
};

} // namespace

void quitFromDialogs(QWidget* window, QAction* quit)
{
    new DialogWatch(window, quit);
}

void deleteMainWindows()
{
    // A window takes others along that float before it.
    std::vector<QPointer<MainWindow>> windows;
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget))
            windows.emplace_back(window);
    for (const QPointer<MainWindow>& window : windows)
        delete window.data();
}

} // namespace stagecraft
