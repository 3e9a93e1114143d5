#include "views/pages/times_dialog.h"

#include "views/base/theme.h"
#include "views/pages/next_steps.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

QLabel* paragraph(const QString& text)
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

TimesDialog::TimesDialog(QWidget* parent)
    : QDialog(parent),
      m_measure(paragraph(tr("Measure each op and each stage on the machine that the model will run on: its "
                             "PyTorch runs the model and writes times.json."))),
      m_command(new NextSteps),
      m_note(paragraph({})),
      m_elsewhere(paragraph(tr("On another machine, take along measure_model.py, the model and the plan.")))
{
    setWindowTitle(tr("Read times of ops"));
    setMinimumWidth(em(this, 42));
    auto* read = paragraph(tr("Then read that file, or another: a CSV or JSON with a time for each op, or a "
                              "trace of torch.profiler."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* choose = buttons->addButton(tr("Choose File…"), QDialogButtonBox::AcceptRole);
    choose->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em(this, 0.8));
    for (QWidget* part : std::initializer_list<QWidget*>{m_measure, m_command, m_note, m_elsewhere, read})
        layout->addWidget(part);
    layout->addStretch();
    layout->addWidget(buttons);
    m_elsewhere->setForegroundRole(QPalette::PlaceholderText);
    m_note->hide();
    setCommand({});
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        accept();
        emit fileRequested();
    });
}

void TimesDialog::setCommand(const QString& command)
{
    m_command->setSteps(command, {});
    for (QWidget* part : std::initializer_list<QWidget*>{m_measure, m_elsewhere})
        part->setVisible(!command.isEmpty());
    fit();
}

void TimesDialog::setNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    fit();
}

void TimesDialog::fit()
{
    // No taller than its lines are at this width; Qt takes wrapped text to be narrow.
    resize(minimumWidth(), layout()->totalHeightForWidth(minimumWidth()));
}

QString TimesDialog::command() const
{
    return m_command->command();
}

} // namespace stagecraft
