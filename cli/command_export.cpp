#include "cli/command.h"
#include "cli/framework_export.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_devices.h"
#include "cli/plan_source.h"
#include "cli/region_texts.h"
#include "cli/weights_option.h"
#include "core/base/text.h"
#include "core/stage/export.h"

#include <iostream>
#include <map>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

struct ExportCommandOptions
{
    ModelOption model;
    PlanSourceFlags source;
    std::string folder;
    std::vector<std::string> formats{"python", "pt2"};
    std::string framework; // empty: stages
    bool nearest = false;
    std::string loss;
    std::string shardSize = usualShardSizeText;
    bool json = false;
};

struct Chosen
{
    std::shared_ptr<const Model> model; // as it runs
    Partition partition;
    RunPlan run;
    ProfileFlags profile; // of the device that the plan is for
};

// A plan file says how its stages are meant to be run, but for what the person says now.
RunPlan runOf(const PartitionOptions& saved, const PartitionOptions& asked, const PlanFlags& flags)
{
    return {flags.fields.at("schedule").empty() ? saved.schedule : asked.schedule,
            flags.fields.at("microbatches").empty() ? saved.microbatches : asked.microbatches,
            flags.fields.at("send").empty() ? saved.send : asked.send};
}

// Where the plan is more than a device may hold; empty: nowhere.
std::string overLimitNote(const PlanCost& cost)
{
    std::string over;
    for (const StageId id : cost.stages.ids())
        if (const StageCost& stage = cost.stages[id]; !stage.fits())
            over += (over.empty() ? "" : ", ") + formatted("stage %u holds %s of %s", id.index() + 1,
                                                           formatBytes(stage.peakMemory).c_str(),
                                                           formatBytes(stage.memoryLimit).c_str());
    return over.empty() ? over : "the plan does not fit into memory: " + over;
}

// Nothing but the file says where it is cut and what is recomputed.
Result<Chosen> planAsItIs(const Model& model, const PlanSourceFlags& source, const PlanRequest& asked,
                          std::vector<std::string>& notes)
{
    STAGECRAFT_ASSIGN(laid, laidPlanFile(model, source));
    notes = std::move(laid.plan.notes);
    STAGECRAFT_ASSIGN(bindings, parseBindings(source.profile.bindings));
    STAGECRAFT_TRY(checkBindings(model.graph, bindings, notes));
    return Chosen{std::move(laid.runs.model), std::move(laid.plan.partition),
                  runOf(laid.plan.options, asked.plan, source.plan), std::move(laid.asMade.flags)};
}

Result<Chosen> choosePartition(const Model& model, const ExportCommandOptions& options,
                               std::vector<std::string>& notes, const Progress& progress)
{
    PlanSourceFlags source = options.source;
    PlanRequest asked;
    STAGECRAFT_TRY(readFields(source.plan.fields, asked));
    if (!source.planFile.empty()) {
        STAGECRAFT_ASSIGN(read, withPlanFileRead(std::move(source)));
        source = std::move(read);
        STAGECRAFT_ASSIGN(isChosenAnew, choosesAnew(model, source));
        if (!isChosenAnew)
            return planAsItIs(model, source, asked, notes);
    }
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, source, progress));
    notes = std::move(chosen.notes);
    if (std::string over = overLimitNote(chosen.solution.cost); !over.empty())
        notes.push_back(std::move(over));
    return Chosen{std::move(chosen.model), std::move(chosen.solution.partition),
                  runOf(chosen.problem.options, asked.plan, source.plan), std::move(chosen.profileFlags)};
}

