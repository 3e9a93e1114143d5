#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/profile_options.h"
#include "cli/terminal.h"
#include "core/base/output_file.h"
#include "core/measure/calibrate.h"
#include "core/measure/operator_table.h"

#include <cstdio>

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
    const std::string text = deviceJson(fitted.device) + '\n';
    STAGECRAFT_TRY(deviceFromText(text, options.output)); // else it could not be read again
    STAGECRAFT_TRY(writeTextFile(options.output, text));
    printFormatted("%s: %zu rows\n", table.gpu.c_str(), table.rows.size());
    for (const auto* list : {&table.leftOut, &fitted.leftOut})
        for (const std::string& leftOut : *list)
            printFormatted("  left out: %s\n", leftOut.c_str());
    printFormatted("%-20s %8s %8s %14s %14s\n", "mean error", "fitted", "kept out", "before", "after");
    for (const OperatorErrors& errors : fitted.errors)
        printFormatted("%-20s %8d %8d %12.1f %% %12.1f %%\n", errors.kind.c_str(), errors.fitted, errors.kept,
                       100 * errors.before, 100 * errors.after);
    printFormatted("written to %s; use it with --device %s\n", options.output.c_str(),
                   options.output.c_str());
    std::fflush(stdout);
    return {};
}

Result<void> calibrate(const CalibrateCommandOptions& options, const Progress& progress)
{
    if (!options.output.ends_with(".json"))
        return Error{ErrorCode::BadUsage,
                     "-o '" + options.output + "' must end with .json, as --device wants it"};
    if (!options.from.empty())
        return fitToTable(options);
    STAGECRAFT_ASSIGN(device, calibrateCpu(options.calibrate, progress));
    STAGECRAFT_TRY(writeTextFile(options.output, deviceJson(device) + '\n'));
    printFormatted("%s: %.3g GFLOP/s in float32, %.3g GB/s, %s a launch, %s a dispatch\n",
                   device.name.c_str(), device.peakFlops.at(DType::F32) / 1e9, device.memoryBandwidth / 1e9,
                   formatSeconds(device.launchOverhead).c_str(),
                   formatSeconds(device.dispatchOverhead).c_str());
    printFormatted("written to %s; use it with --device %s\n", options.output.c_str(),
                   options.output.c_str());
    std::fflush(stdout);
    return {};
}

} // namespace

void addCalibrateCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] = addCommand(
        app, chosen, "calibrate",
        "Measure this machine's CPU, or fit to a GPU's table, and write a device file of it", calibrate);
    addOutput(*command, "-o,--output", options->output, "The device file to write (*.json)")
        ->capture_default_str();
    CLI::Option* const from = addFile(
        *command, "--from", options->from,
        "Instead of measuring: a table of operators timed on a GPU (gpu,op,B,M,N,K,H,ms; may be packed)");
    command->add_option("--gpu", options->gpu, "The GPU whose rows count, as --from calls it")->needs(from);
    command->add_option("--device", options->base, "The device that is fitted to --from")->needs(from);
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
