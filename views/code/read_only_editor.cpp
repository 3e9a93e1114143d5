#include "views/code/read_only_editor.h"

#include "views/code/python_colors.h"

#include <QKeyEvent>
#include <Qsci/qscilexerpython.h>

#include <algorithm>

namespace stagecraft {

ReadOnlyEditor::ReadOnlyEditor(QWidget* parent) : QsciScintilla(parent), m_lexer(new QsciLexerPython(this))
{
    setUtf8(true);
    setReadOnly(true);
    SendScintilla(SCI_SETUNDOCOLLECTION, 0); // else every text that was ever shown is kept
    setLexer(m_lexer);
    setFrameShape(QFrame::NoFrame);
    setWrapMode(WrapNone);
    setWrapIndentMode(WrapIndentIndented);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setFolding(NoFoldStyle);
    SendScintilla(SCI_SETPROPERTY, "fold", "0"); // else the lexer folds what is indented
}

void ReadOnlyEditor::applyPythonTheme()
{
    applyPythonColors(this, m_lexer, applicationTheme());
}

void ReadOnlyEditor::wrapBehind(int columns, const QStringList& lines)
{
    const auto isLonger = [columns](const QString& line) {
        const auto isWide = [](QChar letter) { return letter.unicode() > 0xff; }; // it may take two
        return line.size() > columns || line.size() + std::ranges::count_if(line, isWide) > columns;
    };
    setWrapMode(std::ranges::any_of(lines, isLonger) ? WrapWord : WrapNone);
}

bool ReadOnlyEditor::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::SelectAll) || key->matches(QKeySequence::Copy)) {
            event->accept();
            return true;
        }
    }
    return QsciScintilla::event(event);
}

void ReadOnlyEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        return event->ignore();
    QsciScintilla::keyPressEvent(event);
}

} // namespace stagecraft
