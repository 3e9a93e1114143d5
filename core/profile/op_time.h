// Time of one operator on a device: the roofline.
//
//     time = max(FLOPs / (peak x efficiency), bytes / (bandwidth x efficiency)) + launch
//
// Views take none. Contractions run on the matrix units of their element type, everything else on the vector
// units, where an element counts as one operation.
#pragma once

#include "core/profile/device.h"
#include "core/profile/flops.h"
#include "core/profile/traffic.h"

namespace stagecraft {

Seconds operatorTime(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                     const DeviceSpec& device);

} // namespace stagecraft
