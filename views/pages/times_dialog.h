// TimesDialog: how times of ops get here: the command that measures them on the device that counts, to be
// copied, and the file that it writes, or another's.
#pragma once

#include <QDialog>

class QLabel;

namespace stagecraft {

class NextSteps;

class TimesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit TimesDialog(QWidget* parent = nullptr);

    // A line of a shell; empty: the model is none that PyTorch can run by itself.
    void setCommand(const QString& command);
    QString command() const;
    // What the command leaves out, and what to do about it; empty: nothing.
    void setNote(const QString& note);

signals:
    void fileRequested(); // choose what was measured

private:
    void fit();

    QLabel* m_measure;
    NextSteps* m_command;
    QLabel* m_note;
    QLabel* m_elsewhere;
};

} // namespace stagecraft
