#include "views/base/theme.h"

#include "views/base/colors.h"
#include "views/base/icons.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QWidget>

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

struct PaletteColors
{
    QColor window, base, raised, text, muted, border, accent, accentText;
};

QPalette makePalette(const PaletteColors& colors)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.base);
    palette.setColor(QPalette::AlternateBase, mixed(colors.base, colors.window, 0.6));
    palette.setColor(QPalette::ToolTipBase, colors.raised);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::Button, colors.raised);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.accentText);
    palette.setColor(QPalette::Light, colors.raised);
    palette.setColor(QPalette::Midlight, mixed(colors.window, colors.raised, 0.5));
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Dark, mixed(colors.border, colors.text, 0.25));
    palette.setColor(QPalette::Shadow, QColor(0, 0, 0));
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(QPalette::HighlightedText, colors.accentText);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    const QColor disabled = mixed(colors.text, colors.window, 0.55);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colors.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, disabled);
    return palette;
}

Theme highContrastTheme(const QPalette& palette, Theme theme)
{
    theme.highContrast = true;
    theme.mutedText = theme.text;
    theme.border = theme.text;
    theme.grid = mixed(theme.surface, theme.text, 0.35);
    theme.raised = theme.surface;
    theme.selection = mixed(theme.surface, palette.color(QPalette::Highlight), 0.35);
    theme.hover = mixed(theme.surface, theme.text, 0.15);
    return theme;
}

} // namespace

Theme themeOf(const QPalette& palette)
{
    Theme theme;
    theme.window = palette.color(QPalette::Active, QPalette::Window);
    theme.surface = palette.color(QPalette::Active, QPalette::Base);
    theme.text = palette.color(QPalette::Active, QPalette::WindowText);
    theme.dark = luminance(theme.text) > luminance(theme.window);
    theme.accent = palette.color(QPalette::Active, QPalette::Highlight);
    theme.accentText = palette.color(QPalette::Active, QPalette::HighlightedText);
    if (contrastRatio(theme.accentText, theme.accent) < 4.5)
        theme.accentText = textColorOn(theme.accent);
    theme.raised = palette.color(QPalette::Active, QPalette::ToolTipBase);
    theme.mutedText = withContrast(mixed(theme.text, theme.window, 0.38), theme.window, 5.0);
    theme.border = mixed(theme.window, theme.text, theme.dark ? 0.16 : 0.13);
    theme.grid = mixed(theme.surface, theme.text, theme.dark ? 0.09 : 0.07);
    theme.selection = mixed(theme.surface, theme.accent, theme.dark ? 0.30 : 0.16);
    theme.hover = mixed(theme.surface, theme.text, theme.dark ? 0.08 : 0.05);
    theme.danger = withContrast(theme.dark ? QColor(0xff6b6b) : QColor(0xc92a2a), theme.surface, 4.5);
    theme.warning = withContrast(theme.dark ? QColor(0xf5b84b) : QColor(0x955800), theme.surface, 4.5);
    theme.success = withContrast(theme.dark ? QColor(0x5fd08a) : QColor(0x1a7f4b), theme.surface, 4.5);
    if (contrastRatio(theme.window, theme.text) > 20)
        return highContrastTheme(palette, theme);
    return theme;
}

Theme applicationTheme()
{
    return themeOf(QApplication::palette());
}

bool isThemeChange(const QEvent* event)
{
    return event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange ||
           event->type() == QEvent::StyleChange;
}

QPalette lightPalette()
{
    return makePalette({.window = 0xf5f6f8,
                        .base = 0xffffff,
                        .raised = 0xfdfdfe,
                        .text = 0x1c2330,
                        .muted = 0x667085,
                        .border = 0xd9dde4,
                        .accent = 0x4353d4,
                        .accentText = 0xffffff});
}

QPalette darkPalette()
{
    return makePalette({.window = 0x1d2027,
                        .base = 0x15181e,
                        .raised = 0x282c35,
                        .text = 0xe3e7ee,
                        .muted = 0x98a2b3,
                        .border = 0x363c48,
                        .accent = 0x8a99ff,
                        .accentText = 0x0e1116});
}

ThemeMode themeModeOf(const QString& name)
{
    return name == "light" ? ThemeMode::Light : name == "dark" ? ThemeMode::Dark : ThemeMode::System;
}

