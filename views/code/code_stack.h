// CodeStack: one stage's page, as code, as what differs from before, or as the model's own source. Private to
// CodeView.
#pragma once

#include "views/base/plan_view.h"
#include "views/base/selection.h"
#include "views/code/code_text.h"
#include "views/code/reading_form.h"

#include <QStackedWidget>

#include <memory>
#include <optional>

class QTimer;

namespace stagecraft {

class CodeEditor;
class DiffPage;
class SourcePage;

class CodeStack : public QStackedWidget
{
    Q_OBJECT

public:
    explicit CodeStack(Selection* selection, QWidget* parent = nullptr);

    using Shows = CodeShows;
    void setShows(Shows shows);
    Shows shows() const { return static_cast<Shows>(currentIndex()); }
    // Lines as long as the view is wide; else as they are written.
    void setShortLines(bool wanted);
    bool hasShortLines() const { return m_isShort; }
    // `baseline` may be null: nothing to compare with.
    void showPage(const PlanView& plan, const StagePage& page, std::shared_ptr<const StageCode> baseline,
                  CodeBeside beside);
    // Out of sight no lines are laid out, until it comes into sight again; true: there were some to lay out.
    bool setInSight(bool inSight);
    // Another one of the page that is shown.
    void setBaseline(std::shared_ptr<const StageCode> baseline);
    // Looks for source in the folder of the model, too.
    void setSourceFolder(const QString& folder);

    CodeEditor* editor() const { return m_editor; }
    // As an export writes it; empty where there is none yet.
    QString pageText() const;
    // What is in sight: the code, or its differences.
    QString shownText() const;

signals:
    void shortLinesChanged(bool wanted);

private:
    void showCode();
    void layLines();
    // Does other code of the stage that is shown take longer than a frame?
    bool isLongUpdate() const;
    // What a long update does, one after the other.
    enum class Turn { Shorten, ShortenBaseline, Divide, Compare, Lines, Color, Notes, Bars, Folds, None };
    void takeTurn();
    bool takeTurnOf(Turn turn);
    NewLines newLines(); // as against those that are shown
    void showDifference();
    void showSource();
    std::size_t columns() const;     // of the view
    std::size_t formColumns() const; // of lines that fit it, unless it is very wide or narrow
    // Of a code that is shown; null: none.
    std::shared_ptr<const StageCode> shortForm(const std::shared_ptr<const StageCode>& code);
    // Makes a part of it, to be there when it is asked for; false: it is.
    bool takePartOfForm(const std::shared_ptr<const StageCode>& code);
    // Of that; null: none. They are kept with it.
    std::optional<QStringList> linesOfForm(const std::shared_ptr<const StageCode>& code);

    Selection* m_selection;
    CodeEditor* m_editor;
    DiffPage* m_diff;
    SourcePage* m_source;
    QTimer* m_afterResize;
    QTimer* m_nextTurn;
    Turn m_turn = Turn::None; // of a long update
    NewLines m_newLines;      // that the next turn shows
    PlanView m_plan;
    StagePage m_page;
    std::shared_ptr<const StageCode> m_baseline;
    CodeBeside m_beside = CodeBeside::Cost;
    bool m_isShort = true;
    bool m_isInSight = true;
    bool m_isStale = false;    // the editor holds lines of another page or of before
    std::size_t m_columns = 0; // of the lines that are shown
    struct ShortForm
    {
        std::shared_ptr<const StageCode> of;
        std::size_t columns = 0;
        std::shared_ptr<const StageCode> text;
        std::optional<QStringList> lines = {}; // once they are asked for
    };
    ShortForm* keptForm(const std::shared_ptr<const StageCode>& code);
    void keepForm(const std::shared_ptr<const StageCode>& code, StageCode&& text);
    std::vector<ShortForm> m_shortForms; // the latest last: of the page and of what it is compared with
    struct FormInWork
    {
        std::shared_ptr<const StageCode> of;
        std::size_t columns = 0;
        ReadingForm text;
    };
    std::optional<FormInWork> m_formInWork;
};

} // namespace stagecraft
