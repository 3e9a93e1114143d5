// Looking for words: what people type who know parts of a name.
#pragma once

#include <QRegularExpression>

namespace stagecraft {

// Matches a text that has all words of `text`, in any order and case; any text where there are none.
QRegularExpression everyWordOf(const QString& text);

} // namespace stagecraft
