// PlanState: all that one step of undo brings back. Immutable values, shared, so a step costs a few pointers.
#pragma once

#include "core/measure/imported_times.h"
#include "core/measure/measure.h"
#include "core/plan/request.h"
#include "core/plan/sources/model_problem.h"
#include "views/base/plan_view.h"

#include <memory>
#include <span>
#include <variant>

namespace stagecraft {

// How long nodes take as somebody found out, in the place of what is estimated.
struct TimeOverrides
{
    Bindings sizes; // that they are of
    std::variant<MeasuredTimes, ImportedTimes> times;
};
// Puts them into a profile of the same model.
void applyTimeOverrides(const TimeOverrides& given, Profile& profile);

struct PlanState
{
    PlanRequest request; // with the constraints: pins, kept together
    // Each holds a boundary: pinned nodes, those of the earliest stage above it, the others below.
    std::vector<std::vector<NodeId>> locks;
    std::shared_ptr<const TimeOverrides> times;      // in the profile; null: estimates
    std::shared_ptr<const Substitutes> substitutes;  // likewise: costs of operators; null: none
    std::shared_ptr<const Profile> profile;          // null until it is made
    std::shared_ptr<const RunAgain> again;           // by the profile; null: nothing
    std::shared_ptr<const Partition> partedBy;       // parts what the profile runs again; null: any plan
    std::shared_ptr<const PartitionProblem> problem; // null until it is made
    std::shared_ptr<const Partition> partition;      // always there; one stage at first
    std::shared_ptr<const PlanCost> cost;            // null while there is no problem
};

// What views show of it.
PlanView planViewOf(const PlanState& state);

// Are both the same step: made of the same values?
bool isSame(const PlanState& a, const PlanState& b);
// Do both have the same nodes in each stage, and run the same of them again?
bool haveSameStages(const PlanState& a, const PlanState& b);

// What is asked of a plan in a search of so long, without what has lost its meaning with the number of
// stages.
PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit);
// The same on a device: where no limit is asked for, a stage may hold what the device has beside its driver.
PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit, const DeviceSpec& device);
// The same on the one of `known` that is asked for, if there is such.
PartitionOptions partitionOptions(const PlanState& state, Seconds timeLimit,
                                  std::span<const DeviceSpec> known);
// `request` with the fields that a person sees as `options` say.
PlanRequest withOptions(PlanRequest request, const PartitionOptions& options);

// `now`, and with it what `asked` has otherwise than `before`; constraints stay.
PlanRequest withChanges(PlanRequest now, const PlanRequest& before, const PlanRequest& asked);

// The same of all that a profile is made for, on a model of so many nodes.
PlanState withChanges(PlanState now, const PlanState& before, const PlanState& asked, std::size_t nodeCount);
// Do both have the same figures of the person's own: times, and costs of operators?
bool shareFigures(const PlanState& a, const PlanState& b);

// Is `asked` of other measures than `before`, so that there is another profile or other speeds?
bool needsAnotherProfile(const PlanRequest& before, const PlanRequest& asked);

// What it asks of any model: without constraints.
PlanRequest withoutConstraints(const PlanRequest& request);
// The same for a model of so many nodes: no more stages than these, and as many on each device.
PlanRequest fittedRequest(PlanRequest request, std::size_t nodeCount);

// What may change in a document.
enum class Change {
    Model,       // another model, or none
    Measures,    // device, training or inference, optimizer: what the profile is made for
    Constraints, // microbatches, schedule, links, limits: what a plan has to satisfy
    Plan,        // a stage of some node
    Preview,     // a stage of some node, while a boundary is dragged
    OpenBoxes,   // what the drawing shows
};

// What has to be made anew after a change. Costs are not among it: they come with the plan, at once.
struct Stale
{
    bool profile = false;
    bool problem = false;
    bool bound = false;
    bool code = false;
    bool layout = false;

    friend bool operator==(const Stale&, const Stale&) = default;
};

constexpr Stale staleAfter(Change change)
{
    switch (change) {
    case Change::Model:
    case Change::Measures:
        return {.profile = true, .problem = true, .bound = true, .code = true, .layout = true};
    case Change::Constraints:
        return {.problem = true, .bound = true};
    case Change::Plan:
        return {.code = true, .layout = true};
    case Change::Preview:
        return {.code = true};
    case Change::OpenBoxes:
        return {.layout = true};
    }
    return {};
}

} // namespace stagecraft
