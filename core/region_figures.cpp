#include "core/region_figures.h"

#include "core/base/text.h"
#include "core/plan/node_stages.h"
#include "core/plan/saved_bytes.h"

#include <algorithm>

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
            figures.added += problem.nodes[node].recomputed / problem.options.speeds[stage.index()];
            figures.atOnce = std::max(figures.atOnce, profile.nodes[node].regionPeak);
        }
        all.push_back(std::move(figures));
    }
    return all;
}

RegionNotes regionNotes(const Model& model, const Profile& profile, const Profile& plain,
                        const Partition& partition)
{
    const Table<NodeId, Bytes> saved = savedInStages(profile, partition);
    const Table<NodeId, Bytes> without = savedInStages(plain, partition);
    RegionNotes notes;
    const RecomputePlan traced = ownPlan(model.graph, profile.options.parts.get());
    for (const RecomputeRegion& region : ownPlan(model.graph, nodeStages(partition).get()).regions) {
        if (std::ranges::find(traced.regions, region) == traced.regions.end())
            continue;
        Bytes kept, instead;
        Seconds added;
        for (const NodeId node : region.nodes) {
            kept += saved[node];
            instead += without[node];
            added += profile.nodes[node].recomputed.time;
        }
        const std::string note = "keeps " + formatBytes(kept) + " of a microbatch instead of " +
                                 formatBytes(instead) + "; backward takes " + formatSeconds(added) +
                                 " longer on " + profile.options.device.name;
        for (const NodeId node : region.nodes)
            notes.emplace(node, note);
    }
    return notes;
}

std::string regionsText(const std::vector<RegionFigures>& regions)
{
    std::string text = "stage  region                                    kept        saves     instead of"
                       "  keeps less     at once  run again\n";
    for (const RegionFigures& region : regions) {
        const Bytes less = (region.without - region.saved) * region.inFlight;
        text +=
            formatted("%5zu  %-34s  %3zu of %3zu  %11s  %13s  %10s  %10s  %9s\n", region.stage + 1,
                      region.place.c_str(), region.kept, region.nodes, formatBytes(region.saved).c_str(),
                      formatBytes(region.without).c_str(), less < Bytes{} ? "-" : formatBytes(less).c_str(),
                      formatBytes(region.atOnce).c_str(), formatSeconds(region.added).c_str());
    }
    return text + "kept: operators whose results are kept. Saves: of one microbatch; keeps less: of all that "
                  "are in flight; at once: the most\nthat is alive besides while it runs again\n";
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
                        {"at_once_bytes", region.atOnce.count()},
                        {"recomputed_s", region.added.value()}});
    return json;
}

} // namespace stagecraft
