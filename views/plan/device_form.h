// DeviceForm: the figures of a device, as fields that a person fills in with their units.
#pragma once

#include "core/profile/device/device.h"
#include "views/base/quantity_field.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace stagecraft {

class DeviceForm : public QWidget
{
    Q_OBJECT

public:
    explicit DeviceForm(QWidget* parent = nullptr);

    enum class Access { ReadOnly, Editable };
    // Does not emit changed().
    void setDevice(const DeviceSpec& device, Access access);
    // What the fields say, over what they do not show of the device that was set: curves, tiles, measured
    // times. A figure that was changed is said to be typed in, and with it how exact times are is no longer
    // known. Fails naming the field.
    Result<DeviceSpec> device() const;

signals:
    void changed();

private:
    void build();
    void tell();
    void showKind();
    QString restOf(const DeviceSpec& device) const;

    DeviceSpec m_device;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QDoubleSpinBox* m_capability;          // 9.0
    std::vector<QuantityField*> m_figures; // by the table of figures
    QDoubleSpinBox* m_matrixShare;         // percent
    QDoubleSpinBox* m_memoryShare;
    QLabel* m_rest;
    bool m_showing = false;
};

} // namespace stagecraft
