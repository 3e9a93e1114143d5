#include "core/measure/calibrate.h"

#include "core/load/loss_output.h"
#include "core/measure/operator_timer.h"
#include "core/measure/probe_models.h"
#include "core/measure/real_step.h"
#include "core/measure/thread_count.h"
#include "core/profile/cost/operator_time.h"
#include "core/profile/cost/traffic.h"
#include "core/profile/device/matrix_shapes.h"
#include "core/profile/model/profile_model.h"
#include "core/run/model_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <unistd.h>

namespace stagecraft {

namespace {

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// Of repetitions of the same: what else the machine does only adds, and may add to half of them.
double lowerQuartile(std::vector<double> values)
{
    const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
    std::ranges::nth_element(values, quarter);
    return *quarter;
}

// What an operator of a trace works on: a product's shape, or else bytes alone.
struct Work
{
    double bytes = 0;
    std::optional<MatrixShape> product;
};

Work workOf(const Trace& trace, const TraceOp& op)
{
    Work work{.bytes = operatorTraffic(trace, op).total().asDouble()};
    const std::vector<MatrixShape> shapes = matrixShapes(trace, op);
    if (!shapes.empty() && shapes.front().multiplyAdds() > 0)
        work.product = shapes.front();
    return work;
}

// The points that were measured of one operator.
class Samples
{
public:
    void add(const Work& work, double seconds)
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
            shapes.push_back({{key[0], key[1], key[2], key[3]}, Seconds(std::max(median(seconds), least))});
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
            const double here = median(bytes);
            for (auto near = m_bytes.lower_bound(octave - 2); near != m_bytes.upper_bound(octave + 2); ++near)
                for (const auto& [moved, taken] : near->second)
                    seconds.push_back(here >= large ? taken * here / moved : taken);
            points.emplace_back(here, std::max(median(seconds), least));
        }
        return OperatorTimes(std::move(points));
    }

    static constexpr double large = 65536; // bytes from which on time goes by them

    std::map<std::array<double, 4>, std::vector<double>> m_products;
    std::map<long, std::vector<std::pair<double, double>>> m_bytes; // by half octaves
};

using OpsByName = std::map<std::string, std::vector<const TraceOp*>, std::less<>>;

// Seconds by an operator's name, then by its position among those of the name; one for each step.
using TimesByName = std::map<std::string, std::vector<std::vector<double>>, std::less<>>;

// The operators of a step, one list for each name, in the order they run.
OpsByName opsByName(const Trace& trace)
{
    OpsByName ops;
    for (const TraceOp& op : trace.ops)
        ops[trace.opNames[op.name].name].push_back(&op);
    return ops;
}

Result<Trace> traceOnCpu(const Model& model)
{
    ProfileOptions options;
    options.device.kind = "cpu";
    return traceModel(model, traceOptions(options));
}

// Times of small tensors alone say nothing of large ones.
bool tellsEnough(const OperatorTimes& times)
{
    constexpr double small = 65536;
    return times.goesByShape() || times.points().back().first == 0 || times.points().back().first >= small;
}

// What a pass of a probe takes as a whole, and in its operators, of which there are so many.
struct WholePass
{
    double seconds = 0;
    double inOperators = 0;
    double operators = 0;

    double betweenOperators() const
    {
        return std::max(0.0, seconds - inOperators) / std::max(operators, 1.0);
    }
};

struct WholeStep
{
    WholePass forward;
    WholePass backward;

    double seconds() const { return forward.seconds + backward.seconds; }
    double inOperators() const { return forward.inOperators + backward.inOperators; }
};

// One probe after the other, with progress.
class Calibration
{
public:
    Calibration(const CalibrateOptions& options, const Progress& progress)
        : m_options(options), m_progress(progress), m_clock(Stopwatch::clockFor(options.threads))
    {
    }

    Result<DeviceSpec> run()
    {
        const std::vector<std::vector<Graph>> families = probeGraphs();
        m_total = 1 + productTypes.size();
        for (const std::vector<Graph>& family : families)
            m_total += family.size();
        STAGECRAFT_ASSIGN(views, runProbe(viewGraph()));
        setDispatch(views);
        for (const std::vector<Graph>& family : families)
            STAGECRAFT_TRY(runFamily(family));
        STAGECRAFT_TRY(measurePeaks());
        for (const auto& [name, samples] : m_samples)
            if (OperatorTimes times = samples.times(); tellsEnough(times))
                m_device.operators.emplace(name, std::move(times));
        note("operators", "steps of small models, operator by operator");
        setBandwidth();
        setTheRest();
        return std::move(m_device);
    }

private:
    static constexpr std::array productTypes{DType::F32, DType::F64, DType::BF16, DType::F16};

