// Colours of Python text in an editor of QScintilla, out of the theme.
#pragma once

#include "views/base/theme.h"

class QsciLexerPython;
class QsciScintilla;

namespace stagecraft {

// Font and colours of the text and of the editor itself; its margins too.
void applyPythonColors(QsciScintilla* editor, QsciLexerPython* lexer, const Theme& theme);

} // namespace stagecraft
