#include "views/code/line_folds.h"

#include <Qsci/qsciscintilla.h>

#include <optional>

namespace stagecraft {

namespace {

// Scintilla tells nobody what is written as long as it lives, and opens no folds because of it.
class Quiet
{
public:
    explicit Quiet(QsciScintilla& editor)
        : m_editor(editor),
          m_told(editor.SendScintilla(QsciScintilla::SCI_GETMODEVENTMASK)),
          m_automatic(editor.SendScintilla(QsciScintilla::SCI_GETAUTOMATICFOLD))
    {
        m_editor.SendScintilla(QsciScintilla::SCI_SETMODEVENTMASK, 0UL);
        m_editor.SendScintilla(QsciScintilla::SCI_SETAUTOMATICFOLD, 0UL);
    }
    ~Quiet()
    {
        m_editor.SendScintilla(QsciScintilla::SCI_SETAUTOMATICFOLD, static_cast<unsigned long>(m_automatic));
        m_editor.SendScintilla(QsciScintilla::SCI_SETMODEVENTMASK, static_cast<unsigned long>(m_told));
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    QsciScintilla& m_editor;
    long m_told;
    long m_automatic;
};

void hideFolded(QsciScintilla& editor, const std::vector<FoldLine>& folds)
{
    if (editor.SendScintilla(QsciScintilla::SCI_GETALLLINESVISIBLE) != 0)
        return;
    std::optional<int> folded; // the level of the outermost folded header around the line
    for (std::size_t line = 0; line < folds.size(); ++line) {
        if (folded && folds[line].level <= *folded)
            folded.reset();
        const bool isVisible = editor.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, line) != 0;
        if (isVisible == folded.has_value())
            editor.SendScintilla(folded ? QsciScintilla::SCI_HIDELINES : QsciScintilla::SCI_SHOWLINES, line,
                                 static_cast<long>(line));
        if (!folded && folds[line].isHeader &&
            editor.SendScintilla(QsciScintilla::SCI_GETFOLDEXPANDED, line) == 0)
            folded = folds[line].level;
    }
}

} // namespace

void writeFolds(QsciScintilla& editor, const std::vector<FoldLine>& folds)
{
    constexpr long header = QsciScintilla::SC_FOLDLEVELHEADERFLAG;
    const Quiet quiet(editor); // of thousands of lines each would be told
    for (std::size_t line = 0; line < folds.size(); ++line) {
        const long depth = QsciScintilla::SC_FOLDLEVELBASE + folds[line].level;
        const long level = folds[line].isHeader ? depth | header : depth;
        const long before = editor.SendScintilla(QsciScintilla::SCI_GETFOLDLEVEL, line);
        if (before == level)
            continue;
        editor.SendScintilla(QsciScintilla::SCI_SETFOLDLEVEL, line, level);
        if (((before ^ level) & header) !=
            0) // one that comes is open, and one that goes leaves nothing folded
            editor.SendScintilla(QsciScintilla::SCI_SETFOLDEXPANDED, line, 1L);
    }
    hideFolded(editor, folds);
}

} // namespace stagecraft
