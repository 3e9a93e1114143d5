// DeviceDialog: the devices that a plan can be made for: those that come with the program to look at, one's
// own to make, change and delete.
//
//     ┌ NVIDIA A100 …      ┐  Name       [ My H100            ]
//     │ NVIDIA H100 …      │  Memory     [ 80 GiB             ]
//     │ My H100     (own)  │  …
//     └────────────────────┘
//     [Duplicate] [Import…] [Delete]              [Save] [Use] [Close]
#pragma once

#include "core/profile/device/device.h"

#include <QDialog>

#include <set>
#include <string>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;

namespace stagecraft {

class DeviceForm;

class DeviceDialog : public QDialog
{
    Q_OBJECT

public:
    explicit DeviceDialog(QWidget* parent = nullptr);

    // `own`: the ids of those that may be changed; `shown` the id of the one to show.
    void setDevices(const std::vector<DeviceSpec>& devices, const std::set<std::string>& own,
                    const std::string& shown);
    // Below the fields; empty: none.
    void showError(const std::string& error);

    void reject() override;

signals:
    void duplicateRequested(const std::string& id);
    void importRequested(const QString& file);
    void deleteRequested(const std::string& id);
    void saveRequested(const stagecraft::DeviceSpec& device);
    void useRequested(const std::string& id);

private:
    void build();
    void showDevice();
    void showState();
    void noteChange();
    // False: the fields make no sense yet.
    bool save();
    void chooseFile();
    void askToDelete();
    const DeviceSpec* current() const;

    std::vector<DeviceSpec> m_devices;
    std::set<std::string> m_own;
    QListWidget* m_list;
    DeviceForm* m_form;
    QLabel* m_error;
    QLabel* m_hint;
    QPushButton* m_duplicate;
    QPushButton* m_import;
    QPushButton* m_delete;
    QPushButton* m_save;
    QPushButton* m_use;
    bool m_isChanged = false;
};

} // namespace stagecraft
