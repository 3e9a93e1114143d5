#include "cli/command.h"
#include "cli/graph_output.h"
#include "cli/measured_cache.h"
#include "cli/model_option.h"
#include "cli/option_checks.h"
#include "cli/plan_devices.h"
#include "cli/plan_source.h"
#include "cli/profile_options.h"
#include "cli/terminal.h"
#include "core/advise/node_query.h"
#include "core/base/output_file.h"
#include "core/plan/stage_recomputation.h"
#include "core/profile/memory/memory_trace_json.h"
#include "core/profile/model/largest_batch.h"
#include "core/profile/profile_json.h"
#include "core/profile/profile_names.h"

#include <algorithm>
#include <iostream>

namespace stagecraft::cli {
namespace {

struct ProfileCommandOptions
{
    ModelOption model;
    const CLI::App* command = nullptr; // tells what was given
    ProfileFlags flags;
    std::string by = "module";
    std::string plan;
    std::string find;
    std::string recompute;
    int depth = 3;
    std::vector<std::string> blocks;
    std::string memoryTrace;
    bool parts = false;
    bool measure = false;
    bool measureAgain = false;
    int threads = 0;
    bool largestBatch = false;
    std::string overlay;
    GraphOutputFlags output;
    bool json = false;
    bool csv = false;
};

Result<SummaryKind> parseKind(const std::string& by)
{
    if (by == "node")
        return SummaryKind::Node;
    if (by == "module")
        return SummaryKind::Module;
    if (by == "op")
        return SummaryKind::Op;
    if (by == "stage")
        return SummaryKind::Group;
    return Error{ErrorCode::BadUsage, "--by '" + by + "' is none of: node, module, op, stage"};
}

// What is alive at the step's highest point, category by category.
void printPeak(const Model& model, const Profile& profile)
{
    if (profile.memory.samples.empty())
        return;
    const MemorySample& sample = profile.memory.samples[profile.memory.peakSample];
    const std::string place = sample.node ? " at " + model.graph[*sample.node].name : "";
    printFormatted("  at the peak  %s in %s%s (%s):\n", formatBytes(profile.memoryAtPeak.total()).c_str(),
                   std::string(phaseName(sample.phase)).c_str(), place.c_str(), sample.op.c_str());
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        if (profile.memoryAtPeak[category] > Bytes(0))
            printFormatted("    %-20s %s\n", std::string(categoryName(category)).c_str(),
                           formatBytes(profile.memoryAtPeak[category]).c_str());
    }
}

std::size_t countOrigin(const Profile& profile, CostOrigin origin)
{
    return static_cast<std::size_t>(std::ranges::count(profile.nodes, origin, &NodeCost::origin));
}

void printTotals(const Model& model, const Profile& profile)
{
    const ProfileTotals& totals = profile.totals;
    printFormatted("%s on %s (%s, %s lowering)\n", model.name.c_str(), profile.options.device.name.c_str(),
                   std::string(nameOf(trainingModes, profile.options.mode)).c_str(),
                   std::string(nameOf(lowerings, profile.options.lowering)).c_str());
    printFormatted("  parameters   %s, %s; optimizer state %s (%s)\n",
                   formatCount(static_cast<double>(totals.parameters)).c_str(),
                   formatBytes(totals.parameterBytes).c_str(), formatBytes(totals.optimizerBytes).c_str(),
                   std::string(nameOf(optimizers, profile.options.optimizer)).c_str());
    printFormatted("  work         %s forward, %s backward\n", formatFlops(totals.flopsForward).c_str(),
                   formatFlops(totals.flopsBackward).c_str());
    printFormatted("  time         %s forward, %s backward (%s)\n", formatSeconds(totals.timeForward).c_str(),
                   formatSeconds(totals.timeBackward).c_str(), timesText(profile).c_str());
    printFormatted("  activations  %s saved for backward, peak %s\n", formatBytes(totals.savedBytes).c_str(),
                   formatBytes(totals.peak).c_str());
    if (totals.timeRecomputed > Seconds{})
        printFormatted("  run again    %s, %s of the backward pass: checkpoint regions\n",
                       formatFlops(totals.flopsRecomputed).c_str(),
                       formatSeconds(totals.timeRecomputed).c_str());
    printPeak(model, profile);
    if (const std::size_t inexact = countOrigin(profile, CostOrigin::Inexact); inexact > 0)
        printFormatted(
            "  not exact    all of the above: %zu of %zu operators are costed from outside the trace\n",
            inexact, profile.nodes.size());
    const DeviceMemory& memory = profile.stepMemory.laterSteps;
    printFormatted("  on a device  %s allocated, %s reserved, %s in all of %s: %s\n\n",
                   formatBytes(memory.allocated).c_str(), formatBytes(memory.reserved).c_str(),
                   formatBytes(memory.total).c_str(), formatBytes(profile.options.device.memory).c_str(),
                   profile.stepMemory.fits ? "fits" : "does not fit");
}

std::string shortened(const std::string& text, std::size_t width)
{
    return text.size() <= width ? text : "..." + text.substr(text.size() - width + 3);
}

// `figures` of one's own: a text for each row, or none at all.
void printTable(const std::vector<SummaryRow>& rows, const std::vector<std::string>& figures)
{
    printFormatted("%-44s %6s %12s %12s %10s %10s %10s %10s %11s %11s %11s %11s %11s\n", "", "ops",
                   "FLOP fwd", "FLOP bwd", "time fwd", "time bwd", "alone fwd", "alone bwd", "in", "out",
                   "saved", "parameters", "at peak");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SummaryRow& row = rows[i];
        const NodeCost& cost = row.cost;
        const std::string own = figures.empty() || figures[i].empty() ? "" : "  " + figures[i];
        const auto alone = [&](Seconds BlockFigures::*time) {
            return row.block ? formatSeconds((*row.block).*time) : std::string();
        };
        const auto sent = [&](Bytes BlockFigures::*bytes) {
            return row.block ? formatBytes((*row.block).*bytes) : std::string();
        };
        printFormatted("%-44s %6zu %12s %12s %10s %10s %10s %10s %11s %11s %11s %11s %11s%s%s\n",
                       shortened(row.name.empty() ? "(all)" : row.name, 44).c_str(), row.nodes,
                       formatFlops(cost.forward.flops).c_str(), formatFlops(cost.backward().flops).c_str(),
                       formatSeconds(cost.forward.time).c_str(), formatSeconds(cost.backward().time).c_str(),
                       alone(&BlockFigures::forwardTime).c_str(), alone(&BlockFigures::backwardTime).c_str(),
                       sent(&BlockFigures::input).c_str(), sent(&BlockFigures::output).c_str(),
                       formatBytes(cost.savedBytes).c_str(), formatBytes(cost.parameterBytes).c_str(),
                       formatBytes(cost.atPeak.total()).c_str(),
                       cost.origin == CostOrigin::Inexact ? "  not exact" : "", own.c_str());
    }
}

