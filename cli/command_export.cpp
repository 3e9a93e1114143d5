#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/weights_option.h"
#include "core/plan/plan_notes.h"
#include "core/stage/export.h"

#include <iostream>
#include <map>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

struct ExportCommandOptions
{
    std::string model;
    std::vector<std::string> weights;
    PlanSourceFlags source;
    std::string folder;
    std::vector<std::string> formats{"python", "pt2"};
    bool json = false;
};

Result<Partition> choosePartition(const Model& model, const ExportCommandOptions& options,
                                  std::vector<std::string>& notes, const Progress& progress)
{
    PlanSourceFlags source = options.source;
    PlanRequest asked;
    STAGECRAFT_TRY(readFields(source.plan.fields, asked));
    const auto sayThatStagesRelay = [&] {
        if (std::string note = exportRelaysNote(asked.plan); !note.empty())
            notes.push_back(std::move(note));
    };
    if (!source.planFile.empty()) {
        STAGECRAFT_ASSIGN(applied, appliedPlanFile(model, source));
        if (source.plan.fields.at("send").empty())
            asked.plan.send = applied.options.send;
        notes = std::move(applied.notes);
        sayThatStagesRelay();
        return std::move(applied.partition);
    }
    source.plan.fields["send"] =
        sendName(SendKind::Relay); // as the stages will run, so the best plan is looked for
    STAGECRAFT_ASSIGN(chosen, choosePlan(model, source, progress));
    notes = std::move(chosen.notes);
    sayThatStagesRelay();
    return std::move(chosen.solution.partition);
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
    wanted.lossOutput = options.source.profile.lossOutput;
    wanted.formats.clear();
    for (const std::string& name : options.formats) {
        STAGECRAFT_ASSIGN(format, parseStageFormat(name));
        wanted.formats.push_back(format);
    }
    STAGECRAFT_ASSIGN(model, openWithWeights(options.model, options.weights));
    std::vector<std::string> notes;
    STAGECRAFT_ASSIGN(partition, choosePartition(model, options, notes, progress));
    STAGECRAFT_ASSIGN(report, exportStages(model, partition, wanted, progress));
    printNotes(notes);
    print(report, partition.stageCount, options.json);
    return {};
}

} // namespace

void addExportCommand(CLI::App& app, Command& chosen)
{
    auto options = std::make_shared<ExportCommandOptions>();
    CLI::App* command =
        app.add_subcommand("export", "Write the stages, ready for torch.distributed.pipelining");
    command->add_option("model", options->model, "A .pt2 file")->required();
    addWeightsOption(*command, options->weights);
    addPlanSourceFlags(*command, options->source, PlanFileFlag::Offered);
    command->add_option("-o,--output", options->folder, "The folder to write")
        ->required()
        ->type_name("FOLDER")
        ->check(outputPath());
    command->add_option("--formats", options->formats, "python, pt2; several with commas")
        ->delimiter(',')
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON document on standard output (cli/README.md)");
    command->callback([options, &chosen] {
        chosen = [options](const Progress& progress) { return exportModel(*options, progress); };
    });
}

} // namespace stagecraft::cli
