#include "core/profile/calibrate.h"

#include "core/profile/thread_count.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace stagecraft {

namespace {

using at::Tensor;
using Clock = std::chrono::steady_clock;

double secondsOf(const std::function<void()>& work, int repeats)
{
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < repeats; ++i)
        work();
    return std::chrono::duration<double>(Clock::now() - start).count() / repeats;
}

// The least of several averages: what else the machine does only adds.
double timeOf(const std::function<void()>& work, Seconds spend)
{
    constexpr int rounds = 5;
    work();
    const double once = std::max(secondsOf(work, 1), 1e-8);
    const int repeats = static_cast<int>(std::clamp(spend.value() / rounds / once, 1.0, 1e5));
    double best = once;
    for (int i = 0; i < rounds; ++i)
        best = std::min(best, secondsOf(work, repeats));
    return best;
}

// An operator of a certain size, ready to run.
struct Probe
{
    double work; // FLOPs of a contraction, else bytes moved
    std::function<void()> run;
};

struct ProbeSeries
{
    OpClass opClass;
    std::string what; // for the source of the figure
    std::vector<std::function<Probe()>> points;
};

Probe matrixProbe(std::int64_t size, at::ScalarType dtype)
{
    const Tensor a = at::ones({size, size}, dtype), b = at::ones({size, size}, dtype);
    return {2.0 * std::pow(static_cast<double>(size), 3), [a, b] { at::mm(a, b); }};
}

Probe convolutionProbe(std::int64_t channels, std::int64_t size)
{
    const Tensor x = at::ones({4, channels, size, size}), w = at::ones({channels, channels, 3, 3});
    const double work = 2.0 * 4 * 9 * static_cast<double>(channels * channels * size * size);
    return {work, [x, w] { at::conv2d(x, w, {}, 1, 1); }};
}

Probe attentionProbe(std::int64_t heads, std::int64_t length)
{
    const Tensor q = at::ones({1, heads, length, 64});
    const double work = 4.0 * 64 * static_cast<double>(heads * length * length);
    return {work, [q] { at::_scaled_dot_product_flash_attention_for_cpu(q, q, q); }};
}

// `rows` of 1,024 floats; what `run` reads and writes, in passes over them.
Probe streamProbe(std::int64_t rows, double passes,
                  const std::function<void(const Tensor&, const Tensor&)>& run)
{
    const Tensor x = at::ones({rows, 1024}), y = at::ones({rows, 1024});
    return {passes * 4096 * static_cast<double>(rows), [x, y, run] { run(x, y); }};
}

Probe lookupProbe(std::int64_t rows)
{
    constexpr std::int64_t width = 256;
    const Tensor table = at::ones({std::max<std::int64_t>(rows, 64), width});
    const Tensor index = at::randperm(table.size(0)).slice(0, 0, rows);
    const double bytes = static_cast<double>(rows) * (2 * 4 * width + 8);
    return {bytes, [table, index] { at::embedding(table, index); }};
}

constexpr std::array<std::int64_t, 7> streamRows{4, 16, 64, 256, 1024, 4096, 16384};

ProbeSeries streamSeries(OpClass opClass, std::string what, double passes,
                         const std::function<void(const Tensor&, const Tensor&)>& run)
{
    ProbeSeries series{opClass, std::move(what), {}};
    for (const std::int64_t rows : streamRows)
        series.points.emplace_back([=] { return streamProbe(rows, passes, run); });
    return series;
}

