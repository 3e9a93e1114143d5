// StageDevices: puts stages of a plan on another kind of device than the plan's.
#pragma once

#include "core/plan/stage_places.h"
#include "core/profile/device/device.h"

#include <QObject>

#include <cstddef>
#include <string>
#include <vector>

namespace stagecraft {

class Document;
class PlacesTable;

class StageDevices : public QObject
{
    Q_OBJECT

public:
    // Both outlive it.
    StageDevices(PlacesTable* table, Document& document, QObject* parent);

private:
    // Profiles the model on that device, in the background: the stages' speed is how many times faster the
    // whole of it is there than on the plan's.
    void put(const std::vector<std::size_t>& stages, const std::string& device);
    void take(const std::vector<std::size_t>& stages, const DeviceSpec& device, double speed);

    Document& m_document;
};

// Those stages with that speed, what the device may hold, and its links: the slower of two where they meet
// other devices.
StagePlaces placedOn(StagePlaces places, const std::vector<std::size_t>& stages, double speed,
                     const UsualPlace& device);

} // namespace stagecraft
