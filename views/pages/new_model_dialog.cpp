#include "views/pages/new_model_dialog.h"

#include "views/base/dialog_size.h"
#include "views/base/theme.h"
#include "views/pages/preset_search.h"
#include "views/plan/form_panel.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft {

NewModelDialog::NewModelDialog(QWidget* parent)
    : QDialog(parent), m_search(new PresetSearch), m_panel(new FormPanel)
{
    setWindowTitle(tr("New model"));
    auto* about =
        new QLabel(tr("A model by its sizes, without weights: profiled, planned and exported as one "
                      "from a file."));
    about->setWordWrap(true);
    about->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_make = buttons->addButton(tr("Make it"), QDialogButtonBox::AcceptRole);
    m_make->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addWidget(m_search);
    column->addWidget(m_panel, 1);
    column->addWidget(buttons);
    resizeOnScreen(this, {em(this, 30), em(this, 42)});
    connect(m_search, &PresetSearch::chosen, this, &NewModelDialog::choosePreset);
    connect(m_panel, &FormPanel::formChanged, this, &NewModelDialog::formChanged);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void NewModelDialog::choosePreset(const QString& preset)
{
    m_panel->setForm(*presetForm(preset.toStdString()));
    emit formChanged();
}

const Form& NewModelDialog::form() const
{
    return m_panel->form();
}

void NewModelDialog::setFigures(const QString& text)
{
    m_panel->setFigures(text);
    m_make->setEnabled(true);
}

void NewModelDialog::setProblem(const QString& text)
{
    m_panel->setProblem(text);
    m_make->setEnabled(false);
}

} // namespace stagecraft
