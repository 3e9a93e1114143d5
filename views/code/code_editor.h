// CodeEditor: the QScintilla editor of CodeView. Private to it.
#pragma once

#include "views/base/selection.h"
#include "views/base/theme.h"
#include "views/code/code_text.h"
#include "views/code/read_only_editor.h"

#include <Qsci/qscistyle.h>

#include <memory>

namespace stagecraft {

class CodeEditor : public ReadOnlyEditor
{
    Q_OBJECT

public:
    explicit CodeEditor(Selection* selection, QWidget* parent = nullptr);

    void applyTheme();
    const QStringList& shownLines() const { return m_lines; } // linesOf() some code
    // Replaces the lines that differ; scroll and caret stay. What stands beside and between them is to be
    // shown anew, then bars, what is selected and what folds. `lines` are as against shownLines().
    void showLines(const PlanView& plan, const StageProgram* program,
                   const std::shared_ptr<const StageCode>& code, const NewLines& lines);
    // The same in parts, of which none takes long: replaceLines(), colorLines() until it has no more to do,
    // and showReplaced(). Until then nothing is painted.
    void replaceLines(const PlanView& plan, const StageProgram* program,
                      const std::shared_ptr<const StageCode>& code, const NewLines& lines);
    bool colorLines(); // some of those down to what will be in sight; false: all are
    void showReplaced();
    // What stands beside and between the lines of the same.
    void showNotes(const StageProgram* program, const StageCode* code, CodeBeside beside);
    void showFolds(const StageCode* code);                           // of the one that is shown
    std::optional<StageId> stage() const { return m_stage; }         // whose code it is
    void showChangeBars(const std::optional<QStringList>& baseline); // beside lines not in it; null: none
    // A text that no file has as it is shown: its numbers would say nothing, and what no line break of Python
    // makes short goes on below, so that nobody scrolls sideways.
    enum class Lines { OfTheFile, ForReading };
    void setLines(Lines lines);
    void showSelection();
    // Brings the first of these ops that this stage has into sight; nothing moves if it is there already.
    void reveal(const std::vector<NodeId>& nodes);
    // Lines are laid out for a multiple of so many letters, so that a drag of the panel's edge sets them anew
    // only now and then.
    static constexpr int columnStep = 8;
    // How many letters of a line there is room for.
    int columnsInSight() const;
    // Leaves of each module, function and class the line that names it; or shows all lines.
    void fold();
    void unfold();
    // Scrolls to where the stage's own code begins, below the helpers that every stage carries.
    void revealForward();

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    // What the window shows at its top, by what stays the same when lines come and go.
    struct Place
    {
        bool isForward = false;                     // where the stage's own code begins
        long top = 0;                               // display line
        std::vector<std::pair<NodeId, long>> nodes; // in sight, and display lines from the top
    };
    Place place() const;
    void returnTo(const Place& place);
    long topOf(const Place& place) const;
    int forwardLine() const;
    std::optional<int> lineOf(NodeId node) const;
    long displayLine(int line) const;
    void replaceChangedLines(const NewLines& lines);
    void showExchange(const StageProgram* program);
    void showMargin(const StageCode* code, CodeBeside beside);
    // None of a line that runs nothing; several of one that runs for several blocks.
    const std::vector<NodeId>& nodesOfLine(int line) const;
    const std::vector<NodeId>& nodesAt(const QPoint& position) const;
    bool runsJust(int line, const std::vector<NodeId>& nodes) const;
    int marginsWidth() const;
    int roomBelow(int line) const; // letters of a note
    bool isInSight(int line) const;
    bool isNarrow() const;
    void selectCurrentLine();

    Selection* m_selection;
    Theme m_theme;
    // One of each for good: every new QsciStyle takes one of some 200 style numbers.
    QsciStyle m_costStyle;
    QsciStyle m_alarmStyle; // beside a line that makes NaN or infinity
    QsciStyle m_exchangeStyle;
    PlanView m_plan;
    QStringList m_lines;
    std::vector<int> m_annotated;         // lines with a box of text below
    std::optional<Place> m_beforeReplace; // until what replaces it is shown
    using NodesOfLines = std::vector<std::vector<NodeId>>;
    inline static const NodesOfLines ofNoCode = {};
    std::shared_ptr<const NodesOfLines> m_nodesOfLine{std::shared_ptr<void>(),
                                                      &ofNoCode}; // of the code that is shown
    std::optional<StageId> m_stage;
    bool m_isNumbered = true;
};

} // namespace stagecraft
