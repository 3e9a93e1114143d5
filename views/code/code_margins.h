// Margins and markers of the editor of a stage's code. Private to CodeEditor.
#pragma once

class QsciScintilla;

namespace stagecraft {

struct Theme;

// From the left.
enum CodeMargin { LineNumbers, StageMargin, CostMargin, ChangeMargin, FoldMargin };
enum CodeMarker { StageMarker, SelectedMarker, HoveredMarker, ChangedMarker, MatchMarker };

void setUpMargins(QsciScintilla& editor);
// All markers but the stage's, which has its own colour.
void colorMarkers(QsciScintilla& editor, const Theme& theme);

} // namespace stagecraft
