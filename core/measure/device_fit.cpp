#include "core/measure/device_fit.h"

#include "core/measure/host_fit.h"
#include "core/measure/kernel_fit.h"
#include "core/measure/matched_operators.h"
#include "core/measure/median.h"
#include "core/measure/whole_step.h"
#include "core/profile/cost/operator_time.h"
#include "core/profile/cost/traffic.h"
#include "core/profile/device/dispatch_clock.h"
#include "core/profile/device/matrix_shapes.h"
#include "core/profile/model/profile_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

namespace stagecraft {

namespace {

// What an operator of a trace works on: a product's shape, or else bytes alone.
struct OperatorWork
{
    double bytes = 0;
    std::optional<MatrixShape> product;
};

OperatorWork workOfOperator(const Trace& trace, const TraceOp& op)
{
    OperatorWork work{.bytes = operatorTraffic(trace, op).total().asDouble()};
    const std::vector<MatrixShape> shapes = matrixShapes(trace, op);
    if (!shapes.empty() && shapes.front().multiplyAdds() > 0)
        work.product = shapes.front();
    return work;
}

// The points that were measured of one operator.
class Samples
{
public:
    void add(const OperatorWork& work, double seconds)
    {
        if (work.product) {
            const MatrixShape& shape = *work.product;
            m_products[{shape.rows, shape.columns, shape.depth, shape.batch}].push_back(seconds);
        } else
            m_bytes[std::lround(2 * std::log2(std::max(work.bytes, 1.0)))].emplace_back(work.bytes, seconds);
    }

    OperatorTimes times() const { return m_products.empty() ? byBytes() : byShape(); }

private:
    static constexpr double least = 1e-9; // the clock's grain

    OperatorTimes byShape() const
    {
        std::vector<ShapeTime> shapes;
        for (const auto& [key, seconds] : m_products)
            shapes.push_back({{key[0], key[1], key[2], key[3]}, Seconds(std::max(medianOf(seconds), least))});
        return OperatorTimes(std::move(shapes));
    }

    // Each point is the median of all within an octave, large ones in proportion: a single operator may have
    // got fresh pages from the system, or a layout that does not suit it.
    OperatorTimes byBytes() const
    {
        std::vector<std::pair<double, double>> points;
        for (const auto& [octave, samples] : m_bytes) {
            std::vector<double> bytes, seconds;
            for (const auto& [moved, taken] : samples)
                bytes.push_back(moved);
            const double here = medianOf(bytes);
            for (auto near = m_bytes.lower_bound(octave - 2); near != m_bytes.upper_bound(octave + 2); ++near)
                for (const auto& [moved, taken] : near->second)
                    seconds.push_back(here >= large ? taken * here / moved : taken);
            points.emplace_back(here, std::max(medianOf(seconds), least));
        }
        return OperatorTimes(std::move(points));
    }

    static constexpr double large = 65536; // bytes from which on time goes by them

    std::map<std::array<double, 4>, std::vector<double>> m_products;
    std::map<long, std::vector<std::pair<double, double>>> m_bytes; // by half octaves
};

using SamplesByName = std::map<std::string, Samples, std::less<>>;
Result<std::shared_ptr<const Trace>> traceOf(const ProbeTimes& probe, const DeviceSpec& device)
{
    if (probe.trace)
        return probe.trace;
    return traceProbe(probe.model, device);
}

// Times of small tensors alone say nothing of large ones, and a type's only product nothing of other shapes.
bool tellsEnough(const std::string& name, const OperatorTimes& times)
{
    constexpr double small = 65536;
    constexpr std::size_t fewShapes = 6;
    if (times.goesByShape())
        return !namesAType(name) || times.shapes().size() >= fewShapes;
    return times.points().back().first == 0 || times.points().back().first >= small;
}

} // namespace

// A step of an optimizer: its operators are handed over one by one, its parameters looked at one by one.
struct OptimizerStep
{
    double handovers = 0, seconds = 0, inOperators = 0;
    bool isSmall = false;                                                 // in elements
    bool isDefault = false;                                               // PyTorch's own choice of a variant
    std::vector<std::tuple<std::string, OperatorWork, double>> operators; // of a CPU, with their seconds
};

struct DeviceFit::State
{
    DeviceSpec device;
    SamplesByName samples;            // of a CPU
    std::vector<TimedKernel> kernels; // of a GPU
    HostPasses hostForward, hostBackward;
    std::vector<OptimizerStep> optimizerSteps;
    std::set<std::string> unmatched;
    FigureSource basePeaks; // of what the device began with
    std::set<DType> fittedPeaks;

