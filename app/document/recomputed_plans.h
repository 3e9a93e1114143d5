// What a document's jobs find out of a model under a policy of recomputation, and the model as it runs then.
#pragma once

#include "app/document/plan_state.h"
#include "core/recomputed_plan.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// What there is to plan.
struct Profiled
{
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const PartitionProblem> problem;
    std::vector<std::string> notes = {};            // on what is recomputed
    std::shared_ptr<const RunAgain> again;          // null: nothing
    std::shared_ptr<const Partition> partedBy = {}; // as in PlanState
};
// `state` of that profile, with the regions that came of its policy.
void takeProfile(PlanState& state, Profiled profiled);

// Is what it runs again yet as other boundaries part it, or as little as those of other stages demand?
bool isUnsettled(const PlanState& state);
// What is asked of it then: the same, with regions made or chosen for its boundaries.
PlanState askedToSettle(PlanState state);

// A plan that was searched for, and what it is a plan of, where that is another than was given.
struct Split
{
    FoundPlan found;
    std::optional<Profiled> of;
    std::string note = {};        // what a person should know of it
    bool recomputesToFit = false; // unasked, as nothing else fits
};

// Stages on other kinds of devices: their speeds come of profiles, too.
struct StageKinds
{
    std::vector<std::string> devices; // as in PlanRequest
    std::vector<DeviceSpec> known;
};
// What is asked, and how it is profiled.
struct PlanQuestion
{
    std::shared_ptr<const Model> model; // as it was opened
    ProfileOptions profile;
    PartitionOptions plan;
    std::shared_ptr<const TimeOverrides> times; // in the place of estimates; null: none
    std::shared_ptr<const Profile> without; // as in RunAgain, of the same options and times; null: not known
    StageKinds kinds = {};
};
// How its model is profiled.
Profiler profilerOf(const PlanQuestion& question, const Progress& progress);
// What `state` knows of how the model runs where nothing runs again, if that is what `asked` asks; else null.
std::shared_ptr<const Profile> profileWithout(const PlanState& state, const PlanState& asked);

// `partition`: of which a profile is made; null: of all plans.
Result<Profiled> profiledFor(const PlanQuestion& question, const Partition* partition,
                             const Progress& progress);
// The best plan under a policy of recomputation.
Result<Split> splitFor(const PlanQuestion& question, const Progress& progress);
// The best plan of `problem`, which nobody asked a policy for. Where none fits, one that recomputes as memory
// demands, if that does: the note says what it costs.
Result<Split> splitThatFits(const PlanQuestion& question, const PartitionProblem& problem,
                            const Partition& current, const Progress& progress);

// The model with the regions of a policy, which is made once.
class RunningModel
{
public:
    const std::shared_ptr<const Model>& of(const std::shared_ptr<const Model>& model,
                                           const RecomputePolicy& policy);

private:
    std::shared_ptr<const Model> m_from;
    RecomputePlan m_regions;
    std::shared_ptr<const Model> m_model;
};

} // namespace stagecraft
