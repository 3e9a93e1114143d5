#include "core/plan/stage_recomputation.h"

#include "core/base/text.h"
#include "core/plan/saved_bytes.h"
#include "core/plan/stage_cost.h"
#include "core/plan/stage_turns.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

namespace stagecraft {

namespace {

std::vector<Bytes> savedByStage(const Profile& profile, const Partition& partition)
{
    const Table<NodeId, Bytes> saved = savedInStages(profile, partition);
    std::vector<Bytes> sums(partition.stageCount);
    for (const NodeId node : saved.ids())
        sums[partition.stageOf[node].index()] += saved[node];
    return sums;
}

// The most that is alive besides what is saved, while one node or a region runs, or in turns of nodes, by
// stage: as evaluate() has it.
std::vector<Bytes> transientsOf(const Profile& profile, const Partition& partition,
                                const PartitionOptions& options)
{
    std::vector<Bytes> transients(partition.stageCount);
    std::vector<char> recomputes(partition.stageCount, 0);
    for (const NodeId node : profile.nodes.ids()) {
        const NodeCost& cost = profile.nodes[node];
        const std::size_t stage = partition.stageOf[node].index();
        transients[stage] = std::max({transients[stage], cost.temporaryPeak, cost.regionPeak});
        if (cost.regionPeak > Bytes{})
            recomputes[stage] = 1;
    }
    if (!profile.turns)
        return transients;
    const std::vector<StageTurns> turns = turnsOfStages(*profile.turns, partition, options.runtime);
    for (std::size_t stage = 0; stage < turns.size(); ++stage) {
        transients[stage] = std::max(transients[stage], turns[stage].forward);
        if (goesBackAtOnce(options, stage, recomputes[stage] != 0))
            transients[stage] = std::max(transients[stage], turns[stage].backward);
    }
    return transients;
}

// Whole as long as 64 bits hold it.
nlohmann::ordered_json count(Flops flops)
{
    const double value = flops.value();
    if (value < 9e18 && value == std::floor(value))
        return static_cast<std::int64_t>(value);
    return value;
}

void countRegions(const RecomputePlan& plan, const Partition& partition,
                  std::vector<StageRecomputation>& stages)
{
    for (const RecomputeRegion& region : plan.regions) {
        std::set<std::size_t> has;
        for (const NodeId node : region.nodes) {
            const std::size_t stage = partition.stageOf[node].index();
            has.insert(stage);
            ++stages[stage].nodes;
            stages[stage].kept += std::ranges::binary_search(region.kept, node) ? 1 : 0;
        }
        for (const std::size_t stage : has)
            ++stages[stage].regions;
    }
}

} // namespace

std::optional<Bytes> StageRecomputation::freed() const
{
    if (!without)
        return std::nullopt;
    return (*without - saved) * inFlight - (transient - transientWithout);
}

std::vector<StageRecomputation> stageRecomputations(const RecomputePlan& plan, const Profile& profile,
                                                    const Profile* without, const Partition& partition,
                                                    const PartitionOptions& options)
{
    std::vector<StageRecomputation> stages(partition.stageCount);
    for (const NodeId node : profile.nodes.ids()) {
        StageRecomputation& stage = stages[partition.stageOf[node].index()];
        stage.flops += profile.nodes[node].recomputed.flops;
        stage.time += profile.nodes[node].recomputed.time;
    }
    const std::vector<Bytes> transients = transientsOf(profile, partition, options);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        stages[stage].transient = transients[stage];
    if (without) {
        const std::vector<Bytes> plain = transientsOf(*without, partition, options);
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            stages[stage].transientWithout = plain[stage];
    }
    const auto runsAgain = [](const StageRecomputation& stage) {
        return stage.time > Seconds{} || stage.flops > Flops{};
    };
    if (std::ranges::none_of(stages, runsAgain))
        return {};
    countRegions(plan, partition, stages);
    const std::vector<Bytes> saved = savedByStage(profile, partition);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        stages[stage].saved = saved[stage];
    if (!without)
        return stages;
    const std::vector<Bytes> plain = savedByStage(*without, partition);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        stages[stage].without = plain[stage];
    return stages;
}

std::vector<StageRecomputation> stageRecomputations(const RecomputePlan& plan, const Profile& profile,
                                                    const Profile* without, const Partition& partition,
                                                    const PartitionOptions& options, const PlanCost& cost)
{
    std::vector<StageRecomputation> stages = stageRecomputations(plan, profile, without, partition, options);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageCost& stage = cost.stages[StageId(i)];
        stages[i].saved = stage.savedBytes;
        stages[i].inFlight = stage.inFlight;
        stages[i].time = stage.recomputed;
        stages[i].transient = stage.transientBytes;
    }
    return stages;
}

std::string recomputationText(const std::vector<StageRecomputation>& stages)
{
    if (stages.empty())
        return {};
    std::string text = "stage  regions  kept operators        saves   instead of  in flight      at once"
                       "        frees   FLOPs again  run again\n";
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageRecomputation& stage = stages[i];
        const std::optional<Bytes> freed = stage.freed();
        text += formatted("%5zu  %7zu  %5zu of %5zu  %11s  %11s  %9d  %11s  %11s  %12s  %9s\n", i + 1,
                          stage.regions, stage.kept, stage.nodes, formatBytes(stage.saved).c_str(),
                          stage.without ? formatBytes(*stage.without).c_str() : "", stage.inFlight,
                          formatBytes(stage.transient).c_str(),
                          freed && *freed >= Bytes{} ? formatBytes(*freed).c_str() : "-",
                          formatFlops(stage.flops).c_str(), formatSeconds(stage.time).c_str());
    }
    return text + "recomputed, of one microbatch: what stages save for backward, and what they would without "
                  "regions; at once: the most\nthat is alive besides, as what runs again is; frees: how much "
                  "less the stage holds at its peak, so of all that are\nin flight, less what is alive at "
                  "once; run again: in backward, for these FLOPs\n";
}

nlohmann::ordered_json recomputationJson(const std::vector<StageRecomputation>& stages)
{
    if (stages.empty())
        return nullptr;
    auto json = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageRecomputation& stage = stages[i];
        json.push_back({{"stage", i},
                        {"regions", stage.regions},
                        {"region_nodes", stage.nodes},
                        {"kept_nodes", stage.kept},
                        {"saved_bytes", stage.saved.count()},
                        {"saved_without_bytes", nullptr},
                        {"in_flight", stage.inFlight},
                        {"transient_bytes", stage.transient.count()},
                        {"freed_bytes", nullptr},
                        {"flops_recomputed", count(stage.flops)},
                        {"recomputed_s", stage.time.value()}});
        if (stage.without) {
            json.back()["saved_without_bytes"] = stage.without->count();
            json.back()["freed_bytes"] = stage.freed()->count();
        }
    }
    return json;
}

} // namespace stagecraft
