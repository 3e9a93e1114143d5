#include "core/near_cuts.h"

#include "core/base/contains.h"
#include "core/learned_cuts.h"
#include "core/recompute_climb.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

// By estimate the fastest first.
std::vector<EstimatedCuts> cutsNear(const TracedPlan& plan, double doubt, RecomputeAttempts& attempts)
{
    const auto slowest =
        std::ranges::max_element(plan.cost.stages, {}, &StageCost::load) - plan.cost.stages.begin();
    const Seconds most = plan.cost.bottleneckTime * (1 - toGain + doubt);
    std::vector<EstimatedCuts> found;
    for (Partition& near : nearBy(attempts.ground().none, plan.partition, StageId(slowest)))
        if (const auto loads = attempts.choice().estimate(near, attempts.rooms(), attempts.known(), most))
            found.push_back(estimatedCuts(std::move(near), loads));
    std::ranges::stable_sort(found, {}, &EstimatedCuts::slowest);
    return found;
}

} // namespace

Result<void> tryCutsNear(RecomputeAttempts& attempts, double doubt, const std::function<bool()>& mayGoOn)
{
    while (attempts.best() && mayGoOn()) {
        const std::size_t bests = attempts.bests();
        for (const EstimatedCuts& near : cutsNear(*attempts.best(), doubt, attempts))
            if (mayGoOn() && attempts.bests() == bests && !contains(attempts.tried(), near.partition))
                STAGECRAFT_TRY(attempts.tryOut(near.partition));
        if (attempts.bests() == bests)
            break;
    }
    return {};
}

} // namespace stagecraft
