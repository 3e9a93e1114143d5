#include "core/measure/device_table.h"

#include "core/base/json_entry.h"
#include "core/base/text_file.h"
#include "core/load/open_model.h"
#include "core/profile/model/profile_model.h"
#include "core/profile/profile_names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double mostSeconds = 1e6;
// What CUDACachingAllocator.cpp takes for a byte, and for little more than a MiB.
constexpr Bytes usualSmallSegment(2 << 20), usualLargeSegment(20 << 20);

struct TypeOfTorch
{
    std::string_view name;
    DType dtype;
};
constexpr std::array typesOfTorch{TypeOfTorch{"float32", DType::F32}, TypeOfTorch{"float64", DType::F64},
                                  TypeOfTorch{"bfloat16", DType::BF16}, TypeOfTorch{"float16", DType::F16}};

Result<Seconds> secondsOf(const JsonEntry& entry)
{
    STAGECRAFT_ASSIGN(seconds, entry.number());
    if (seconds < 0 || seconds > mostSeconds)
        return entry.wrong("a time in seconds");
    return Seconds(seconds);
}

Result<Bytes> bytesOf(const JsonEntry& entry)
{
    STAGECRAFT_ASSIGN(bytes, entry.integer());
    if (bytes < 0)
        return entry.wrong("a number of bytes");
    return Bytes(bytes);
}

Result<DType> typeOf(const JsonEntry& entry)
{
    STAGECRAFT_ASSIGN(name, entry.text());
    const auto found = std::ranges::find(typesOfTorch, name, &TypeOfTorch::name);
    if (found == typesOfTorch.end())
        return entry.wrong("float64, float32, bfloat16 or float16");
    return found->dtype;
}

template <typename Enum, std::size_t size>
Result<Enum> namedBy(const JsonEntry& entry, const NameTable<Enum, size>& names, const std::string& expected)
{
    STAGECRAFT_ASSIGN(name, entry.text());
    const Result<Enum> value = parseName(names, name);
    if (!value.has_value())
        return entry.wrong(expected);
    return *value;
}

// What is said of one device or another, where nothing better is known.
void assumeTheRest(DeviceSpec& device)
{
    constexpr double pcie4 = 32e9;
    device.linkBandwidth = pcie4;
    device.linkLatency = Seconds(1e-5);
    device.matrixEfficiency = 0.7;
    device.memoryEfficiency = 0.85;
    for (const char* field : {"link_bandwidth", "link_latency"})
        device.sources[field] = {FigureBasis::Assumed, "no second device was measured: as PCIe 4.0 x16"};
    for (const char* field : {"context_bytes", "matrix_efficiency", "memory_efficiency"})
        device.sources[field] = {FigureBasis::Assumed, "not measured"};
}

// One table, read and fitted in the order it has.
class TableCalibration
{
public:
    TableCalibration(fs::path folder, const JsonEntry& table, const Progress& progress)
        : m_folder(std::move(folder)), m_table(table), m_progress(progress)
    {
    }

