// Which lines of an editor fold, told to Scintilla.
#pragma once

#include "views/code/reading_form.h"

#include <vector>

class QsciScintilla;

namespace stagecraft {

// Of each line of the text. A module that is folded stays so: what was written into it is out of sight, and
// what no folded module holds any more is in sight again.
void writeFolds(QsciScintilla& editor, const std::vector<FoldLine>& folds);

} // namespace stagecraft
