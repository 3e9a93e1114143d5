#include "core/estimated_cuts.h"

#include "core/base/contains.h"
#include "core/recompute_climb.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostRounds = 24;

} // namespace

std::vector<EstimatedCuts> estimatedCuts(const RecomputedCuts& cuts, const RecomputeChooser& chooser,
                                         const TracedChoice& choice, const CutsAsked& asked,
                                         RecomputeChooser::Known& known, const CutsOver& over)
{
    std::vector<EstimatedCuts> found;
    std::vector<Bytes> within = asked.rooms;
    for (int round = 0; round < mostRounds && (round == 0 || !over.rounds()); ++round) {
        std::optional<Partition> next = cuts.within(within, asked.ways, over.slicing);
        if (!next || contains(found, *next, &EstimatedCuts::partition))
            break;
        const auto loads = choice.estimate(*next, asked.rooms, known);
        within = cuts.corrected(asked.rooms, *next,
                                knownOf(chooser.choose(*next, asked.rooms, known).value()), asked.ways);
        found.push_back({loads ? slownessOf(*loads) : infinite, *std::move(next)});
    }
    std::ranges::stable_sort(found, {}, &EstimatedCuts::slowness);
    return found;
}

} // namespace stagecraft
