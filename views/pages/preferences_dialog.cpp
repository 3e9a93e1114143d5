#include "views/pages/preferences_dialog.h"

#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

template <class Value>
void choose(QComboBox* box, const Value& value)
{
    box->setCurrentIndex(std::max(0, box->findData(value)));
}

void addRow(QFormLayout* form, const QString& title, QWidget* field)
{
    field->setAccessibleName(title);
    form->addRow(title, field);
}

} // namespace

PreferencesDialog::PreferencesDialog(const std::vector<std::pair<QString, QString>>& languages,
                                     const std::vector<DeviceSpec>& devices, Preferences usual,
                                     QWidget* parent)
    : QDialog(parent),
      m_usual(std::move(usual)),
      m_theme(new QComboBox),
      m_language(new QComboBox),
      m_textSize(new QComboBox),
      m_device(new QComboBox),
      m_stages(new QSpinBox),
      m_microbatches(new QSpinBox),
      m_searchTime(new QDoubleSpinBox),
      m_goesOn(new QCheckBox(tr("Go on with what was worked on last"))),
      m_python(new QLineEdit)
{
    setWindowTitle(tr("Preferences"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 1.2), em(this, 1), em(this, 1.2), em(this, 1));
    layout->setSpacing(em(this, 0.8));
    buildLooks(languages);
    buildPlanFields(devices);
    buildWorkFields();
    layout->addStretch();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel |
                                         QDialogButtonBox::RestoreDefaults);
    layout->addWidget(buttons);
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon(QIcon()); // no other button has one
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] { setPreferences(m_usual); });
    setMinimumWidth(em(this, 30));
    setPreferences(m_usual);
}

// What is wrapped in a form takes more lines at this width than the form thinks at first.
void PreferencesDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    setMinimumHeight(layout()->totalHeightForWidth(width()));
}

// `note`: when it takes effect; empty: at once.
QFormLayout* PreferencesDialog::buildSection(const QString& title, const QString& note)
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    auto* heading = new QLabel(title);
    heading->setFont(scaledFont(this, 1.0, QFont::DemiBold));
    column->addWidget(heading);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(em(this, 1));
    form->setContentsMargins(em(this, 1), 0, 0, 0);
    column->addLayout(form);
    if (!note.isEmpty()) {
        auto* explained = new QLabel(note);
        explained->setWordWrap(true);
        explained->setForegroundRole(QPalette::PlaceholderText);
        explained->setContentsMargins(em(this, 1), 0, 0, em(this, 0.4));
        column->addWidget(explained);
    }
    return form;
}

void PreferencesDialog::buildLooks(const std::vector<std::pair<QString, QString>>& languages)
{
    m_theme->addItem(tr("As the desktop"), "system");
    m_theme->addItem(tr("Light"), "light");
    m_theme->addItem(tr("Dark"), "dark");
    for (const auto& [code, name] : languages)
        m_language->addItem(name, code);
    for (const int percent : {90, 100, 110, 125, 150, 175, 200})
        m_textSize->addItem(tr("%1 %").arg(percent), percent);
    QFormLayout* looks =
        buildSection(tr("Appearance"), tr("Language and text size hold from the next start on."));
    addRow(looks, tr("Theme"), m_theme);
    addRow(looks, tr("Language"), m_language);
    addRow(looks, tr("Text size"), m_textSize);
    auto* units =
        new QLabel(tr("Memory in GiB (2^30 bytes); speeds, and files that weights are split into, in GB "
                      "(10^9 bytes), as data sheets and the Hub have them"));
    units->setWordWrap(true);
    looks->addRow(tr("Units"), units);
}

void PreferencesDialog::buildPlanFields(const std::vector<DeviceSpec>& devices)
{
    for (const DeviceSpec& device : devices)
        m_device->addItem(shownText(device.name), dataText(device.id));
    m_stages->setRange(1, 1024);
    m_microbatches->setRange(1, 65536);
    m_searchTime->setRange(0.1, 600);
    m_searchTime->setDecimals(1);
    m_searchTime->setSuffix(tr(" s"));
    m_searchTime->setToolTip(
        tr("How long a search for a plan may compute, which takes up to four times as long on a busy "
           "machine; it ends sooner where it has proven that there is no better plan"));
    QFormLayout* plans = buildSection(
        tr("New plans"),
        tr("For the next window, and for this one while no model is open in it. The device is also "
           "the one that was chosen last."));
    addRow(plans, tr("Device"), m_device);
    addRow(plans, tr("Stages"), m_stages);
    addRow(plans, tr("Microbatches"), m_microbatches);
    addRow(plans, tr("Search for at most"), m_searchTime);
}

void PreferencesDialog::buildWorkFields()
{
    m_python->setPlaceholderText(tr("that of the environment"));
    m_python->setToolTip(tr("Imports models and runs the stages that are verified; it has PyTorch"));
    QToolButton* choose = makeChooseButton(tr("Choose a Python"));
    connect(choose, &QToolButton::clicked, this, &PreferencesDialog::choosePython);
    auto* python = new QHBoxLayout;
    python->addWidget(m_python, 1);
    python->addWidget(choose);
    m_python->setAccessibleName(tr("Python"));
    QFormLayout* work = buildSection(tr("Work"), {});
    work->addRow(tr("Python"), python);
    addRow(work, tr("At a start"), m_goesOn);
}

void PreferencesDialog::choosePython()
{
    const QString file =
        QFileDialog::getOpenFileName(this, tr("The Python that has PyTorch"), m_python->text());
    if (!file.isEmpty())
        m_python->setText(file);
}

void PreferencesDialog::setPreferences(const Preferences& preferences)
{
    choose(m_theme, preferences.theme);
    choose(m_language, preferences.language);
    choose(m_textSize, preferences.textSize);
    choose(m_device, dataText(preferences.device));
    m_stages->setValue(preferences.stages);
    m_microbatches->setValue(preferences.microbatches);
    m_searchTime->setValue(preferences.searchTime);
    m_goesOn->setChecked(preferences.goesOn);
    m_python->setText(preferences.python);
}

Preferences PreferencesDialog::preferences() const
{
    return {.theme = m_theme->currentData().toString(),
            .language = m_language->currentData().toString(),
            .textSize = m_textSize->currentData().toInt(),
            .device = m_device->currentData().toString().toStdString(),
            .stages = m_stages->value(),
            .microbatches = m_microbatches->value(),
            .searchTime = m_searchTime->value(),
            .goesOn = m_goesOn->isChecked(),
            .python = m_python->text().trimmed()};
}

} // namespace stagecraft