void print(const ExportReport& report, std::size_t stages, bool asJson)
{
    if (asJson) {
        ordered_json files = ordered_json::array();
        for (const ExportedFile& file : report.files)
            files.push_back({{"name", file.name}, {"bytes", file.size.count()}});
        printJson({{"folder", report.folder.string()},
                   {"stages", stages},
                   {"files", std::move(files)},
                   {"notes", report.notes}});
        return;
    }
    std::map<std::string, Bytes> folders; // of files that are alike in every export
    for (const ExportedFile& file : report.files)
        if (const std::size_t slash = file.name.find('/'); slash != std::string::npos)
            folders[file.name.substr(0, slash + 1)] += file.size;
        else
            std::cout << "  " << file.name << "  " << formatBytes(file.size) << '\n';
    for (const auto& [name, size] : folders)
        std::cout << "  " << name << "  " << formatBytes(size) << '\n';
    std::cout << stages << " stages in " << report.folder.string() << ", " << formatBytes(report.total())
              << '\n';
    printNotes(report.notes);
}

Result<void> exportModel(const ExportCommandOptions& options, const Progress& progress)
{
    ExportOptions wanted;
    wanted.folder = options.folder;
    wanted.lossFunction = options.loss;
    STAGECRAFT_ASSIGN(shardSize, readShardSize(options.shardSize));
    wanted.shardSize = shardSize;
    wanted.formats.clear();
    for (const std::string& name : options.formats) {
        STAGECRAFT_ASSIGN(format, parseStageFormat(name));
        wanted.formats.push_back(format);
    }
    STAGECRAFT_ASSIGN(model, openedModel(options.model, progress));
    if (!options.framework.empty()) {
        STAGECRAFT_ASSIGN(framework, parseFramework(options.framework));
        return exportForFramework(model, options.source, {framework, options.folder, options.nearest},
                                  progress);
    }
    std::vector<std::string> notes;
    STAGECRAFT_ASSIGN(plan, choosePartition(model, options, notes, progress));
    wanted.run = plan.run;
    wanted.lossOutput = plan.profile.lossOutput;
    STAGECRAFT_ASSIGN(regions, notesOnRegions(model, *plan.model, plan.partition, plan.profile, progress));
    wanted.regionNotes = std::move(regions);
    STAGECRAFT_ASSIGN(plannedFor, profileOptions(plan.profile));
    wanted.plannedFor = std::move(plannedFor);
    STAGECRAFT_ASSIGN(report, exportStages(*plan.model, plan.partition, wanted, progress));
    printNotes(notes);
    print(report, plan.partition.stageCount, options.json);
    return {};
}

} // namespace

void addExportCommand(CLI::App& app, Command& chosen)
{
    auto options = std::make_shared<ExportCommandOptions>();
    CLI::App* command =
        app.add_subcommand("export", "Write the stages, ready for torch.distributed.pipelining");
    addModel(*command, options->model);
    addWeightsOption(*command, options->model.weights);
    addPlanSourceFlags(*command, options->source, PlanFileFlag::Offered);
    command->add_option("-o,--output", options->folder, "The folder to write; of --format, the file")
        ->required()
        ->type_name("PATH")
        ->check(outputPath());
    command
        ->add_option(
            "--loss", options->loss,
            "Train by this function of torch.nn.functional, such as cross_entropy or mse_loss: of the "
            "output that --loss-output names, or the only one, and the target of each step")
        ->type_name("NAME");
    command
        ->add_option("--formats", options->formats,
                     "python, pt2, torchscript (for torch.jit.load(), in C++ too); several with commas")
        ->delimiter(',')
        ->capture_default_str();
    addShardSize(*command, options->shardSize);
    command->add_flag("--json", options->json, "One JSON document on standard output (cli/README.md)");
    CLI::Option* const framework =
        command
            ->add_option("--format", options->framework,
                         "No stages, but the plan as another framework reads it: torch-csv, torchtitan, "
                         "graphpp, megatron, deepspeed, or fqns, the names of each stage's modules")
            ->type_name("NAME");
    command
        ->add_flag("--nearest", options->nearest,
                   "With --format: where that framework cannot say the plan, the best one that it can")
        ->needs(framework);
    for (const char* other : {"--formats", "--loss", "--shard-size", "--json"})
        framework->excludes(command->get_option(other));
    command->callback([options, &chosen] {
        chosen = [options](const Progress& progress) { return exportModel(*options, progress); };
    });
}

} // namespace stagecraft::cli
