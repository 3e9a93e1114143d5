// Calibration: a device file of the machine at hand, from what its operators really take.
//
// Matrix products, convolutions and attention of rising size give the peak and the curves over FLOPs;
// elementwise operators, reductions, norms, look-ups and copies the curves over bytes, from a cache's reach
// to far beyond it; tiny operators and views what a launch and a dispatch cost. Every figure that comes of it
// is marked as fitted, and how; what cannot be measured on one machine (the link to the next) as assumed.
#pragma once

#include "core/base/progress.h"
#include "core/profile/device.h"

#include <string>

namespace stagecraft {

struct CalibrateOptions
{
    std::string name;       // of the device; empty: what the machine says of its processor
    int threads = 1;        // that operators may use
    Seconds perPoint{0.05}; // to spend on each point of a curve
};

// This machine's CPU. Takes about 100 points. Fails if cancelled, or where an operator fails.
Result<DeviceSpec> calibrateCpu(const CalibrateOptions& options = {}, const Progress& progress = {});

} // namespace stagecraft
