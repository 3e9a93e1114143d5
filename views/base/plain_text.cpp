#include "views/base/plain_text.h"

#include <QTextDocument>

namespace stagecraft {

QString shownText(std::string_view text, LineBreaks lineBreaks)
{
    return QString::fromStdString(printable(text, lineBreaks));
}

QString shownText(const QString& text, LineBreaks lineBreaks)
{
    return shownText(text.toStdString(), lineBreaks);
}

QString dataText(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString toolTipText(const QString& text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

QString menuText(const QString& text)
{
    return QString(text).replace('&', QLatin1String("&&"));
}

QString titleText(const QString& text)
{
    return QString(text).replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
}

} // namespace stagecraft
