// DeviceSpec: the accelerator that a profile is made for, read from resources/devices/*.json.
#pragma once

#include "core/base/quantities.h"
#include "core/graph/dtype.h"
#include "core/profile/device/accuracy.h"
#include "core/profile/device/efficiency.h"
#include "core/profile/device/kernel_rates.h"
#include "core/profile/device/operator_class.h"
#include "core/profile/device/operator_times.h"

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stagecraft {

// How a figure of a device file was got.
enum class FigureBasis : std::uint8_t {
    Datasheet, // the maker's
    Published, // measured by somebody else, who is named
    Fitted,    // measured on the device by `calibrate`
    Assumed,   // a guess, with the reason
};

struct FigureSource
{
    FigureBasis basis = FigureBasis::Assumed;
    std::string from;
};

// What the program takes beside handing operators over, and where that differs.
struct HostTimes
{
    // Of CUDA devices: to hand over what launches no kernel, forward and backward; 0: as any operator.
    Seconds view, backwardView;
    double unrecorded = 1; // the share of handing over forward that is left where no gradient is wanted
    Seconds gradient;      // of autograd, for each operator of a backward pass on a CPU
    // Of an optimizer's step, before anything is handed over: hooks, groups, states.
    Seconds optimizerStep;
    // And in it, for each operator and each parameter looked at; 0: the dispatch of others, and parameters
    // take nothing.
    Seconds optimizerHandover;
};

struct DeviceSpec
{
    std::string id;            // "h100-sxm": the file's stem
    std::string name;          // "NVIDIA H100 SXM 80GB"
    std::string kind;          // "cuda" or "cpu"
    std::string provenance;    // where the figures come from: a datasheet, a fit
    int computeCapability = 0; // of CUDA devices: 10 x major + minor

    std::map<DType, double> peakFlops; // dense FLOP/s of matrix units, by element type; F32 is always there
    double tf32Flops = 0;              // of float32 convolutions, which cuDNN rounds to TF32; 0: not rounded
    double vectorFlops = 0;            // FLOP/s of elementwise work
    double memoryBandwidth = 0;        // bytes/s
    double linkBandwidth = 0;          // bytes/s to the next device, one direction
    Seconds linkLatency;
    Seconds launchOverhead;   // of the device, for each operator that moves bytes
    Seconds dispatchOverhead; // of the program that hands the operator over, for each
    Seconds backwardDispatch; // of CUDA devices: in a backward pass, which no Python hands over; 0: the same
    HostTimes host;
    Bytes memory;
    Bytes contextMemory;         // what the driver and its libraries take before the first tensor
    double matrixEfficiency = 1; // share of the peak that an operator reaches that has no curve
    double memoryEfficiency = 1;
    // By OperatorClass: over FLOPs, the share of the peak; over bytes, of the bandwidth, above 1 where they
    // fit into a cache.
    std::array<EfficiencyCurve, operatorClassCount> curves;
    // Measured times by operator, "aten::gelu_backward", without what handing it over takes; they go before
    // peaks and curves.
    std::map<std::string, OperatorTimes, std::less<>> operators;
    std::vector<MatrixTile> tiles; // of matrix products; none: no quantisation
    int multiprocessors = 0;
    KernelRates kernels;            // of CUDA devices
    std::vector<Accuracy> accuracy; // against measurements that were not fitted

    std::map<std::string, FigureSource> sources; // by field
};

// Of kernels.list_launch, where a device has no figure of its own.
FigureSource usualListLaunch();

// "datasheet": the name in device files.
std::string_view basisName(FigureBasis basis);

// Fails, naming the file and the field.
Result<DeviceSpec> readDevice(const std::filesystem::path& path);
// The same of the text of such a file.
Result<DeviceSpec> deviceFromText(std::string_view text, const std::filesystem::path& path);
// What readDevice() reads back.
std::string deviceJson(const DeviceSpec& device);
// Do both come of the same file?
bool isSameDevice(const DeviceSpec& a, const DeviceSpec& b);
// Every *.json of a folder, sorted by id.
Result<std::vector<DeviceSpec>> readDevices(const std::filesystem::path& folder);
// The device named `id`; fails with the list of those there are.
Result<DeviceSpec> findDevice(const std::vector<DeviceSpec>& devices, std::string_view id);

} // namespace stagecraft
