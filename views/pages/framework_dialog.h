// FrameworkDialog: the plan as another framework reads it; where that cannot say it, the nearest that it can,
// with what it costs. Writes nothing itself.
#pragma once

#include "core/plan/framework_plan.h"

#include <QDialog>

class QComboBox;
class QFrame;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace stagecraft {

class FrameworkDialog : public QDialog
{
    Q_OBJECT

public:
    explicit FrameworkDialog(QWidget* parent = nullptr);

    void setModelName(const QString& name);
    // While what is to be shown is looked for; it ends with one of the calls below.
    void setSearching();
    // The plan that is open.
    // `unsaid`: what it does not say of the plan; empty: nothing.
    void setText(const QString& text, const QString& unsaid = {});
    // The nearest plan, which is not the one that is open; `why`: what is in the way of that.
    void setNearest(const QString& text, const QString& why, const QString& costs);
    // There is nothing to show, and why.
    void setProblem(const QString& message);

    Framework framework() const;
    QString text() const; // empty while there is none

signals:
    void frameworkChanged();
    void applyRequested(); // take the nearest plan over
    void saveRequested();

private:
    enum class State { Searching, Plan, Nearest, Problem };
    void showState(State state, const QString& text, const QString& notice);
    void color();
    void copy();

    QComboBox* m_framework;
    QLabel* m_reader; // what reads it, and where it goes
    QFrame* m_notice;
    QLabel* m_noticeText;
    QPushButton* m_apply;
    QLabel* m_caption;
    QPlainTextEdit* m_text;
    QPushButton* m_copy;
    QPushButton* m_save;
    QString m_plan; // as it is read there: an editor has line ends of its own
    State m_state = State::Searching;
};

} // namespace stagecraft
