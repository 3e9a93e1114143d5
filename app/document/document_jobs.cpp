// What Document makes in the background, and how it is taken over. The rest is in document.cpp.
#include "app/document/document.h"

#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"
#include "core/plan/sources/plan_file.h"
#include "core/plan/split_spec.h"
#include "core/workflow.h"
#include "views/base/plain_text.h"

namespace stagecraft {

namespace {

QString fileName(const std::filesystem::path& path)
{
    return shownText(path.filename().string());
}

// What boxes are worth opening for: their time, or where that is not known, their size.
Table<NodeId, double> openingWeights(const Graph& graph, const Profile* profile)
{
    Table<NodeId, double> weights(graph.nodeCount(), 1.0);
    for (const NodeId node : graph.nodes()) {
        if (profile)
            weights[node] = profile->nodes[node].time().value();
    }
    return weights;
}

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

// What the person opened, in a drawing of another plan: there, boxes may stand around what was drawn that
// were none before, as when a fold is parted. They are opened, so that nothing disappears.
Expansion carriedOver(Expansion expansion, const Layout& before, const RunTree& tree)
{
    for (const LayoutItem& item : before.items)
        if (item.node)
            expansion.reveal(tree, *item.node);
    return expansion;
}

} // namespace

void Document::open(const std::filesystem::path& path)
{
    m_openJob.start(
        tr("Opening %1").arg(fileName(path)),
        [path, other = m_modelPath](const Progress& progress) { return openFile(path, progress, other); },
        [this](Result<OpenedFile> opened) {
            if (opened.has_value())
                takeOpened(*std::move(opened));
            else
                report(opened.error());
        });
}

void Document::close()
{
    clear();
    emit modelChanged();
}

void Document::clear()
{
    for (JobQueue* queue : queues())
        queue->cancelAll();
    m_codeDelay.stop();
    m_drawingDelay.stop();
    m_preview.reset();
    m_drag.reset();
    m_bounds.clear();
    m_statistics.reset();
    m_curve.reset();
    m_curveState = {};
    m_batchAnswer.reset();
    m_advice.reset();
    m_adviceState = {};
    m_pages.clear();
    m_drawing.reset();
    m_expansion = {};
    m_expansionIsSettled = false;
    m_isFirstPlan = true;
    m_pendingPlan.reset();
    m_planPath.clear();
    m_modelPath.clear();
    m_groups.reset();
    m_model.reset();
    m_undoStack.clear(); // of no model: to forget the steps is no edit
    m_state = {};
    m_constraints.reset();
    m_engine = std::make_shared<LayoutEngine>();
    emit modelGone();
}

void Document::takeOpened(OpenedFile opened)
{
    const PlanRequest asked = withoutConstraints(request());
    m_settings.request = asked;
    clear();
    m_model = std::move(opened.model);
    m_groups = std::move(opened.groups);
    m_modelPath = opened.modelPath;
    m_fingerprint = std::move(opened.fingerprint);
    m_pendingPlan = std::move(opened.plan);
    m_planPath = m_pendingPlan ? opened.path : std::filesystem::path();
    m_state.request = asked;
    std::erase_if(m_state.request.profile.bindings,
                  [&](const auto& size) { return !m_model->graph.symbolRanges().contains(size.first); });
    if (const std::size_t marked = stagesOfSplit(markedSplit(m_model->graph)); marked > 1)
        m_state.request.plan.stageCount = marked;
    m_state.request = fittedRequest(std::move(m_state.request), m_model->graph.nodeCount());
    m_state.partition = std::make_shared<const Partition>(singleStage(m_model->graph.nodeCount()));
    emit modelChanged();
    emit planChanged();
    for (const std::string& note : opened.notes)
        emit noticed(QString::fromStdString(note));
    refresh(Change::Model);
}

void Document::refresh(Change change)
{
    if (!m_model)
        return;
    const Stale stale = staleAfter(change);
    if (stale.profile)
        startProfiling(m_state, m_pendingPlan ? AfterProfile::ApplyPlan : AfterProfile::Split);
    if (stale.bound && m_state.problem && !m_bounds.contains(m_state.problem))
        startBounding();
    if (stale.code)
        m_codeDelay.start();
    // The first drawing waits a moment for the first plan, so that the picture does not change at once.
    constexpr int patience = 700;
    if (stale.layout)
        m_drawingDelay.start(change == Change::Model ? patience : 0);
}

Result<ProfileOptions> Document::profileOptions(const PlanRequest& request) const
{
    STAGECRAFT_ASSIGN(device, findDevice(m_settings.devices, request.device));
    return ProfileOptions{request.profile, std::move(device), nullptr};
}

PartitionOptions Document::askedOf(const PlanState& state) const
{
    const Result<DeviceSpec> device = findDevice(m_settings.devices, state.request.device);
    return device.has_value() ? partitionOptions(state, m_settings.timeLimit, *device)
                              : partitionOptions(state, m_settings.timeLimit);
}

void Document::startProfiling(PlanState target, AfterProfile after, const QString& text)
{
    m_curveJob.cancel(); // of what will not be asked any more
    m_batchJob.cancel();
    const Result<ProfileOptions> options = profileOptions(target.request);
    if (!options.has_value())
        return report(options.error());
    // Before target is moved from, in whatever order.
    const PartitionOptions asked = askedOf(target);
    const std::shared_ptr<const TimeOverrides> times = target.times;
    m_profileJob.start(
        tr("Profiling"),
        [model = m_model, options = *options, asked, times](const Progress& progress) -> Result<Profiled> {
            STAGECRAFT_ASSIGN(profile, traceAndProfile(*model, options, progress));
            if (times)
                applyTimeOverrides(*times, profile);
            STAGECRAFT_ASSIGN(problem, planProblem(*model, profile, asked, progress));
            return Profiled{std::make_shared<const Profile>(std::move(profile)),
                            std::make_shared<const PartitionProblem>(std::move(problem))};
        },
        [this, before = m_state, target = std::move(target), after, text](Result<Profiled> profiled) {
            if (profiled.has_value())
                return takeProfiled(before, target, after, text, *std::move(profiled));
            report(profiled.error());
            refresh(Change::OpenBoxes); // the model can be looked at all the same
            emit planChanged();
        });
}

Document::AfterProfile Document::afterProfile(const PlanState& target)
{
    return target.request.plan.stageCount == target.partition->stageCount ? AfterProfile::Keep
                                                                          : AfterProfile::Split;
}

void Document::takeProfiled(const PlanState& before, PlanState target, AfterProfile after,
                            const QString& text, Profiled profiled)
{
    if (!isSame(before, m_state)) {
        // What a person did meanwhile stays, and what was asked for comes on top of it.
        PlanState next = m_state;
        next.request = fittedRequest(withChanges(m_state.request, before.request, target.request),
                                     m_model->graph.nodeCount());
        if (target.times != before.times)
            next.times = target.times;
        return startProfiling(next, after == AfterProfile::ApplyPlan ? after : afterProfile(next), text);
    }
    for (const NodeNote& note : profiled.profile->nodeNotes)
        emit noticedAt(QString::fromStdString(noteText(note)), note.nodes);
    for (const std::string& note : profiled.profile->notes)
        emit noticed(QString::fromStdString(note));
    target.profile = std::move(profiled.profile);
    target.problem = std::move(profiled.problem);
    if (after == AfterProfile::Keep)
        return push(text, withPartition(target, *m_state.partition));
    if (after == AfterProfile::ApplyPlan && m_pendingPlan) {
        const PlanFile plan = *std::exchange(m_pendingPlan, std::nullopt);
        Result<PlanState> planned = planOfFile(plan, target);
        if (planned.has_value()) {
            m_isFirstPlan = false;
            setState(*planned);
            return offerKeptEdits();
        }
        report(planned.error());
        m_planPath.clear(); // what comes now is not that plan, and must not be written over it unasked
    }
    if (m_isFirstPlan && m_state.partition->stageCount == 1)
        setState(unsplit(target)); // costs are there already, a plan soon
    startSplitting(target, tr("Split into %1 stages").arg(target.request.plan.stageCount));
}

Result<PlanState> Document::planOfFile(const PlanFile& plan, PlanState state)
{
    STAGECRAFT_ASSIGN(applied, applyPlan(plan, m_model->graph));
    for (const std::string& note : applied.notes)
        emit noticed(QString::fromStdString(note));
    applied.options.stageCount = applied.partition.stageCount;
    state.request.plan = applied.options;
    state.request = withOptions(std::move(state.request), applied.options);
    STAGECRAFT_ASSIGN(problem, planProblem(*m_model, *state.profile, askedOf(state)));
    STAGECRAFT_TRY(checkPartition(problem, applied.partition));
    return withLocksOfPins(m_model->graph,
                           withRestaging(state, std::move(problem), std::move(applied.partition)));
}

void Document::startSplitting(const PlanState& target, const QString& text)
{
    const bool isMarked = m_isFirstPlan && !markedSplit(m_model->graph).empty();
    const auto note = std::make_shared<std::string>(); // written by the work, read when it is done
    m_splitJob.start(
        tr("Searching for the best split"),
        [model = m_model, problem = target.problem, current = target.partition, isMarked,
         note](const Progress& progress) {
            return isMarked ? planAtMarks(model->graph, *problem, *current, *note, progress)
                            : findPlan(*problem, {.current = current.get()}, progress);
        },
        [this, target, text, note](Result<FoundPlan> found) {
            if (!note->empty())
                emit noticed(QString::fromStdString(*note));
            if (found.has_value())
                return takeSplit(target, text, *std::move(found));
            report(found.error());
            if (m_isFirstPlan)
                refresh(Change::OpenBoxes);
            emit planChanged(); // the number of stages goes back to what it is
        });
}

void Document::takeSplit(PlanState target, const QString& text, FoundPlan found)
{
    m_bounds[target.problem] = {found.solution.bound, found.solution.iterationBound};
    const bool isSamePlan =
        target.problem == m_state.problem && found.solution.partition == *m_state.partition;
    target.partition = std::make_shared<const Partition>(std::move(found.solution.partition));
    target.cost = std::make_shared<const PlanCost>(std::move(found.solution.cost));
    target.request.plan.stageCount = target.partition->stageCount;
    const QString whyOverLimit = QString::fromStdString(found.whyOverLimit);
    if (std::exchange(m_isFirstPlan, false)) {
        setState(target);
        offerKeptEdits();
    } else if (isSamePlan) {
        emit planChanged(); // its bound may be news
        if (whyOverLimit.isEmpty())
            emit splitConfirmed();
    } else {
        push(text, std::move(target));
    }
    if (!whyOverLimit.isEmpty())
        emit nothingFits(whyOverLimit);
}

void Document::startBounding()
{
    m_boundJob.start(
        tr("Looking for a bound"),
        [problem = m_state.problem](const Progress& progress) {
            return findPlan(*problem, {.overLimit = OverLimit::Refused}, progress);
        },
        [this, problem = m_state.problem](Result<FoundPlan> found) {
            if (found.has_value())
                takeBound(problem, found->solution);
        });
}

void Document::takeBound(const std::shared_ptr<const PartitionProblem>& problem, const Solution& solution)
{
    m_bounds[problem] = {solution.bound, solution.iterationBound};
    if (shown().problem == problem)
        emit planChanged();
}

void Document::startDrawing()
{
    m_drawingJob.start(
        tr("Drawing"),
        [engine = m_engine, graph = planView().graph, groups = m_groups, partition = m_state.partition,
         profile = m_state.profile, chosen = m_expansionIsSettled ? std::optional(m_expansion) : std::nullopt,
         before = m_drawing, maxItems = m_maxItems,
         options = m_treeOptions](const Progress& progress) -> Result<Layout> {
            if (chosen && before && before->tree->partition != *partition) {
                const RunTree tree = makeRunTree(*graph, *groups, *partition, options);
                return drawPlan(*engine, graph, *groups, *partition, carriedOver(*chosen, *before, tree),
                                options, progress);
            }
            if (chosen)
                return drawPlan(*engine, graph, *groups, *partition, *chosen, options, progress);
            const RunTree tree = makeRunTree(*graph, *groups, *partition, options);
            const Expansion opening = openingExpansion(tree, openingWeights(*graph, profile.get()), maxItems);
            return drawPlan(*engine, graph, *groups, *partition, opening, options, progress);
        },
        [this, hadCosts = m_state.profile != nullptr](Result<Layout> layout) {
            if (!layout.has_value())
                return report(layout.error());
            for (const std::string& note : layout->notes)
                emit noticed(QString::fromStdString(note));
            m_expansion = layout->expansion;
            m_expansionIsSettled = m_expansionIsSettled || hadCosts;
            m_drawing = std::make_shared<const Layout>(*std::move(layout));
            if (!isDragging())
                emit drawingChanged();
        });
}

void Document::startCode()
{
    m_codeJob.start(
        tr("Writing code"),
        [model = m_model, partition = shown().partition, previous = m_pages](const Progress& progress) {
            return makeStagePages(*model, *partition, previous, progress);
        },
        [this](Result<std::vector<StagePage>> pages) {
            if (pages.has_value())
                m_pages = *std::move(pages);
            else
                report(pages.error());
            emit codeChanged();
        });
    emit codeChanged(); // stale from now on
}

void Document::savePlan(const std::filesystem::path& path)
{
    if (!m_model)
        return;
    if (m_model->isReadFrom(path)) { // by whatever name, from wherever it was asked for
        report(Error{ErrorCode::BadUsage,
                     path.string() + ": is the model that is open, and would be written over; choose "
                                     "another name"});
        emit planNotSaved();
        return;
    }
    m_saveJob.start(
        tr("Saving %1").arg(fileName(path)),
        [model = m_model, modelPath = m_modelPath, fingerprint = m_fingerprint, path,
         partition = m_state.partition, options = partitionOptions(m_state, m_settings.timeLimit)](
            const Progress& progress) -> Result<std::monostate> {
            STAGECRAFT_ASSIGN(sha256, fileSha256(modelPath, progress));
            STAGECRAFT_TRY(progress.step("Writing", 1, 2));
            // The fingerprint is that of the file as it was read.
            const PlanFile plan =
                makePlanFile({modelPath, sha256, fingerprint}, model->graph, *partition, options);
            STAGECRAFT_TRY(writePlan(plan, path));
            return std::monostate{};
        },
        [this, path, written = m_state](const Result<std::monostate>& saved) {
            if (!saved.has_value()) {
                report(saved.error());
                emit planNotSaved();
                return;
            }
            takeSaved(path, written);
        });
}

// What was edited while it was written is not in it.
void Document::takeSaved(const std::filesystem::path& path, const PlanState& written)
{
    m_kept.forget(m_planPath.empty() ? std::filesystem::path() : keptPlace()); // a file of its own has it
    m_planPath = path;
    if (m_state.partition == written.partition && m_state.problem == written.problem) {
        m_undoStack.setClean();
        keepEdits();
    } else {
        m_undoStack.resetClean();
    }
    emit planSaved();
}

// Of a plan file, what differs from it; of a model, the last that was done to it.
void Document::keepEdits()
{
    if (!m_model)
        return;
    if (!m_undoStack.isClean())
        m_kept.keep(keptPlace(), [model = m_model, modelPath = m_modelPath, fingerprint = m_fingerprint,
                                  partition = m_state.partition,
                                  options = partitionOptions(m_state, m_settings.timeLimit)] {
            return makePlanFile({modelPath, {}, fingerprint}, model->graph, *partition, options);
        });
    else if (!m_planPath.empty())
        m_kept.forget(keptPlace());
}

void Document::offerKeptEdits()
{
    std::error_code ignored;
    if (const std::filesystem::path place = keptPlace(); std::filesystem::exists(place, ignored))
        emit lastSplitFound();
}

void Document::restoreLastSplit()
{
    if (!m_state.problem)
        return;
    const Result<PlanFile> plan = readPlan(keptPlace());
    if (!plan.has_value())
        return report(plan.error());
    Result<PlanState> planned = planOfFile(*plan, m_state);
    if (!planned.has_value())
        return report(planned.error());
    push(tr("Restore the edits"), *std::move(planned));
}

} // namespace stagecraft