void printRows(const Model& model, const Profile& profile, const ReportOptions& report,
               const Overlay* overlay)
{
    const std::vector<SummaryRow> rows = reportRows(model, profile, report);
    printTable(rows, overlay ? rowFigures(*overlay, model.graph, report, rows) : std::vector<std::string>());
}

void printParts(const Graph& graph, const Profile& profile)
{
    printFormatted("\n%-44s %-13s %-44s %12s %10s\n", "node", "phase", "part", "FLOP", "time");
    for (const OpPart& part : profile.parts)
        printFormatted("%-44s %-13s %-44s %12s %10s\n", shortened(graph[part.node].name, 44).c_str(),
                       std::string(passName(part.phase, part.isRecomputed)).c_str(),
                       shortened(part.op + (part.isBias ? " (bias)" : ""), 44).c_str(),
                       formatFlops(part.cost.flops).c_str(), formatSeconds(part.cost.time).c_str());
}

Result<void> checkBlocks(const Model& model, const std::vector<std::string>& blocks)
{
    const std::vector<std::string> unknown = unknownBlocks(model.graph.modules(), blocks);
    if (unknown.empty())
        return {};
    return Error{ErrorCode::BadUsage,
                 "--block: no module has the path or the class '" + unknown.front() + "'"};
}

