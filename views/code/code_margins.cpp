#include "views/code/code_margins.h"

#include "views/base/colors.h"
#include "views/base/theme.h"

#include <Qsci/qsciscintilla.h>

namespace stagecraft {

namespace {

using Sci = QsciScintilla;

// Which lines fold is told by writeFolds(), not by the lexer: modules are comments to it.
void setUpFolding(QsciScintilla& editor)
{
    editor.setMarginWidth(FoldMargin, em(&editor, 0.9));
    editor.setMarginSensitivity(FoldMargin, true);
    for (const int marker :
         {Sci::SC_MARKNUM_FOLDEREND, Sci::SC_MARKNUM_FOLDEROPENMID, Sci::SC_MARKNUM_FOLDERMIDTAIL,
          Sci::SC_MARKNUM_FOLDERTAIL, Sci::SC_MARKNUM_FOLDERSUB})
        editor.SendScintilla(Sci::SCI_MARKERDEFINE, marker, Sci::SC_MARK_EMPTY);
    for (const int marker : {Sci::SC_MARKNUM_FOLDER, Sci::SC_MARKNUM_FOLDEREND})
        editor.SendScintilla(Sci::SCI_MARKERDEFINE, marker, Sci::SC_MARK_ARROW);
    for (const int marker : {Sci::SC_MARKNUM_FOLDEROPEN, Sci::SC_MARKNUM_FOLDEROPENMID})
        editor.SendScintilla(Sci::SCI_MARKERDEFINE, marker, Sci::SC_MARK_ARROWDOWN);
    // Not SC_AUTOMATICFOLD_SHOW: it wraps the whole text again at each piece that is written.
    editor.SendScintilla(Sci::SCI_SETAUTOMATICFOLD,
                         Sci::SC_AUTOMATICFOLD_CLICK | Sci::SC_AUTOMATICFOLD_CHANGE);
}

} // namespace

void setUpMargins(QsciScintilla& editor)
{
    editor.setMargins(5);
    editor.setMarginType(LineNumbers, Sci::NumberMargin);
    editor.setMarginType(StageMargin, Sci::SymbolMargin);
    editor.setMarginType(CostMargin, Sci::TextMarginRightJustified);
    editor.setMarginType(ChangeMargin, Sci::SymbolMargin);
    editor.setMarginType(FoldMargin, Sci::SymbolMargin);
    editor.setMarginMarkerMask(LineNumbers, 0);
    editor.setMarginMarkerMask(StageMargin, 1 << StageMarker);
    editor.setMarginMarkerMask(CostMargin, 0);
    editor.setMarginMarkerMask(ChangeMargin, 1 << ChangedMarker);
    editor.setMarginMarkerMask(FoldMargin, static_cast<int>(Sci::SC_MASK_FOLDERS));
    for (const int margin : {LineNumbers, StageMargin, CostMargin})
        editor.setMarginSensitivity(margin, true);
    for (const int marker : {StageMarker, ChangedMarker})
        editor.markerDefine(Sci::FullRectangle, marker);
    for (const int marker : {SelectedMarker, HoveredMarker})
        editor.markerDefine(Sci::Background, marker);
    editor.markerDefine(Sci::Underline, MatchMarker);
    editor.setMarginWidth(StageMargin, em(&editor, 0.3));
    editor.setMarginWidth(ChangeMargin, em(&editor, 0.2));
    setUpFolding(editor);
}

void colorMarkers(QsciScintilla& editor, const Theme& theme)
{
    const auto color = [&editor](const QColor& both, int marker) {
        editor.setMarkerForegroundColor(both, marker);
        editor.setMarkerBackgroundColor(both, marker);
    };
    editor.setMarkerBackgroundColor(theme.selection, SelectedMarker);
    editor.setMarkerBackgroundColor(theme.hover, HoveredMarker);
    color(theme.accent, MatchMarker);
    color(theme.warning, ChangedMarker);
    for (const int marker : {Sci::SC_MARKNUM_FOLDER, Sci::SC_MARKNUM_FOLDEROPEN, Sci::SC_MARKNUM_FOLDEREND,
                             Sci::SC_MARKNUM_FOLDEROPENMID})
        color(theme.mutedText, marker);
    editor.setFoldMarginColors(theme.window, theme.window);
}

} // namespace stagecraft
