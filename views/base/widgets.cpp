#include "views/base/widgets.h"

#include "views/base/icons.h"
#include "views/base/theme.h"

#include <QAbstractSpinBox>
#include <QDropEvent>
#include <QKeyEvent>
#include <QLayout>
#include <QLineEdit>
#include <QToolButton>

namespace stagecraft {

namespace {

class EventFilter : public QObject
{
public:
    EventFilter(QWidget* widget, std::function<bool(QEvent*)> handle)
        : QObject(widget), m_handle(std::move(handle))
    {
    }

    bool eventFilter(QObject*, QEvent* event) override { return m_handle(event); }

private:
    std::function<bool(QEvent*)> m_handle;
};

} // namespace

void filterEvents(QWidget* widget, std::function<bool(QEvent*)> handle)
{
    widget->installEventFilter(new EventFilter(widget, std::move(handle)));
}

void onThemeChange(QWidget* widget, std::function<void()> retheme)
{
    filterEvents(widget, [retheme = std::move(retheme)](const QEvent* event) {
        if (isThemeChange(event))
            retheme();
        return false;
    });
}

void onShow(QWidget* widget, std::function<void()> shown)
{
    filterEvents(widget, [shown = std::move(shown)](const QEvent* event) {
        if (event->type() == QEvent::Show)
            shown();
        return false;
    });
}

void onKeyPress(QWidget* widget, std::function<bool(int, Qt::KeyboardModifiers)> handle)
{
    filterEvents(widget, [handle = std::move(handle)](const QEvent* event) {
        const auto* key = event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent*>(event) : nullptr;
        return key && handle(key->key(), key->modifiers());
    });
}

void leaveWheelToParent(QWidget* field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    filterEvents(field, [](QEvent* event) {
        const bool isWheel = event->type() == QEvent::Wheel;
        if (isWheel)
            event->ignore(); // so that it goes on to the parent
        return isWheel;
    });
}

namespace {

bool isUndoOrRedo(const QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto* key = static_cast<const QKeyEvent*>(event);
    return key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
}

// `widget` gets the keys, `text` is what is typed in it.
void leaveUndoToWindow(QWidget* widget, QLineEdit* text)
{
    filterEvents(widget, [text](QEvent* event) {
        const bool isWindows = isUndoOrRedo(event) && !text->isModified();
        if (isWindows)
            event->ignore(); // so that it is the shortcut
        return isWindows;
    });
}

} // namespace

void takeWhenFinished(QLineEdit* field)
{
    leaveUndoToWindow(field, field);
    QObject::connect(field, &QLineEdit::editingFinished, field, [field] { field->setModified(false); });
}

void takeWhenFinished(QAbstractSpinBox* field)
{
    field->setKeyboardTracking(false);
    auto* text = field->findChild<QLineEdit*>();
    leaveUndoToWindow(field, text);
    QObject::connect(field, &QAbstractSpinBox::editingFinished, text, [text] { text->setModified(false); });
}

void takeAsCopy(QDropEvent* event)
{
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

QToolButton* makeChooseButton(const QString& tip)
{
    auto* button = new QToolButton;
    button->setIcon(themedIcon("folder"));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

} // namespace stagecraft
