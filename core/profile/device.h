// DeviceSpec: the accelerator that a profile is made for, read from resources/devices/*.json.
#pragma once

#include "core/base/quantities.h"
#include "core/graph/dtype.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stagecraft {

struct DeviceSpec
{
    std::string id;            // "h100-sxm": the file's stem
    std::string name;          // "NVIDIA H100 SXM 80GB"
    std::string kind;          // "cuda" or "cpu"
    std::string provenance;    // where the figures come from: a datasheet, a fit
    int computeCapability = 0; // of CUDA devices: 10 x major + minor

    std::map<DType, double> peakFlops; // dense FLOP/s of matrix units, by element type; F32 is always there
    double vectorFlops = 0;            // FLOP/s of elementwise work
    double memoryBandwidth = 0;        // bytes/s
    double linkBandwidth = 0;          // bytes/s to the next device, one direction
    Seconds linkLatency;
    Seconds launchOverhead; // per operator
    Bytes memory;
    Bytes contextMemory;         // what the driver and its libraries take before the first tensor
    double matrixEfficiency = 1; // share of the peak that a large operator reaches
    double memoryEfficiency = 1;
};

// Fails, naming the file and the field.
Result<DeviceSpec> readDevice(const std::filesystem::path& path);
// Every *.json of a folder, sorted by id.
Result<std::vector<DeviceSpec>> readDevices(const std::filesystem::path& folder);
// The device named `id`; fails with the list of those there are.
Result<DeviceSpec> findDevice(const std::vector<DeviceSpec>& devices, std::string_view id);

} // namespace stagecraft