std::vector<ProbeSeries> contractionSeries()
{
    ProbeSeries matrix{OpClass::Matrix, "square float32 products, sides 16 to 1,024", {}};
    for (const std::int64_t size : {16, 32, 64, 128, 256, 512, 1024})
        matrix.points.emplace_back([=] { return matrixProbe(size, at::kFloat); });
    ProbeSeries convolution{OpClass::Convolution, "3x3 convolutions, 8 to 256 channels", {}};
    for (const auto& [channels, size] : {std::pair{8, 8}, {16, 16}, {32, 16}, {64, 16}, {64, 32}, {256, 16}})
        convolution.points.emplace_back([=] { return convolutionProbe(channels, size); });
    ProbeSeries attention{OpClass::Attention, "fused attention, heads of 64, lengths 32 to 1,024", {}};
    for (const auto& [heads, length] : {std::pair{1, 32}, {4, 64}, {8, 128}, {8, 256}, {8, 512}, {8, 1024}})
        attention.points.emplace_back([=] { return attentionProbe(heads, length); });
    return {matrix, convolution, attention};
}

std::vector<ProbeSeries> memorySeries()
{
    std::vector<ProbeSeries> all;
    all.push_back(streamSeries(OpClass::Elementwise, "additions", 3,
                               [](const Tensor& x, const Tensor& y) { at::add(x, y); }));
    all.push_back(streamSeries(OpClass::Transcendental, "gelu", 2,
                               [](const Tensor& x, const Tensor&) { at::gelu(x); }));
    all.push_back(streamSeries(OpClass::Reduction, "sums over rows", 1,
                               [](const Tensor& x, const Tensor&) { at::sum(x, -1); }));
    all.push_back(streamSeries(OpClass::Normalization, "softmax over rows", 2,
                               [](const Tensor& x, const Tensor&) { at::_softmax(x, -1, false); }));
    all.push_back(streamSeries(OpClass::Copy, "transpositions", 2,
                               [](const Tensor& x, const Tensor&) { x.t().contiguous(); }));
    ProbeSeries lookup{OpClass::Lookup, "rows of a table in random order", {}};
    for (const std::int64_t rows : streamRows)
        lookup.points.emplace_back([=] { return lookupProbe(rows); });
    all.push_back(std::move(lookup));
    return all;
}

// One after the other, with progress.
class Calibration
{
public:
    Calibration(const CalibrateOptions& options, const Progress& progress)
        : m_options(options), m_progress(progress)
    {
        for (const std::vector<ProbeSeries>& group : {contractionSeries(), memorySeries()})
            for (const ProbeSeries& series : group) {
                m_series.push_back(series);
                m_total += series.points.size();
            }
        m_total += overheadPoints + peakTypes.size();
    }

    Result<DeviceSpec> run()
    {
        STAGECRAFT_TRY(measureOverheads());
        STAGECRAFT_TRY(measurePeaks());
        std::vector<std::vector<std::pair<double, double>>> rates;
        for (const ProbeSeries& series : m_series) {
            STAGECRAFT_ASSIGN(measured, measureSeries(series));
            rates.push_back(std::move(measured));
        }
        setCurves(rates);
        setTheRest();
        return m_device;
    }

private:
    static constexpr std::size_t overheadPoints = 2;
    static constexpr std::array peakTypes{
        std::pair{DType::F32, at::kFloat}, std::pair{DType::F64, at::kDouble},
        std::pair{DType::BF16, at::kBFloat16}, std::pair{DType::F16, at::kHalf}};

    Result<double> time(const std::function<void()>& work)
    {
        STAGECRAFT_TRY(m_progress.step("Calibrating", m_done++, m_total));
        return timeOf(work, m_options.perPoint);
    }

    // As in a training step: autograd takes part.
    Result<void> measureOverheads()
    {
        const Tensor small = at::ones({8, 8}).requires_grad_();
        const Tensor other = at::ones({8, 8});
        STAGECRAFT_ASSIGN(launch, time([&] { at::add(small, other); }));
        STAGECRAFT_ASSIGN(dispatch, time([&] { small.view({64}); }));
        m_device.launchOverhead = Seconds(launch);
        m_device.dispatchOverhead = Seconds(dispatch);
        note("launch_overhead", "an addition of 64 elements, with autograd");
        note("dispatch_overhead", "a view, with autograd");
        return {};
    }

