// NextSteps: what to do with what was written: the command that runs it, to be copied; what explains it.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace stagecraft {

class NextSteps : public QWidget
{
    Q_OBJECT

public:
    explicit NextSteps(QWidget* parent = nullptr);

    // `command` runs it, as a line of a shell; empty: nothing that was written runs by itself. `guide` is the
    // file that explains it.
    void setSteps(const QString& command, const QString& guide);
    QString command() const { return m_text; }

signals:
    void openRequested(const QString& path); // the guide

private:
    void copy();

    QString m_text;
    QString m_guide;
    QLabel* m_title;
    QLineEdit* m_command;
    QPushButton* m_copy;
    QPushButton* m_read;
};

// `text` as one word of a POSIX shell, whatever is in it.
QString shellWord(const QString& text);

} // namespace stagecraft
