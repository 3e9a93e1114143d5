// What Document makes in the background, and how it is taken over. The rest is in document.cpp.
#include "app/document/document.h"

#include "app/document/other_plans.h"
#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"
#include "app/document/plan_of_file.h"
#include "app/document/request_changes.h"
#include "core/plan/sources/plan_file.h"
#include "core/plan/split_spec.h"
#include "core/workflow.h"
#include "views/base/plain_text.h"

namespace stagecraft {

namespace {

Result<Solution> solutionAtMarks(const Graph& graph, const PartitionProblem& problem,
                                 const Progress& progress)
{
    STAGECRAFT_ASSIGN(partition, splitAt(graph, problem, markedSplit(graph)));
    return evaluatePlan(problem, std::move(partition), progress);
}

// The plan that the model itself asks for, with a quick bound; where it is none of the problem's, the best.
Result<FoundPlan> planAtMarks(const Graph& graph, const PartitionProblem& problem, const Partition& current,
                              std::string& note, const Progress& progress)
{
    Result<Solution> marked = solutionAtMarks(graph, problem, progress);
    if (!marked.has_value() && marked.error().code == ErrorCode::Cancelled)
        return marked.error();
    note = "split at the model's own marks (pipe_split)";
    if (marked.has_value())
        return FoundPlan{*std::move(marked), {}};
    note = "not " + note + ": " + marked.error().message;
    return findPlan(problem, {.current = &current}, progress);
}

enum class At { BestPlaces, OwnMarks }; // of the model

Result<Split> searchedFor(const PlanQuestion& question, const PartitionProblem& problem,
                          const Partition& current, At at, const Progress& progress)
{
    if (at == At::BestPlaces && question.plan.recompute.kind != RecomputeKind::Model)
        return splitFor(question, progress);
    if (at == At::BestPlaces)
        return splitThatFits(question, problem, current, progress);
    std::string note;
    STAGECRAFT_ASSIGN(found, planAtMarks(question.model->graph, problem, current, note, progress));
    return Split{std::move(found), std::nullopt, std::move(note)};
}

} // namespace

void Document::open(const std::filesystem::path& path)
{
    const auto left = m_splitJob.isRunning() ? std::optional(wanted()) : std::nullopt;
    m_splitJob.cancel(); // its plan would be seen by nobody
    m_openJob.start(
        tr("Opening %1").arg(shownText(path.filename().string())),
        [path, other = m_open.modelPath, folder = m_settings.dataFolder](const Progress& progress) {
            return openFile(path, progress, other, KeptAnswers(folder));
        },
        [this, left, before = m_state](const Result<OpenedFile>& opened) {
            if (opened.has_value())
                return takeOpened(*opened);
            report(opened.error());
            if (left && isSame(before, m_state) && !isAnswering())
                startProfiling(*left, AfterProfile::Split, stepText({}, *left));
        });
}

void Document::clear()
{
    for (JobQueue* queue : queues())
        queue->cancelAll();
    m_drawing.forget();
    m_code.forget();
    m_analyses.forget();
    m_settler.forget();
    m_drag.reset();
    m_found.clear();
    m_kept.release();
    m_open = {};
    m_asked = {};
    m_steps.clear();                                           // of no model: to forget the steps is no edit
    m_state = {.substitutes = std::move(m_state.substitutes)}; // they are of operators, whatever the model
    m_constraints.reset();
    emit modelGone();
}

void Document::takeOpened(const OpenedFile& opened)
{
    const PlanRequest asked = requestForNext(request(), m_open, m_settings.request, opened.modelPath);
    const bool leavesLimit = m_open.model && m_open.modelPath != opened.modelPath && !opened.plan &&
                             !request().plan.memoryLimits.empty();
    m_settings.request = asked;
    clear();
    m_open = openModelOf(opened);
    m_state.request = m_open.pendingPlan ? requestOfFile(*m_open.pendingPlan, *m_open.model, asked, devices())
                                         : requestFor(*m_open.model, asked);
    m_state.partition = std::make_shared<const Partition>(singleStage(m_open.model->graph.nodeCount()));
    emit modelChanged();
    emit planChanged();
    for (const std::string& note : opened.notes)
        emit noticed(QString::fromStdString(note));
    if (leavesLimit)
        emit noticed(tr("The memory limit was of the model before; this one may use what its devices have."));
    refresh(Change::Model);
}

void Document::refresh(Change change)
{
    if (!m_open.model)
        return;
    const Stale stale = staleAfter(change);
    if (stale.profile)
        startProfiling(m_state, m_open.pendingPlan ? AfterProfile::ApplyPlan : AfterProfile::Split);
    if (stale.bound && m_state.problem && !m_open.isFirstPlan && !m_found.knows(m_state.problem))
        startBounding();
    if (stale.code)
        m_code.refresh();
    // The first drawing waits a moment for the first plan, so that the picture does not change at once.
    constexpr std::chrono::milliseconds patience{700};
    if (stale.layout)
        m_drawing.refresh(change == Change::Model ? patience : std::chrono::milliseconds(0));
}

Result<PlanQuestion> Document::questionOf(const PlanState& state) const
{
    STAGECRAFT_ASSIGN(device, findDevice(m_settings.devices, state.request.device));
    ProfileOptions profile{state.request.profile, std::move(device), state.substitutes};
    return PlanQuestion{m_open.model,
                        std::move(profile),
                        partitionOptions(state, timeLimit(), devices()),
                        state.times,
                        profileWithout(m_state, state),
                        {state.request.stageDevices, devices()}};
}

void Document::startProfiling(PlanState target, AfterProfile after, const QString& text)
{
    m_analyses.cancelOfProfile();
    const PlanState asked = target;
    if (dropTimesOfOtherSizes(target))
        emit noticed(tr("The times were of other sizes; they are estimated now."));
    const Result<PlanQuestion> question = questionOf(target);
    if (!question.has_value())
        return report(question.error());
    // Its boundaries part regions.
    const auto partition = after == AfterProfile::Keep || after == AfterProfile::TakePlan
                               ? target.partition
                               : std::shared_ptr<const Partition>();
    m_asked.take(m_state, asked);
    m_profileJob.start(
        tr("Profiling"),
        [question = *question, partition](const Progress& progress) {
            return profiledFor(question, partition.get(), progress);
        },
        [this, before = m_state, target = std::move(target), after, text](Result<Profiled> profiled) {
            if (profiled.has_value()) {
                takeProfiled(before, target, after, text, *std::move(profiled));
                return askOnTop();
            }
            m_asked.dropWaiting();
            if (after == AfterProfile::TakePlan)
                m_open.losePlan();
            report(profiled.error());
            refresh(Change::OpenBoxes); // the model can be looked at all the same
            emit planChanged();
        });
    emit askedChanged();
}

Document::AfterProfile Document::afterProfile(const PlanState& target) const
{
    if (m_open.pendingPlan)
        return AfterProfile::ApplyPlan;
    return m_state.profile && m_settings.afterChange == AfterChange::KeepBoundaries &&
                   target.request.plan.stageCount == target.partition->stageCount
               ? AfterProfile::Keep
               : AfterProfile::Split;
}

void Document::takeProfiled(const PlanState& before, PlanState target, AfterProfile after,
                            const QString& text, Profiled profiled)
{
    if (!isSame(before, m_state)) {
        // What a person did meanwhile stays, and what was asked for comes on top of it.
        const PlanState next = withChanges(m_state, before, target, m_open.model->graph.nodeCount());
        const QString both = shareFigures(next, m_state) ? changesText(m_state.request, next.request) : text;
        return startProfiling(next, afterProfile(next), both);
    }
    tellNotes(profiled);
    takeProfile(target, std::move(profiled));
    if (after == AfterProfile::TakePlan)
        return takePlan(withPartition(target, *target.partition));
    if (after == AfterProfile::Keep)
        return push(text, withPartition(target, *target.partition));
    if (after == AfterProfile::ApplyPlan && m_open.pendingPlan) {
        const PlanFile plan = *m_open.pendingPlan;
        const Result<PlanState> planned = planOfFile(plan, target);
        if (planned.has_value() && needsAnotherProfile(target.request, planned->request))
            return startProfiling(*planned, AfterProfile::TakePlan); // with its regions, of its devices
        if (planned.has_value())
            return takePlan(*planned);
        report(planned.error());
        m_open.losePlan();
    }
    if (m_open.isFirstPlan && m_state.partition->stageCount == 1)
        m_steps.begin(unsplit(target)); // costs are there already, a plan soon
    startSplitting(target,
                   text.isEmpty() ? tr("Split into %1 stages").arg(target.request.plan.stageCount) : text);
}

void Document::takePlan(const PlanState& planned)
{
    m_open.pendingPlan.reset();
    m_open.isFirstPlan = false;
    m_steps.begin(planned);
    offerKeptEdits();
}

void Document::askOnTop()
{
    const auto name = m_profileJob.isRunning() ? std::nullopt : m_asked.takeWaiting();
    if (!name)
        return;
    const PlanState target = m_asked.on(m_state, m_open.model->graph.nodeCount());
    if (const QString text = stepText(*name, target); !text.isEmpty())
        startProfiling(target, afterProfile(target), text);
}

Result<PlanState> Document::planOfFile(const PlanFile& plan, PlanState state)
{
    STAGECRAFT_ASSIGN(found, stateOfFile(plan, *m_open.model, state, devices()));
    for (const std::string& note : found.notes)
        emit noticed(QString::fromStdString(note));
    state.request = std::move(found.request);
    STAGECRAFT_ASSIGN(problem,
                      planProblem(*model(), *state.profile, partitionOptions(state, timeLimit(), devices())));
    STAGECRAFT_TRY(checkPartition(problem, found.partition));
    return withLocksOfPins(m_open.model->graph,
                           withRestaging(state, std::move(problem), std::move(found.partition)));
}

void Document::startSplitting(const PlanState& target, const QString& text)
{
    const bool isMarked = m_open.isFirstPlan && !markedSplit(m_open.model->graph).empty();
    Result<PlanQuestion> question = questionOf(target);
    if (!question.has_value())
        return report(question.error());
    question->plan = target.problem->options;
    question->without = profileWithout(target, target);
    m_asked.take(m_state, target);
    m_splitJob.start(
        tr("Searching for the best split"),
        [question = *std::move(question), problem = target.problem, current = target.partition,
         isMarked](const Progress& progress) {
            return searchedFor(question, *problem, *current, isMarked ? At::OwnMarks : At::BestPlaces,
                               progress);
        },
        [this, before = m_state, target, text](Result<Split> found) {
            if (found.has_value())
                return takeSplit(before, target, text, *std::move(found));
            report(found.error());
            if (std::exchange(m_open.isFirstPlan, false)) { // what stands in for it is the first
                refresh(Change::OpenBoxes);
                offerKeptEdits();
            }
            emit planChanged(); // the number of stages goes back to what it is
        });
    emit askedChanged();
    if (isFirstSearch())
        emit planChanged(); // what is shown stands in for it now
}

void Document::tellNotes(const Profiled& profiled)
{
    for (const NodeNote& note : profiled.profile->nodeNotes)
        emit noticedAt(QString::fromStdString(noteText(note)), note.nodes);
    for (const auto* notes : {&profiled.profile->notes, &profiled.notes})
        for (const std::string& note : *notes)
            emit noticed(QString::fromStdString(note));
}

void Document::takeSplit(const PlanState& before, PlanState target, const QString& text, Split split)
{
    if (!isSame(before, m_state)) {
        // A step was undone or done again meanwhile: what was asked for comes on top of that.
        const PlanState next = withChanges(m_state, before, target, m_open.model->graph.nodeCount());
        return startProfiling(next, AfterProfile::Split, text);
    }
    FoundPlan& found = split.found;
    m_open.recomputesToFit |= split.recomputesToFit;
    if (split.of)
        takeProfile(target, *std::move(split.of));
    takeBounds(target.problem, found.solution);
    const bool isSamePlan =
        target.problem == m_state.problem && found.solution.partition == *m_state.partition;
    target.partition = std::make_shared<const Partition>(std::move(found.solution.partition));
    target.cost = std::make_shared<const PlanCost>(std::move(found.solution.cost));
    target.request.plan.stageCount = target.partition->stageCount;
    const bool isUnfit = !found.whyOverLimit.empty();
    m_found.say(target, {QString::fromStdString(isUnfit ? found.whyOverLimit : split.note), isUnfit});
    if (std::exchange(m_open.isFirstPlan, false)) {
        m_steps.begin(target);
        offerKeptEdits();
    } else if (isSamePlan) {
        emit planChanged(); // its bound may be news
        if (!isUnfit)
            emit splitConfirmed();
    } else {
        push(text, std::move(target));
    }
}

void Document::settle()
{
    m_settler.follow(m_state);
    if (!m_settler.isRunning())
        saveWaiting();
}

// The same plan, with other figures: no step of undo.
void Document::takeSettled(const PlanState& asked, Result<Profiled> profiled)
{
    if (isDragging())
        return; // its end begins anew
    if (profiled.has_value()) {
        PlanState settled = asked;
        for (const std::string& note : profiled->notes)
            emit noticed(QString::fromStdString(note));
        takeProfile(settled, *std::move(profiled));
        m_steps.amend(withPartition(settled, *settled.partition));
        keepEdits();
        emit planSettled();
    } else {
        emit planNotSettled();
        report(profiled.error());
    }
    saveWaiting();
}

void Document::startBounding()
{
    const Result<PlanQuestion> question = questionOf(m_state);
    if (!question.has_value())
        return report(question.error());
    m_boundJob.start(
        tr("Looking for a bound"),
        [question = *question, problem = m_state.problem, partition = m_state.partition](
            const Progress& progress) { return searchedBound(question, *problem, *partition, progress); },
        [this, problem = m_state.problem](const Result<FoundPlan>& found) {
            if (!found.has_value())
                return;
            takeBounds(problem, found->solution);
            if (shown().problem == problem)
                emit planChanged();
        });
}

void Document::attachWeights(const std::vector<std::filesystem::path>& files)
{
    if (!m_open.model || files.empty())
        return;
    m_weightsJob.start(
        tr("Reading weights"),
        [model = m_open.model, files](const Progress&) { return withWeights(model, files); },
        [this](Result<std::shared_ptr<const Model>> weighted) {
            if (!weighted.has_value()) {
                report(weighted.error());
                return;
            }
            m_open.model = *std::move(weighted);
            refresh(Change::OpenBoxes);          // a drawing is of one graph
            emit m_analyses.statisticsChanged(); // of the other model
            emit noticed(tr("The model has the weights of these files now; exports hold them."));
        });
}

} // namespace stagecraft