Result<void> printLargestBatch(const Model& model, const ProfileOptions& options, const Progress& progress)
{
    STAGECRAFT_ASSIGN(found, largestBatch(model, options, progress));
    if (!found) {
        printFormatted("  largest batch  the model has no input with a batch dimension\n\n");
        return {};
    }
    if (found->batch == 0) {
        printFormatted("  largest batch  none: not even the smallest fits\n\n");
        return {};
    }
    const char* basis = found->basis == LargestBatch::Basis::Traced
                            ? (found->limitedByFile ? "the most the file allows" : "traced")
                            : "by growth in proportion: the file fixes the batch";
    printFormatted("  largest batch  %lld, taking %s (%s)\n\n", static_cast<long long>(found->batch),
                   formatBytes(found->total).c_str(), basis);
    return {};
}

// {"batch", "basis": "traced" or "scaled", "total_bytes", "limited_by_file"}; null where there is no batch.
Result<nlohmann::ordered_json> largestBatchJson(const Model& model, const ProfileOptions& options,
                                                const Progress& progress)
{
    STAGECRAFT_ASSIGN(found, largestBatch(model, options, progress));
    if (!found)
        return nlohmann::ordered_json();
    return nlohmann::ordered_json{
        {"batch", found->batch},
        {"basis", found->basis == LargestBatch::Basis::Traced ? "traced" : "scaled"},
        {"total_bytes", found->total.count()},
        {"limited_by_file", found->limitedByFile}};
}

Result<void> printAsJson(const Model& model, const Profile& profile, const ReportOptions& report,
                         const std::vector<StageRecomputation>& recomputed,
                         const ProfileCommandOptions& options, const Progress& progress)
{
    std::string text = profileJson(model, profile, report);
    if (options.largestBatch || report.kind == SummaryKind::Group) {
        nlohmann::ordered_json document = nlohmann::ordered_json::parse(text);
        if (options.largestBatch) {
            STAGECRAFT_ASSIGN(found, largestBatchJson(model, profile.options, progress));
            document["largest_batch"] = std::move(found);
        }
        if (report.kind == SummaryKind::Group)
            document["recomputation"] = recomputationJson(recomputed);
        text = document.dump(2);
    }
    std::cout << text << '\n';
    return {};
}

// Numbered from 1 for people, from 0 for machines.
std::vector<NodeGroup> stagesOf(const Model& model, const ProfileCommandOptions& options,
                                const Partition& partition)
{
    const std::size_t first = options.json || options.csv ? 0 : 1;
    std::vector<NodeGroup> stages(partition.stageCount);
    for (std::size_t i = 0; i < stages.size(); ++i)
        stages[i].name = "stage " + std::to_string(i + first);
    for (const NodeId node : model.graph.nodes())
        stages[partition.stageOf[node].index()].nodes.push_back(node);
    return stages;
}

// A row each.
Result<std::vector<NodeGroup>> foundIn(const Model& model, const Profile& profile, const std::string& query)
{
    STAGECRAFT_ASSIGN(nodes, findNodes({model.graph, &profile}, query));
    if (nodes.empty())
        return Error{ErrorCode::NotFound, "--find '" + query + "' finds no operator"};
    std::vector<NodeGroup> found;
    for (const NodeId node : nodes)
        found.push_back({model.graph[node].name, {node}});
    return found;
}

// The model as it runs, of a plan with its stages.
struct Subject
{
    RecomputedModel runs;
    std::optional<LaidPlan> plan;
    std::vector<std::string> notes; // printed already
};

Result<Subject> subjectOf(const Model& model, const ProfileCommandOptions& options)
{
    if (!options.plan.empty()) {
        STAGECRAFT_ASSIGN(
            laid, laidPlanFile(model, *options.command, options.flags, options.plan, options.recompute));
        printNotes(laid.plan.notes);
        std::vector<std::string> notes = laid.plan.notes;
        return Subject{laid.runs, std::move(laid), std::move(notes)};
    }
    RecomputePolicy policy;
    STAGECRAFT_TRY(readRecompute(options.recompute, model, policy));
    std::vector<std::string> notes = model.provenance.notes;
    withoutBackward(options.flags, options.recompute, policy, notes);
    STAGECRAFT_ASSIGN(runs, recomputedModel(model, policy, nullptr, notes));
    printNotes(notes);
    return Subject{std::move(runs), std::nullopt, std::move(notes)};
}

