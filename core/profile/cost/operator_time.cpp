#include "core/profile/cost/operator_time.h"

#include "core/profile/device/matrix_shapes.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <string_view>

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

// PyTorch lets cuDNN round float32 to TF32, but not cuBLAS (torch.backends.*.allow_tf32).
double contractionPeak(const DeviceSpec& device, OperatorClass operatorClass, DType dtype)
{
    if (operatorClass == OperatorClass::Convolution && dtype == DType::F32 && device.tf32Flops > 0)
        return device.tf32Flops;
    return matrixPeak(device, dtype);
}

double elementsWritten(const Trace& trace, const TraceOp& op)
{
    double elements = 0;
    for (const TraceArgument& result : trace.results(op))
        for (const TraceTensor& tensor : trace.tensors(result))
            elements += trace.tensorBytes(tensor).asDouble() / static_cast<double>(itemSize(tensor.dtype));
    return elements;
}

double shareOf(const DeviceSpec& device, OperatorClass operatorClass, double work)
{
    const EfficiencyCurve& curve = device.curves[static_cast<std::size_t>(operatorClass)];
    if (!curve.isEmpty())
        return curve.at(work);
    return isContraction(operatorClass) ? device.matrixEfficiency : device.memoryEfficiency;
}

// Of all the products that the operator amounts to, each as long as its tiles take.
double quantisation(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    if (device.tiles.empty())
        return 1;
    double ideal = 0, real = 0;
    for (const MatrixShape& shape : matrixShapes(trace, op)) {
        ideal += shape.multiplyAdds();
        real += shape.multiplyAdds() / tileShare(shape, device.tiles, device.multiprocessors);
    }
    return real > 0 ? ideal / real : 1;
}

double bandwidth(const DeviceSpec& device, OperatorClass operatorClass, double bytes)
{
    // A contraction that waits for memory streams like an elementwise operator.
    const OperatorClass streaming = isContraction(operatorClass) ? OperatorClass::Elementwise : operatorClass;
    return device.memoryBandwidth * shareOf(device, streaming, bytes);
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

// None: nothing like it was measured.
std::optional<Seconds> measuredTime(const Trace& trace, const TraceOp& op, const OpTraffic& traffic,
                                    const DeviceSpec& device)
{
    const std::string& name = trace.opNames[op.name].name;
    const bool movesNothing = traffic.total() == Bytes(0);
    if (movesNothing && !device.operators.contains(name))
        return std::nullopt;
    const auto found = device.operators.find(measuredName(trace, op));
    const OperatorTimes* times =
        found != device.operators.end() ? &found->second : measuredTimes(device, name);
    if (!times)
        return std::nullopt;
    if (!times->goesByShape())
        return times->at(traffic.total().asDouble());
    const std::vector<MatrixShape> shapes = matrixShapes(trace, op);
    if (shapes.empty() || shapes.front().multiplyAdds() <= 0)
        return std::nullopt;
    const double slower = device.peakFlops.at(DType::F32) / matrixPeak(device, computeType(trace, op));
    return times->at(shapes.front()) * slower;
}

} // namespace

std::string measuredName(const Trace& trace, const TraceOp& op)
{
    const std::string& name = trace.opNames[op.name].name;
    if (isTransposedConvolution(trace, op))
        return name + (hasGroups(trace, op) ? ", transposed in groups" : ", transposed");
    return name + rowKind(trace, op);
}

Seconds operatorTime(const Trace& trace, const TraceOp& op, const OpFlops& flops, const OpTraffic& traffic,
                     const DeviceSpec& device)
{
    if (!device.operators.empty())
        if (const std::optional<Seconds> measured = measuredTime(trace, op, traffic, device))
            return *measured;
    if (traffic.total() == Bytes(0))
        return {};
    const OperatorClass operatorClass = operatorClassOf(trace.opNames[op.name].name);
    const double contraction = flops.total().value();
    const double memory =
        traffic.total().asDouble() / bandwidth(device, operatorClass, traffic.total().asDouble());
    double compute = elementsWritten(trace, op) / device.vectorFlops;
    if (contraction > 0)
        compute = contraction /
                  (contractionPeak(device, operatorClass, computeType(trace, op)) *
                   shareOf(device, isContraction(operatorClass) ? operatorClass : OperatorClass::Matrix,
                           contraction) *
                   quantisation(trace, op, device));
    return Seconds(std::max(compute, memory)) + device.launchOverhead;
}

Seconds plainTime(Flops flops, Bytes moved, DType dtype, const DeviceSpec& device)
{
    const double compute =
        flops.value() / (matrixPeak(device, dtype) * shareOf(device, OperatorClass::Matrix, flops.value()));
    const double memory = moved.asDouble() / bandwidth(device, OperatorClass::Elementwise, moved.asDouble());
    return Seconds(std::max(compute, memory)) + device.launchOverhead;
}

Seconds DispatchClock::run(Seconds alone, Phase phase)
{
    const Seconds before = m_end;
    m_dispatched += m_device.dispatchOverhead;
    if (m_device.kind == "cpu")
        m_end += m_device.dispatchOverhead + alone +
                 (phase == Phase::Backward ? m_device.gradientOverhead : Seconds{});
    else if (alone > Seconds{})
        m_end = std::max(m_end, m_dispatched) + alone;
    return m_end - before;
}

} // namespace stagecraft
