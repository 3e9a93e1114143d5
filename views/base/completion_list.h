// CompletionList: what a field could go on with, in a list below it that never takes the keyboard: the field
// hands it the keys that it understands.
#pragma once

#include <QListWidget>

#include <vector>

namespace stagecraft {

struct Completion
{
    QString text;  // the whole field, completed
    QString shown; // what the list says
    QString help;  // faintly beside it
};

class CompletionList : public QListWidget
{
    Q_OBJECT

public:
    // Stands below `field`, and hides when that loses the keyboard.
    explicit CompletionList(QWidget* field);

    // Shown while the field has the keyboard; none: hidden. No row is chosen.
    void setCompletions(std::vector<Completion> completions);
    // Down, Up: chooses. Enter: takes the one that is chosen. Tab: that, or the first. Esc: hides.
    // False: it is the field's key.
    bool handleKey(int key);

signals:
    void taken(const QString& text);

private:
    void drawFrame();
    void place();
    void take(int row);

    QWidget* m_field;
    std::vector<Completion> m_completions;
};

} // namespace stagecraft
