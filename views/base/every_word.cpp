#include "views/base/every_word.h"

namespace stagecraft {

QRegularExpression everyWordOf(const QString& text)
{
    QString pattern;
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts))
        pattern += QStringLiteral("(?=.*%1)").arg(QRegularExpression::escape(word));
    return QRegularExpression('^' + pattern, QRegularExpression::CaseInsensitiveOption);
}

} // namespace stagecraft
