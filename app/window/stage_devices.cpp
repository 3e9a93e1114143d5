#include "app/window/stage_devices.h"

#include "app/document/document.h"
#include "core/workflow.h"
#include "views/base/plain_text.h"
#include "views/plan/places_table.h"

#include <QPointer>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

UsualPlace placeOf(const DeviceSpec& device)
{
    const std::vector<Bytes> limits = planLimits(device);
    return {limits.empty() ? Bytes::max() : limits.front(), {device.linkBandwidth, device.linkLatency}};
}

Seconds timeOf(const Profile& profile)
{
    Seconds sum;
    for (const NodeId node : profile.nodes.ids()) {
        const NodeCost& cost = profile.nodes[node];
        sum += cost.forward.time + cost.backwardInput.time + cost.backwardWeight.time;
    }
    return sum;
}

// How many times faster the model is on the second device.
Result<double> speedOf(const Model& model, ProfileOptions options, const DeviceSpec& other,
                       const Progress& progress)
{
    STAGECRAFT_ASSIGN(here, traceAndProfile(model, options, progress));
    options.device = other;
    STAGECRAFT_ASSIGN(there, traceAndProfile(model, options, progress));
    const double speed = timeOf(here) / timeOf(there);
    if (speed > 0 && std::isfinite(speed))
        return speed;
    return Error{ErrorCode::Failed,
                 "the model takes no time on '" + other.name + "'; give the speed by hand"};
}

} // namespace

StagePlaces placedOn(StagePlaces places, const std::vector<std::size_t>& stages, double speed,
                     const UsualPlace& device)
{
    const auto isChosen = [&](std::size_t stage) { return std::ranges::find(stages, stage) != stages.end(); };
    for (const std::size_t stage : stages) {
        places.speeds[stage] = speed;
        places.memoryLimits[stage] = device.memoryLimit;
    }
    for (std::size_t i = 0; i < places.links.size(); ++i) {
        Link& link = places.links[i];
        if (isChosen(i) && isChosen(i + 1))
            link = device.link;
        else if (isChosen(i) || isChosen(i + 1))
            link = {std::min(link.bandwidth, device.link.bandwidth),
                    std::max(link.latency, device.link.latency)};
    }
    return places;
}

StageDevices::StageDevices(PlacesTable* table, Document& document, QObject* parent)
    : QObject(parent), m_document(document)
{
    connect(table, &PlacesTable::deviceChosen, this, &StageDevices::put);
}

void StageDevices::put(const std::vector<std::size_t>& stages, const std::string& id)
{
    const Result<DeviceSpec> device = findDevice(m_document.devices(), id);
    const auto profile = m_document.state().profile;
    if (!profile || !device.has_value() || m_document.request().plan.sharesDevices())
        return m_document.refuse(
            {ErrorCode::BadUsage, "stages that share devices run on one kind of device; choose it above"});
    if (id == m_document.asked().device)
        return take(stages, *device, 1);
    const auto model = m_document.model();
    const QPointer<StageDevices> self(this);
    m_document.heavyQueue().add(
        tr("Profiling for %1").arg(shownText(device->name)),
        [=, options = profile->options, device = *device](const Progress& progress) -> JobQueue::Delivery {
            const Result<double> speed = speedOf(*model, options, device, progress);
            return [=] {
                if (!self || self->m_document.model() != model)
                    return;
                if (speed.has_value())
                    self->take(stages, device, *speed);
                else
                    self->m_document.report(speed.error());
            };
        },
        [] {});
}

void StageDevices::take(const std::vector<std::size_t>& stages, const DeviceSpec& device, double speed)
{
    PlanRequest request = m_document.asked();
    const Result<DeviceSpec> usual = findDevice(m_document.devices(), request.device);
    if (!usual.has_value() || stages.empty() || stages.back() >= request.plan.stageCount)
        return; // there are fewer by now
    const UsualPlace place = placeOf(*usual);
    setPlaces(request.plan, placedOn(placesOf(request.plan, place), stages, speed, placeOf(device)), place);
    m_document.setRequest(request);
}

} // namespace stagecraft
