// PlacesTable: what each stage runs on and sends over, where devices or links are not all alike.
//
//     Stage │ Device │ Speed │ Memory limit │ Link to next │ Latency
//     all   │        │ 1     │ 79.2 GiB     │ 300 GB/s     │ 10 us     typed here, it holds for all
//     1     │ h100   │ 1     │ 79.2 GiB     │ 25 GB/s      │ 10 us
//     2     │ l4     │ 0.5   │ 22.0 GiB     │              │           emptied: as the plan's device says
#pragma once

#include "core/plan/device_kinds.h"
#include "core/profile/device/device.h"
#include "views/tables/table_text.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QMenu;
class QTableWidget;
class QTableWidgetItem;
class QToolButton;

namespace stagecraft {

class PlacesTable : public QWidget
{
    Q_OBJECT

public:
    enum Column { Stage, Device, Speed, Limit, Bandwidth, Latency, ColumnCount };

    explicit PlacesTable(QWidget* parent = nullptr);

    // Those that stages can be put on.
    void setDevices(const std::vector<DeviceSpec>& devices);
    // Of a plan for `device` and what its stages run on beside it. Emits nothing.
    void setRequest(const PlanRequest& request, const DeviceSpec& device);

signals:
    // With the lists of speeds, limits and links that were asked for.
    void optionsChanged(const PartitionOptions& options);
    // The chosen stages are to run on that device: how fast each is there takes a profile.
    void deviceChosen(const std::vector<std::size_t>& stages, const std::string& device);

private:
    void buildTable();
    void buildLayout();
    void fill();
    void fillRow(int row, const StagePlaces& places);
    void fillDevice(QTableWidgetItem* item, int row) const;
    void take(const QTableWidgetItem* item);
    Result<void> put(Column column, std::size_t index, const QString& text, StagePlaces& places) const;
    std::vector<std::size_t> chosenStages() const;
    TablePart copiedPart() const;

    std::vector<DeviceSpec> m_known;
    PartitionOptions m_options;
    std::vector<std::string> m_stageDevices; // as many as there are stages: their ids
    UsualPlace m_usual;
    QToolButton* m_open;
    QWidget* m_content;
    QTableWidget* m_table;
    QToolButton* m_putOn;
    QMenu* m_devices;
    QLabel* m_error;
    bool m_showing = false;
};

} // namespace stagecraft
