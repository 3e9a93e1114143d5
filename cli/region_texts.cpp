#include "cli/region_texts.h"

#include "core/base/text.h"
#include "core/recompute/plan.h"
#include "core/region_figures.h"

namespace stagecraft::cli {

namespace {

RecomputePlan regionsOf(const ChosenPlan& chosen)
{
    return regionsThatRun(chosen.model->graph, chosen.problem.options.recompute,
                          nodeStages(chosen.solution.partition).get());
}

// Where no block is found the plan's own notes say why.
std::vector<std::string> notesOnNothing(const ChosenPlan& chosen, const RecomputePlan& regions)
{
    const RecomputePolicy& policy = chosen.problem.options.recompute;
    if (policy.kind == RecomputeKind::Auto && policy.ofStages.empty() && chosen.solution.cost.fits())
        return {"nothing has to run again (auto): the plan fits into memory without"};
    if (policy.kind == RecomputeKind::Model || regions.regions.empty())
        return {};
    return {"nothing runs again (" + printPolicy(policy) +
            "): backward needs nothing that is made inside of the regions"};
}

} // namespace

Result<PlanRecomputation> planRecomputation(const Model& model, const ChosenPlan& chosen,
                                            const Progress& progress)
{
    const RecomputePlan regions = regionsOf(chosen);
    PlanRecomputation found;
    if (regions.regions.empty() || chosen.profile.totals.timeRecomputed <= Seconds{}) {
        found.notes = notesOnNothing(chosen, regions);
        return found;
    }
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(without, profiler(withPlan(model, {}), nullptr));
    found.stages = stageRecomputations(regions, chosen.profile, &without, chosen.solution.partition,
                                       chosen.problem.options, chosen.solution.cost);
    found.without = std::move(without);
    return found;
}

Result<RecomputationExplained> explainRecomputation(const Model& model, const ChosenPlan& chosen,
                                                    const PlanRecomputation& recomputed,
                                                    const Progress& progress)
{
    if (!recomputed.without)
        return RecomputationExplained{};
    PartitionProblem problem = chosen.problem;
    PartitionOptions& options = problem.options;
    options.recompute.regions = regionsOf(chosen);
    const std::shared_ptr<const Model> whole(std::shared_ptr<void>(), &model);
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    const std::vector<RegionFigures> regions =
        regionFigures(*chosen.model, chosen.profile, *recomputed.without, problem, chosen.solution);
    RecomputationExplained explained{
        regionsText(regions),
        {{"stages", recomputationJson(recomputed.stages)}, {"regions", regionsJson(regions)}}};
    explained.json["next_gib"] = nullptr;
    if (!choosesAny(options.recompute) || options.memoryLimits.front() == Bytes::max())
        return explained;
    options.recompute.regions = {};
    for (Bytes& limit : options.memoryLimits)
        limit += Bytes(std::int64_t{1} << 30);
    STAGECRAFT_ASSIGN(more, evaluateRecomputedPlan(whole, std::move(options), chosen.solution.partition,
                                                   profiler, progress));
    const PlanCost& cost = more.found.solution.cost;
    explained.json["next_gib"] = {{"bottleneck_s", cost.bottleneckTime.value()},
                                  {"iteration_s", cost.iteration.value()}};
    explained.text += "with 1 GiB more on each device the slowest of these stages takes " +
                      formatSeconds(cost.bottleneckTime) + " instead of " +
                      formatSeconds(chosen.solution.cost.bottleneckTime) + ", a step " +
                      formatSeconds(cost.iteration) + " instead of " +
                      formatSeconds(chosen.solution.cost.iteration) + "\n";
    return explained;
}

Result<RegionNotes> notesOnRegions(const Model& model, const Model& runs, const Partition& partition,
                                   const ProfileFlags& flags, const Progress& progress)
{
    if (ownPlan(runs.graph).regions.empty())
        return RegionNotes{};
    STAGECRAFT_ASSIGN(options, profileOptions(flags));
    options.parts = nodeStages(partition);
    const Result<Profile> profile = makeProfile(runs, options, flags, progress);
    const Result<Profile> plain = makeProfile(withPlan(model, {}), options, flags, progress);
    if (progress.stopRequested())
        return cancelled();
    if (!profile.has_value() || !plain.has_value())
        return RegionNotes{};
    return regionNotes(runs, *profile, *plain, partition);
}

} // namespace stagecraft::cli
