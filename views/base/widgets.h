// Small things that many widgets do: with events that are not their own, with layouts that are filled anew,
// with buttons that they share.
#pragma once

#include <QWidget>

#include <functional>

class QAbstractSpinBox;
class QDropEvent;
class QLineEdit;
class QToolButton;

namespace stagecraft {

// Calls `handle` with every event of `widget`, before the widget gets it, as long as that lives. True: it
// does not get it. To be called at the end of a constructor, when all is there that `handle` uses.
void filterEvents(QWidget* widget, std::function<bool(QEvent*)> handle);
// Calls `retheme` after each change after which colours must be taken again (isThemeChange()).
void onThemeChange(QWidget* widget, std::function<void()> retheme);
// Calls `shown` when the widget comes into view.
void onShow(QWidget* widget, std::function<void()> shown);
// Keys that `handle` says it has used do not reach the widget.
void onKeyPress(QWidget* widget, std::function<bool(int key, Qt::KeyboardModifiers modifiers)> handle);
// The wheel scrolls what `field` stands in and never changes its value: who scrolls a panel does not look at
// the field that happens to pass under the mouse.
void leaveWheelToParent(QWidget* field);
// Of a field whose value is taken when it is finished (Enter, Tab, an arrow): Ctrl+Z takes back what is being
// typed; afterwards the key is the window's, to undo what the value did.
void takeWhenFinished(QLineEdit* field);
// And no digit of a number is taken for it.
void takeWhenFinished(QAbstractSpinBox* field);
// Takes what is dragged, which stays where it is: to take it as moved would let a file manager delete it.
void takeAsCopy(QDropEvent* event);
// Takes out all that is in it. Widgets are hidden at once and go later: one may be what asks for this.
void clearLayout(QLayout* layout);
// Beside a field for a file or a folder: a click on it is to choose one.
QToolButton* makeChooseButton(const QString& tip);

} // namespace stagecraft
