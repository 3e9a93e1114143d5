#include "core/plan/sources/partition_json.h"

#include "core/base/text.h"
#include "core/plan/plan_notes.h"
#include "core/plan/runtime_memory.h"
#include "core/plan/sources/bounds_json.h"
#include "core/plan/stage_labels.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

Json limitJson(Bytes limit)
{
    return limit == Bytes::max() ? Json(nullptr) : Json(limit.count());
}

Json stageJson(const PartitionProblem& problem, const StageCost& cost, std::size_t index,
               const std::vector<NodeId>& nodes)
{
    Json json{{"index", index},
              {"nodes", cost.nodeCount},
              {"forward_s", cost.forward.value()},
              {"backward_input_s", cost.backwardInput.value()},
              {"backward_weight_s", cost.backwardWeight.value()},
              {"recomputed_s", cost.recomputed.value()},
              {"receive_s", cost.receive.value()},
              {"send_s", cost.send.value()},
              {"load_s", cost.load.value()},
              {"parameter_bytes", cost.parameterBytes.count()},
              {"state_bytes", cost.stateBytes.count()},
              {"saved_bytes", cost.savedBytes.count()},
              {"in_flight", cost.inFlight},
              {"waiting_bytes", cost.waitingBytes.count()},
              {"released_bytes", cost.releasedBytes.count()},
              {"runtime_bytes", cost.runtimeBytes.count()},
              {"peak_bytes", cost.peakMemory.count()},
              {"limit_bytes", limitJson(cost.memoryLimit)},
              {"fits", cost.fits()},
              {"begins_in", beginsIn(problem, nodes)}};
    Json names = Json::array();
    for (NodeId node : nodes)
        names.push_back(problem.nodes[node].name);
    json["node_names"] = std::move(names);
    return json;
}

Json deviceJson(const DeviceCost& device)
{
    Json stages = Json::array();
    for (const StageId stage : device.stages)
        stages.push_back(stage.index());
    return {{"stages", std::move(stages)},
            {"load_s", device.load.value()},
            {"idle", device.idle},
            {"peak_bytes", device.peakMemory.count()},
            {"limit_bytes", limitJson(device.memoryLimit)},
            {"fits", device.fits()}};
}

// What the figures below are of.
std::string headText(const PartitionOptions& options)
{
    std::string text = stagingText(options) + ", " + std::string(scheduleName(options.schedule));
    if (options.sharesDevices())
        text += ", " + std::to_string(options.stagesEach()) + " to each";
    return text + "; idle: share of the step in which the device computes nothing, on average the bubble\n";
}

// What backward runs again, stage by stage; nothing where nothing does.
std::string recomputedText(const PlanCost& cost)
{
    std::string text;
    Seconds compute, again;
    for (const StageId id : cost.stages.ids()) {
        const StageCost& stage = cost.stages[id];
        compute += stage.compute();
        again += stage.recomputed;
        text += formatted("%s%s", id.index() == 0 ? "" : ", ", formatSeconds(stage.recomputed).c_str());
    }
    if (again <= Seconds{})
        return {};
    return "run again: " + text +
           formatted(" of each stage's backward pass, %.1f%% of all computing\n", 100 * (again / compute));
}

// What waits between the parts of split backward passes.
std::string waitingText(const PlanCost& cost)
{
    std::string text;
    Bytes most;
    for (const StageCost& stage : cost.stages) {
        text += (text.empty() ? "" : ", ") + formatBytes(stage.waitingBytes);
        most = std::max(most, stage.waitingBytes);
    }
    return most > Bytes{}
               ? "gradients that wait for the second part of backward: " + text + " of each stage's peak\n"
               : "";
}

// What the run-time holds, or that nothing is counted for it.
std::string buffersText(const PartitionProblem& problem, const PlanCost& cost)
{
    if (problem.options.runtime == PipelineRuntime::Ideal)
        return problem.stageCount() < 2 ? "" : buffersNote(problem.options.runtime) + "\n";
    std::string text;
    for (const StageCost& stage : cost.stages)
        text += (text.empty() ? "" : ", ") + formatBytes(stage.runtimeBytes);
    return "buffers of run-time " + std::string(nameOf(pipelineRuntimes, problem.options.runtime)) + ": " +
           text + " of each stage's peak\n";
}

// Where devices run several stages: what these take together.
std::string devicesText(const PlanCost& cost)
{
    std::string text = "device  stages                  load  peak memory    idle\n";
    for (std::size_t i = 0; i < cost.devices.size(); ++i) {
        const DeviceCost& device = cost.devices[i];
        text += formatted("%6zu  %-16s  %10s  %11s  %5.1f%%%s\n", i + 1,
                          stagesLabel(device.stages).substr(7).c_str(), formatSeconds(device.load).c_str(),
                          formatBytes(device.peakMemory).c_str(), 100 * device.idle,
                          device.fits() ? "" : "  over its limit");
    }
    return text;
}

} // namespace

