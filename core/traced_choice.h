// TracedChoice: what the stages of a partition recompute, chosen by what traces say of them.
//
//     tried       stage 0   stage 1   stage 2      What a stage takes and holds is its own affair: so
//     nothing        A         A         A         of every stage the best that was tried for it makes
//     chosen         B         B         B         a plan as good as the best of all in each stage.
//     every block    C         C         C
//     the plan       B         A         C
//
// Choices are estimates (recompute_choice.h), corrected by their traces. So no stage is refused that fits
// with nothing, every block, or every block but what is heavy run again, unless it is far from that by the
// estimate.
#pragma once

#include "core/base/work_budget.h"
#include "core/recompute_choice.h"
#include "core/recomputed_problem.h"
#include "core/region_moves.h"
#include "core/stage_trials.h"
#include "core/told_policies.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace stagecraft {

class TracedChoice
{
    using Known = RecomputeChooser::Known;

public:
    // Stages choose whose policy says so (RecomputeKind::Auto), the others do as they are told. `chooser` and
    // `profiler` must outlive it. `isOver` is asked before each trace but the first of a plan and,
    // where that does not fit, its correction and the one with every block recomputed. `slowest`: plans that
    // take longer are of no use, and are not corrected.
    TracedChoice(const RecomputeChooser& chooser, std::shared_ptr<const Model> model,
                 PartitionOptions options, const Profiler& profiler, IsOver isOver = {},
                 Progress progress = {}, Seconds slowest = Seconds(infinite));

    // As little recomputed as stages demand that may hold so much: the fastest plan that was tried whose
    // stages that choose keep their rooms, else the one that is over by the least in each. `known`: of what
    // was chosen before; `told`: of what made room before.
    using Careful = RecomputeChooser::Careful;
    // Is what a person could have told a stage tried, where what is chosen does not fit, or fits nearly? It
    // takes long.
    enum class Policies { Tried, TriedIfNear, Left };
    Result<TracedPlan> of(const Partition& partition, const std::vector<Bytes>& rooms, Known& known,
                          ToldPolicies& told, Careful careful = Careful::All,
                          Policies policies = Policies::Tried);

    // The plan with regions changed a little (region_moves.h), as long as traces say that a stage is faster
    // for it: one change of each stage at a time. `plan` was found here for these rooms.
    Result<TracedPlan> improved(TracedPlan plan, const std::vector<Bytes>& rooms);

    // What each stage of a plan takes whose stages that choose may hold so much, by the estimate of what each
    // recomputes, or is as bad as if it took. None: what one is told does not fit, or one takes more than
    // `most`. `known`: of estimates before.
    std::optional<std::vector<Seconds>> estimate(const Partition& partition, const std::vector<Bytes>& rooms,
                                                 Known& known, Seconds most = Seconds(infinite)) const;

    // What a stage takes; where it holds more than it may, more than that, the more it holds.
    static Seconds asBadAs(Seconds load, Bytes memory, Bytes room);

    // What stages of one device may hold together, each has its share of; those that are told, without end.
    std::vector<Bytes> rooms(const std::vector<Bytes>& limits) const;
    // Do all that choose keep their rooms?
    static bool fits(const PlanCost& cost, const std::vector<Bytes>& rooms);

private:
    using Ways = RecomputeChooser::Ways;

    bool chooses(std::size_t stage) const;
    bool mayTrace() const;
    RecomputePlan asTold(const RecomputePlan& regions, const Partition& partition) const;
    bool addTold(const Partition& partition, std::vector<Seconds>& added) const;
    RecomputePlan policyRegions(RecomputePolicy policy, const Partition& partition) const;
    RecomputePlan toldRegions(const ToldPolicies::Policy& policy, const Partition& partition) const;
    Result<void> tryOut(const RecomputePlan& regions, StageTrials& trials);
    Result<void> tryChoices(Ways ways, StageTrials& trials, std::vector<Bytes>& rooms, Known& known,
                            Careful careful = Careful::All);
    bool isOverForGood(Ways ways, const StageTrials& trials, const std::vector<Bytes>& rooms,
                       Known& known) const;
    using MemoryOf = std::function<Bytes(StageId)>;
    bool mayMakeRoom(const StageTrials& trials, double doubt, const MemoryOf& memoryOf) const;
    bool mayMakeRoom(const RecomputePlan& regions, const StageTrials& trials, double doubt) const;
    bool blocksMayMakeRoom(const StageTrials& trials, Known& known) const;
    bool mayGain(const RecomputeChooser::Choice& chosen, const StageTrials& trials) const;
    bool mayBeFaster(Ways ways, const StageTrials& trials, Known& known, Careful careful) const;
    Result<void> tryPolicies(StageTrials& trials, Policies policies, ToldPolicies& told);
    Result<TracedPlan> best(StageTrials& trials, Careful careful = Careful::All);
    Table<NodeId, Seconds> again(const TracedPlan& plan) const;
    MoveRooms roomsToMove(std::size_t stage, const StageCost& cost, Bytes moment,
                          const StageTrials& trials) const;
    std::vector<RecomputePlan> near(std::size_t stage, const StageTrials& trials) const;

    const RecomputeChooser& m_chooser;
    std::shared_ptr<const Model> m_model;
    PartitionOptions m_options;
    const Profiler& m_profiler;
    IsOver m_isOver;
    Progress m_progress;
    Seconds m_slowest;
};

} // namespace stagecraft
