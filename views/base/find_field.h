// FindField: the search field of the bar, with the number of the match shown and of all matches, and below it
// how what is typed could go on.
#pragma once

#include "views/base/completion_list.h"

#include <QLineEdit>

#include <optional>

class QLabel;

namespace stagecraft {

class FindField : public QLineEdit
{
    Q_OBJECT

public:
    explicit FindField(QWidget* parent = nullptr);

    // `current` counts from 1; 0: none is shown yet. Nothing is shown while the field is empty.
    void setMatches(int current, int count);
    // Instead of a number: why the text asks for nothing.
    void setProblem(const QString& problem);
    // Shown while the field has the keyboard.
    void setCompletions(std::vector<Completion> completions);

signals:
    // After every change, empty text included.
    void searchChanged(const QString& text);
    // The person types, or has come here to type.
    void completionsWanted(const QString& text);
    void nextRequested();     // Enter, Down
    void previousRequested(); // Shift+Enter, Up
    void closed();            // Esc; the text is cleared first

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showCount(const QString& text, const QString& spoken);
    void placeCount();
    void showHint();
    void fitText();

    QStringList m_hints; // the longest first
    QLabel* m_count;
    CompletionList* m_completions;
    bool m_isFound = false;
    std::optional<int> m_leastWidth; // pixels without a text; none: there is no text
};

} // namespace stagecraft