std::string beginsIn(const PartitionProblem& problem, const std::vector<NodeId>& nodes)
{
    const auto first =
        std::ranges::find_if(nodes, [&](NodeId node) { return problem.nodes[node].time() > Seconds{}; });
    return first == nodes.end() ? "" : problem.nodes[*first].module;
}

std::string partitionJson(const PartitionProblem& problem, const Solution& solution)
{
    Json json{{"stage_count", problem.stageCount()},
              {"device_count", problem.options.deviceCount()},
              {"stages_per_device", problem.options.stagesEach()},
              {"microbatches", problem.options.microbatches},
              {"schedule", scheduleName(problem.options.schedule)},
              {"send", sendName(problem.options.send)},
              {"runtime", nameOf(pipelineRuntimes, problem.options.runtime)},
              {"objective", objectiveName(problem.options.objective)}};
    const auto nodes = nodesByStage(solution.partition);
    json["stages"] = Json::array();
    for (StageId stage : solution.cost.stages.ids())
        json["stages"].push_back(
            stageJson(problem, solution.cost.stages[stage], stage.index(), nodes[stage.index()]));
    json["boundaries"] = Json::array();
    for (const BoundaryCost& boundary : solution.cost.boundaries)
        json["boundaries"].push_back({{"values", boundary.values.size()},
                                      {"forward_bytes", boundary.forwardBytes.count()},
                                      {"backward_bytes", boundary.backwardBytes.count()},
                                      {"time_s", boundary.time.value()}});
    json["devices"] = Json::array();
    for (const DeviceCost& device : solution.cost.devices)
        json["devices"].push_back(deviceJson(device));
    json["bottleneck_s"] = solution.cost.bottleneckTime.value();
    json["bottleneck_stage"] = solution.cost.bottleneck.index();
    json["bottleneck_device"] = solution.cost.slowestDevice;
    addBounds(json, solution);
    json["cut_short"] = solution.cutShort;
    json["iteration_s"] = solution.cost.iteration.value();
    json["bubble"] = solution.cost.bubble;
    json["bytes_sent"] = solution.cost.bytesSent.count();
    json["fits"] = solution.cost.fits();
    if (const std::optional<PlanCost> relayed = relayedCost(problem, solution.partition))
        json["exported"] = {{"send", sendName(SendKind::Relay)},
                            {"bottleneck_s", relayed->bottleneckTime.value()},
                            {"iteration_s", relayed->iteration.value()},
                            {"bytes_sent", relayed->bytesSent.count()},
                            {"fits", relayed->fits()}};
    json["times"] = problem.times;
    json["solve_s"] = solution.solveTime.value();
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string partitionText(const PartitionProblem& problem, const Solution& solution)
{
    const auto nodes = nodesByStage(solution.partition);
    const bool hasModules =
        std::ranges::any_of(problem.nodes, [](const ProblemNode& node) { return !node.module.empty(); });
    std::string text = headText(problem.options);
    text += "stage   nodes     compute     receive        send        load  peak memory    idle";
    text += hasModules ? "  begins in\n" : "\n";
    for (StageId id : solution.cost.stages.ids()) {
        const StageCost& stage = solution.cost.stages[id];
        text += formatted("%5u  %6zu  %10s  %10s  %10s  %10s  %11s  %5.1f%%", id.index() + 1, stage.nodeCount,
                          formatSeconds(stage.compute()).c_str(), formatSeconds(stage.receive).c_str(),
                          formatSeconds(stage.send).c_str(), formatSeconds(stage.load).c_str(),
                          formatBytes(stage.peakMemory).c_str(),
                          100 * solution.cost.devices[solution.cost.deviceOf(id)].idle);
        text += hasModules ? "  " + beginsIn(problem, nodes[id.index()]) : "";
        text += stage.fits() ? "\n" : "  over its limit\n";
    }
    if (problem.options.sharesDevices())
        text += devicesText(solution.cost);
    text += recomputedText(solution.cost);
    text += waitingText(solution.cost);
    text += buffersText(problem, solution.cost);
    text += "bottleneck: " + slowestLabel(solution.cost) + ", " + formatSeconds(solution.cost.bottleneckTime);
    if (solution.proven())
        text += "; no plan is better (" + solution.bound.kind + ")\n";
    else
        text += formatted("; no plan takes more than %.2f%% less (", 100 * solution.gap()) +
                solution.bound.kind + ")\n";
    text += "iteration of " + std::to_string(problem.options.microbatches) +
            (problem.options.microbatches == 1 ? " microbatch: " : " microbatches: ") +
            formatSeconds(solution.cost.iteration) + " (none takes less than " +
            formatSeconds(solution.iterationBound) + ")" +
            formatted(", bubble %.1f%%, ", 100 * solution.cost.bubble) +
            formatBytes(solution.cost.bytesSent) + " sent for each microbatch\n";
    if (!problem.times.empty())
        text += "times: " + problem.times + "\n";
    return text + "solved in " + formatSeconds(solution.solveTime) + "\n";
}

} // namespace stagecraft