Result<Profile> measured(const Model& model, Profile profile, const ProfileCommandOptions& options,
                         const Progress& progress)
{
    MeasureOptions measuring;
    measuring.bindings = profile.options.bindings;
    measuring.lossOutput = profile.options.lossOutput;
    measuring.threads = options.threads;
    STAGECRAFT_ASSIGN(found,
                      measuredTimes(model, options.model, measuring,
                                    options.measureAgain ? CacheUse::Renewed : CacheUse::Allowed, progress));
    applyTimes(found.times, CostOrigin::Measured, profile);
    if (found.fromFile)
        profile.notes.push_back("measured before, and kept in " + found.file.string() +
                                "; --measure-again measures anew");
    return profile;
}

void takeMadeFor(const FlagsOfPlan& found, ProfileCommandOptions& options, std::vector<std::string>& said)
{
    std::vector<std::string> notes = found.notes;
    if (!found.stageDevices.empty())
        notes.push_back("all stages are profiled on " + found.flags.device +
                        "; the plan has some of them on other devices");
    printNotes(notes);
    said.insert(said.end(), notes.begin(), notes.end());
    options.flags = found.flags;
}

// Of the plan's stages, where they are what is shown; empty where nothing runs again.
Result<std::vector<StageRecomputation>> recomputedInStages(const Model& opened, const Subject& subject,
                                                           const Profile& profile,
                                                           const ProfileCommandOptions& options,
                                                           const Progress& progress)
{
    if (!subject.plan || profile.totals.timeRecomputed <= Seconds{})
        return std::vector<StageRecomputation>{};
    ProfileOptions wanted = profile.options;
    wanted.parts = nullptr;
    STAGECRAFT_ASSIGN(without, makeProfile(withPlan(opened, {}), wanted, options.flags, progress));
    return stageRecomputations(subject.runs.regions, profile, &without, subject.plan->plan.partition,
                               subject.plan->plan.options);
}

Result<void> writeMemoryTrace(const Model& model, const Profile& profile, const std::string& file)
{
    if (file.empty())
        return {};
    STAGECRAFT_ASSIGN(size, writeTextFile(file, memoryTraceJson(model.graph, profile)));
    std::cerr << file << ": " << formatBytes(size) << '\n';
    return {};
}

Profile withNotes(Profile profile, const std::vector<std::string>& notes)
{
    profile.notes.insert(profile.notes.begin(), notes.begin(), notes.end());
    return profile;
}

