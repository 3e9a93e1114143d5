// KernelCycles: time that a device's multiprocessors are busy, whatever is moved meanwhile.
#pragma once

#include "core/base/quantities.h"
#include "core/graph/dtype.h"
#include "core/profile/device/device.h"

namespace stagecraft {

struct KernelCycles
{
    double busy = 0;  // while bytes are moved: the longer of both counts
    double apart = 0; // of kernels that come after the others, whose bytes count for nothing beside them
    Bytes apartBytes; // which of the operator's bytes these are
    bool holdProducts = false; // of a contraction: its FLOPs count for nothing beside them
};

bool isHalf(DType type);
bool isHopper(const DeviceSpec& device);

// Of float32, in a multiprocessor of a CUDA device.
double lanesOf(const DeviceSpec& device);
// That a device's multiprocessors have in a second, all together; 0: not known.
double cyclesPerSecond(const DeviceSpec& device);

} // namespace stagecraft
