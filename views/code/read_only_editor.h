// ReadOnlyEditor: an editor of QScintilla for Python text that is only read. Private to this folder.
#pragma once

#include <Qsci/qsciscintilla.h>

class QsciLexerPython;

namespace stagecraft {

class ReadOnlyEditor : public QsciScintilla
{
    Q_OBJECT

public:
    explicit ReadOnlyEditor(QWidget* parent = nullptr);

    // Font and colours from the application's theme.
    void applyPythonTheme();

protected:
    // Keys that select and copy are its own, whatever the window does with them.
    bool event(QEvent* event) override;
    // Esc is the window's, which may end a job with it.
    void keyPressEvent(QKeyEvent* event) override;

private:
    QsciLexerPython* m_lexer;
};

} // namespace stagecraft
