// What a dialog says, and its fields by the names that a screen reader gives them.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QStringList>

namespace stagecraft {

inline QLineEdit* field(const QWidget& dialog, const QString& name)
{
    for (QLineEdit* one : dialog.findChildren<QLineEdit*>())
        if (one->accessibleName() == name)
            return one;
    return nullptr;
}

inline QString saidBy(const QWidget& dialog)
{
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts << label->text();
    return texts.join('|');
}

} // namespace stagecraft
