#include "core/profile/cost/operator_time.h"

#include "core/profile/cost/kernel_work.h"
#include "core/profile/device/matrix_shapes.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

double matrixPeak(const DeviceSpec& device, DType dtype)
{
    const auto found = device.peakFlops.find(dtype);
    return found != device.peakFlops.end() ? found->second : device.peakFlops.at(DType::F32);
}

// Of an operator that goes row by row, what each row takes besides its elements counts where they are few.
const char* rowKind(const Trace& trace, const TraceOp& op)
{
    constexpr std::array<std::string_view, 6> byRow{
        "aten::_softmax",          "aten::_softmax_backward_data",
        "aten::_log_softmax",      "aten::_log_softmax_backward_data",
        "aten::native_layer_norm", "aten::native_layer_norm_backward"};
    const auto arguments = trace.arguments(op);
    if (std::ranges::find(byRow, trace.opNames[op.name].name) == byRow.end() || arguments.empty())
        return "";
    const auto tensors = trace.tensors(arguments.front());
    if (tensors.empty() || trace.sizes(tensors.front()).empty())
        return "";
    const std::int64_t length = trace.sizes(tensors.front()).back();
    return length < 32 ? ", shortest rows" : length < 128 ? ", short rows" : "";
}

// "aten::add_" takes what "aten::add" takes, where only one of them was measured.
std::string twin(std::string_view name)
{
    return name.ends_with('_') ? std::string(name.substr(0, name.size() - 1)) : std::string(name) + '_';
}

const OperatorTimes* measuredTimes(const DeviceSpec& device, std::string_view name)
{
    auto found = device.operators.find(name);
    if (found == device.operators.end())
        found = device.operators.find(twin(name));
    if (found == device.operators.end())
        found = device.operators.find(typicalOperator(operatorClassOf(name)));
    return found == device.operators.end() ? nullptr : &found->second;
}

std::string nameOfAnyType(const Trace& trace, const TraceOp& op)
{
    const std::string& name = trace.opNames[op.name].name;
    if (op.phase == Phase::Optimizer)
        return name + ", by an optimizer";
    if (isTransposedConvolution(trace, op))
        return name + (hasGroups(trace, op) ? ", transposed in groups" : ", transposed");
    return name + rowKind(trace, op);
}

constexpr std::string_view typeMark = ", of ";

std::string nameOfType(const Trace& trace, const TraceOp& op, DType type)
{
    std::string name = nameOfAnyType(trace, op);
    if (type != DType::F32)
        name.append(typeMark).append(shortName(type));
    return name;
}

const OperatorTimes* found(const DeviceSpec& device, const std::string& measuredName)
{
    const auto times = device.operators.find(measuredName);
    return times == device.operators.end() ? nullptr : &times->second;
}

// They run on the same units.
std::optional<DType> otherHalf(DType type)
{
    if (type == DType::F16)
        return DType::BF16;
    return type == DType::BF16 ? std::optional(DType::F16) : std::nullopt;
}

// A launch takes the same in every type, the rest goes by the peaks.
Seconds inAnotherType(Seconds measured, DType measuredType, DType type, const DeviceSpec& device)
{
    const Seconds launch = std::min(measured, device.launchOverhead);
    return launch + (measured - launch) * (matrixPeak(device, measuredType) / matrixPeak(device, type));
}

// None: nothing like it was measured.
std::optional<Seconds> measuredTime(const Trace& trace, const TraceOp& op, const OpTraffic& traffic,
                                    const DeviceSpec& device)
{
    const std::string& name = trace.opNames[op.name].name;
    const bool movesNothing = traffic.total() == Bytes(0);
    if (movesNothing && !device.operators.contains(name))
        return std::nullopt;
    const OperatorTimes* ofType = found(device, measuredName(trace, op));
    const OperatorTimes* times = ofType ? ofType : found(device, nameOfAnyType(trace, op));
    if (!times)
        times = measuredTimes(device, name);
    if (!times)
        return std::nullopt;
    if (!times->goesByShape())
        return times->at(traffic.total().asDouble());
    const std::vector<MatrixShape> shapes = matrixShapes(trace, op);
    if (shapes.empty() || shapes.front().multiplyAdds() <= 0)
        return std::nullopt;
    const DType type = computeType(trace, op);
    if (ofType)
        return times->at(shapes.front());
    if (const std::optional<DType> other = otherHalf(type))
        if (const OperatorTimes* ofOther = found(device, nameOfType(trace, op, *other)))
            return inAnotherType(ofOther->at(shapes.front()), *other, type, device);
    return inAnotherType(times->at(shapes.front()), DType::F32, type, device);
}

} // namespace

std::string measuredName(const Trace& trace, const TraceOp& op)
{
    return isContraction(operatorClassOf(trace.opNames[op.name].name))
               ? nameOfType(trace, op, computeType(trace, op))
               : nameOfAnyType(trace, op);
}

bool namesAType(std::string_view measuredName)
{
    return measuredName.find(typeMark) != std::string_view::npos;
}

Seconds operatorTime(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                     const DeviceSpec& device)
{
    if (!device.operators.empty())
        if (const std::optional<Seconds> measured = measuredTime(trace, op, traffic, device))
            return *measured;
    if (traffic.total() == Bytes(0))
        return {};
    return kernelTime(kernelWork(trace, op, flops, traffic, device), device) + device.launchOverhead;
}

Seconds plainTime(Flops flops, Bytes moved, DType dtype, const DeviceSpec& device)
{
    const KernelWork work{.operatorClass =
                              flops.value() > 0 ? OperatorClass::Matrix : OperatorClass::Elementwise,
                          .dtype = dtype,
                          .flops = flops.value(),
                          .bytes = moved.asDouble()};
    return kernelTime(work, device) + device.launchOverhead;
}

} // namespace stagecraft
