#include "views/code/python_colors.h"

#include "views/base/colors.h"

#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

namespace stagecraft {

namespace {

void colorWords(QsciLexerPython* lexer, const Theme& theme)
{
    const auto ink = [&theme](QRgb light, QRgb dark) {
        return withContrast(QColor(theme.dark ? dark : light), theme.surface, 4.5);
    };
    const QColor text = ink(0xff2f7d32, 0xff9ccc8a);
    const QColor name = ink(0xff8a4b08, 0xffffcb6b);
    lexer->setColor(ink(0xff7a3e9d, 0xffc792ea), QsciLexerPython::Keyword);
    lexer->setColor(ink(0xff1565a9, 0xff7fb8f0), QsciLexerPython::Number);
    for (const int style :
         {QsciLexerPython::ClassName, QsciLexerPython::FunctionMethodName, QsciLexerPython::Decorator})
        lexer->setColor(name, style);
    for (const int style :
         {QsciLexerPython::SingleQuotedString, QsciLexerPython::DoubleQuotedString,
          QsciLexerPython::TripleSingleQuotedString, QsciLexerPython::TripleDoubleQuotedString})
        lexer->setColor(text, style);
    for (const int style : {QsciLexerPython::Comment, QsciLexerPython::CommentBlock})
        lexer->setColor(theme.mutedText, style);
}

} // namespace

void applyPythonColors(QsciScintilla* editor, QsciLexerPython* lexer, const Theme& theme)
{
    const QFont font = codeFont(editor);
    lexer->setDefaultFont(font);
    lexer->setFont(font);
    lexer->setDefaultPaper(theme.surface);
    lexer->setPaper(theme.surface);
    lexer->setDefaultColor(theme.text);
    lexer->setColor(theme.text);
    colorWords(lexer, theme);
    editor->setMarginsFont(font);
    editor->setMarginsBackgroundColor(theme.window);
    editor->setMarginsForegroundColor(theme.mutedText);
    editor->setCaretForegroundColor(theme.text);
    editor->setSelectionBackgroundColor(theme.selection);
    editor->setSelectionForegroundColor(theme.text);
}

} // namespace stagecraft
