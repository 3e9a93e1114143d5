// The application's style sheet. Lengths are in em so that it follows the font.
#include "views/base/theme.h"

#include "views/base/colors.h"

#include <QHash>

namespace stagecraft {

namespace {

constexpr const char* bars = R"(
QMainWindow::separator { background: @window; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; border-bottom: 1px solid @border; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: @pressed; }
QMenu { background: @raised; border: 1px solid @border; padding: 5px; }
QMenu::item { padding: 5px 24px 5px 22px; border-radius: 5px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @border; margin: 5px 8px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: @window; border: none; border-bottom: 1px solid @border; padding: 4px 6px; spacing: 3px; }
QToolBar::separator { background: @border; width: 1px; margin: 5px 6px; }
QStatusBar { background: @window; border-top: 1px solid @border; }
QStatusBar::item { border: none; }
QDockWidget::title { background: @window; padding: 6px 8px; text-align: left; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 6px; }
)";

constexpr const char* buttons = R"(
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 4px 7px; background: transparent; }
QToolButton:hover { background: @pressed; }
QToolButton:pressed, QToolButton:checked { background: @selection; }
QToolButton:focus { border-color: @accent; }
QToolButton[popupMode="1"] { padding-right: 18px; }
QToolButton::menu-button { border: none; width: 16px; }
QPushButton { background: @raised; border: 1px solid @strongBorder; border-radius: 6px; padding: 5px 14px; }
QPushButton:hover { background: @hover; border-color: @mutedText; }
QPushButton:pressed { background: @selection; }
QPushButton:focus { border-color: @accent; outline: none; }
QPushButton:default { background: @accent; color: @accentText; border-color: @accent; }
QPushButton:default:hover { background: @accentHover; }
QPushButton:default:focus { border: 2px solid @text; padding: 4px 13px; }
QPushButton:disabled { color: @faint; background: @window; border-color: @border; }
QPushButton:flat { background: transparent; border-color: transparent; }
QPushButton:flat:hover { background: @pressed; }
QPushButton:flat:focus { border-color: @accent; }
)";

constexpr const char* fields = R"(
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
    background: @surface; border: 1px solid @strongBorder; border-radius: 6px; padding: 3px 7px;
    selection-background-color: @accent; selection-color: @accentText; min-height: 1.25em; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled { background: @window; color: @faint; }
QCheckBox { spacing: 7px; }
QCheckBox::indicator { width: 1.05em; height: 1.05em; border: 1px solid @strongBorder; border-radius: 4px;
    background: @surface; }
QCheckBox::indicator:hover { border-color: @mutedText; }
QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/@shade/check.svg); }
QCheckBox::indicator:disabled { background: @window; border-color: @border; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/@shade/chevron-down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @border; padding: 4px; outline: none;
    selection-background-color: @selection; selection-color: @text; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    border: none; background: transparent; width: 18px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/@shade/chevron-up.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/@shade/chevron-down.svg); width: 9px; height: 9px; }
)";

constexpr const char* views = R"(
QAbstractScrollArea { border: none; }
QTreeView, QTableView, QListView { background: @surface; border: 1px solid @surface; outline: none;
    selection-background-color: @selection; selection-color: @text; }
QTreeView:focus, QTableView:focus, QListView:focus { border-color: @accent; }
QTreeView::item:hover, QTableView::item:hover, QListView::item:hover { background: @hover; }
QTreeView::item:selected, QTableView::item:selected, QListView::item:selected { background: @selection; color: @text; }
QTableView:disabled { background: @window; }
QTableView::item:disabled, QTableView::item:selected:disabled { background: @window; color: @faint; }
QHeaderView { background: @window; border: none; }
QHeaderView::section { background: @window; color: @mutedText; border: none; border-bottom: 1px solid @border;
    padding: 5px 8px; }
QHeaderView::section:hover { color: @text; }
QTreeWidget::item { padding: 3px 5px; border: none; }
QTabWidget::pane { border: none; }
QTabBar { background: @window; }
QTabBar::tab { background: transparent; color: @mutedText; padding: 6px 12px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:focus { background: @hover; }
QTabBar#stageTabs::tab { padding: 6px 7px; }
QTabBar QToolButton { padding: 0; border-radius: 0; background: @window; }
QTabBar QToolButton::left-arrow { image: url(:/icons/@shade/chevron-left.svg); width: 12px; height: 12px; }
QTabBar QToolButton::right-arrow { image: url(:/icons/@shade/chevron-right.svg); width: 12px; height: 12px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @handle; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @mutedText; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: @surface; }
QProgressBar { background: @border; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
)";

} // namespace

QString styleSheetFor(const Theme& theme)
{
    const QHash<QString, QColor> colors{
        {"window", theme.window},
        {"surface", theme.surface},
        {"raised", theme.raised},
        {"text", theme.text},
        {"mutedText", theme.mutedText},
        {"faint", mixed(theme.text, theme.window, 0.55)},
        {"border", theme.border},
        {"strongBorder", theme.highContrast ? theme.text : mixed(theme.border, theme.text, 0.12)},
        {"handle", mixed(theme.surface, theme.text, 0.24)},
        {"accent", theme.accent},
        {"accentHover", mixed(theme.accent, theme.text, 0.12)},
        {"accentText", theme.accentText},
        {"selection", theme.selection},
        {"hover", theme.hover},
        {"pressed", mixed(theme.window, theme.text, 0.08)},
    };
    const QString source = QString::fromLatin1(bars) + buttons + fields + views;
    QString sheet;
    sheet.reserve(source.size() * 5 / 4);
    for (qsizetype at = 0; at < source.size();) {
        if (source[at] != '@') {
            sheet += source[at++];
            continue;
        }
        qsizetype end = ++at;
        while (end < source.size() && source[end].isLetter())
            ++end;
        const QString name = source.mid(at, end - at);
        sheet += name == "shade" ? QString(theme.dark ? "dark" : "light") : colors.value(name).name();
        at = end;
    }
    return sheet;
}

} // namespace stagecraft
