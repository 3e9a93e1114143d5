#include "cli/command.h"
#include "cli/option_checks.h"
#include "core/stage/merge.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct MergeCommandOptions
{
    std::string folder;
    std::string states;
    std::string output;
    bool json = false;
};

Result<void> merge(const MergeCommandOptions& options, const Progress& progress)
{
    const std::string& states = options.states.empty() ? options.folder : options.states;
    STAGECRAFT_ASSIGN(report, mergeStages(options.folder, states, options.output, progress));
    if (options.json)
        printJson({{"output", options.output}, {"tensors", report.tensors}, {"bytes", report.size.count()}});
    else
        std::cout << report.tensors << " tensors in " << options.output << ", " << formatBytes(report.size)
                  << '\n';
    return {};
}

} // namespace

void addMergeCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] =
        addCommand(app, chosen, "merge",
                   "Write the state dict of the whole model from those of an export's stages", merge);
    command->add_option("folder", options->folder, "An export with weights")->required();
    command
        ->add_option("--states", options->states,
                     "Where the files stage_I.safetensors are, if not in the export: one for each stage")
        ->type_name("FOLDER");
    addOutput(*command, "-o,--output", options->output, "The .safetensors file to write")->required();
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
