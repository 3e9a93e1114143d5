#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/weights_option.h"
#include "core/stage/merge.h"

#include <iostream>

namespace stagecraft::cli {
namespace {

struct MergeCommandOptions
{
    std::string folder;
    std::string states;
    std::string output;
    std::string shardSize = usualShardSizeText;
    bool json = false;
};

Result<void> merge(const MergeCommandOptions& options, const Progress& progress)
{
    const std::string& states = options.states.empty() ? options.folder : options.states;
    STAGECRAFT_ASSIGN(shardSize, readShardSize(options.shardSize));
    STAGECRAFT_ASSIGN(report, mergeStages(options.folder, states, options.output, shardSize, progress));
    if (options.json) {
        printJson({{"output", report.file.string()},
                   {"files", report.files},
                   {"tensors", report.tensors},
                   {"bytes", report.size.count()}});
        return {};
    }
    std::cout << report.tensors << " tensors in " << report.file.string() << ", " << formatBytes(report.size);
    if (report.files > 1)
        std::cout << " in " << report.files << " shards beside it";
    std::cout << '\n';
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
        ->add_option(
            "--states", options->states,
            "Where the files stage_I.safetensors are, if not in the export: one for each stage, or its "
            "shards with an index")
        ->type_name("FOLDER");
    addOutput(
        *command, "-o,--output", options->output, ".safetensors",
        "The .safetensors file to write; over the shard size, shards and an index are written beside it")
        ->required();
    addShardSize(*command, options->shardSize);
    addJson(*command, options->json);
}

} // namespace stagecraft::cli
