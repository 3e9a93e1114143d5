// Small helpers for tests of views.
#pragma once

#include <QLabel>
#include <QStringList>
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

} // namespace stagecraft
