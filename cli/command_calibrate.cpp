#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/terminal.h"
#include "core/base/output_file.h"
#include "core/measure/calibrate.h"

#include <cstdio>

namespace stagecraft::cli {
namespace {

struct CalibrateCommandOptions
{
    CalibrateOptions calibrate;
    std::string output = "this-machine.json";
};

Result<void> calibrate(const CalibrateCommandOptions& options, const Progress& progress)
{
    if (!options.output.ends_with(".json"))
        return Error{ErrorCode::BadUsage,
                     "-o '" + options.output + "' must end with .json, as --device wants it"};
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
        app, chosen, "calibrate", "Measure this machine's CPU and write a device file of it", calibrate);
    addOutput(*command, "-o,--output", options->output, "The device file to write (*.json)")
        ->capture_default_str();
    command->add_option("--name", options->calibrate.name, "What the device is called");
    addNumber(*command, "--threads", options->calibrate.threads, "How many threads operators may use", 1,
              1024);
    command
        ->add_option_function<double>(
            "--spend",
            [calibrate = &options->calibrate](double seconds) { calibrate->perProbe = Seconds(seconds); },
            "How many seconds to spend on each of some 60 small models; 0.15 if not given")
        ->check(numberFrom(1e-6, 60));
}

} // namespace stagecraft::cli