    // Element types that were not measured keep what the device began with.
    std::string peakSource() const
    {
        std::string kept;
        for (const auto& [dtype, rate] : device.peakFlops)
            if (!fittedPeaks.contains(dtype))
                kept += (kept.empty() ? "" : ", ") + std::string(shortName(dtype));
        return kept.empty() ? "square products"
                            : "square products; but " + kept + " " + std::string(basisName(basePeaks.basis)) +
                                  ", " + basePeaks.from;
    }

    void note(const std::string& field, const std::string& how)
    {
        device.sources[field] = {FigureBasis::Fitted, how};
    }

    // On a CPU short operators are timed by a clock that also counts what is between them: together they are
    // made to fit into the step. On a GPU the device's own clock counts.
    double shareOf(const WholeStep& step) const
    {
        const double between =
            (step.forward.handedOver() + step.backward.handedOver()) * device.dispatchOverhead.value() +
            step.backward.handedOver() * device.host.gradient.value();
        const double inside = step.inOperators();
        return device.kind == "cpu" && inside > 0 ? std::clamp((step.seconds() - between) / inside, 0.2, 1.0)
                                                  : 1;
    }

    Result<void> setBandwidth()
    {
        const auto additions = device.operators.find("aten::add");
        if (additions == device.operators.end() || additions->second.goesByShape())
            return noAdditions();
        const auto& points = additions->second.points();
        device.memoryBandwidth = points.back().first / points.back().second;
        device.launchOverhead = Seconds(points.front().second);
        noteBandwidth();
        return {};
    }

    static Error noAdditions()
    {
        return {ErrorCode::Failed,
                "no addition of large tensors was timed, which the bandwidth is taken from"};
    }

    void noteBandwidth()
    {
        note("memory_bandwidth", "additions, the largest tensors");
        note("launch_overhead", "additions, the smallest tensors");
    }

    void addKernels(const Trace& trace, const MatchedProbe& matched)
    {
        for (const auto& [op, seconds] : matched.ops) {
            const OpTraffic traffic = operatorTraffic(trace, *op);
            if (traffic.total() > Bytes(0))
                kernels.push_back({trace.opNames[op->name].name,
                                   kernelWork(trace, *op, operatorFlops(trace, *op), traffic, device),
                                   Seconds(seconds),
                                   {}});
        }
    }

    void addHost(const WholeStep& step)
    {
        addHost(step.forward, device.host.view, hostForward);
        addHost(step.backward, device.host.backwardView, hostBackward);
    }

    // A pass that takes far longer than its operators on the device waited for the program. Of views is known
    // what they take, else they count as operators.
    static void addHost(const WholePass& pass, Seconds view, HostPasses& passes)
    {
        constexpr double farLonger = 2;
        if (pass.seconds <= farLonger * pass.inOperators)
            return;
        if (view > Seconds{})
            passes.emplace_back(pass.operators, pass.seconds - pass.views * view.value());
        else
            passes.emplace_back(pass.handedOver(), pass.seconds);
    }

