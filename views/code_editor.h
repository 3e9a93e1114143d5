// CodeEditor: the QScintilla editor of CodeView. Private to it.
#pragma once

#include "views/code_text.h"
#include "views/selection.h"
#include "views/theme.h"

#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

class QsciLexerPython;

namespace stagecraft {

class CodeEditor : public QsciScintilla
{
    Q_OBJECT

public:
    explicit CodeEditor(Selection* selection, QWidget* parent = nullptr);

    void applyTheme();
    // Replaces the lines that differ; scroll and caret stay. `baseline` may be null: no change bars.
    void showCode(const PlanView& plan, const StageProgram* program, const StageCode* code,
                  const StageCode* baseline);
    void showSelection();
    void reveal(const std::vector<NodeId>& nodes);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setUpMargins();
    void replaceChangedLines(const QStringList& lines);
    void showExchange(const PlanView& plan, const StageProgram* program);
    void showCosts(const PlanView& plan);
    void showChangeBars(const StageCode* baseline);
    std::optional<NodeId> nodeAt(const QPoint& position) const;
    std::optional<NodeId> nodeOfLine(int line) const;
    void selectCurrentLine();

    Selection* m_selection;
    Theme m_theme;
    QsciLexerPython* m_lexer;
    // One of each for good: every new QsciStyle takes one of some 200 style numbers.
    QsciStyle m_costStyle;
    QsciStyle m_exchangeStyle;
    QStringList m_lines;
    std::vector<std::optional<NodeId>> m_nodeOfLine;
    std::optional<StageId> m_stage;
};

} // namespace stagecraft
