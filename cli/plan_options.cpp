#include "cli/plan_options.h"

#include "core/partition/split_spec.h"

#include <charconv>

namespace stagecraft::cli {

namespace {

Result<void> addPin(const std::string& text, const Graph& graph, PartitionOptions& options)
{
    const std::size_t equals = text.rfind('=');
    std::size_t stage = 0;
    const char* end = text.data() + text.size();
    const char* start = equals == std::string::npos ? end : text.data() + equals + 1;
    const auto [stop, status] = std::from_chars(start, end, stage);
    if (start == end || status != std::errc() || stop != end)
        return Error{ErrorCode::BadUsage, "--pin '" + text + "' is not NAME=STAGE, as in model.layers.0=1"};
    STAGECRAFT_ASSIGN(nodes, nodesOfName(graph, text.substr(0, equals)));
    for (const NodeId node : nodes)
        options.pins.push_back({node, StageId(stage)});
    return {};
}

} // namespace

void addPlanFlags(CLI::App& command, PlanFlags& flags)
{
    command.add_option("--stages", flags.stages, "How many stages")->capture_default_str();
    command.add_option("--microbatches", flags.microbatches, "How many microbatches a step")
        ->capture_default_str();
    command.add_option("--schedule", flags.schedule, "gpipe, 1f1b, interleaved, looped-bfs, zb1p or zbv")
        ->capture_default_str();
    command
        .add_option("--stages-per-device", flags.stagesPerDevice,
                    "Stages that take turns on a device: of interleaved, looped-bfs and zb1p; zbv has 2")
        ->capture_default_str();
    command.add_option("--memory-limit", flags.memoryLimit, "What a stage may take, as in 24GiB");
    command.add_option("--send", flags.send, "relay (from stage to stage) or direct")->capture_default_str();
    command
        .add_option("--objective", flags.objective, "sum, compute, overlap or iteration (the simulated step)")
        ->capture_default_str();
    command.add_option("--time-limit", flags.timeLimit, "Seconds to search for at the most")
        ->capture_default_str();
    command.add_option("--seed", flags.seed, "Of the search's random orders")->capture_default_str();
    command
        .add_option("--pin", flags.pins,
                    "NAME=STAGE: a module or node stays in a stage; 0 is the first, as in stage_0.py")
        ->take_all();
    command.add_option("--keep-together", flags.keepTogether, "A module that is not cut")->take_all();
    command.add_option("--never-cut", flags.neverCut, "A value that is not sent")->take_all();
}

Result<PartitionOptions> planOptions(const PlanFlags& flags)
{
    PartitionOptions options;
    options.stageCount = flags.stages;
    options.microbatches = flags.microbatches;
    STAGECRAFT_ASSIGN(schedule, parseSchedule(flags.schedule));
    STAGECRAFT_ASSIGN(send, parseSend(flags.send));
    STAGECRAFT_ASSIGN(objective, parseObjective(flags.objective));
    options.schedule = schedule;
    options.stagesPerDevice = flags.stagesPerDevice;
    options.send = send;
    options.objective = objective;
    if (!flags.memoryLimit.empty()) {
        STAGECRAFT_ASSIGN(limit, parseBytes(flags.memoryLimit));
        options.memoryLimits = {limit};
    }
    options.timeLimit = Seconds(flags.timeLimit);
    options.seed = flags.seed;
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
    for (const std::string& name : flags.neverCut) {
        const std::optional<ValueId> value = graph.findValue(name);
        if (!value)
            return Error{ErrorCode::BadUsage, "--never-cut: there is no value '" + name + "'"};
        options.neverCut.push_back(*value);
    }
    return {};
}

} // namespace stagecraft::cli