    Result<void> fitStreams()
    {
        std::vector<std::pair<double, double>> additions; // bytes, seconds
        for (const TimedKernel& kernel : kernels)
            if ((kernel.op == "aten::add" || kernel.op == "aten::add_") && kernel.work.cycles.busy == 0)
                additions.emplace_back(kernel.work.bytes, kernel.time.value());
        std::ranges::sort(additions);
        constexpr double small = 1e5;
        std::vector<double> shortest;
        for (const auto& [bytes, seconds] : additions)
            if (bytes < small)
                shortest.push_back(seconds);
        if (shortest.empty() || additions.back().first < 10 * small)
            return noAdditions();
        device.launchOverhead = Seconds(medianOf(shortest));
        const auto& [bytes, seconds] = additions.back();
        device.memoryBandwidth = bytes / std::max(seconds - device.launchOverhead.value(), seconds / 10);
        noteBandwidth();
        return {};
    }

    void fitHost()
    {
        const Seconds forward(meanHandover(hostForward)), backward(meanHandover(hostBackward));
        if (forward <= Seconds{} || backward <= Seconds{})
            return;
        device.dispatchOverhead = forward;
        device.backwardDispatch = backward;
        const std::string views = device.host.view > Seconds{} ? ", what views take taken off" : "";
        note("dispatch_overhead",
             "steps of small models that waited for the program: an operator of theirs" + views);
        note("backward_dispatch_overhead",
             "backward passes of small models that waited for the program" + views);
    }

    // Small ones wait for the program alone. What a CPU's clock counts beside an operator is in both, the
    // operator and the handover: never less than any operator's.
    void fitOptimizer()
    {
        HostPasses passes;
        for (const OptimizerStep& step : optimizerSteps)
            if (step.isSmall && step.isDefault)
                passes.emplace_back(step.handovers,
                                    step.seconds - (device.kind == "cpu" ? step.inOperators : 0));
        if (passes.empty())
            return;
        const Seconds handover = std::max(Seconds(perHandover(passes)),
                                          device.kind == "cpu" ? device.dispatchOverhead : Seconds{});
        if (handover <= Seconds{})
            return;
        device.host.optimizerHandover = handover;
        device.host.optimizerStep = Seconds(perPass(passes, handover.value()));
        const std::string steps = std::to_string(passes.size()) + " steps of optimizers over few elements";
        note("optimizer_dispatch_overhead", steps + ": an operator or a parameter of theirs");
        note("optimizer_overhead", steps + ": what is left of them");
    }

    // On a CPU operators are made to fit the step, which finds the pages of what it takes for a moment given
    // back to the system in one run, and not in the next.
    void addOptimizerSamples()
    {
        for (const OptimizerStep& step : optimizerSteps) {
            const double between =
                device.host.optimizerStep.value() + step.handovers * device.host.optimizerHandover.value();
            const double share = std::clamp((step.seconds - between) / step.inOperators, 0.2, 2.0);
            for (const auto& [name, work, seconds] : step.operators)
                samples[name].add(work, share * seconds);
        }
    }

