// Theme: the colours and distances that every view draws with.
//
// A theme is computed from a palette, so a view that asks again after a change is right in light, dark and
// high contrast without being told (a widget's own palette will not do: the style sheet changes it):
//
//     onThemeChange(this, [this] { setTheme(applicationTheme()); }); // widgets.h
//
// Colour never carries a meaning alone: a stage also has its number, and from the ninth on a hatch.
#pragma once

#include "core/plan/partition.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QApplication;
class QEvent;
class QLabel;
class QPainter;
class QPainterPath;
class QRectF;
class QWidget;

namespace stagecraft {

struct Theme
{
    bool dark = false;
    bool highContrast = false; // outlines instead of tints

    QColor window;  // behind panels and bars
    QColor surface; // behind content: the graph, charts, code, tables
    QColor raised;  // cards, handles, headers, tooltips
    QColor text;
    QColor mutedText;  // secondary text, still at least 4.5:1 on window and surface
    QColor border;     // hairlines between things
    QColor grid;       // lines behind data, fainter than a border
    QColor accent;     // selection, focus, the main button; in no stage's colour
    QColor accentText; // on accent
    QColor selection;  // fill behind what is selected; `text` reads on it
    QColor hover;      // fill behind what the mouse is over
    QColor danger;     // over the memory limit, errors
    QColor warning;
    QColor success;
};

// Light or dark by comparing the palette's Window and WindowText; high contrast if the two are all but black
// and white.
Theme themeOf(const QPalette& palette);
// Of the application's palette.
Theme applicationTheme();
// Is `event` one after which colours must be taken again? (Palette, application palette, style.)
bool isThemeChange(const QEvent* event);

enum class ThemeMode { System, Light, Dark };
// By its name in settings and on the command line: "light", "dark"; anything else is as the desktop is.
ThemeMode themeModeOf(const QString& name);

// Stagecraft's own light and dark palettes.
QPalette lightPalette();
QPalette darkPalette();
// The style sheet that goes with a palette: flat bars, thin scroll bars, quiet headers, visible focus.
QString styleSheetFor(const Theme& theme);
// Fusion style, palette and style sheet for the whole program. System follows the desktop's lightness, and
// leaves a high-contrast desktop palette as it is. May be called again, when the desktop or the choice
// changes.
void applyTheme(QApplication& application, ThemeMode mode);

// Okabe-Ito, by number, repeating after eight.
QColor stageColor(const Theme& theme, StageId stage);
// A faint background for what belongs to a stage; the surface itself in high contrast.
QColor stageTint(const Theme& theme, StageId stage);
// Fills `rect` (or `path`) in the stage's colour, hatched from the ninth stage on.
void fillStage(QPainter& painter, const QRectF& rect, const Theme& theme, StageId stage);
void fillStage(QPainter& painter, const QPainterPath& path, const Theme& theme, StageId stage);
// A rounded label with the stage's number (counted from 1) in its colour.
void drawStageChip(QPainter& painter, const QRectF& rect, const Theme& theme, StageId stage);
// "Stage 3": people count from 1.
QString stageName(StageId stage);
// The frame around a view that has the keyboard's focus, for those that paint themselves.
void drawFocusFrame(QPainter& painter, const QRectF& area, const Theme& theme);
// A colour for the `index`-th of a list of kinds (op kinds, dtypes); apart from the stage colours in
// lightness, repeating after twelve.
QColor categoryColor(const Theme& theme, std::size_t index);

// Distances are multiples of the font's height, so that they are right at any resolution and font size.
namespace spacing {
inline constexpr double small = 0.25;
inline constexpr double medium = 0.5;
inline constexpr double large = 1.0;
} // namespace spacing

// A palette of its own would be lost when the application's style sheet changes, so a label's colour is set
// here.
void setTextColor(QLabel* label, const QColor& color);
// `count` heights of `widget`'s font, in pixels, at least 1.
int em(const QWidget* widget, double count);
// The fixed-pitch font for code and aligned figures, in `widget`'s size.
QFont codeFont(const QWidget* widget);
// `widget`'s font in a relative size and weight.
QFont scaledFont(const QWidget* widget, double factor, QFont::Weight weight = QFont::Normal);
// `font` in the weight of titles.
QFont boldFont(QFont font);

} // namespace stagecraft