    Result<CalibratedDevice> run(const std::optional<DeviceSpec>& base)
    {
        STAGECRAFT_ASSIGN(torch, m_table["torch"].text());
        STAGECRAFT_ASSIGN(start, startOf(m_table["device"], base, torch));
        STAGECRAFT_ASSIGN(products, m_table["products"].elements());
        STAGECRAFT_ASSIGN(probes, m_table["probes"].elements());
        STAGECRAFT_ASSIGN(steps, m_table["steps"].elements());
        m_total = 1 + products.size() + probes.size() + steps.size();
        DeviceFit fit(std::move(start));
        STAGECRAFT_ASSIGN(views, probeOf(m_table["dispatch"]));
        STAGECRAFT_TRY(fit.setDispatch(views));
        STAGECRAFT_TRY(setOperatorDispatch(fit));
        for (const JsonEntry& entry : products) {
            STAGECRAFT_ASSIGN(dtype, typeOf(entry["dtype"]));
            STAGECRAFT_ASSIGN(product, probeOf(entry));
            STAGECRAFT_TRY(fit.setPeak(dtype, product));
        }
        if (!base)
            fit.assumeTf32();
        for (const JsonEntry& entry : probes) {
            STAGECRAFT_ASSIGN(probe, probeOf(entry));
            STAGECRAFT_TRY(fit.add(probe));
        }
        STAGECRAFT_TRY(addOptimizers(fit, base));
        m_result.torchVersion = torch;
        STAGECRAFT_ASSIGN(device, fit.device());
        m_result.device = std::move(device);
        for (const std::string& name : fit.unmatched())
            m_result.leftOut.push_back(name + ": ran another number of times than was traced");
        STAGECRAFT_TRY(noteAllReduce(m_table["device"]["link"]));
        STAGECRAFT_TRY(readAllocator(m_table["device"]["allocator"]));
        for (const JsonEntry& entry : steps) {
            STAGECRAFT_ASSIGN(step, checkedStep(entry, m_result.device));
            m_result.steps.push_back(std::move(step));
        }
        return std::move(m_result);
    }

private:
    static Result<DeviceSpec> startOf(const JsonEntry& entry, const std::optional<DeviceSpec>& base,
                                      const std::string& torch)
    {
        DeviceSpec device;
        assumeTheRest(device);
        if (base)
            device = *base;
        STAGECRAFT_ASSIGN(kind, entry["kind"].text());
        STAGECRAFT_ASSIGN(name, entry["name"].text());
        STAGECRAFT_ASSIGN(runtime, entry["runtime"].text());
        STAGECRAFT_ASSIGN(memory, bytesOf(entry["memory_bytes"]));
        if (kind != "cuda" && kind != "cpu" && kind != "mps")
            return entry["kind"].wrong("cuda, cpu or mps");
        // Nothing is known of Apple's kernels: an operator takes its time, one after the other.
        device.kind = kind == "cuda" ? "cuda" : "cpu";
        if (base && base->kind != device.kind)
            return Error{ErrorCode::BadUsage,
                         "the table is of '" + name + "', which is not of the kind of '" + base->id + "'"};
        device.name = name;
        device.accuracy.clear();
        device.provenance =
            "Fitted by `stagecraft-cli calibrate --from` to what measure_device.py measured, PyTorch " +
            torch + ", " + runtime + (kind == "mps" ? "; taken for a processor" : "") + ".";
        setFigure(device, "memory_bytes", "what PyTorch reports");
        device.memory = memory;
        STAGECRAFT_TRY(readGpu(entry, device));
        STAGECRAFT_TRY(readLink(entry["link"], device));
        return device;
    }

    static void setFigure(DeviceSpec& device, const std::string& field, const std::string& how)
    {
        device.sources[field] = {FigureBasis::Fitted, how};
    }

    static Result<void> readGpu(const JsonEntry& entry, DeviceSpec& device)
    {
        if (device.kind != "cuda")
            return {};
        STAGECRAFT_ASSIGN(capability, entry["compute_capability"].count());
        STAGECRAFT_ASSIGN(multiprocessors, entry["multiprocessors"].count());
        STAGECRAFT_ASSIGN(cache, bytesOf(entry["cache_bytes"]));
        STAGECRAFT_ASSIGN(context, bytesOf(entry["context_bytes"]));
        constexpr std::size_t most = 1'000'000;
        device.computeCapability = static_cast<int>(std::min(capability, most));
        device.multiprocessors = static_cast<int>(std::min(multiprocessors, most));
        device.kernels.cache = cache;
        device.contextMemory = context;
        if (device.tiles.empty()) {
            device.tiles = usualTiles();
            device.sources["matrix_tiles"] = {FigureBasis::Assumed, "as on other GPUs of NVIDIA"};
        }
        device.sources.try_emplace("kernels.list_launch", usualListLaunch());
        STAGECRAFT_TRY(readClock(entry["clock_hz"], device));
        for (const char* field : {"compute_capability", "multiprocessors", "cache_bytes"})
            setFigure(device, field, "what PyTorch reports");
        setFigure(device, "context_bytes", "taken from the device and in no tensor, after all that was run");
        return {};
    }