    // A size that takes far longer than there is to spend is the last of its family.
    Result<void> runFamily(const std::vector<Graph>& graphs)
    {
        constexpr double mostOverTime = 20;
        for (const Graph& graph : graphs) {
            STAGECRAFT_ASSIGN(step, runProbe(graph));
            if (step.seconds() > mostOverTime * m_options.perProbe.value())
                break;
        }
        return {};
    }

    // Runs steps for as long as options say, at least three; the first is not counted.
    Result<WholeStep> runProbe(const Graph& graph)
    {
        STAGECRAFT_TRY(m_progress.step("Calibrating", m_done++, m_total));
        const Model model{.name = graph.name(), .graph = graph};
        STAGECRAFT_ASSIGN(trace, traceOnCpu(model));
        STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
        STAGECRAFT_ASSIGN(values, modelValues(model, {}));
        STAGECRAFT_ASSIGN(loss, lossOutput(model));
        const std::vector<ValueId> outputs = loss.values();
        const auto step = [&] {
            return runStep(model.graph, outputs, interpreter, values, m_clock, m_progress);
        };
        STAGECRAFT_TRY(step());

        const OpsByName ops = opsByName(trace);
        TimesByName seconds;
        std::vector<double> forward, backward;
        const Stopwatch spent(Stopwatch::Clock::Wall);
        do {
            STAGECRAFT_ASSIGN(taken, step());
            forward.push_back(taken.forward.value());
            backward.push_back(taken.backward.value());
            const OperatorTimer timer(namesOf(ops), m_clock);
            STAGECRAFT_TRY(step());
            collect(ops, timer.ops(), seconds);
        } while (forward.size() < mostSteps && (forward.size() < 2 || spent.elapsed() < m_options.perProbe));
        WholeStep result = sumOverOperators(ops, seconds);
        result.forward.seconds = lowerQuartile(forward);
        result.backward.seconds = lowerQuartile(backward);
        addSamples(trace, ops, seconds, result);
        return result;
    }

    // Short operators were timed by the wall's clock, which also counts what else the machine did: together
    // they are made to fit into the step.
    void addSamples(const Trace& trace, const OpsByName& ops, const TimesByName& seconds,
                    const WholeStep& step)
    {
        const double between =
            (step.forward.operators + step.backward.operators) * m_device.dispatchOverhead.value() +
            step.backward.operators * m_device.gradientOverhead.value();
        const double inside = step.inOperators();
        const double share = inside > 0 ? std::clamp((step.seconds() - between) / inside, 0.2, 1.0) : 1;
        for (const auto& [name, positions] : seconds)
            for (std::size_t i = 0; i < positions.size(); ++i) {
                const TraceOp& op = *ops.find(name)->second[i];
                m_samples[measuredName(trace, op)].add(workOf(trace, op),
                                                       share * lowerQuartile(positions[i]));
            }
    }

    // Without what the passes take as wholes.
    static WholeStep sumOverOperators(const OpsByName& ops, const TimesByName& seconds)
    {
        WholeStep step;
        const auto passOf = [&](const TraceOp& op) -> WholePass& {
            return op.phase == Phase::Forward ? step.forward : step.backward;
        };
        for (const auto& [name, list] : ops)
            for (const TraceOp* op : list)
                passOf(*op).operators += 1;
        for (const auto& [name, positions] : seconds)
            for (std::size_t i = 0; i < positions.size(); ++i)
                passOf(*ops.find(name)->second[i]).inOperators += lowerQuartile(positions[i]);
        return step;
    }

    void setDispatch(const WholeStep& views)
    {
        m_device.dispatchOverhead = Seconds(views.forward.betweenOperators());
        m_device.gradientOverhead =
            std::max(Seconds{}, Seconds(views.backward.betweenOperators()) - m_device.dispatchOverhead);
        note("dispatch_overhead", "views of views, what is not in the views themselves");
        note("gradient_overhead", "views of views backward, above the same forward");
    }

