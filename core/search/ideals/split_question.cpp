#include "core/search/ideals/split_question.h"

#include "core/search/reduce/loads.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

GroupStages stagesAlong(const ReducedProblem& reduced, const std::vector<LatticePoint>& path)
{
    const auto lastStage = static_cast<std::uint32_t>(path.size());
    GroupStages latest(reduced.size(), lastStage); // where it must be
    GroupStages earliest(reduced.size(), lastStage);
    for (std::size_t b = path.size(); b-- > 0;) {
        for (const ReducedGroupId group : reduced.groups.ids()) {
            if (path[b].lattice->contains(path[b].ideal, group))
                latest[group] = static_cast<std::uint32_t>(b);
            if (path[b].lattice->mayContain(path[b].ideal, group))
                earliest[group] = static_cast<std::uint32_t>(b);
        }
    }
    std::vector<ReducedGroupId> waiting;
    double time = 0;
    GroupStages stages = latest;
    for (const ReducedGroupId group : reduced.groups.ids()) {
        if (earliest[group] < latest[group])
            waiting.push_back(group);
    }
    std::ranges::stable_sort(waiting, {}, [&](ReducedGroupId group) { return latest[group]; });
    for (std::uint32_t stage = 0; stage < lastStage; ++stage) {
        for (const ReducedGroupId group : reduced.groups.ids())
            time += latest[group] == stage && stages[group] == stage ? reduced.groups[group].seconds : 0;
        for (const ReducedGroupId group : waiting) {
            const bool isReady =
                earliest[group] <= stage && stage < stages[group] &&
                std::ranges::all_of(reduced.groups[group].before,
                                    [&](ReducedGroupId before) { return stages[before] <= stage; });
            if (!isReady || time + reduced.groups[group].seconds > path[stage].time * (1 + 1e-12))
                continue;
            stages[group] = stage;
            time += reduced.groups[group].seconds;
        }
    }
    return stages;
}

SplitAnswer answerOf(const ReducedProblem& reduced, GroupStages stages, double limit)
{
    const bool found = bottleneckOf(reduced, stages) <= limit * (1 + 1e-9);
    return {found ? SplitAnswer::Verdict::Found : SplitAnswer::Verdict::GaveUp, std::move(stages)};
}

SplitAnswer answerAlong(const ReducedProblem& reduced, const std::vector<LatticePoint>& path, double limit)
{
    return answerOf(reduced, stagesAlong(reduced, path), limit);
}

} // namespace stagecraft
