#include "cli/plan_options.h"

#include "cli/plan_devices.h"

#include "cli/option_checks.h"
#include "core/base/typed_figures.h"
#include "core/plan/split_spec.h"

#include <algorithm>
#include <charconv>

namespace stagecraft::cli {

namespace {

struct NamedPin
{
    std::string name;
    StageId stage;
};

Result<NamedPin> parsePin(const std::string& text)
{
    const std::size_t equals = text.rfind('=');
    std::uint32_t stage = 0;
    const char* end = text.data() + text.size();
    const char* start = equals == std::string::npos ? end : text.data() + equals + 1;
    const auto [stop, status] = std::from_chars(start, end, stage);
    if (start == end || status != std::errc() || stop != end)
        return Error{ErrorCode::BadUsage, "--pin '" + text + "' is not NAME=STAGE, as in model.layers.0=1"};
    return NamedPin{text.substr(0, equals), StageId(stage)};
}

Result<void> addPin(const std::string& text, const Graph& graph, PartitionOptions& options)
{
    STAGECRAFT_ASSIGN(pin, parsePin(text));
    STAGECRAFT_ASSIGN(nodes, nodesOfName(graph, pin.name));
    for (const NodeId node : nodes)
        options.pins.push_back({node, pin.stage});
    return {};
}

Progress within(double share, const PlanFlags& flags, const Progress& progress)
{
    const auto limit = std::chrono::duration<double>(share * std::min(flags.timeLimit, 1e8));
    return progress.until(flags.begin +
                          std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit));
}

// "Without it interleaved 2, zb1p 1; always zbv 2".
std::string usualStagesText()
{
    std::string chosen;
    std::string fixed;
    for (const ScheduleTraits& traits : scheduleTable) {
        std::string& text = traits.fixedStages ? fixed : chosen;
        text += (text.empty() ? "" : ", ") + std::string(traits.name) + " " +
                std::to_string(usualStagesPerDevice(traits.kind));
    }
    return "Without it " + chosen + "; always " + fixed;
}

void addConstraintFlags(CLI::App& command, PlanFlags& flags)
{
    addEach(command, "--pin", flags.pins, "NAME=STAGE",
            "A module or node that stays in a stage; 0 is the first, as in stage_0.py");
    addEach(command, "--keep-together", flags.keepTogether, "MODULE", "A module that is not cut");
    addEach(command, "--keep-class", flags.keepClasses, "CLASS",
            "A class of modules, none of which is cut: basic blocks");
    command.add_option("--keep-depth", flags.keepDepth, "Modules so deep below the root are not cut")
        ->check(numberFrom(1));
    addEach(command, "--never-cut", flags.neverCut, "VALUE", "A value that is not sent");
}

} // namespace

void addRecompute(CLI::App& command, std::string& recompute)
{
    command
        .add_option(
            "--recompute", recompute,
            std::string(requestField("recompute").help) +
                ": model, none, full, 'every N', ops, 'ops LIST', auto, plan, or a plan file whose regions "
                "are taken. Without it what the plan or the model says. Behind it, or alone, what single "
                "stages do, the first being 0: auto,0-1:full,3:none; given again, more of these")
        ->type_name("POLICY")
        ->join(',');
}

void addPlanFlags(CLI::App& command, PlanFlags& flags)
{
    command.option_defaults()->group("The plan");
    command
        .add_option("--stages", flags.counts.stages,
                    "How many stages; alone: with a device each, but of zbv two on each. Usually 4")
        ->check(numberFrom(0));
    command
        .add_option("--devices", flags.counts.devices,
                    "How many devices: stages = devices x stages per device. Without --stages, 4")
        ->check(numberFrom(1));
    command
        .add_option("--stages-per-device", flags.counts.perDevice,
                    "How many stages take turns on a device, where the schedule leaves the choice. " +
                        usualStagesText())
        ->check(numberFrom(1));
    addField(command, "microbatches", flags.fields)->check(numberFrom(0));
    addField(command, "schedule", flags.fields);
    command
        .add_option("--memory-limit", flags.memoryLimit,
                    "What a device may hold, as in 24GiB or 24GB; without it what the device has beside its "
                    "driver")
        ->type_name("BYTES");
    addStageDevices(command, flags.stageDevices);
    addRecompute(command, flags.recompute);
    addField(command, "send", flags.fields);
    addField(command, "runtime", flags.fields);
    addField(command, "objective", flags.fields)->default_str("");
    addNumber(command, "--time-limit", flags.timeLimit,
              "How many seconds all of it may take; a first plan is made in any case", 0);
    addField(command, "seed", flags.fields)->check(numberFrom(0));
    addConstraintFlags(command, flags);
    command.option_defaults()->group("Options");
}

