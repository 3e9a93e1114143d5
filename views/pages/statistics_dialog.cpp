#include "views/pages/statistics_dialog.h"

#include "views/base/theme.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace stagecraft {

StatisticsDialog::StatisticsDialog(QWidget* parent)
    : QDialog(parent),
      m_random(new QRadioButton(tr("Random"))),
      m_exported(new QRadioButton(tr("Those that the model was exported with"))),
      m_fromFile(new QRadioButton(tr("From a file (.safetensors), by the names of the inputs"))),
      m_seed(new QSpinBox),
      m_file(new QLineEdit),
      m_choose(new QPushButton(tr("Choose…")))
{
    setWindowTitle(tr("Statistics of a real step"));
    auto* text = new QLabel(tr("Runs a forward and a backward pass of the whole model on this machine. The "
                               "spread, mean, largest value, zeros and NaN of every tensor and gradient then "
                               "stand beside the lines of the code."));
    text->setWordWrap(true);
    m_random->setChecked(true);
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setAccessibleName(tr("Seed"));
    m_file->setAccessibleName(tr("File of inputs"));
    auto* file = new QHBoxLayout;
    file->addWidget(m_file, 1);
    file->addWidget(m_choose);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_run = buttons->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
    auto* form = new QFormLayout;
    form->addRow(tr("Inputs"), m_random);
    form->addRow(QString(), m_exported);
    form->addRow(QString(), m_fromFile);
    form->addRow(QString(), file);
    form->addRow(tr("Seed"), m_seed);
    m_seed->setToolTip(tr("Of all that is random: inputs, dropout, weights that the file does not have"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em(this, spacing::large));
    layout->addWidget(text);
    layout->addLayout(form);
    layout->addStretch();
    layout->addWidget(buttons);
    setMinimumWidth(em(this, 30));

    for (QRadioButton* choice : {m_random, m_exported, m_fromFile})
        connect(choice, &QRadioButton::toggled, this, &StatisticsDialog::showChoice);
    connect(m_file, &QLineEdit::textChanged, this, &StatisticsDialog::showChoice);
    connect(m_choose, &QPushButton::clicked, this, &StatisticsDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon(QIcon()); // no other button has one
    m_run->setDefault(true);
    setExported(Exported::No);
    showChoice();
}

void StatisticsDialog::setExported(Exported exported)
{
    const bool isThere = exported == Exported::Yes;
    m_exported->setEnabled(isThere);
    m_exported->setToolTip(isThere ? QString() : tr("The model's file does not have them"));
    (isThere ? m_exported : m_random)->setChecked(true);
}

StepInputs StatisticsDialog::inputs() const
{
    const StepInputs::Kind kind = m_fromFile->isChecked()   ? StepInputs::Kind::File
                                  : m_exported->isChecked() ? StepInputs::Kind::Exported
                                                            : StepInputs::Kind::Random;
    return {kind, static_cast<std::uint64_t>(m_seed->value()), m_file->text().toStdString()};
}

void StatisticsDialog::chooseFile()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Inputs of the model"), m_file->text(),
                                                      tr("Tensors (*.safetensors);;All files (*)"));
    if (!file.isEmpty())
        m_file->setText(file);
}

void StatisticsDialog::showChoice()
{
    const bool fromFile = m_fromFile->isChecked();
    m_file->setEnabled(fromFile);
    m_choose->setEnabled(fromFile);
    m_run->setEnabled(!fromFile || !m_file->text().isEmpty());
}

} // namespace stagecraft
