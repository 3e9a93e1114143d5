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
    if (isTransposedConvolution(trace, op))
        return name + (hasGroups(trace, op) ? ", transposed in groups" : ", transposed");
    return name + rowKind(trace, op);
}

constexpr std::string_view typeMark = ", of ";

// None: nothing like it was measured.
std::optional<Seconds> measuredTime(const Trace& trace, const TraceOp& op, const OpTraffic& traffic,
                                    const DeviceSpec& device)
{
    const std::string& name = trace.opNames[op.name].name;
    const bool movesNothing = traffic.total() == Bytes(0);
    if (movesNothing && !device.operators.contains(name))
        return std::nullopt;
    const auto ofType = device.operators.find(measuredName(trace, op));
    const auto found =
        ofType != device.operators.end() ? ofType : device.operators.find(nameOfAnyType(trace, op));
    const OperatorTimes* times =
        found != device.operators.end() ? &found->second : measuredTimes(device, name);
    if (!times)
        return std::nullopt;
    if (!times->goesByShape())
        return times->at(traffic.total().asDouble());
    const std::vector<MatrixShape> shapes = matrixShapes(trace, op);
    if (shapes.empty() || shapes.front().multiplyAdds() <= 0)
        return std::nullopt;
    if (ofType != device.operators.end())
        return times->at(shapes.front());
    const double slower = device.peakFlops.at(DType::F32) / matrixPeak(device, computeType(trace, op));
    return times->at(shapes.front()) * slower;
}

} // namespace

std::string measuredName(const Trace& trace, const TraceOp& op)
{
    std::string name = nameOfAnyType(trace, op);
    if (isContraction(operatorClassOf(trace.opNames[op.name].name)))
        if (const DType dtype = computeType(trace, op); dtype != DType::F32)
            name.append(typeMark).append(shortName(dtype));
    return name;
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
