#include "views/plan/form_panel.h"

#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

int withinField(std::int64_t value)
{
    return static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max()));
}

QComboBox* listOf(const QString& name)
{
    auto* list = new QComboBox;
    list->setAccessibleName(name);
    list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    list->setMinimumContentsLength(12);
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    leaveWheelToParent(list);
    return list;
}

// Its first published model, or what is usual where it has none.
Form firstForm(const FormFamily& family)
{
    return family.presets.empty() ? usualForm(family) : *presetForm(family.presets.front().name);
}

// Under a heading for each group, that cannot be chosen.
void addFamilies(QComboBox* list)
{
    std::string group;
    for (const FormFamily& family : formFamilies()) {
        if (family.group != group) {
            group = family.group;
            auto* heading = new QStandardItem(termText(group));
            heading->setFlags(Qt::NoItemFlags);
            QFont bold = list->font();
            bold.setBold(true);
            heading->setFont(bold);
            qobject_cast<QStandardItemModel*>(list->model())->appendRow(heading);
        }
        list->addItem(termText(family.title), dataText(family.name));
        list->setItemData(list->count() - 1, shownText(family.summary), Qt::ToolTipRole);
    }
}

} // namespace

FormPanel::FormPanel(QWidget* parent)
    : QWidget(parent),
      m_family(listOf(tr("Family"))),
      m_preset(listOf(tr("Published model"))),
      m_fields(new QWidget),
      m_rows(new QFormLayout(m_fields)),
      m_figures(new QLabel)
{
    addFamilies(m_family);
    auto* top = new QFormLayout;
    top->addRow(tr("Family"), m_family);
    top->addRow(tr("Published"), m_preset);
    top->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_rows->setContentsMargins(0, 0, em(this, 0.8), 0);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_figures->setWordWrap(true);
    auto* scroll = new QScrollArea;
    scroll->setFocusPolicy(Qt::NoFocus); // it follows the focus of what is in it
    scroll->setWidget(m_fields);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(m_figures);
    column->addWidget(scroll, 1);
    connect(m_family, &QComboBox::activated, this, &FormPanel::chooseFamily);
    connect(m_preset, &QComboBox::activated, this, &FormPanel::choosePreset);
    setForm(firstForm(formFamilies().front()));
}

void FormPanel::setForm(const Form& form)
{
    const FormFamily* family = findFormFamily(form.family);
    if (!family)
        return;
    const bool isOther = form.family != m_form.family;
    m_form = form;
    if (isOther)
        buildFields(*family);
    showValues();
}

void FormPanel::setFigures(const QString& text)
{
    m_figures->setForegroundRole(QPalette::WindowText);
    m_figures->setText(text);
}

void FormPanel::setProblem(const QString& text)
{
    m_figures->setForegroundRole(QPalette::BrightText);
    m_figures->setText(text);
}

void FormPanel::chooseFamily(int index)
{
    const FormFamily& family = *findFormFamily(m_family->itemData(index).toString().toStdString());
    if (family.name == m_form.family)
        return;
    setForm(firstForm(family));
    emit formChanged();
}

void FormPanel::choosePreset(int index)
{
    const FormFamily& family = *findFormFamily(m_form.family);
    if (index >= static_cast<int>(family.presets.size()))
        return;
    setForm(*presetForm(family.presets[static_cast<std::size_t>(index)].name));
    emit formChanged();
}

void FormPanel::buildFields(const FormFamily& family)
{
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    m_values.clear();
    for (const FormParameter& parameter : family.parameters) {
        m_values.push_back(fieldOf(parameter));
        m_rows->addRow(termText(parameter.title), m_values.back());
    }
    m_preset->clear();
    for (const FormPreset& preset : family.presets)
        m_preset->addItem(shownText(preset.title));
    m_preset->addItem(tr("Own sizes"));
}

QWidget* FormPanel::fieldOf(const FormParameter& parameter)
{
    const QString title = termText(parameter.title);
    if (parameter.isChoice()) {
        QComboBox* list = listOf(title);
        for (const std::string& choice : parameter.choices)
            list->addItem(termText(choice));
        connect(list, &QComboBox::activated, this,
                [this, parameter](int index) { setValue(parameter, index); });
        return list;
    }
    auto* box = new QSpinBox;
    box->setAccessibleName(title);
    box->setRange(withinField(parameter.minimum), withinField(parameter.maximum));
    box->setGroupSeparatorShown(true);
    takeWhenFinished(box);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    if (!parameter.unit.empty())
        box->setSuffix(' ' + termText(parameter.unit));
    leaveWheelToParent(box);
    connect(box, &QSpinBox::valueChanged, this, [this, parameter](int value) { setValue(parameter, value); });
    return box;
}

void FormPanel::setValue(const FormParameter& parameter, std::int64_t value)
{
    if (m_form.values[parameter.name] == value)
        return;
    m_form.values[parameter.name] = value;
    showValues();
    emit formChanged();
}

void FormPanel::showValues()
{
    const FormFamily* family = findFormFamily(m_form.family);
    m_family->setCurrentIndex(m_family->findData(dataText(m_form.family)));
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const QSignalBlocker quiet(m_values[i]);
        const int value = withinField(m_form.values[family->parameters[i].name]);
        if (auto* box = qobject_cast<QSpinBox*>(m_values[i]))
            box->setValue(value);
        else if (auto* list = qobject_cast<QComboBox*>(m_values[i]))
            list->setCurrentIndex(value);
    }
    const auto isPreset = [&](const FormPreset& preset) {
        return presetForm(preset.name)->values == m_form.values;
    };
    const auto preset = std::ranges::find_if(family->presets, isPreset);
    m_form.preset = preset == family->presets.end() ? std::string() : preset->name;
    m_preset->setCurrentIndex(static_cast<int>(preset - family->presets.begin()));
}

} // namespace stagecraft