void applyTheme(QApplication& application, ThemeMode mode)
{
    loadIcons();                        // the style sheet names them
    application.setPalette(QPalette()); // what the desktop says
    const Theme desktop = themeOf(application.palette());
    application.setStyle(QStyleFactory::create("Fusion"));
    if (mode != ThemeMode::System || !desktop.highContrast) {
        const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && desktop.dark);
        application.setPalette(dark ? darkPalette() : lightPalette());
    }
    application.setStyleSheet(styleSheetFor(themeOf(application.palette())));
}

QColor stageColor(const Theme& theme, StageId stage)
{
    static constexpr std::array<QRgb, 8> okabeIto{0xffe69f00, 0xff56b4e9, 0xff009e73, 0xfff0e442,
                                                  0xff0072b2, 0xffd55e00, 0xffcc79a7, 0xff999999};
    const std::size_t index = stage.index() % okabeIto.size();
    if (index == 3 && !theme.dark)
        return QColor(0xf5c710); // the palette's yellow is too pale on white
    return QColor(okabeIto[index]);
}

QColor stageTint(const Theme& theme, StageId stage)
{
    if (theme.highContrast)
        return theme.surface;
    return mixed(theme.surface, stageColor(theme, stage), theme.dark ? 0.14 : 0.10);
}

void fillStage(QPainter& painter, const QRectF& rect, const Theme& theme, StageId stage)
{
    QPainterPath path;
    path.addRect(rect);
    fillStage(painter, path, theme, stage);
}

void fillStage(QPainter& painter, const QPainterPath& path, const Theme& theme, StageId stage)
{
    const QColor color = stageColor(theme, stage);
    painter.fillPath(path, color);
    static constexpr std::array<Qt::BrushStyle, 4> hatches{Qt::NoBrush, Qt::BDiagPattern, Qt::FDiagPattern,
                                                           Qt::DiagCrossPattern};
    const auto hatch = hatches[stage.index() / 8 % hatches.size()];
    if (hatch != Qt::NoBrush)
        painter.fillPath(path, QBrush(mixed(color, textColorOn(color), 0.55), hatch));
}

void drawStageChip(QPainter& painter, const QRectF& rect, const Theme& theme, StageId stage)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path;
    path.addRoundedRect(rect, rect.height() * 0.28, rect.height() * 0.28);
    fillStage(painter, path, theme, stage);
    const QString number = QString::number(stage.index() + 1);
    const QColor color = stageColor(theme, stage);
    if (stage.index() >= 8) { // a quiet ground, so that the hatch does not run through the number
        const QRectF text = painter.boundingRect(rect, Qt::AlignCenter, number);
        painter.fillRect(text.adjusted(-2, 0, 2, 0).intersected(rect), color);
    }
    painter.setPen(textColorOn(color));
    painter.drawText(rect, Qt::AlignCenter, number);
    painter.restore();
}

void drawFocusFrame(QPainter& painter, const QRectF& area, const Theme& theme)
{
    // Four bars: the outline of so large a rectangle, smoothed, takes longer than a card with its texts.
    constexpr double width = 1;
    painter.fillRect(QRectF(area.left(), area.top(), area.width(), width), theme.accent);
    painter.fillRect(QRectF(area.left(), area.bottom() - width, area.width(), width), theme.accent);
    painter.fillRect(QRectF(area.left(), area.top(), width, area.height()), theme.accent);
    painter.fillRect(QRectF(area.right() - width, area.top(), width, area.height()), theme.accent);
}

QString stageName(StageId stage)
{
    return QObject::tr("Stage %1").arg(stage.index() + 1);
}

QColor categoryColor(const Theme& theme, std::size_t index)
{
    // Every fifth of twelve hues: neighbours in a list are far apart on the wheel.
    const int hue = static_cast<int>(index * 5 % 12) * 30 + 10;
    return QColor::fromHsl(hue, theme.dark ? 110 : 130, theme.dark ? 120 : 175);
}

void setTextColor(QLabel* label, const QColor& color)
{
    const QString sheet = QStringLiteral("color: %1").arg(color.name());
    if (label->styleSheet() != sheet) // setting it tells the label of a change of style
        label->setStyleSheet(sheet);
}

int em(const QWidget* widget, double count)
{
    return std::max(1, static_cast<int>(std::lround(QFontMetrics(widget->font()).height() * count)));
}

QFont codeFont(const QWidget* widget)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    if (widget->font().pointSizeF() > 0)
        font.setPointSizeF(widget->font().pointSizeF());
    return font;
}

QFont boldFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont scaledFont(const QWidget* widget, double factor, QFont::Weight weight)
{
    QFont font = widget->font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
    font.setWeight(weight);
    return font;
}

} // namespace stagecraft
