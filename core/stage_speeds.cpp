#include "core/stage_speeds.h"

#include "core/plan/stage_places.h"
#include "core/workflow.h"

#include <cmath>
#include <map>

namespace stagecraft {

namespace {

Result<Seconds> stepOn(const Model& model, ProfileOptions options, const DeviceSpec& device,
                       const Progress& progress)
{
    options.device = device;
    options.parts = nullptr;
    STAGECRAFT_ASSIGN(profile, traceAndProfile(model, options, progress));
    Seconds sum;
    for (const NodeId node : profile.nodes.ids())
        sum += profile.nodes[node].time();
    return sum;
}

} // namespace

Result<PartitionOptions> withStageSpeeds(PartitionOptions plan, std::span<const std::string> stageDevices,
                                         std::span<const DeviceSpec> known, const Model& model,
                                         const ProfileOptions& options, const Progress& progress)
{
    std::map<std::string, double, std::less<>> speeds;
    for (const std::string& id : stageDevices)
        if (!id.empty())
            speeds[id] = 1;
    if (speeds.empty())
        return plan;
    STAGECRAFT_ASSIGN(here, stepOn(model, options, options.device, progress));
    for (auto& [id, speed] : speeds) {
        STAGECRAFT_ASSIGN(device, findDevice({known.begin(), known.end()}, id));
        STAGECRAFT_ASSIGN(there, stepOn(model, options, device, progress));
        speed = here / there;
        if (!(speed > 0) || !std::isfinite(speed))
            return Error{ErrorCode::Failed, "the model takes no time on '" + device.name +
                                                "'; give the speed of its stages by hand"};
    }
    std::vector<double> all = placesOf(plan, {}).speeds;
    for (std::size_t stage = 0; stage < stageDevices.size() && stage < all.size(); ++stage)
        if (!stageDevices[stage].empty())
            all[stage] = speeds[stageDevices[stage]];
    plan.speeds = std::move(all);
    return plan;
}

} // namespace stagecraft
