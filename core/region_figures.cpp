#include "core/region_figures.h"

#include "core/base/text.h"
#include "core/plan/saved_bytes.h"

#include <algorithm>
#include <functional>
#include <map>

namespace stagecraft {

namespace {

// The innermost module that has all of them.
std::string commonModule(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::optional<ModuleId> module = graph[nodes.front()].module;
    const auto hasAll = [&](ModuleId candidate) {
        return std::ranges::all_of(
            nodes, [&](NodeId node) { return graph.modules().contains(candidate, graph[node].module); });
    };
    while (module && !hasAll(*module))
        module = graph.modules()[*module].parent;
    return module ? graph.modules()[*module].path : std::string();
}

} // namespace

std::vector<RegionFigures> regionFigures(const Model& model, const Profile& profile, const Profile& plain,
                                         const PartitionProblem& problem, const Solution& solution)
{
    const Table<NodeId, Bytes> saved = savedInStages(profile, solution.partition);
    const Table<NodeId, Bytes> without = savedInStages(plain, solution.partition);
    std::vector<RegionFigures> all;
    for (const RecomputeRegion& region : problem.options.recompute.regions.regions) {
        const StageId stage = solution.partition.stageOf[region.nodes.front()];
        RegionFigures figures{.stage = stage.index(),
                              .place = commonModule(model.graph, region.nodes),
                              .nodes = region.nodes.size(),
                              .kept = region.kept.size(),
                              .inFlight = solution.cost.stages[stage].inFlight};
        for (const NodeId node : region.nodes) {
            figures.saved += saved[node];
            figures.without += without[node];
            figures.added += profile.nodes[node].recomputed.time;
        }
        all.push_back(std::move(figures));
    }
    return all;
}

RegionNotes regionNotes(const Model& model, const Profile& profile, const Profile& plain,
                        const Partition& partition)
{
    struct Sum
    {
        Bytes saved, without;
        Seconds added;
        std::vector<NodeId> nodes;
    };
    const Table<NodeId, Bytes> saved = savedInStages(profile, partition);
    const Table<NodeId, Bytes> without = savedInStages(plain, partition);
    std::map<int, Sum> regions;
    for (const NodeId node : model.graph.nodes()) {
        const std::vector<int>& around = model.graph.context(model.graph[node].context).recomputeRegions;
        if (around.empty())
            continue;
        Sum& sum = regions[around.front()];
        sum.saved += saved[node];
        sum.without += without[node];
        sum.added += profile.nodes[node].recomputed.time;
        sum.nodes.push_back(node);
    }
    RegionNotes notes;
    for (const auto& [region, sum] : regions) {
        const auto stageOf = [&](NodeId node) { return partition.stageOf[node]; };
        if (std::ranges::adjacent_find(sum.nodes, std::ranges::not_equal_to(), stageOf) != sum.nodes.end())
            continue;
        const std::string note = "keeps " + formatBytes(sum.saved) + " of a microbatch instead of " +
                                 formatBytes(sum.without) + "; backward takes " + formatSeconds(sum.added) +
                                 " longer on " + profile.options.device.name;
        for (const NodeId node : sum.nodes)
            notes.emplace(node, note);
    }
    return notes;
}

std::string regionsText(const std::vector<RegionFigures>& regions)
{
    std::string text = "stage  region                                    kept        saves     instead of"
                       "       frees  run again\n";
    for (const RegionFigures& region : regions) {
        const Bytes frees = (region.without - region.saved) * region.inFlight;
        text += formatted(
            "%5zu  %-34s  %3zu of %3zu  %11s  %13s  %10s  %9s\n", region.stage + 1, region.place.c_str(),
            region.kept, region.nodes, formatBytes(region.saved).c_str(), formatBytes(region.without).c_str(),
            frees < Bytes{} ? "-" : formatBytes(frees).c_str(), formatSeconds(region.added).c_str());
    }
    return text +
           "kept: operators whose results are kept. Saves: of one microbatch; frees: of all that are in "
           "flight\n";
}

nlohmann::ordered_json regionsJson(const std::vector<RegionFigures>& regions)
{
    auto json = nlohmann::ordered_json::array();
    for (const RegionFigures& region : regions)
        json.push_back({{"stage", region.stage},
                        {"module", region.place},
                        {"nodes", region.nodes},
                        {"kept_nodes", region.kept},
                        {"saved_bytes", region.saved.count()},
                        {"saved_without_bytes", region.without.count()},
                        {"in_flight", region.inFlight},
                        {"recomputed_s", region.added.value()}});
    return json;
}

} // namespace stagecraft
