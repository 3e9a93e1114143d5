#include "cli/region_texts.h"

#include "core/base/text.h"
#include "core/recompute/plan.h"
#include "core/region_figures.h"

namespace stagecraft::cli {

Result<RecomputationExplained> explainRecomputation(const Model& model, const ChosenPlan& chosen,
                                                    const Progress& progress)
{
    PartitionProblem problem = chosen.problem;
    PartitionOptions& options = problem.options;
    if (options.recompute.kind == RecomputeKind::Model)
        options.recompute.regions = ownPlan(chosen.model->graph);
    if (options.recompute.regions.regions.empty())
        return RecomputationExplained{};
    const std::shared_ptr<const Model> whole(std::shared_ptr<void>(), &model);
    STAGECRAFT_ASSIGN(profiler, profilerOf(chosen.profileFlags, progress));
    STAGECRAFT_ASSIGN(plain, profiler(withPlan(model, {}), nullptr));
    const std::vector<RegionFigures> regions =
        regionFigures(*chosen.model, chosen.profile, plain, problem, chosen.solution);
    RecomputationExplained explained{regionsText(regions), {{"regions", regionsJson(regions)}}};
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
