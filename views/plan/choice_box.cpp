#include "views/plan/choice_box.h"

#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

namespace stagecraft {

QFormLayout* makeOptionForm(const QWidget* panel)
{
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(em(panel, 0.8));
    form->setVerticalSpacing(em(panel, 0.4));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    return form;
}

void addOption(QFormLayout* form, const QString& name, QWidget* field)
{
    form->addRow(name, field);
    field->setAccessibleName(name);
}

void addChoice(QFormLayout* form, const RequestField& field, QComboBox* box)
{
    fitIntoPanel(box);
    addOption(form, termText(field.title), box);
}

QComboBox* makeChoiceBox(const RequestField& field)
{
    auto* box = new QComboBox;
    for (const FieldChoice& choice : field.choices())
        box->addItem(termText(choice.title), dataText(choice.name));
    return box;
}

void choose(QComboBox* box, const RequestField& field, const PlanRequest& request)
{
    const QString text = dataText(field.print(request));
    if (box->findData(text) < 0) // with a number or a list of its own
        box->addItem(text == QLatin1String("plan") ? QObject::tr("As chosen by hand")
                                                   : shownText(field.print(request)),
                     text);
    box->setCurrentIndex(box->findData(text));
    // What was such a one before says nothing any more.
    const auto usual = static_cast<int>(field.choices().size());
    for (int index = box->count() - 1; index >= usual; --index)
        if (index != box->currentIndex())
            box->removeItem(index);
}

void readChoice(const QComboBox& box, const RequestField& field, PlanRequest& request)
{
    // A name that the field itself has given.
    static_cast<void>(field.parse(request, box.currentData().toString().toStdString()));
}

void fitIntoPanel(QComboBox* box)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    leaveWheelToParent(box);
}

} // namespace stagecraft
