#include "views/code/line_folds.h"

#include <Qsci/qsciscintilla.h>

#include <optional>

namespace stagecraft {

namespace {

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
    for (std::size_t line = 0; line < folds.size(); ++line) {
        const long depth = QsciScintilla::SC_FOLDLEVELBASE + folds[line].level;
        const long level = folds[line].isHeader ? depth | QsciScintilla::SC_FOLDLEVELHEADERFLAG : depth;
        if (editor.SendScintilla(QsciScintilla::SCI_GETFOLDLEVEL, line) != level) // each one set is an event
            editor.SendScintilla(QsciScintilla::SCI_SETFOLDLEVEL, line, level);
    }
    hideFolded(editor, folds);
}

} // namespace stagecraft