Progress withinLimit(const PlanFlags& flags, const Progress& progress)
{
    return within(1, flags, progress);
}

Progress searchWithin(const PlanFlags& flags, const Progress& progress)
{
    return within(flags.searchShare, flags, progress);
}

Result<PartitionOptions> planOptions(const PlanFlags& flags, LimitOf limitOf)
{
    PlanRequest request;
    PartitionOptions& options = request.plan;
    STAGECRAFT_TRY(readFields(flags.fields, request));
    STAGECRAFT_TRY(setStageCounts(options, flags.counts));
    if (flags.fields.at("objective").empty())
        options.objective = usualObjective(options);
    if (!flags.memoryLimit.empty()) {
        const Result<Bytes> limit =
            limitOf == LimitOf::Device ? parseMemory(flags.memoryLimit) : parseBytes(flags.memoryLimit);
        if (!limit.has_value())
            return Error{limit.error().code, "--memory-limit: " + limit.error().message};
        options.memoryLimits = {*limit};
    }
    options.timeLimit = Seconds(flags.timeLimit);
    STAGECRAFT_TRY(checkOptions(options));
    return options;
}

Result<void> addConstraints(const PlanFlags& flags, const Graph& graph, PartitionOptions& options)
{
    for (const std::string& pin : flags.pins)
        STAGECRAFT_TRY(addPin(pin, graph, options));
    for (const std::string& module : flags.keepTogether) {
        STAGECRAFT_ASSIGN(nodes, nodesOfName(graph, module));
        options.keepTogether.push_back(std::move(nodes));
    }
    std::vector<std::vector<NodeId>> whole;
    for (const std::string& name : flags.keepClasses) {
        STAGECRAFT_ASSIGN(blocks, nodesOfClass(graph, name));
        whole.insert(whole.end(), blocks.begin(), blocks.end());
    }
    if (flags.keepDepth > 0) {
        STAGECRAFT_ASSIGN(modules, nodesAtDepth(graph, flags.keepDepth));
        whole.insert(whole.end(), modules.begin(), modules.end());
    }
    options.keepTogether.insert(options.keepTogether.end(), whole.begin(), whole.end());
    for (const std::string& name : flags.neverCut) {
        const std::optional<ValueId> value = graph.findValue(name);
        if (!value)
            return Error{ErrorCode::BadUsage, "--never-cut: there is no value '" + name + "'"};
        options.neverCut.push_back(*value);
    }
    return {};
}

Result<void> addConstraints(const PlanFlags& flags, PartitionProblem& instance)
{
    if (!flags.stageDevices.empty())
        return Error{ErrorCode::BadUsage, "--stage-device: an instance has no devices"};
    if (!flags.keepTogether.empty() || !flags.keepClasses.empty() || flags.keepDepth > 0 ||
        !flags.neverCut.empty())
        return Error{ErrorCode::BadUsage, "--keep-... and --never-cut name parts of a model; an instance "
                                          "says what stays together by 'colocation'"};
    for (const std::string& text : flags.pins) {
        STAGECRAFT_ASSIGN(pin, parsePin(text));
        std::optional<NodeId> found;
        for (NodeId node : instance.nodes.ids()) {
            if (instance.nodes[node].name != pin.name)
                continue;
            if (found)
                return Error{ErrorCode::BadUsage, "--pin: several nodes are called '" + pin.name + "'"};
            found = node;
        }
        if (!found)
            return Error{ErrorCode::BadUsage, "--pin: there is no node '" + pin.name + "'"};
        instance.options.pins.push_back({*found, pin.stage});
    }
    return checkProblem(instance);
}

} // namespace stagecraft::cli
