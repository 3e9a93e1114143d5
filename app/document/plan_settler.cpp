#include "app/document/plan_settler.h"

#include "app/document/tried_plan.h"
#include "core/recompute_search.h"

#include <QObject>

#include <utility>

namespace stagecraft {

namespace {

// Of a plan with as many stages as are asked for: one stage stands in for those that are still looked for.
bool allChoose(const PlanState& state)
{
    const RecomputePolicy& policy = state.request.plan.recompute;
    return hasPlan(state) && policy.kind == RecomputeKind::Auto && policy.ofStages.empty();
}

// Whatever the boundaries are.
bool areAlikeAsked(const PlanState& a, const PlanState& b)
{
    return askedToSettle(a).request == askedToSettle(b).request && shareFigures(a, b);
}

} // namespace

PlanSettler::PlanSettler(JobQueue& settling, JobQueue& preparing, AskQuestion question, Take take)
    : m_question(std::move(question)),
      m_take(std::move(take)),
      m_job(settling),
      m_prepareJob(preparing),
      m_aheadJob(preparing)
{
}

void PlanSettler::follow(const PlanState& state)
{
    m_job.cancel();
    if (isUnsettled(state))
        settle(state);
    else
        prepare(state);
}

void PlanSettler::settle(const PlanState& state)
{
    const PlanState asked = askedToSettle(state);
    const Result<PlanQuestion> question = m_question(asked);
    if (!question.has_value())
        return m_take(asked, question.error());
    m_job.start(
        QObject::tr("Recomputation for these boundaries"),
        [question = *question, partition = asked.partition](const Progress& progress) {
            return profiledFor(question, partition.get(), progress);
        },
        [this, asked](Result<Profiled> profiled) { m_take(asked, std::move(profiled)); });
}

void PlanSettler::prepare(const PlanState& state)
{
    if (!allChoose(state))
        return forget();
    if (m_prepared && areAlikeAsked(*m_prepared, state)) {
        const PlanState before = *std::exchange(m_prepared, state);
        if (before.cost != state.cost)
            lookAhead();
        return;
    }
    forget();
    const PlanState asked = askedToSettle(state);
    const Result<PlanQuestion> question = m_question(asked);
    if (!question.has_value())
        return; // nor can anything else be asked of it, which says so
    m_prepared = state;
    m_prepareJob.start(
        QObject::tr("Recomputation for boundaries to come"),
        [question = *question](const Progress& progress) -> Result<Chooser> {
            STAGECRAFT_ASSIGN(chooser, recomputeChooser(question.model, question.plan,
                                                        profilerOf(question, progress), progress));
            return std::make_shared<const RecomputeChooser>(std::move(chooser));
        },
        [this](Result<Chooser> made) {
            if (!made.has_value())
                return;
            m_chooser = *std::move(made);
            lookAhead();
        });
}

// The first move of a drag would take twice as long as the next.
void PlanSettler::lookAhead()
{
    m_ahead.reset();
    m_aheadJob.cancel();
    if (!m_chooser)
        return;
    m_aheadJob.start(
        QObject::tr("Recomputation for boundaries to come"),
        [chooser = m_chooser, problem = m_prepared->problem,
         partition = m_prepared->partition](const Progress&) {
            RecomputeDrag ahead(chooser, problem, *partition);
            ahead.lookAhead();
            return Result(std::make_shared<const RecomputeDrag>(std::move(ahead)));
        },
        [this](Result<std::shared_ptr<const RecomputeDrag>> ahead) {
            if (ahead.has_value())
                m_ahead = *std::move(ahead);
        });
}

std::optional<RecomputeDrag> PlanSettler::dragOf(const PlanState& state) const
{
    if (!m_chooser || !areAlikeAsked(*m_prepared, state) || isUnsettled(state))
        return std::nullopt;
    if (m_ahead && m_prepared->cost == state.cost)
        return *m_ahead;
    return RecomputeDrag(m_chooser, state.problem, *state.partition);
}

void PlanSettler::forget()
{
    m_job.cancel();
    m_prepareJob.cancel();
    m_aheadJob.cancel();
    m_prepared.reset();
    m_chooser.reset();
    m_ahead.reset();
}

} // namespace stagecraft
