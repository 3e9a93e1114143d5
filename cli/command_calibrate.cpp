#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/profile_options.h"
#include "cli/terminal.h"
#include "core/base/output_file.h"
#include "core/base/same_file.h"
#include "core/measure/calibrate.h"
#include "core/measure/device_table.h"
#include "core/measure/operator_table.h"

#include <filesystem>

namespace stagecraft::cli {
namespace {

struct CalibrateCommandOptions
{
    CalibrateOptions calibrate;
    std::string output = "this-machine.json";
    std::string from; // a table; empty: this machine's CPU
    std::string gpu;
    std::string base;
};

void printSteps(const std::vector<CheckedStep>& steps)
{
    if (steps.empty())
        return;
    printFormatted("%-34s %14s %14s %8s\n", "whole steps, not fitted", "measured", "predicted", "off");
    const auto row = [](const std::string& what, const std::string& measured, const std::string& predicted,
                        double ratio) {
        printFormatted("%-34s %14s %14s %+6.1f %%\n", what.c_str(), measured.c_str(), predicted.c_str(),
                       100 * (ratio - 1));
    };
    const auto peak = [&](const char* what, const std::optional<CheckedStep::Peak>& bytes) {
        if (bytes && bytes->measured > Bytes(0))
            row(what, formatBytes(bytes->measured), formatBytes(bytes->predicted),
                bytes->predicted.asDouble() / bytes->measured.asDouble());
    };
    for (const CheckedStep& step : steps) {
        row(step.name, formatSeconds(step.measured), formatSeconds(step.predicted),
            step.predicted / step.measured);
        if (step.optimizer.measured > Seconds{})
            row("  the optimizer in it", formatSeconds(step.optimizer.measured),
                formatSeconds(step.optimizer.predicted), step.optimizer.predicted / step.optimizer.measured);
        peak("  allocated", step.allocated);
        peak("  reserved", step.reserved);
    }
    printFormatted("geometric mean: %.1f %% off\n", 100 * (geometricMeanError(steps) - 1));
}

// The device file, and where it is.
Result<void> finish(const CalibrateCommandOptions& options, const DeviceSpec& device)
{
    const std::string text = deviceJson(device) + '\n';
    STAGECRAFT_TRY(deviceFromText(text, options.output)); // else it could not be read again
    STAGECRAFT_TRY(writeTextFile(options.output, text));
    printFormatted("written to %s; use it with --device %s\n", options.output.c_str(),
                   options.output.c_str());
    return {};
}

void printFigures(const DeviceSpec& device)
{
    printFormatted("%s: %.3g GFLOP/s in float32, %.3g GB/s, %s a launch, %s a dispatch\n",
                   device.name.c_str(), device.peakFlops.at(DType::F32) / 1e9, device.memoryBandwidth / 1e9,
                   formatSeconds(device.launchOverhead).c_str(),
                   formatSeconds(device.dispatchOverhead).c_str());
}

// Of a GPU, from a table of operators that were timed on one.
Result<void> fitToTable(const CalibrateCommandOptions& options)
{
    if (options.base.empty())
        return Error{
            ErrorCode::BadUsage,
            "--from needs --device: the file whose datasheet figures and other rates are taken over"};
    STAGECRAFT_ASSIGN(base, namedDevice(options.base));
    STAGECRAFT_ASSIGN(table, readOperatorTable(options.from, options.gpu));
    STAGECRAFT_ASSIGN(fitted, fitDevice(base, table));
    if (!options.calibrate.name.empty())
        fitted.device.name = options.calibrate.name;
    printFormatted("%s: %zu rows\n", table.gpu.c_str(), table.rows.size());
    for (const auto* list : {&table.leftOut, &fitted.leftOut})
        for (const std::string& leftOut : *list)
            printFormatted("  left out: %s\n", leftOut.c_str());
    printFormatted("%-20s %8s %8s %14s %14s\n", "mean error", "fitted", "kept out", "before", "after");
    for (const OperatorErrors& errors : fitted.errors)
        printFormatted("%-20s %8d %8d %12.1f %% %12.1f %%\n", errors.kind.c_str(), errors.fitted, errors.kept,
                       100 * errors.before, 100 * errors.after);
    return finish(options, fitted.device);
}

// Of any device, from what measure_device.py measured.
Result<void> calibrateByTable(const CalibrateCommandOptions& options, const Progress& progress)
{
    if (!options.gpu.empty())
        return Error{ErrorCode::BadUsage, "--gpu: a table of measure_device.py is of one device alone"};
    if (isSameFile(options.output, std::filesystem::path(options.from) / "table.json"))
        return Error{ErrorCode::BadUsage, "--output: " + options.output +
                                              " is the table of --from, and would be written over; choose "
                                              "another name"};
    std::optional<DeviceSpec> base;
    if (!options.base.empty()) {
        STAGECRAFT_ASSIGN(named, namedDevice(options.base));
        base = std::move(named);
    }
    STAGECRAFT_ASSIGN(calibrated, calibrateFromTable(options.from, base, progress));
    if (!options.calibrate.name.empty())
        calibrated.device.name = options.calibrate.name;
    printFigures(calibrated.device);
    for (const std::string& leftOut : calibrated.leftOut)
        printFormatted("  left out: %s\n", leftOut.c_str());
    printSteps(calibrated.steps);
    return finish(options, calibrated.device);
}

Result<void> calibrate(const CalibrateCommandOptions& options, const Progress& progress)
{
    std::error_code problem;
    if (!options.from.empty() && !std::filesystem::exists(options.from, problem))
        return Error{ErrorCode::NotFound, "--from: there is no " + options.from};
    if (!options.from.empty())
        return isDeviceTable(options.from) ? calibrateByTable(options, progress) : fitToTable(options);
    STAGECRAFT_ASSIGN(device, calibrateCpu(options.calibrate, progress));
    printFigures(device);
    return finish(options, device);
}

} // namespace

void addCalibrateCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "calibrate",
        "Measure this machine's CPU, or read what was measured of a device, and write a device file of it",
        calibrate);
    addOutput(*command, "-o,--output", options->output, ".json", "The device file to write (*.json)")
        ->capture_default_str();
    CLI::Option* const from =
        addFile(*command, "--from", options->from,
                "Instead of measuring: what resources/python/measure_device.py wrote (a folder, or its "
                "table.json), or a table of operators timed on a GPU (gpu,op,B,M,N,K,H,ms; may be packed)");
    command->add_option("--gpu", options->gpu, "The GPU whose rows count, as --from calls it")->needs(from);
    command
        ->add_option("--device", options->base,
                     "The device whose other figures are taken over; a table of operators needs it")
        ->needs(from);
    command->add_option("--name", options->calibrate.name, "What the device is called");
    addNumber(*command, "--threads", options->calibrate.threads, "How many threads operators may use", 1,
              1024);
    command
        ->add_option_function<double>(
            "--spend",
            [calibrate = &options->calibrate](double seconds) { calibrate->perProbe = Seconds(seconds); },
            "How many seconds to spend on each of some 60 small models; 0.15 if not given")
        ->check(numberFrom(1e-6, 60));
    for (const char* measuring : {"--threads", "--spend"})
        from->excludes(command->get_option(measuring));
}

} // namespace stagecraft::cli
