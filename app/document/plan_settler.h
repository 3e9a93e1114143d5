// PlanSettler: what a plan recomputes follows its boundaries, however these came about.
//
//     boundaries moved ─► isUnsettled() ─job─► regions made or chosen for them, as traced
//     settled, and stages choose ─job─► from what they choose ─job─► the next drag, but for its moves
#pragma once

#include "app/document/recomputed_plans.h"
#include "app/jobs/job.h"
#include "core/recompute_drag.h"

#include <functional>

namespace stagecraft {

class PlanSettler
{
public:
    using AskQuestion = std::function<Result<PlanQuestion>(const PlanState&)>;
    // What was asked, and what came of it.
    using Take = std::function<void(const PlanState&, Result<Profiled>)>;

    PlanSettler(JobQueue& settling, JobQueue& preparing, AskQuestion question, Take take);

    void follow(const PlanState& state);
    bool isRunning() const { return m_job.isRunning(); }
    // Of a settled plan; none: its stages choose nothing, or it is not ready yet.
    std::optional<RecomputeDrag> dragOf(const PlanState& state) const;
    void forget();

private:
    using Chooser = std::shared_ptr<const RecomputeChooser>;

    void settle(const PlanState& state);
    void prepare(const PlanState& state);
    void lookAhead();

    AskQuestion m_question;
    Take m_take;
    std::optional<PlanState> m_prepared;          // or under way: what is asked, and its settled plan
    Chooser m_chooser;                            // for what is asked; null: not ready yet
    std::shared_ptr<const RecomputeDrag> m_ahead; // of that plan; null: likewise
    Job<Profiled> m_job;
    Job<Chooser> m_prepareJob;
    Job<std::shared_ptr<const RecomputeDrag>> m_aheadJob;
};

} // namespace stagecraft
