// The cheapest changes that would make a plan faster, or make it fit: each a plan that can be put in its
// place.
#pragma once

#include "core/advise/bottleneck.h"
#include "core/base/progress.h"
#include "core/plan/named_nodes.h"
#include "core/search/improve/refine.h"

#include <string>
#include <vector>

namespace stagecraft {

struct Suggestion
{
    enum class Kind : std::uint8_t {
        MoveBoundary,   // one of the two of the slowest stage
        SendNodes,      // a module or a node of it, to a neighbour
        AddStage,       // a boundary in it
        RaiseLimit,     // of memory, and split anew
        ChangeSchedule, // the plan as it is
        ChangeSend,     // to relay; the plan as it is
        Replan,         // the best plan for the same question
        OneStageEach,   // 1F1B on as many devices, where they are shared now, if its step is shorter
    };
    Kind kind = Kind::MoveBoundary;
    std::string text;         // what to do, for a person
    PartitionOptions options; // the question that `solution` answers: its cost and its bounds are under these
    Solution solution;
    std::vector<NodeId> moved; // nodes in another stage than before; of AddStage none
    Seconds bottleneckGain;    // what the slowest device and the step are shorter by
    Seconds iterationGain;
};

struct SuggestionOptions
{
    std::vector<NamedNodes> parts; // besides single nodes
    Seconds searchTime{0.5};       // of each search: Replan and RaiseLimit; 0: leave them out
};

// The best change of each kind that makes the plan better (fits first, then options.objective), the best of
// all first, each with its bounds. `current` is a legal plan with its cost and bound (solve, or planBound),
// and the bound of its step if that is known. Stops early, with what it has, when `progress` says so or is
// late.
std::vector<Suggestion> suggestChanges(const PartitionProblem& problem, const Solution& current,
                                       const SuggestionOptions& options = {}, const Progress& progress = {});

struct PlanAdvice
{
    BottleneckReport report;
    std::vector<Suggestion> suggestions; // the best first
};

// Why a plan is no faster and what would help; the reasons have a moment, also where a search took all the
// time. `solution` as reportBottleneck takes it. Fails as that does, and where it is cancelled: what was
// found by then would not be the best.
Result<PlanAdvice> advisePlan(const PartitionProblem& problem, const Solution& solution,
                              const SuggestionOptions& options = {}, const Progress& progress = {});

} // namespace stagecraft