    Result<void> fitGpu()
    {
        STAGECRAFT_TRY(fitStreams());
        fitHost();
        for (TimedKernel& kernel : kernels)
            kernel.besides = std::min(device.launchOverhead, kernel.time);
        fitKernels(device, kernels);
        return {};
    }
};

DeviceFit::DeviceFit(DeviceSpec start) : m_state(std::make_unique<State>())
{
    m_state->device = std::move(start);
    if (const auto peaks = m_state->device.sources.find("peak_flops"); peaks != m_state->device.sources.end())
        m_state->basePeaks = peaks->second;
}

DeviceFit::~DeviceFit() = default;

Result<void> DeviceFit::setDispatch(const ProbeTimes& views)
{
    STAGECRAFT_ASSIGN(traced, traceOf(views, m_state->device));
    const Trace& trace = *traced;
    DeviceSpec& device = m_state->device;
    const WholeStep step =
        sumOverOperators(trace, matchOperators(trace, trace.ops.items(), views.operators), views, device);
    device.dispatchOverhead = Seconds(step.forward.betweenOperators());
    const Seconds backward(step.backward.betweenOperators());
    const std::string forwardSource = "views of views, what is not in the views themselves";
    m_state->note("dispatch_overhead", forwardSource);
    if (device.kind == "cpu") {
        device.host.gradient = std::max(Seconds{}, backward - device.dispatchOverhead);
        m_state->note("gradient_overhead", "views of views backward, above the same forward");
        return {};
    }
    device.backwardDispatch = backward; // of operators, too, until some are seen
    device.host.view = device.dispatchOverhead;
    device.host.backwardView = backward;
    for (const char* field : {"backward_dispatch_overhead", "backward_view_dispatch_overhead"})
        m_state->note(field, "views of views backward");
    m_state->note("view_dispatch_overhead", forwardSource);
    constexpr double onCpu = 0.8;
    device.host.unrecorded = onCpu; // until it is seen
    device.sources["unrecorded_dispatch"] = {FigureBasis::Assumed,
                                             "what PyTorch took on a CPU: 0.71 (views) to 0.88 "
                                             "(convolutions) of forward passes with gradients"};
    return {};
}

Result<void> DeviceFit::setDispatch(const ProbeTimes& operators, double unrecorded)
{
    DeviceSpec& device = m_state->device;
    if (device.kind == "cpu")
        return {};
    STAGECRAFT_ASSIGN(traced, traceOf(operators, device));
    const WholeStep step = sumOverOperators(
        *traced, matchOperators(*traced, traced->ops.items(), operators.operators), operators, device);
    if (step.forward.seconds <= step.forward.inOperators ||
        step.backward.seconds <= step.backward.inOperators)
        return {}; // the device was slower than the program
    device.dispatchOverhead = Seconds(step.forward.betweenOperators());
    device.backwardDispatch = Seconds(step.backward.betweenOperators());
    m_state->note("dispatch_overhead", "one operator after the other on few elements");
    m_state->note("backward_dispatch_overhead", "one operator after the other on few elements, backward");
    constexpr double least = 0.1;
    device.host.unrecorded = std::clamp(unrecorded, least, 1.0);
    m_state->note("unrecorded_dispatch", "one operator after the other, under no_grad() and not");
    return {};
}

Result<void> DeviceFit::setPeak(DType dtype, const ProbeTimes& product)
{
    STAGECRAFT_ASSIGN(traced, traceOf(product, m_state->device));
    const Trace& trace = *traced;
    const OpsByName ops = opsByName(trace, trace.ops.items());
    const auto found = ops.find("aten::mm");
    const auto timed = product.operators.find("aten::mm");
    if (found == ops.end() || timed == product.operators.end() || timed->second.empty())
        return Error{ErrorCode::Failed, "calibrating failed: no matrix product was seen"};
    const OperatorWork work = workOfOperator(trace, *found->second.front());
    const double seconds = medianOf(timed->second);
    if (!work.product || !(seconds > 0))
        return Error{ErrorCode::Failed, "calibrating failed: the matrix product has no size or no time"};
    m_state->device.peakFlops[dtype] = 2 * work.product->multiplyAdds() / seconds;
    m_state->fittedPeaks.insert(dtype);
    m_state->note("peak_flops", m_state->peakSource());
    return {};
}

void DeviceFit::assumeTf32()
{
    constexpr int ampere = 80;
    DeviceSpec& device = m_state->device;
    const auto half = device.peakFlops.find(DType::F16);
    if (device.kind != "cuda" || device.computeCapability < ampere || half == device.peakFlops.end())
        return;
    device.tf32Flops = half->second / 2;
    device.sources["tf32_flops"] = {FigureBasis::Assumed, "half of the rate in float16"};
}

Result<void> DeviceFit::add(const ProbeTimes& probe)
{
    STAGECRAFT_ASSIGN(traced, traceOf(probe, m_state->device));
    const Trace& trace = *traced;
    const MatchedProbe matched = matchOperators(trace, trace.ops.items(), probe.operators);
    const WholeStep step = sumOverOperators(trace, matched, probe, m_state->device);
    if (m_state->device.kind == "cuda") {
        m_state->addKernels(trace, matched);
        m_state->addHost(step);
    } else
        for (const double share = m_state->shareOf(step); const auto& [op, seconds] : matched.ops)
            m_state->samples[measuredName(trace, *op)].add(workOfOperator(trace, *op), share * seconds);
    m_state->unmatched.insert(matched.unmatched.begin(), matched.unmatched.end());
    return {};
}

Result<void> DeviceFit::add(const OptimizerProbe& probe)
{
    constexpr std::size_t few = 65536;
    const std::vector<OptimizerParameter> parameters(
        probe.count, {{static_cast<std::int64_t>(probe.elements)}, DType::F32, std::nullopt});
    STAGECRAFT_ASSIGN(traced, traceOptimizer(parameters, probe.optimizer));
    const Trace& trace = traced.trace;
    const std::span<const TraceOp> later = std::span(trace.ops.items()).subspan(traced.firstStepEnd);
    const MatchedProbe matched = matchOperators(trace, later, probe.operators);
    const bool isCpu = m_state->device.kind == "cpu";
    OptimizerStep step{.handovers = static_cast<double>(later.size() + probe.count),
                       .seconds = probe.step.value(),
                       .isSmall = probe.count * probe.elements < few,
                       .isDefault = probe.optimizer.variant ==
                                    (isCpu ? OptimizerVariant::Single : OptimizerVariant::Foreach)};
    for (const auto& [op, seconds] : matched.ops) {
        step.inOperators += seconds;
        if (isCpu)
            step.operators.emplace_back(measuredName(trace, *op), workOfOperator(trace, *op), seconds);
    }
    if (!isCpu)
        m_state->addKernels(trace, matched);
    m_state->unmatched.insert(matched.unmatched.begin(), matched.unmatched.end());
    if (step.inOperators > 0)
        m_state->optimizerSteps.push_back(std::move(step));
    return {};
}

const std::set<std::string>& DeviceFit::unmatched() const
{
    return m_state->unmatched;
}

Result<DeviceSpec> DeviceFit::device()
{
    DeviceSpec& device = m_state->device;
    m_state->fitOptimizer();
    m_state->addOptimizerSamples();
    for (const auto& [name, samples] : m_state->samples)
        if (OperatorTimes times = samples.times(); tellsEnough(name, times))
            device.operators.insert_or_assign(name, std::move(times));
    if (!device.peakFlops.contains(DType::F32))
        return Error{ErrorCode::Failed,
                     "no matrix product in float32 was timed, which the peak is taken from"};
    if (device.vectorFlops <= 0) {
        device.vectorFlops = device.peakFlops[DType::F32];
        device.sources["vector_flops"] = {FigureBasis::Assumed, "the peak of products in float32"};
    }
    if (device.kind == "cuda") {
        STAGECRAFT_TRY(m_state->fitGpu());
        return device;
    }
    m_state->note("operators", "steps of small models, operator by operator");
    STAGECRAFT_TRY(m_state->setBandwidth());
    return device;
}

Result<std::shared_ptr<const Trace>> traceProbe(const Model& model, const DeviceSpec& device)
{
    ProfileOptions options;
    options.device.kind = device.kind;
    options.device.computeCapability = device.computeCapability;
    STAGECRAFT_ASSIGN(trace, traceModel(model, traceOptions(options)));
    return std::make_shared<const Trace>(std::move(trace));
}

std::map<std::string, std::size_t, std::less<>> operatorCounts(const Trace& trace)
{
    std::map<std::string, std::size_t, std::less<>> counts;
    for (const TraceOp& op : trace.ops)
        ++counts[trace.opNames[op.name].name];
    return counts;
}

} // namespace stagecraft
