#include "views/pages/program_dialog.h"

#include "views/base/dialog_size.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft {

ProgramDialog::ProgramDialog(QWidget* parent) : QDialog(parent), m_intro(new QLabel), m_list(new QListWidget)
{
    setWindowTitle(tr("Program of the file"));
    m_intro->setWordWrap(true);
    m_intro->setTextFormat(Qt::PlainText);
    m_list->setAccessibleName(tr("Programs"));
    m_list->setSpacing(em(this, 0.15));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* const open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
    buttons->button(QDialogButtonBox::Cancel)->setIcon(QIcon()); // no other button has one
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em(this, spacing::large));
    layout->addWidget(m_intro);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    open->setDefault(true); // the dialog, which it is of only now, hears of it
    resizeOnScreen(this, {em(this, 34), em(this, 24)});
}

void ProgramDialog::setQuestion(const QString& file, const std::vector<std::string>& programs,
                                const std::string& chosen)
{
    m_programs = programs;
    m_intro->setText(
        tr("%1 holds several programs. Which is to be opened? This is kept for the next time.").arg(file));
    m_list->clear();
    int row = 0;
    for (const std::string& program : programs) {
        if (program == chosen)
            row = m_list->count();
        m_list->addItem(shownText(program));
    }
    m_list->setCurrentRow(row);
    m_list->setFocus();
}

std::string ProgramDialog::program() const
{
    const int row = m_list->currentRow();
    return row < 0 || row >= static_cast<int>(m_programs.size()) ? std::string()
                                                                 : m_programs[static_cast<std::size_t>(row)];
}

} // namespace stagecraft
