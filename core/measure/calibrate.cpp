#include "core/measure/calibrate.h"

#include "core/load/loss_output.h"
#include "core/measure/device_fit.h"
#include "core/measure/operator_timer.h"
#include "core/measure/probe_models.h"
#include "core/measure/real_step.h"
#include "core/measure/thread_count.h"
#include "core/run/model_values.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <unistd.h>

namespace stagecraft {

namespace {

// Of repetitions of the same: what else the machine does only adds, and may add to half of them.
double lowerQuartile(std::vector<double> values)
{
    const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
    std::ranges::nth_element(values, quarter);
    return *quarter;
}

// Seconds by an operator's name, then by its position among those of the name; one for each step.
using TimesByName = std::map<std::string, std::vector<std::vector<double>>, std::less<>>;
using CountByName = std::map<std::string, std::size_t, std::less<>>;

std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon < line.size())
            return line.substr(colon + 2);
    return "CPU";
}

DeviceSpec thisProcessor(const CalibrateOptions& options)
{
    DeviceSpec device;
    device.kind = "cpu";
    device.name = options.name.empty() ? processorName() : options.name;
    device.provenance = "Fitted on this machine by `stagecraft-cli calibrate`, " +
                        std::to_string(options.threads) + " thread(s); the link is assumed.";
    device.memory = Bytes(std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE));
    device.sources["memory_bytes"] = {FigureBasis::Fitted, "what the system reports"};
    for (const char* field : {"context_bytes", "matrix_efficiency", "memory_efficiency"})
        device.sources[field] = {FigureBasis::Assumed, "not measured"};
    return device;
}

void assumeLink(DeviceSpec& device)
{
    device.linkBandwidth = device.memoryBandwidth / 4;
    device.linkLatency = Seconds(2e-5);
    device.sources["link_bandwidth"] = {FigureBasis::Assumed, "a copy through shared memory"};
    device.sources["link_latency"] = {FigureBasis::Assumed, "not measured"};
}

// One probe after the other, with progress.
class Calibration
{
public:
    Calibration(const CalibrateOptions& options, const Progress& progress)
        : m_options(options),
          m_progress(progress),
          m_clock(Stopwatch::clockFor(options.threads)),
          m_processor(thisProcessor(options)),
          m_fit(m_processor)
    {
    }

    Result<DeviceSpec> run()
    {
        const std::vector<std::vector<Graph>> families = probeGraphs();
        m_total = 1 + productTypes.size();
        for (const std::vector<Graph>& family : families)
            m_total += family.size();
        STAGECRAFT_ASSIGN(views, runProbe(viewGraph()));
        STAGECRAFT_TRY(m_fit.setDispatch(views));
        for (const std::vector<Graph>& family : families)
            STAGECRAFT_TRY(runFamily(family));
        for (const DType dtype : productTypes) {
            STAGECRAFT_ASSIGN(product, runProbe(productGraph(dtype)));
            STAGECRAFT_TRY(m_fit.setPeak(dtype, product));
        }
        STAGECRAFT_ASSIGN(device, m_fit.device());
        assumeLink(device);
        return device;
    }

private:
    static constexpr std::array productTypes{DType::F32, DType::F64, DType::BF16, DType::F16};

    // A size that takes far longer than there is to spend is the last of its family.
    Result<void> runFamily(const std::vector<Graph>& graphs)
    {
        constexpr double mostOverTime = 20;
        for (const Graph& graph : graphs) {
            STAGECRAFT_ASSIGN(probe, runProbe(graph));
            STAGECRAFT_TRY(m_fit.add(probe));
            if (probe.forward + probe.backward > m_options.perProbe * mostOverTime)
                break;
        }
        return {};
    }

    // Runs steps for as long as options say, at least three; the first is not counted.
    Result<ProbeTimes> runProbe(const Graph& graph)
    {
        STAGECRAFT_TRY(m_progress.step("Calibrating", m_done++, m_total));
        ProbeTimes probe{.model = {.name = graph.name(), .graph = graph}};
        const Model& model = probe.model;
        STAGECRAFT_ASSIGN(trace, traceProbe(model, m_processor));
        const CountByName counts = operatorCounts(*trace);
        probe.trace = std::move(trace);
        STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
        STAGECRAFT_ASSIGN(values, modelValues(model, {}));
        STAGECRAFT_ASSIGN(loss, lossOutput(model));
        const std::vector<ValueId> outputs = loss.values();
        const auto step = [&] {
            return runStep(model.graph, outputs, interpreter, values, m_clock, m_progress);
        };
        STAGECRAFT_TRY(step());

        TimesByName seconds;
        std::vector<double> forward, backward;
        const Stopwatch spent(Stopwatch::Clock::Wall);
        do {
            STAGECRAFT_ASSIGN(taken, step());
            forward.push_back(taken.forward.value());
            backward.push_back(taken.backward.value());
            const OperatorTimer timer(namesOf(counts), m_clock);
            STAGECRAFT_TRY(step());
            collect(counts, timer.ops(), seconds);
        } while (forward.size() < mostSteps && (forward.size() < 2 || spent.elapsed() < m_options.perProbe));
        probe.forward = Seconds(lowerQuartile(forward));
        probe.backward = Seconds(lowerQuartile(backward));
        for (const auto& [name, positions] : seconds)
            for (const std::vector<double>& taken : positions)
                probe.operators[name].push_back(lowerQuartile(taken));
        return probe;
    }

    static std::set<std::string, std::less<>> namesOf(const CountByName& counts)
    {
        std::set<std::string, std::less<>> names;
        for (const auto& [name, count] : counts)
            names.insert(name);
        return names;
    }

    // A name that ran another number of times than was traced is left out.
    static void collect(const CountByName& counts, const std::vector<TimedOp>& timed, TimesByName& seconds)
    {
        std::map<std::string_view, std::vector<double>> taken;
        for (const TimedOp& op : timed)
            taken[op.name].push_back(op.time.value());
        for (const auto& [name, list] : taken) {
            const auto traced = counts.find(name);
            if (traced == counts.end() || traced->second != list.size())
                continue;
            std::vector<std::vector<double>>& positions = seconds[std::string(name)];
            positions.resize(list.size());
            for (std::size_t i = 0; i < list.size(); ++i)
                positions[i].push_back(list[i]);
        }
    }

    static constexpr std::size_t mostSteps = 50;

    const CalibrateOptions& m_options;
    const Progress& m_progress;
    Stopwatch::Clock m_clock;
    std::size_t m_done = 0, m_total = 1;
    DeviceSpec m_processor;
    DeviceFit m_fit;
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
