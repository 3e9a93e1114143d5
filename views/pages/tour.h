// Tour: a few steps through a window, each a word on one of its parts, which is framed while all else is
// dimmed. A card beside the part says it; the window stays usable all the while. Esc ends it wherever the
// keyboard is in the window.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace stagecraft {

class Tour : public QFrame
{
    Q_OBJECT

public:
    struct Step
    {
        QPointer<QWidget> target;
        QString title;
        QString text;
        std::function<void()> bringUp; // makes the target visible; may be null
    };

    // A child of `window`, shown at once; deletes itself at its end.
    Tour(QWidget* window, std::vector<Step> steps);
    ~Tour() override;

signals:
    void ended(); // walked through or dismissed

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    class Shade;
    void build();
    void show(int step);
    void place();
    QPoint clampedTo(const QRect& all, QPoint at) const;
    void putOnTop(const QRect& hole, QPoint at);
    void end();

    std::vector<Step> m_steps;
    int m_step = 0;
    QPointer<Shade> m_shade; // the window deletes it, too
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_number;
    QPushButton* m_back;
    QPushButton* m_next;
    QPushButton* m_leave;
};

} // namespace stagecraft
