// ProgramDialog: a file holds several programs, and the person says which is to be opened.
#pragma once

#include <QDialog>

#include <string>
#include <vector>

class QLabel;
class QListWidget;

namespace stagecraft {

class ProgramDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ProgramDialog(QWidget* parent = nullptr);

    // `file`: its name; `chosen`: the one that is proposed, if it is among `programs`.
    void setQuestion(const QString& file, const std::vector<std::string>& programs,
                     const std::string& chosen);
    std::string program() const;

private:
    QLabel* m_intro;
    QListWidget* m_list;
    std::vector<std::string> m_programs;
};

} // namespace stagecraft