Result<void> profile(const ProfileCommandOptions& given, const Progress& progress)
{
    STAGECRAFT_ASSIGN(kind, parseKind(given.by));
    if (kind != SummaryKind::Group && !given.plan.empty())
        return Error{ErrorCode::BadUsage, "--plan says what --by stage sums up; add --by stage"};
    STAGECRAFT_ASSIGN(format, askedFormat(given.output));
    if (format && (kind == SummaryKind::Module || kind == SummaryKind::Op) &&
        given.command->get_option("--by")->count() > 0)
        return Error{ErrorCode::BadUsage, "--format and -o have every operator; leave out --by " + given.by};
    STAGECRAFT_TRY(profileOptions(given.flags)); // what is wrong with it is said before anything is read
    if (kind == SummaryKind::Group && given.plan.empty())
        return Error{ErrorCode::BadUsage, "--by stage needs a plan: --plan FILE.stagecraft"};
    STAGECRAFT_ASSIGN(opened, openedModel(given.model, progress));
    STAGECRAFT_ASSIGN(subject, subjectOf(opened, given));
    const Model& model = *subject.runs.model;
    ProfileCommandOptions options = given;
    if (subject.plan)
        takeMadeFor(subject.plan->asMade, options, subject.notes);
    STAGECRAFT_ASSIGN(wanted, profileOptions(options.flags));
    if (subject.plan && !subject.runs.regions.regions.empty())
        wanted.parts = subject.plan->stages; // each stage runs its part of a region again alone
    STAGECRAFT_ASSIGN(result, makeProfile(model, wanted, options.flags, progress));
    if (options.measure || options.measureAgain) {
        STAGECRAFT_ASSIGN(timed, measured(model, std::move(result), options, progress));
        result = std::move(timed);
    }
    STAGECRAFT_TRY(checkBlocks(model, options.blocks));
    STAGECRAFT_TRY(writeMemoryTrace(model, result, options.memoryTrace));
    ReportOptions report{.kind = kind, .depth = options.depth, .blocks = options.blocks};
    report.parts = options.parts ? ReportOptions::Parts::Listed : ReportOptions::Parts::LeftOut;
    if (subject.plan)
        report.groups = stagesOf(model, options, subject.plan->plan.partition);
    if (!options.find.empty()) {
        STAGECRAFT_ASSIGN(found, foundIn(model, result, options.find));
        report.kind = SummaryKind::Group;
        report.groups = std::move(found);
    }
    STAGECRAFT_ASSIGN(overlay, givenOverlay(options.overlay, model.graph));
    if (format) {
        printNotes(noteTexts(result));
        return writeGraph(options.output, *format, {model.graph, &result, overlay ? &*overlay : nullptr});
    }
    STAGECRAFT_ASSIGN(recomputed, recomputedInStages(opened, subject, result, options, progress));
    if (options.json)
        return printAsJson(model, withNotes(std::move(result), subject.notes), report, recomputed, options,
                           progress);
    if (options.csv) {
        std::cout << profileCsv(model, result, report);
        return {};
    }
    printTotals(model, result);
    if (options.largestBatch)
        STAGECRAFT_TRY(printLargestBatch(model, wanted, progress));
    printRows(model, result, report, overlay ? &*overlay : nullptr);
    if (const std::string again = recomputationText(recomputed); !again.empty())
        printFormatted("\n%s", again.c_str());
    if (options.parts)
        printParts(model.graph, result);
    printNotes(noteTexts(result));
    return {};
}

} // namespace

void addProfileCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] =
        addCommand(app, chosen, "profile", "What a training step costs: work, time, memory", profile);
    options->command = command;
    addModel(*command, options->model);
    addProfileFlags(*command, options->flags);
    CLI::Option* by = command->add_option("--by", options->by, "Rows: node, module, op, or stage of --plan")
                          ->capture_default_str();
    CLI::Option* find =
        command->add_option("--find", options->find,
                            "Only operators that this finds, such as \"op:linear time>1ms\", a row each");
    find->excludes(by);
    addRecompute(*command, options->recompute);
    addFile(*command, "--plan", options->plan, "The plan whose stages --by stage sums up (*.stagecraft)");
    addNumber(*command, "--depth", options->depth,
              "How deep modules are listed; ModuleList and Sequential do not count", 0);
    addEach(*command, "--block", options->blocks, "MODULE",
            "A module, by path or class, that is one row and is not looked into");
    command->add_flag("--parts", options->parts, "List the operators that each node is made of");
    addOutput(*command, "--memory-trace", options->memoryTrace, "",
              "Write the memory of a step, by category, for Perfetto to this file");
    command->add_flag("--measure", options->measure,
                      "Time every node on this machine's CPU: slow, but kept in the cache folder "
                      "($XDG_CACHE_HOME or ~/.cache)");
    command->add_flag("--measure-again", options->measureAgain,
                      "The same, also where it was measured before");
    addNumber(*command, "--threads", options->threads,
              "How many threads operators may use while they are measured; 0: all", 0, 1024);
    command->add_flag("--largest-batch", options->largestBatch,
                      "Find the largest batch that fits the device");
    addJson(*command, options->json);
    find->excludes("--json"); // which has all nodes
    command->add_flag("--csv", options->csv, "For spreadsheets")->excludes("--json");
    addOverlay(*command, options->overlay);
    addGraphOutput(*command, options->output);
    for (const char* other : // of them, a graph says nothing
         {"--json", "--csv", "--find", "--depth", "--block", "--parts", "--largest-batch"})
        for (const char* graph : {"--format", "--output"})
            command->get_option(graph)->excludes(other);
    for (const char* other : {"--json", "--csv"}) // --format json and --format csv have it
        command->get_option("--overlay")->excludes(other);
}

} // namespace stagecraft::cli
