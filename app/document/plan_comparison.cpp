#include "app/document/plan_comparison.h"

#include "app/document/document.h"
#include "core/plan/device_kinds.h"
#include "core/recompute/recompute_policy.h"
#include "views/base/plain_text.h"

namespace stagecraft {

PlanComparison::PlanComparison(Document& document, PlanHistory& history, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_history(history),
      m_job(document.heavyQueue()),
      m_code(*document.queues()[1], [this] {
          if (!m_other)
              return CodePages::Subject{};
          const Result<PlanQuestion> question = m_document.questionOf(m_other->state);
          return question.has_value()
                     ? codeSubject(m_running.of(question->model, m_other->state.request.plan.recompute),
                                   m_other->state.partition, m_other->state)
                     : CodePages::Subject{};
      })
{
    connect(&document, &Document::modelGone, this, [this] {
        m_job.cancel();
        drop();
    });
    connect(&m_code, &CodePages::changed, this, &PlanComparison::codeChanged);
    connect(&m_code, &CodePages::failed, &document, &Document::report);
}

void PlanComparison::compareWith(PlanHistory::Entry other)
{
    if (other == m_other)
        return;
    m_other = std::move(other);
    m_code.forget();
    emit changed();
    emit codeChanged();
}

void PlanComparison::keepCurrent()
{
    if (m_history.current())
        compareWith(m_history.current());
}

void PlanComparison::drop()
{
    compareWith(nullptr);
}

void PlanComparison::swap()
{
    const PlanHistory::Entry before = m_history.current();
    if (!m_other || !before || m_document.isDragging())
        return;
    const PlanHistory::Entry next = m_other;
    compareWith(before);
    if (!isSamePlan(next->state, before->state))
        m_document.adopt(tr("Swap A and B"), next->state);
}

void PlanComparison::compareWithRequest(const PlanRequest& request, const QString& origin, Cuts cuts)
{
    if (!hasPlan(m_document.state()))
        return m_document.refuse({ErrorCode::BadUsage, "there is no plan yet to compare with"});
    PlanState target = m_document.state();
    Result<PlanRequest> kept = withKindsKept(request, target.request, m_document.devices());
    if (!kept.has_value())
        return m_document.refuse(kept.error());
    target.request = *std::move(kept);
    if (choosesAny(target.request.plan.recompute)) // as the limit demands there
        target.request.plan.recompute.regions = {};
    if (target.times && target.times->sizes != request.profile.bindings)
        target.times.reset();
    const Result<PlanQuestion> question = m_document.questionOf(target);
    if (!question.has_value())
        return m_document.report(question.error());
    m_job.start(
        tr("Finding a plan to compare with"),
        [target, question = *question, cuts](const Progress& progress) {
            return (cuts == Cuts::Best ? bestPlan : planWithCuts)(target, question, progress);
        },
        [this, origin](const Result<OtherPlan>& found) { take(origin, found); });
}

void PlanComparison::compareWithFile(const std::filesystem::path& path)
{
    if (!hasPlan(m_document.state()))
        return m_document.refuse({ErrorCode::BadUsage, "there is no plan yet to compare with"});
    const Result<PlanQuestion> question = m_document.questionOf(m_document.state());
    if (!question.has_value())
        return m_document.report(question.error());
    m_job.start(
        tr("Reading a plan to compare with"),
        [path, modelPath = m_document.modelPath(), target = m_document.state(), question = *question](
            const Progress& progress) { return planOfFile(path, modelPath, target, question, progress); },
        [this, origin = shownText(path.filename().string())](const Result<OtherPlan>& found) {
            take(origin, found);
        });
}

void PlanComparison::take(const QString& origin, const Result<OtherPlan>& found)
{
    if (!found.has_value())
        return m_document.report(found.error());
    for (const std::string& note : found->notes)
        emit m_document.noticed(tr("B: %1").arg(QString::fromStdString(note)));
    if (found->bounds.slowest)
        m_document.takeBounds(found->state.problem,
                              {.bound = *found->bounds.slowest, .iterationBound = found->bounds.step});
    if (isSamePlan(found->state, m_document.state()))
        emit m_document.noticed(tr("There is nothing to compare with: the plan is cut so already."));
    else
        compareWith(m_history.add(found->state, found->bounds, origin));
}

void PlanComparison::writeCode()
{
    if (m_other && m_code.pages().empty() && !m_code.isStale())
        m_code.refresh();
}

} // namespace stagecraft
