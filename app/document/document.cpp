#include "app/document/document.h"

#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"
#include "app/document/request_changes.h"
#include "core/plan/device_kinds.h"
#include "core/plan/editing.h"

namespace stagecraft {

namespace {

// What a boundary's moves have in common that are one step; 0 is a step by itself.
int gestureOf(BoundaryId boundary)
{
    return 1 + static_cast<int>(boundary.index());
}

} // namespace

Document::Document(Settings settings, QObject* parent)
    : QObject(parent),
      m_settings(std::move(settings)),
      m_kept(m_settings.dataFolder),
      m_drawing(m_queues.quick,
                [this] {
                    return GraphDrawing::Subject{planView().graph, m_open.groups, m_state.partition,
                                                 m_state.profile};
                }),
      m_code(m_queues.quick, [this] { return codeSubject(model(), shown().partition, m_state); }),
      m_analyses(*this, m_queues.heavy, m_queues.idle),
      m_settler(
          m_queues.heavy, m_queues.idle, [this](const PlanState& state) { return questionOf(state); },
          [this](const PlanState& asked, Result<Profiled> profiled) {
              takeSettled(asked, std::move(profiled));
          })
{
    connect(&m_steps.stack(), &QUndoStack::indexChanged, this, &Document::keepEdits);
    for (JobQueue* queue : queues())
        connect(queue, &JobQueue::cameToRest, this, [this] {
            if (isAtRest())
                emit cameToRest();
        });
    connect(&m_code, &CodePages::changed, this, &Document::codeChanged);
    connect(&m_code, &CodePages::failed, this, &Document::report);
    connect(&m_drawing, &GraphDrawing::failed, this, &Document::report);
    connect(&m_drawing, &GraphDrawing::noticed, this, &Document::noticed);
    connect(&m_drawing, &GraphDrawing::changed, this, [this] {
        if (!isDragging())
            emit drawingChanged();
    });
}

Document::~Document()
{
    m_steps.stack().disconnect(this); // it goes step by step, which is no edit
}

PlanView Document::planView() const
{
    if (!m_open.model)
        return {};
    PlanView view = planViewOf(shown());
    view.graph = std::shared_ptr<const Graph>(m_open.model, &m_open.model->graph);
    view.bound = bound();
    view.stepBound = stepBound();
    view.statistics = m_analyses.statistics();
    view.constraints = m_constraints;
    view.sought = hasPlan(shown()) || isDragging() ? 0 : asked().plan.stageCount;
    view.isSeeking = isFirstSearch();
    return view;
}

bool Document::isSettled() const
{
    return !m_queues.heavy.isBusy() && !m_queues.quick.isBusy() && !m_queues.idle.isBusy() &&
           !m_code.isWaiting() && !m_drawing.isWaiting() && !m_kept.isWriting();
}

bool Document::isAtRest() const
{
    return m_queues.heavy.isAtRest() && m_queues.quick.isAtRest() && m_queues.idle.isAtRest();
}

void Document::stopWork()
{
    m_code.stopWaiting();
    m_drawing.stopWaiting();
    m_kept.release();
    for (JobQueue* queue : queues())
        queue->abandonAll();
}

void Document::setState(const PlanState& state)
{
    endPreview(); // what it was made from is no more
    const PlanState before = std::exchange(m_state, state);
    m_constraints = constraintsOf(m_open.model->graph, m_state);
    emit planChanged();
    if (before.problem != m_state.problem)
        refresh(Change::Constraints);
    if (!haveSameStages(before, m_state) || !before.profile) // a page of no costs was drawn before
        refresh(Change::Plan);
    settle();
}

void Document::push(const QString& text, PlanState next, int gesture)
{
    m_splitJob.cancel(); // what the person does now counts, not what was asked for before
    m_open.isFirstPlan = false;
    m_steps.push(text, std::move(next), gesture);
}

void Document::report(const Error& error)
{
    if (error.code != ErrorCode::Cancelled)
        emit failed(QString::fromStdString(error.message));
}

void Document::setRequest(const PlanRequest& request, const QString& name)
{
    if (!m_open.model) {
        m_settings.request = request;
        return planChanged();
    }
    PlanState target = wanted();
    const Result<PlanRequest> kept = withKindsKept(request, target.request, devices());
    if (!kept.has_value()) {
        refuse(kept.error());
        return planChanged(); // the fields go back to what holds
    }
    if (kept->plan.recompute != target.request.plan.recompute)
        m_open.recomputesToFit = false;
    target.request = withChanges(target.request, target.request, *kept);
    if (waits(name, target))
        return;
    if (areAskedAlike(target, m_state))
        return takeBack();
    const QString text = stepText(name, target);
    // What is recomputed as the limit demands follows what is asked.
    if (m_state.profile && choosesAny(target.request.plan.recompute))
        return startProfiling(askedToSettle(target), afterProfile(target), text);
    if (needsAnotherProfile(m_state.request, target.request) || !shareFigures(m_state, target) ||
        !m_state.profile || m_profileJob.isRunning())
        return startProfiling(target, afterProfile(target), text);
    if (!makeProblem(target))
        return;
    if (afterProfile(target) == AfterProfile::Split)
        return startSplitting(target, text);
    push(text, withPartition(target, *target.partition));
}

void Document::profileAs(const QString& text, const PlanState& target)
{
    if (waits(text, target))
        return;
    if (areAskedAlike(target, m_state) && !areAskedAlike(wanted(), m_state))
        return takeBack();
    startProfiling(target, afterProfile(target), stepText(text, target));
}

PlanState Document::wanted() const
{
    return isAnswering() ? m_asked.on(m_state, m_open.model->graph.nodeCount()) : m_state;
}

// Of all that is under way, which comes as one step.
QString Document::stepText(const QString& name, const PlanState& target) const
{
    const QString changes = changesText(m_state, target);
    return changes.isEmpty() || (!name.isEmpty() && !isAnswering()) ? name : changes;
}

bool Document::waits(const QString& name, const PlanState& target)
{
    const bool isLater = m_open.pendingPlan && m_profileJob.isRunning();
    if (isLater) {
        m_asked.wait(m_state, target, name);
        emit askedChanged();
    }
    return isLater;
}

// What is there is what is asked for: whatever else is under way is no longer.
void Document::takeBack()
{
    if (areAskedAlike(wanted(), m_state))
        return;
    m_splitJob.cancel();
    m_profileJob.cancel();
    if (m_open.isFirstPlan)
        refresh(Change::Model);
    emit planChanged();
}

bool Document::makeProblem(PlanState& target)
{
    Result<PartitionProblem> problem =
        planProblem(*model(), *target.profile, partitionOptions(target, timeLimit(), devices()));
    if (!problem.has_value()) {
        refuse(problem.error());
        emit planChanged(); // the fields go back to what holds
        return false;
    }
    target.problem = std::make_shared<const PartitionProblem>(*std::move(problem));
    return true;
}

void Document::splitAutomatically()
{
    if (!m_state.problem)
        return;
    PlanState target = wanted();
    const QString text = tr("Split automatically");
    if (m_profileJob.isRunning())
        return startProfiling(target, AfterProfile::Split, text);
    // Where no plan was found there is still that of one stage.
    const bool isPosed = target.problem->stageCount() == target.request.plan.stageCount;
    if ((isPosed && areAskedAlike(target, m_state)) || makeProblem(target))
        startSplitting(target, text);
}

bool Document::canMove(BoundaryId boundary)
{
    if (!canEdit() || boundary.index() + 1 >= m_state.partition->stageCount)
        return false;
    if (isLocked(boundary))
        emit refused(tr("The boundary %1 is locked.").arg(boundaryName(boundary)));
    return !isLocked(boundary);
}

void Document::moveBoundary(BoundaryId boundary, StageDirection direction, BoundaryStep step)
{
    if (!canMove(boundary))
        return;
    Result<BoundaryMove> move = stepBoundary(*m_state.problem, *m_state.partition, boundary, direction, step);
    if (!move.has_value())
        return refuse(move.error());
    push(tr("Move boundary %1").arg(boundaryName(boundary)),
         withPartition(m_state, std::move(move->partition)), gestureOf(boundary));
}

void Document::restage(const QString& text, Result<Restaging> restaging)
{
    if (!restaging.has_value())
        return refuse(restaging.error());
    push(text, withRestaging(m_state, std::move(restaging->problem), std::move(restaging->partition)));
}

void Document::addBoundary(std::size_t position)
{
    if (canEdit())
        restage(tr("Add a boundary"),
                stagecraft::addBoundary(*m_state.problem, *m_state.partition, position));
}

void Document::removeBoundary(BoundaryId boundary)
{
    if (canMove(boundary))
        restage(tr("Remove boundary %1").arg(boundaryName(boundary)),
                stagecraft::removeBoundary(*m_state.problem, *m_state.partition, boundary));
}

void Document::adoptPlan(const QString& text, const Partition& partition)
{
    if (!canEdit())
        return;
    const Result<void> checked = checkPartition(*m_state.problem, partition);
    checked.has_value() ? push(text, withPartition(m_state, partition)) : refuse(checked.error());
}

void Document::splitStage(StageId stage)
{
    if (const auto middle =
            canEdit() ? middleOfStage(*m_state.problem, *m_state.partition, stage) : std::nullopt)
        addBoundary(*middle);
}

void Document::send(const std::vector<NodeId>& nodes, StageDirection direction)
{
    if (!canEdit() || nodes.empty())
        return;
    const bool next = direction == StageDirection::Next;
    Result<Edit> edit = sendToNeighbour(*m_state.problem, *m_state.partition, nodes, direction);
    if (!edit.has_value())
        return refuse(edit.error());
    const int moved = static_cast<int>(edit->moved.size());
    push(next ? tr("Send %n op(s) to the next stage", nullptr, moved)
              : tr("Send %n op(s) to the previous stage", nullptr, moved),
         withPartition(m_state, std::move(edit->partition)));
}

std::vector<std::size_t> Document::legalPositions(BoundaryId boundary) const
{
    if (!m_state.problem || boundary.index() + 1 >= m_state.partition->stageCount)
        return {};
    if (isLocked(boundary))
        return {stageOrder(*m_state.partition).boundaries[boundary.index()]};
    return stagecraft::legalPositions(*m_state.problem, *m_state.partition, boundary);
}

bool Document::isLocked(BoundaryId boundary) const
{
    return m_constraints && m_constraints->locks(boundary);
}

} // namespace stagecraft
