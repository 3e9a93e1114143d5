// Calibration: a device file of the machine at hand, from what its operators really take.
//
//     probe model ──traceModel──► its operators, what each works on ──┐ i-th of a name with i-th of that name
//          └──────runStep───────► how long each took (OperatorTimer) ───────┴──► OperatorTimes by name
//
// Small models (probe_models.h) run whole training steps, so that operators are timed where they stand in
// real ones: with autograd, on what the operator before left in the caches, backward ones too. What a step
// takes beyond its operators, spread over them, is the cost of handing one over. Every figure that comes of
// it is marked as fitted, and how; what cannot be measured on one machine (the link to the next) as assumed.
#pragma once

#include "core/base/progress.h"
#include "core/profile/device/device.h"

#include <string>

namespace stagecraft {

struct CalibrateOptions
{
    std::string name; // of the device; empty: what the machine says of its processor
    int threads = 1;  // that operators may use
    // To spend on each of some 60 models; a large one takes longer for its three steps.
    Seconds perProbe{0.15};
};

// This machine's CPU. Fails if cancelled, or where an operator fails.
Result<DeviceSpec> calibrateCpu(const CalibrateOptions& options = {}, const Progress& progress = {});

} // namespace stagecraft
