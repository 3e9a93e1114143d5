// MessageBar: the one place in the window for what went wrong or is worth knowing. Never a dialog.
//
// Shows the newest message of what is wrong, else the newest note: notes come in numbers, and cover nothing.
// The ones behind it are counted and come up as it is dismissed or from a list; or all go at once.
// Equal ones are one, with how many times it came. Takes no room when there is none.
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

class QHBoxLayout;
class QLabel;
class QMenu;
class QPlainTextEdit;
class QToolButton;

namespace stagecraft {

struct Message
{
    enum class Severity { Info, Warning, Error };
    struct Action
    {
        QString id;
        QString label;
    };

    QString id; // a message replaces the one of the same id; empty: never
    Severity severity = Severity::Info;
    // One or two lines: what, where, what to do; the middle of a longer one is among the details.
    QString text;
    QString details; // shown on request; may be empty
    std::vector<Action> actions;
    int count = 1; // how many times the same was posted; the bar counts
};

class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    // A text that begins with a plain word is shown with a capital: the engine's begin without.
    void post(Message message);
    void remove(const QString& id);
    void clear();
    std::size_t count() const { return m_messages.size(); }

signals:
    // The message goes with it.
    void actionTriggered(const QString& messageId, const QString& actionId);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showFirst();
    void listAll(QMenu* menu);
    void bringUp(const QString& id, const QString& text);
    void fitDetails();
    void dismiss();

    std::vector<Message> m_messages; // the last is shown
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_more;
    QHBoxLayout* m_actions;
    QToolButton* m_detailsButton;
    QToolButton* m_copy;
    QToolButton* m_closeAll;
    QToolButton* m_close;
    QPlainTextEdit* m_details;
};

} // namespace stagecraft
