// Small helpers for tests of views.
#pragma once

#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QStringList>
#include <QTest>
#include <QTimer>
#include <QVariant>

namespace stagecraft {

// An argument of a spied signal. Ids have no default, so QVariant::value() cannot give them.
template <class T>
T argumentOf(const QVariant& variant)
{
    Q_ASSERT(variant.metaType() == QMetaType::fromType<T>());
    return *static_cast<const T*>(variant.constData());
}

// What the labels in a view say that can be seen, one after the other.
inline QString saidBy(const QWidget& view)
{
    QStringList texts;
    for (const QLabel* label : view.findChildren<QLabel*>())
        if (label->isVisible())
            texts << label->text();
    return texts.join('|');
}

// What a right click there offers, with what cannot be done in brackets; of that `chosen` is done.
inline QStringList menuAt(QWidget* widget, QPoint place, const QString& chosen = {})
{
    QStringList texts;
    QTimer::singleShot(0, widget, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return;
        QAction* found = nullptr;
        for (QAction* action : menu->actions()) {
            if (action->isSeparator())
                continue;
            texts << (action->isEnabled() ? action->text() : '(' + action->text() + ')');
            if (action->text() == chosen)
                found = action;
        }
        menu->close();
        if (found)
            found->trigger();
    });
    QTest::mouseClick(widget, Qt::RightButton, {}, place);
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget->mapToGlobal(place));
    QApplication::sendEvent(widget, &event);
    return texts;
}

} // namespace stagecraft
