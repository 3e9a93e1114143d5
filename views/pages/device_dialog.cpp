#include "views/pages/device_dialog.h"

#include "views/base/dialog_size.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/plan/device_form.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

DeviceDialog::DeviceDialog(QWidget* parent)
    : QDialog(parent),
      m_list(new QListWidget),
      m_form(new DeviceForm),
      m_error(new QLabel),
      m_hint(new QLabel),
      m_duplicate(new QPushButton(tr("Duplicate"))),
      m_import(new QPushButton(tr("Import…"))),
      m_delete(new QPushButton(tr("Delete…"))),
      m_save(new QPushButton(tr("Save"))),
      m_use(new QPushButton(tr("Use for the plan")))
{
    setWindowTitle(tr("Devices"));
    build();
    m_duplicate->setToolTip(tr("A device of your own with these figures, to be changed"));
    m_import->setToolTip(tr("A device file, such as “stagecraft-cli calibrate” writes"));
    for (QPushButton* button : {m_duplicate, m_import, m_delete, m_save, m_use})
        button->setAutoDefault(false);
    connect(m_list, &QListWidget::currentRowChanged, this, &DeviceDialog::showDevice);
    connect(m_form, &DeviceForm::changed, this, &DeviceDialog::noteChange);
    connect(m_duplicate, &QPushButton::clicked, this, [this] { emit duplicateRequested(current()->id); });
    connect(m_import, &QPushButton::clicked, this, &DeviceDialog::chooseFile);
    connect(m_delete, &QPushButton::clicked, this, &DeviceDialog::askToDelete);
    connect(m_save, &QPushButton::clicked, this, &DeviceDialog::save);
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (!m_isChanged || save())
            emit useRequested(current()->id);
    });
}

void DeviceDialog::build()
{
    m_list->setAccessibleName(tr("Devices"));
    m_list->setSpacing(em(this, 0.15));
    m_error->setAccessibleName(tr("What is wrong with the device"));
    for (QLabel* label : {m_error, m_hint}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_error->hide();
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // it follows the focus of what is in it
    area->setWidgetResizable(true);
    area->setWidget(m_form);
    auto* right = new QVBoxLayout;
    right->addWidget(area, 1);
    right->addWidget(m_hint);
    right->addWidget(m_error);
    auto* left = new QVBoxLayout;
    left->addWidget(m_list, 1);
    auto* listButtons = new QHBoxLayout;
    for (QPushButton* button : {m_duplicate, m_import, m_delete})
        listButtons->addWidget(button);
    left->addLayout(listButtons);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(em(this, spacing::large));
    columns->addLayout(left, 2);
    columns->addLayout(right, 3);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_save, QDialogButtonBox::ActionRole);
    buttons->addButton(m_use, QDialogButtonBox::ActionRole);
    buttons->button(QDialogButtonBox::Close)->setIcon(QIcon()); // no other button has one
    connect(buttons, &QDialogButtonBox::rejected, this, &DeviceDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(em(this, spacing::large));
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);
    resizeOnScreen(this, {em(this, 62), em(this, 44)});
}

void DeviceDialog::setDevices(const std::vector<DeviceSpec>& devices, const std::set<std::string>& own,
                              const std::string& shown)
{
    const QSignalBlocker quiet(m_list);
    m_devices = devices;
    m_own = own;
    m_list->clear();
    int row = 0;
    for (const DeviceSpec& device : devices) {
        const QString name = shownText(device.name);
        auto* item = new QListWidgetItem(own.contains(device.id) ? tr("%1 (own)").arg(name) : name, m_list);
        item->setToolTip(toolTipText(shownText(device.id)));
        if (device.id == shown)
            row = m_list->count() - 1;
    }
    m_list->setCurrentRow(row);
    showDevice();
}

const DeviceSpec* DeviceDialog::current() const
{
    const int row = m_list->currentRow();
    return row >= 0 && row < static_cast<int>(m_devices.size()) ? &m_devices[static_cast<std::size_t>(row)]
                                                                : nullptr;
}

void DeviceDialog::showDevice()
{
    showError({});
    m_isChanged = false;
    if (const DeviceSpec* device = current())
        m_form->setDevice(*device, m_own.contains(device->id) ? DeviceForm::Access::Editable
                                                              : DeviceForm::Access::ReadOnly);
    showState();
}

void DeviceDialog::noteChange()
{
    m_isChanged = true;
    const Result<DeviceSpec> device = m_form->device();
    showError(device.has_value() ? std::string() : device.error().message);
    showState();
}

// While a device is being changed one does not leave it by the way.
void DeviceDialog::showState()
{
    const DeviceSpec* device = current();
    const bool isOwn = device && m_own.contains(device->id);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_list), static_cast<QWidget*>(m_duplicate), static_cast<QWidget*>(m_import)})
        widget->setEnabled(!m_isChanged);
    m_delete->setEnabled(isOwn && !m_isChanged);
    m_save->setEnabled(m_isChanged && m_error->isHidden());
    m_use->setEnabled(device && m_error->isHidden());
    m_hint->setText(!isOwn        ? tr("It comes with Stagecraft: duplicate it to change figures.")
                    : m_isChanged ? tr("Save the changes, or close to drop them.")
                                  : QString());
    m_hint->setVisible(!m_hint->text().isEmpty());
}

void DeviceDialog::showError(const std::string& error)
{
    setTextColor(m_error, applicationTheme().danger);
    m_error->setText(shownText(error));
    m_error->setVisible(!error.empty());
}

bool DeviceDialog::save()
{
    const Result<DeviceSpec> device = m_form->device();
    if (!device.has_value()) {
        showError(device.error().message);
        return false;
    }
    emit saveRequested(*device);
    return m_error->isHidden();
}

void DeviceDialog::chooseFile()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Import a device"), {},
                                                      tr("Device files (*.json);;All files (*)"));
    if (!file.isEmpty())
        emit importRequested(file);
}

void DeviceDialog::askToDelete()
{
    const DeviceSpec device = *current();
    const QString question = tr("Delete %1 for good?").arg(toolTipText(shownText(device.name)));
    if (QMessageBox::question(this, tr("Devices"), question, QMessageBox::Yes | QMessageBox::Cancel) ==
        QMessageBox::Yes)
        emit deleteRequested(device.id);
}

void DeviceDialog::reject()
{
    if (m_isChanged &&
        QMessageBox::question(this, tr("Devices"), tr("Drop the changes of the device?"),
                              QMessageBox::Discard | QMessageBox::Cancel) != QMessageBox::Discard)
        return;
    QDialog::reject();
}

} // namespace stagecraft