    // Tables of before 2026-12 have none.
    static Result<void> readClock(const JsonEntry& entry, DeviceSpec& device)
    {
        if (entry.isNull())
            return {};
        STAGECRAFT_ASSIGN(clock, entry.number());
        constexpr double slowest = 1e8, fastest = 1e10;
        if (clock < slowest || clock > fastest)
            return entry.wrong("a clock of 0.1 to 10 GHz");
        device.vectorFlops = 2.0 * lanesOf(device) * device.multiprocessors * clock;
        setFigure(device, "vector_flops", "lanes of the multiprocessors, at the clock that was timed");
        return {};
    }

    static Result<void> readLink(const JsonEntry& link, DeviceSpec& device)
    {
        if (link.isNull())
            return {};
        STAGECRAFT_ASSIGN(how, link["how"].text());
        STAGECRAFT_ASSIGN(processes, link["processes"].count());
        if (processes < 2)
            return link["processes"].wrong("2 or more");
        STAGECRAFT_ASSIGN(latency, secondsOf(link["latency"]));
        STAGECRAFT_ASSIGN(bandwidth, link["bandwidth"].number());
        if (bandwidth <= 0)
            return link["bandwidth"].wrong("above 0");
        device.linkLatency = std::max(latency, Seconds(1e-9));
        device.linkBandwidth = bandwidth;
        const std::string among = how + ", two of " + std::to_string(processes) + " processes, ";
        setFigure(device, "link_latency", among + "4 bytes");
        setFigure(device, "link_bandwidth", among + "64 MiB");
        return {};
    }

    // What no device file has a figure for is checked, and said to be left out.
    Result<void> noteAllReduce(const JsonEntry& link)
    {
        if (link.isNull())
            return {};
        STAGECRAFT_ASSIGN(latency, secondsOf(link["all_reduce_latency"]));
        STAGECRAFT_ASSIGN(bandwidth, link["all_reduce_bandwidth"].number());
        if (bandwidth <= 0)
            return link["all_reduce_bandwidth"].wrong("above 0");
        STAGECRAFT_ASSIGN(processes, link["processes"].count());
        m_result.leftOut.push_back(
            "sums over " + std::to_string(processes) + " processes (" + formatSeconds(latency) + ", " +
            formatBytes(Bytes(static_cast<std::int64_t>(bandwidth))) + "/s): a plan has none");
        return {};
    }

    // Reserved memory is predicted of the allocator's default settings.
    Result<void> readAllocator(const JsonEntry& allocator)
    {
        if (allocator.isNull())
            return {};
        STAGECRAFT_ASSIGN(small, bytesOf(allocator["small"]));
        STAGECRAFT_ASSIGN(large, bytesOf(allocator["large"]));
        STAGECRAFT_ASSIGN(settings, allocator["settings"].text());
        // 0: there was room in what the allocator had.
        m_reservesAsUsual = (small == usualSmallSegment || small == Bytes(0)) &&
                            (large == usualLargeSegment || large == Bytes(0)) && settings.empty();
        if (!m_reservesAsUsual)
            m_result.leftOut.push_back(
                "reserved memory: the allocator takes " + formatBytes(small) + " and " + formatBytes(large) +
                " at a time" + (settings.empty() ? "" : " (PYTORCH_CUDA_ALLOC_CONF=" + settings + ")") +
                ", and " + formatBytes(usualSmallSegment) + " and " + formatBytes(usualLargeSegment) +
                " with default settings are predicted");
        return {};
    }

    Result<Model> modelOf(const JsonEntry& entry)
    {
        STAGECRAFT_TRY(m_progress.step("Calibrating", m_done++, m_total));
        STAGECRAFT_ASSIGN(file, entry["file"].text());
        if (fs::path(file) != fs::path(file).filename() || fs::path(file).extension() != ".pt2")
            return entry["file"].wrong("the name of a .pt2 file beside the table");
        return openModel(m_folder / file, m_progress);
    }

