#include "core/profile/op_time.h"

#include <algorithm>

namespace stagecraft {

namespace {

DType computeType(const Trace& trace, const TraceOp& op)
{
    for (const TraceArgument& argument : trace.arguments(op))
        for (const TraceTensor& tensor : trace.tensors(argument))
            return tensor.dtype;
    return DType::F32;
}

double matrixPeak(const DeviceSpec& device, DType dtype)
{
    const auto found = device.peakFlops.find(dtype);
    return found != device.peakFlops.end() ? found->second : device.peakFlops.at(DType::F32);
}

double elementsWritten(const Trace& trace, const TraceOp& op)
{
    double elements = 0;
    for (const TraceArgument& result : trace.results(op))
        for (const TraceTensor& tensor : trace.tensors(result))
            elements += trace.tensorBytes(tensor).asDouble() / static_cast<double>(itemSize(tensor.dtype));
    return elements;
}

} // namespace

Seconds operatorTime(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                     const DeviceSpec& device)
{
    if (traffic.total() == Bytes(0))
        return {};
    const double contraction = flops.total().value();
    const double compute =
        contraction > 0 ? contraction / (matrixPeak(device, computeType(trace, op)) * device.matrixEfficiency)
                        : elementsWritten(trace, op) / device.vectorFlops;
    const double memory = traffic.total().asDouble() / (device.memoryBandwidth * device.memoryEfficiency);
    return Seconds(std::max(compute, memory)) + device.launchOverhead;
}

} // namespace stagecraft
