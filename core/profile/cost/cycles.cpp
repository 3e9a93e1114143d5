#include "core/profile/cost/cycles.h"

namespace stagecraft {

bool isHalf(DType type)
{
    return type == DType::F16 || type == DType::BF16;
}

bool isHopper(const DeviceSpec& device)
{
    constexpr int capability = 90;
    return device.kind == "cuda" && device.computeCapability == capability;
}

double lanesOf(const DeviceSpec& device)
{
    // NVIDIA CUDA C++ Programming Guide, "Arithmetic Instructions"; 80 is the A100.
    return device.computeCapability > 80 ? 128 : 64;
}

double cyclesPerSecond(const DeviceSpec& device)
{
    return device.kind == "cuda" ? device.vectorFlops / (2 * lanesOf(device)) : 0;
}

} // namespace stagecraft