    Result<ProbeTimes> probeOf(const JsonEntry& entry)
    {
        STAGECRAFT_ASSIGN(model, modelOf(entry));
        STAGECRAFT_ASSIGN(forward, secondsOf(entry["forward"]));
        STAGECRAFT_ASSIGN(backward, secondsOf(entry["backward"]));
        STAGECRAFT_ASSIGN(operators, operatorsOf(entry["operators"]));
        return ProbeTimes{std::move(model), std::move(operators), forward, backward};
    }

    static Result<OperatorSeconds> operatorsOf(const JsonEntry& entry)
    {
        OperatorSeconds operators;
        STAGECRAFT_ASSIGN(members, entry.members());
        for (const auto& [name, list] : members) {
            STAGECRAFT_ASSIGN(times, list.elements());
            for (const JsonEntry& time : times) {
                STAGECRAFT_ASSIGN(taken, secondsOf(time));
                operators[name].push_back(taken.value());
            }
        }
        return operators;
    }

    // Tables of before 2026-12 have none.
    Result<void> setOperatorDispatch(DeviceFit& fit)
    {
        const JsonEntry entry = m_table["operator_dispatch"];
        if (entry.isNull())
            return {};
        STAGECRAFT_ASSIGN(operators, probeOf(entry));
        STAGECRAFT_ASSIGN(recorded, secondsOf(entry["recorded"]));
        STAGECRAFT_ASSIGN(unrecorded, secondsOf(entry["unrecorded"]));
        if (recorded <= Seconds{})
            return entry["recorded"].wrong("above 0");
        return fit.setDispatch(operators, unrecorded / recorded);
    }

    // Tables of before 2026-12 have none.
    Result<void> addOptimizers(DeviceFit& fit, const std::optional<DeviceSpec>& base)
    {
        const JsonEntry entries = m_table["optimizers"];
        if (entries.isNull()) {
            m_result.leftOut.push_back(noOptimizers(base));
            return {};
        }
        STAGECRAFT_ASSIGN(rows, entries.elements());
        for (const JsonEntry& entry : rows) {
            STAGECRAFT_ASSIGN(probe, optimizerProbeOf(entry));
            STAGECRAFT_TRY(fit.add(probe));
        }
        return {};
    }

    // And what is taken for them.
    static std::string noOptimizers(const std::optional<DeviceSpec>& base)
    {
        return "optimizers' steps: the table has none; assumed is " +
               (base ? "what the file of '" + base->id + "' says of them"
                     : std::string("that their operators take what others do, an H100's launches, and the "
                                   "program nothing beside them")) +
               "; measure_device.py of this version measures them";
    }

    Result<OptimizerProbe> optimizerProbeOf(const JsonEntry& entry)
    {
        constexpr std::size_t mostParameters = 100'000, mostElements = std::size_t{1} << 40;
        STAGECRAFT_ASSIGN(kind, namedBy(entry["optimizer"], optimizers, "the name of an optimizer"));
        STAGECRAFT_ASSIGN(variant, namedBy(entry["variant"], optimizerVariants, "single, foreach or fused"));
        STAGECRAFT_ASSIGN(count, entry["parameters"].count());
        STAGECRAFT_ASSIGN(elements, entry["elements"].count());
        STAGECRAFT_ASSIGN(step, secondsOf(entry["step"]));
        if (variant == OptimizerVariant::Default)
            return entry["variant"].wrong("the variant that ran: single, foreach or fused");
        if (count < 1 || count > mostParameters)
            return entry["parameters"].wrong("1 to 100000");
        if (elements < 1 || elements > mostElements)
            return entry["elements"].wrong("1 or more, and no more than memory holds");
        STAGECRAFT_ASSIGN(operators, operatorsOf(entry["operators"]));
        return OptimizerProbe{{kind, variant}, count, elements, std::move(operators), step};
    }

