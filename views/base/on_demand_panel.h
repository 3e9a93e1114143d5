// OnDemandPanel: a panel whose content takes a while to make, so that a person asks for it: until it is
// there, a line on what it would say and a button.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace stagecraft {

class OnDemandPanel : public QWidget
{
    Q_OBJECT

public:
    struct Texts
    {
        QString button;
        QString promise; // what the answer would say
        QString nothing; // why there is nothing to ask
    };
    OnDemandPanel(Texts texts, QWidget* content, QWidget* parent = nullptr);

    // None: there is nothing to ask. Searching: an answer is being made.
    enum class State { None, Ready, Searching };
    void setState(State state);
    // What the answers leave out, in a line below; empty: nothing.
    void setNote(const QString& note);

signals:
    void asked();

protected:
    // Is there anything to show in the content?
    enum class Answer { Missing, There };
    void setAnswer(Answer answer);

private:
    void showState();

    Texts m_texts;
    QWidget* m_content;
    QLabel* m_hint;
    QPushButton* m_ask;
    QLabel* m_note;
    State m_state = State::None;
    Answer m_answer = Answer::Missing;
};

} // namespace stagecraft
