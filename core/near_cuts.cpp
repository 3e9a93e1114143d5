#include "core/near_cuts.h"

#include "core/base/contains.h"
#include "core/estimated_cuts.h"
#include "core/recompute_climb.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

constexpr double doubtOfEstimates = 0.05; // of the slowest stage

// By estimate the fastest first.
std::vector<EstimatedCuts> cutsNear(const TracedPlan& plan, RecomputeAttempts& attempts)
{
    const auto slowest =
        std::ranges::max_element(plan.cost.stages, {}, &StageCost::load) - plan.cost.stages.begin();
    const Seconds most = plan.cost.bottleneckTime * (1 + doubtOfEstimates);
    std::vector<EstimatedCuts> found;
    for (Partition& near : nearBy(attempts.ground().none, plan.partition, StageId(slowest)))
        if (const auto loads = attempts.choice().estimate(near, attempts.rooms(), attempts.known(), most))
            found.push_back({std::ranges::max(*loads).value(), std::move(near)});
    std::ranges::stable_sort(found, {}, &EstimatedCuts::slowness);
    return found;
}

} // namespace

Result<void> tryCutsNear(RecomputeAttempts& attempts, const std::function<bool()>& mayGoOn)
{
    while (attempts.best() && mayGoOn()) {
        const std::size_t bests = attempts.bests();
        for (const EstimatedCuts& near : cutsNear(*attempts.best(), attempts))
            if (mayGoOn() && attempts.bests() == bests && !contains(attempts.tried(), near.partition))
                STAGECRAFT_TRY(attempts.tryOut(near.partition));
        if (attempts.bests() == bests)
            break;
    }
    return {};
}

} // namespace stagecraft
