// NewModelDialog: a new model by its form: which family, how large. Makes nothing itself.
#pragma once

#include "core/forms/form.h"

#include <QDialog>

class QPushButton;

namespace stagecraft {

class FormPanel;
class PresetSearch;

class NewModelDialog : public QDialog
{
    Q_OBJECT

public:
    explicit NewModelDialog(QWidget* parent = nullptr);

    const Form& form() const;
    // What is known of the form's model.
    void setFigures(const QString& text);
    // There is none, and why.
    void setProblem(const QString& text);

signals:
    void formChanged();

private:
    void choosePreset(const QString& preset);

    PresetSearch* m_search;
    FormPanel* m_panel;
    QPushButton* m_make;
};

} // namespace stagecraft
