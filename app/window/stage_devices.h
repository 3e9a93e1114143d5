// StageDevices: puts stages of a plan on another kind of device than the plan's.
#pragma once

#include <QObject>

#include <cstddef>
#include <string>
#include <vector>

namespace stagecraft {

class Document;
class PlacesTable;
struct PartitionOptions;

class StageDevices : public QObject
{
    Q_OBJECT

public:
    // Both outlive it.
    StageDevices(PlacesTable* table, Document& document, QObject* parent);

private:
    // How fast the stages are there is found out with the plan's profile.
    void put(const std::vector<std::size_t>& stages, const std::string& device);
    // Speeds, limits and links that were typed: a stage whose speed is a person's has no device by name.
    void take(const PartitionOptions& typed);

    Document& m_document;
};

} // namespace stagecraft