    Result<CheckedStep> checkedStep(const JsonEntry& entry, const DeviceSpec& device)
    {
        STAGECRAFT_ASSIGN(model, modelOf(entry));
        ProfileOptions options;
        options.device = device;
        STAGECRAFT_ASSIGN(kind, namedBy(entry["optimizer"], optimizers, "the name of an optimizer"));
        options.optimizer = kind;
        CheckedStep step;
        STAGECRAFT_ASSIGN(name, entry["name"].text());
        step.name = name;
        for (const char* pass : {"forward", "backward", "step"}) {
            STAGECRAFT_ASSIGN(taken, secondsOf(entry[pass]));
            step.measured += taken;
            step.optimizer.measured = taken; // the last of them
        }
        STAGECRAFT_ASSIGN(profile, profileModel(model, options, m_progress));
        const ProfileTotals& totals = profile.totals;
        step.predicted = totals.timeForward + totals.timeBackward + totals.timeOptimizer;
        step.optimizer.predicted = totals.timeOptimizer;
        if (step.measured <= Seconds{} || step.predicted <= Seconds{})
            return entry.wrong("a step that takes time");
        STAGECRAFT_TRY(
            comparePeak(entry["allocated"], profile.stepMemory.laterSteps.allocated, step.allocated));
        STAGECRAFT_TRY(comparePeak(entry["reserved"], profile.stepMemory.laterSteps.reserved, step.reserved));
        if (!m_reservesAsUsual)
            step.reserved.reset();
        return step;
    }

    static Result<void> comparePeak(const JsonEntry& entry, Bytes predicted,
                                    std::optional<CheckedStep::Peak>& peak)
    {
        if (entry.isNull())
            return {};
        STAGECRAFT_ASSIGN(measured, bytesOf(entry));
        peak = {measured, predicted};
        return {};
    }

    fs::path m_folder;
    const JsonEntry& m_table;
    const Progress& m_progress;
    std::size_t m_done = 0, m_total = 1;
    CalibratedDevice m_result;
    bool m_reservesAsUsual = true;
};

// Whole steps that were not fitted: the only check that the file carries.
std::vector<Accuracy> accuracyOf(const CalibratedDevice& calibrated)
{
    std::vector<double> errors;
    double sum = 0;
    for (const CheckedStep& step : calibrated.steps)
        errors.push_back(std::abs(step.predicted / step.measured - 1));
    for (const double error : errors)
        sum += error;
    if (errors.empty())
        return {};
    std::ranges::sort(errors);
    return {{"whole models",
             "training steps measured beside the operators, PyTorch " + calibrated.torchVersion,
             static_cast<int>(errors.size()), sum / static_cast<double>(errors.size()),
             errors[std::min(errors.size() * 4 / 5, errors.size() - 1)], "small ones in float32"}};
}

fs::path tablePath(const fs::path& path)
{
    std::error_code problem;
    return fs::is_directory(path, problem) ? path / "table.json" : path;
}

} // namespace

bool isDeviceTable(const fs::path& path)
{
    return tablePath(path).extension() == ".json";
}

Result<CalibratedDevice> calibrateFromTable(const fs::path& path, const std::optional<DeviceSpec>& base,
                                            const Progress& progress)
{
    constexpr Bytes most(std::int64_t{64} << 20);
    const fs::path file = tablePath(path);
    STAGECRAFT_ASSIGN(text, readTextFile(file, most));
    STAGECRAFT_ASSIGN(document, parseJson<json>(text, file.string()));
    const JsonEntry table(document, file.string());
    STAGECRAFT_ASSIGN(format, table["stagecraft_device_table"].integer());
    if (format != 1)
        return table["stagecraft_device_table"].wrong("1, the one format there is");
    STAGECRAFT_ASSIGN(result, TableCalibration(file.parent_path(), table, progress).run(base));
    constexpr double farthest = 1000; // no device is like that: one of the times is wrong
    if (const double error = geometricMeanError(result.steps); !(error < farthest))
        return Error{ErrorCode::BadFormat,
                     file.string() + ": the times in it do not fit together: steps are " +
                         formatCount(error) + " times off what the operators' times give; measure again"};
    result.device.accuracy = accuracyOf(result);
    return result;
}

double geometricMeanError(const std::vector<CheckedStep>& steps)
{
    double sum = 0;
    for (const CheckedStep& step : steps)
        sum += std::abs(std::log(step.predicted / step.measured));
    return steps.empty() ? 1 : std::exp(sum / static_cast<double>(steps.size()));
}

} // namespace stagecraft
