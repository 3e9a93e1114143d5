// What a Document is made of beside its plan: what work runs on, and what is dragged.
#pragma once

#include "app/document/plan_state.h"
#include "app/jobs/job_queue.h"
#include "core/plan/evaluate.h"
#include "core/recompute_drag.h"

#include <optional>

namespace stagecraft {

struct DraggedPlan
{
    std::optional<BoundaryId> boundary; // none: nodes are dragged
    PlanState shown;                    // the evaluator refers to its problem
    PlanEvaluator evaluator;
    std::optional<RecomputeDrag> choosing = {}; // of stages that choose what they recompute

    PlanCost costOf(const Partition& partition)
    {
        if (choosing)
            return choosing->of(partition);
        evaluator.moveTo(partition);
        return evaluator.cost();
    }
};

// They outlive the jobs that use them.
struct DocumentQueues
{
    JobQueue heavy;
    JobQueue quick;
    JobQueue idle;
};

} // namespace stagecraft