    Result<void> measurePeaks()
    {
        for (const auto& [dtype, type] : peakTypes) {
            const Probe probe = matrixProbe(type == at::kFloat ? 1024 : 512, type);
            STAGECRAFT_ASSIGN(taken, time(probe.run));
            m_device.peakFlops[dtype] = probe.work / taken;
        }
        note("peak_flops", "square products, sides 512 and 1,024");
        return {};
    }

    // (work, work per second) by rising work; what a launch takes is not counted.
    Result<std::vector<std::pair<double, double>>> measureSeries(const ProbeSeries& series)
    {
        std::vector<std::pair<double, double>> rates;
        for (const auto& make : series.points) {
            const Probe probe = make();
            STAGECRAFT_ASSIGN(taken, time(probe.run));
            const double alone = std::max(taken - m_device.launchOverhead.value(), 0.2 * taken);
            rates.emplace_back(probe.work, probe.work / alone);
        }
        std::ranges::sort(rates);
        return rates;
    }

    void setCurves(const std::vector<std::vector<std::pair<double, double>>>& rates)
    {
        for (std::size_t i = 0; i < rates.size(); ++i) {
            if (m_series[i].opClass == OpClass::Elementwise) // the largest lies beyond every cache
                m_device.memoryBandwidth = rates[i].back().second;
            if (m_series[i].opClass == OpClass::Matrix)
                for (const auto& [work, rate] : rates[i])
                    m_device.peakFlops[DType::F32] = std::max(m_device.peakFlops[DType::F32], rate);
        }
        note("memory_bandwidth", "additions of 67 MB tensors");
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const OpClass opClass = m_series[i].opClass;
            const double peak =
                isContraction(opClass) ? m_device.peakFlops[DType::F32] : m_device.memoryBandwidth;
            std::vector<std::pair<double, double>> points;
            for (const auto& [work, rate] : rates[i])
                points.emplace_back(work, rate / peak);
            m_device.curves[static_cast<std::size_t>(opClass)] = EfficiencyCurve(std::move(points));
            note("curves." + std::string(opClassName(opClass)), m_series[i].what);
        }
    }

    void setTheRest()
    {
        m_device.kind = "cpu";
        m_device.name = m_options.name.empty() ? processorName() : m_options.name;
        m_device.provenance = "Fitted on this machine by `stagecraft-cli calibrate`, " +
                              std::to_string(m_options.threads) + " thread(s); the link is assumed.";
        m_device.vectorFlops = m_device.peakFlops[DType::F32]; // elementwise work: the curves tell
        m_device.memory = Bytes(std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE));
        m_device.linkBandwidth = m_device.memoryBandwidth / 4;
        m_device.linkLatency = Seconds(2e-5);
        note("memory_bytes", "what the system reports");
        for (const char* field : {"link_bandwidth", "link_latency", "vector_flops", "context_bytes",
                                  "matrix_efficiency", "memory_efficiency"})
            m_device.sources[field] = {FigureBasis::Assumed, "not measured"};
        m_device.sources["link_bandwidth"].from = "a copy through shared memory";
        m_device.sources["vector_flops"].from = "the peak: what elementwise work reaches is in its curves";
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

    const CalibrateOptions& m_options;
    const Progress& m_progress;
    std::vector<ProbeSeries> m_series;
    std::size_t m_done = 0, m_total = 0;
    DeviceSpec m_device;
};

} // namespace

Result<DeviceSpec> calibrateCpu(const CalibrateOptions& options, const Progress& progress)
{
    const ThreadCount threads(std::max(options.threads, 1));
    try {
        return Calibration(options, progress).run();
    } catch (const std::exception& problem) {
        const std::string text = problem.what();
        return Error{ErrorCode::Failed, "calibrating failed: " + text.substr(0, text.find('\n'))};
    }
}

} // namespace stagecraft
