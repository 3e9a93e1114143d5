// FindField: the search field of the bar, with the number of the match shown and of all matches.
#pragma once

#include <QLineEdit>

class QLabel;

namespace stagecraft {

class FindField : public QLineEdit
{
    Q_OBJECT

public:
    explicit FindField(QWidget* parent = nullptr);

    // `current` counts from 1; 0: none is shown yet. Nothing is shown while the field is empty.
    void setMatches(int current, int count);

signals:
    // After every change, empty text included.
    void searchChanged(const QString& text);
    void nextRequested();     // Enter, Down
    void previousRequested(); // Shift+Enter, Up
    void closed();            // Esc; the text is cleared first

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeCount();

    QLabel* m_count;
    int m_matchCount = 0;
};

} // namespace stagecraft
