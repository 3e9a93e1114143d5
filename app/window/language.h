// The language of the window: English, or one of those in resources/translations.
#pragma once

#include <QString>

#include <utility>
#include <vector>

class QCoreApplication;

namespace stagecraft {

// Code and name, each in its own language; "system" comes first.
std::vector<std::pair<QString, QString>> languages();

// From now on new widgets speak that language; where it is "system", or none of languages(), the first of
// the desktop's that there is, else English. Numbers are written the English way in all of them, as the
// engine writes its figures; dates and order are the desktop's, QLocale::system().
void speak(QCoreApplication& application, const QString& language);

} // namespace stagecraft
