// CommandPalette: everything that can be done or gone to, found by typing a part of its name.
//
//     ┌────────────────────────────────────────────┐
//     │ export                                     │   Up, Down, PgUp, PgDn   choose
//     │ Export stages…         File · Ctrl+E       │   Enter                  do it
//     │ Export picture…        File · Ctrl+Shift+E │   Esc                    leave
//     └────────────────────────────────────────────┘
#pragma once

#include <QDialog>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace stagecraft {

struct PaletteEntry
{
    QString title;
    QString note; // faintly behind it: where it belongs, its keys; it is looked into, too
    std::function<void()> run;
};

// Of `entries` those that have every word of `text` in title or note, by index: titles that begin with it
// first, then those of which a word does, then the others, each in their order. All where no word is typed.
std::vector<std::size_t> matchingEntries(const std::vector<PaletteEntry>& entries, const QString& text);

class CommandPalette : public QDialog
{
    Q_OBJECT

public:
    // What is chosen runs after it is closed.
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override; // a frame: no window manager gives it one

private:
    void showMatches(const QString& text);
    bool handleKey(int key);
    void runCurrent();

    std::vector<PaletteEntry> m_entries;
    std::vector<std::size_t> m_shown;
    QLineEdit* m_field;
    QListWidget* m_list;
};

void showPalette(QWidget* window, std::vector<PaletteEntry> entries);

} // namespace stagecraft
