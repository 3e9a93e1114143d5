// What a Document is made of beside its plan: what work runs on, and what is dragged.
#pragma once

#include "app/document/plan_state.h"
#include "app/jobs/job_queue.h"
#include "core/plan/evaluate.h"

#include <optional>

namespace stagecraft {

struct DraggedPlan
{
    std::optional<BoundaryId> boundary; // none: nodes are dragged
    PlanState shown;                    // the evaluator refers to its problem
    PlanEvaluator evaluator;
};

// They outlive the jobs that use them.
struct DocumentQueues
{
    JobQueue heavy;
    JobQueue quick;
    JobQueue idle;
};

} // namespace stagecraft
