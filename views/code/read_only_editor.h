// ReadOnlyEditor: an editor of QScintilla for Python text that is only read. Private to this folder.
#pragma once

#include <Qsci/qsciscintilla.h>

#include <climits>

class QsciLexerPython;

namespace stagecraft {

class ReadOnlyEditor : public QsciScintilla
{
    Q_OBJECT

public:
    explicit ReadOnlyEditor(QWidget* parent = nullptr);

    // Font and colours from the application's theme.
    void applyPythonTheme();
    // Wraps only where one of `lines`, its text, is longer than so many letters: Scintilla lays out every
    // line that it may have to wrap, a hundred in a turn of the event loop, whether anybody sees them or not.
    void wrapBehind(int columns, const QStringList& lines);
    static constexpr int endless = INT_MAX;

protected:
    // Keys that select and copy are its own, whatever the window does with them.
    bool event(QEvent* event) override;
    // Esc is the window's, which may end a job with it.
    void keyPressEvent(QKeyEvent* event) override;

private:
    QsciLexerPython* m_lexer;
};

} // namespace stagecraft
