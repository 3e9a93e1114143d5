// FormPanel: a form (core/forms/form.h) as fields: family, published model, and a field for each number.
//
//     Family     [ Llama      v]
//     Published  [ Llama 3 8B v]
//     Layers     [ 32          ]      8.03 B parameters, 1721 ops
#pragma once

#include "core/forms/form.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;

namespace stagecraft {

class FormPanel : public QWidget
{
    Q_OBJECT

public:
    explicit FormPanel(QWidget* parent = nullptr);

    // Does not emit formChanged().
    void setForm(const Form& form);
    const Form& form() const { return m_form; }
    // What is known of the form's model, or why there is none.
    void setFigures(const QString& text);
    void setProblem(const QString& text);

signals:
    void formChanged();

private:
    void chooseFamily(int index);
    void choosePreset(int index);
    void buildFields(const FormFamily& family);
    QWidget* fieldOf(const FormParameter& parameter);
    void showValues();
    void setValue(const FormParameter& parameter, std::int64_t value);

    Form m_form;
    QComboBox* m_family;
    QComboBox* m_preset;
    QWidget* m_fields;
    QFormLayout* m_rows;
    std::vector<QWidget*> m_values; // a spin box or a list for each parameter
    QLabel* m_figures;
};

} // namespace stagecraft
