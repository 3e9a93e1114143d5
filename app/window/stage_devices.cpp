#include "app/window/stage_devices.h"

#include "app/document/document.h"
#include "core/plan/device_kinds.h"
#include "views/plan/places_table.h"

namespace stagecraft {

StageDevices::StageDevices(PlacesTable* table, Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    connect(table, &PlacesTable::deviceChosen, this, &StageDevices::put);
    connect(table, &PlacesTable::optionsChanged, this, &StageDevices::take);
}

void StageDevices::put(const std::vector<std::size_t>& stages, const std::string& device)
{
    const Result<PlanRequest> placed = withStagesOn(m_document.asked(), stages, device, m_document.devices());
    if (placed.has_value())
        m_document.setRequest(*placed);
    else
        m_document.refuse(placed.error());
}

void StageDevices::take(const PartitionOptions& typed)
{
    PlanRequest request = m_document.asked();
    const std::vector<double> before = placesOf(request.plan, {}).speeds;
    request.plan.speeds = typed.speeds;
    request.plan.memoryLimits = typed.memoryLimits;
    request.plan.links = typed.links;
    const std::vector<double> now = placesOf(request.plan, {}).speeds;
    for (std::size_t stage = 0; stage < request.stageDevices.size() && stage < now.size(); ++stage)
        if (stage >= before.size() || now[stage] != before[stage])
            request.stageDevices[stage].clear();
    fitStageDevices(request);
    m_document.setRequest(request);
}

} // namespace stagecraft