    static std::set<std::string, std::less<>> namesOf(const OpsByName& ops)
    {
        std::set<std::string, std::less<>> names;
        for (const auto& [name, list] : ops)
            names.insert(name);
        return names;
    }

    // A name that ran another number of times than was traced is left out.
    static void collect(const OpsByName& ops, const std::vector<TimedOp>& timed, TimesByName& seconds)
    {
        std::map<std::string_view, std::vector<double>> taken;
        for (const TimedOp& op : timed)
            taken[op.name].push_back(op.time.value());
        for (const auto& [name, list] : taken) {
            const auto traced = ops.find(name);
            if (traced == ops.end() || traced->second.size() != list.size())
                continue;
            std::vector<std::vector<double>>& positions = seconds[std::string(name)];
            positions.resize(list.size());
            for (std::size_t i = 0; i < list.size(); ++i)
                positions[i].push_back(list[i]);
        }
    }

    // Of the element types that products come in; that of float32 is the highest rate seen at all.
    Result<void> measurePeaks()
    {
        for (const DType dtype : productTypes) {
            std::map<std::string, Samples, std::less<>> others;
            std::swap(m_samples, others); // its samples are of another type
            const Result<WholeStep> ran = runProbe(productGraph(dtype));
            std::swap(m_samples, others);
            if (!ran.has_value())
                return ran.error();
            const auto product = others.find("aten::mm");
            if (product == others.end())
                return Error{ErrorCode::Failed, "calibrating failed: no matrix product was seen"};
            const ShapeTime shape = product->second.times().shapes().front();
            m_device.peakFlops[dtype] = 2 * shape.shape.multiplyAdds() / shape.time.value();
        }
        note("peak_flops", "square products, sides 512");
        return {};
    }

    void setBandwidth()
    {
        const auto additions = m_device.operators.find("aten::add");
        const bool isKnown = additions != m_device.operators.end() && !additions->second.goesByShape();
        const auto [bytes, seconds] = isKnown ? additions->second.points().back() : std::pair(1e10, 1.0);
        m_device.memoryBandwidth = bytes / seconds;
        note("memory_bandwidth", "additions, the largest tensors");
        const auto& points = additions->second.points();
        m_device.launchOverhead = Seconds(points.front().second);
        note("launch_overhead", "additions, the smallest tensors");
    }

    void setTheRest()
    {
        m_device.kind = "cpu";
        m_device.name = m_options.name.empty() ? processorName() : m_options.name;
        m_device.provenance = "Fitted on this machine by `stagecraft-cli calibrate`, " +
                              std::to_string(m_options.threads) + " thread(s); the link is assumed.";
        m_device.vectorFlops = m_device.peakFlops[DType::F32];
        m_device.memory = Bytes(std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE));
        m_device.linkBandwidth = m_device.memoryBandwidth / 4;
        m_device.linkLatency = Seconds(2e-5);
        note("memory_bytes", "what the system reports");
        for (const char* field : {"link_bandwidth", "link_latency", "vector_flops", "context_bytes",
                                  "matrix_efficiency", "memory_efficiency"})
            m_device.sources[field] = {FigureBasis::Assumed, "not measured"};
        m_device.sources["link_bandwidth"].from = "a copy through shared memory";
        m_device.sources["vector_flops"].from = "the peak: what elementwise work takes is in `operators`";
    }

    static std::string processorName()
    {
        std::ifstream file("/proc/cpuinfo");
        for (std::string line; std::getline(file, line);)
            if (const std::size_t colon = line.find(": ");
                line.starts_with("model name") && colon < line.size())
                return line.substr(colon + 2);
        return "CPU";
    }

    void note(const std::string& field, const std::string& how)
    {
        m_device.sources[field] = {FigureBasis::Fitted, how};
    }

    static constexpr std::size_t mostSteps = 50;

    const CalibrateOptions& m_options;
    const Progress& m_progress;
    Stopwatch::Clock m_clock;
    std::size_t m_done = 0, m_total = 1;
    std::map<std::string, Samples, std::less<>> m_samples;
    DeviceSpec m_device;
};

} // namespace

Result<DeviceSpec> calibrateCpu(const CalibrateOptions& options, const Progress& progress)
{
    CalibrateOptions wanted = options;
    wanted.threads = std::max(options.threads, 1);
    const ThreadCount threads(wanted.threads);
    return Calibration(wanted, progress).run();
}

} // namespace stagecraft
