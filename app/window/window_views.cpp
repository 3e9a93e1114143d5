#include "app/window/window_views.h"

#include "app/document/constraint_list.h"
#include "app/document/document.h"
#include "app/document/plan_constraints.h"
#include "app/document/plan_edit.h"
#include "app/document/schedule_figures.h"
#include "app/document/stages_memory.h"
#include "app/window/spread_calls.h"
#include "app/window/stage_devices.h"
#include "core/load/loss_output.h"
#include "core/plan/plan_notes.h"

namespace stagecraft {

namespace {

// A panel that nobody sees needs no simulation.
void showSchedule(const WindowViews& views, const Document& document)
{
    if (!views.schedule->isVisible())
        return;
    views.schedule->setFigures(scheduleFigures(document.shown()));
    const auto& run = document.analyses().measuredRun();
    views.schedule->setMeasured(run ? measuredFigures(document.shown(), *run) : nullptr);
}

void showBatch(const WindowViews& views, const Document& document)
{
    if (const auto batch = document.analyses().largestBatch())
        views.memory->setLargestBatch(*batch);
    else
        views.memory->setBatchState(document.analyses().isBatchRunning() ? MemoryPanel::BatchState::Searching
                                                                         : MemoryPanel::BatchState::Unknown);
}

OnDemandPanel::State stateOf(const Document& document, bool isRunning)
{
    return isRunning                  ? OnDemandPanel::State::Searching
           : document.state().problem ? OnDemandPanel::State::Ready
                                      : OnDemandPanel::State::None;
}

// Of plans with other boundaries than the present one's, where stages choose what they run again.
QString noteOnRecomputed(const Document& document)
{
    return choosesAny(document.request().plan.recompute)
               ? QObject::tr(
                     "All plans here run again what the present one does. A plan that is taken chooses "
                     "that anew: its memory and time may then differ from what it says here.")
               : QString();
}

void showCurve(const WindowViews& views, const Document& document)
{
    views.curve->setNote(noteOnRecomputed(document));
    views.curve->setState(stateOf(document, document.analyses().isCurveRunning()));
    views.curve->setCurve(document.analyses().curve());
    views.curve->setCurrent(document.request().plan.stageCount);
}

void showTradeOffs(const WindowViews& views, const Document& document)
{
    views.tradeOffs->setNote(noteOnRecomputed(document));
    views.tradeOffs->setState(stateOf(document, document.analyses().isTradeOffsRunning()));
    views.tradeOffs->setPlans(document.analyses().tradeOffs());
    views.tradeOffs->setCurrent(document.state().partition);
}

void showAdvice(const WindowViews& views, const Document& document)
{
    const auto advice = document.analyses().advice();
    const bool isReady = advice && !document.analyses().isAdviceRunning();
    views.advice->setAdvice(advice, document.planView(),
                            !document.state().problem ? AdvicePanel::State::None
                            : isReady                 ? AdvicePanel::State::Ready
                                                      : AdvicePanel::State::Searching);
}

QStringList planNotesOf(const Document& document)
{
    const PlanState& state = document.state();
    QStringList texts;
    if (document.hasModel() && state.problem && state.profile)
        for (const std::string& note :
             planNotes(document.model()->graph, *state.profile, *state.problem, *state.partition))
            texts << QString::fromStdString(note);
    return texts;
}

void showPlaces(const WindowViews& views, const Document& document)
{
    const Result<DeviceSpec> device = findDevice(document.devices(), document.asked().device);
    views.places->setVisible(document.hasModel());
    views.places->setDevices(document.devices());
    views.places->setRequest(document.asked(), device.has_value() ? *device : DeviceSpec());
}

// A drawing may still show a plan with more stages than the one that is shown now.
void keepSelectionInPlan(const WindowViews& views, const Document& document)
{
    const auto partition = document.planView().partition;
    const auto chosen = views.selection->boundary();
    if (chosen && (!partition || chosen->index() + 1 >= partition->stageCount))
        views.selection->setBoundary({});
    const auto stage = views.selection->stage();
    if (stage && (!partition || stage->index() >= partition->stageCount))
        views.selection->setStage({});
}

// What follows a drag, the figures first: each is shown anew in less than a frame, not all together.
SpreadCalls* makePreview(const WindowViews& views, const Document* document, QObject* parent)
{
    return new SpreadCalls({[=] { views.stages->setPreview(document->planView()); },
                            [=] { views.graph->setPlan(document->planView()); },
                            [=] { views.charts->setPlan(document->planView()); },
                            [=] { showSchedule(views, *document); },
                            [=] { views.modules->setPlan(document->planView()); },
                            [=] { views.details->setPlan(document->planView()); }},
                           parent);
}

void showPlan(const WindowViews& views, const Document& document)
{
    const PlanView plan = document.planView();
    views.graph->setPlan(plan);
    views.charts->setPlan(plan);
    showSchedule(views, document);
    views.modules->setPlan(plan);
    views.details->setPlan(plan);
    if (document.isDragging()) {
        views.stages->setPreview(plan);
        return;
    }
    views.stages->setPreview({});
    views.stages->setPlan(plan);
    views.code->setPlan(plan);
    views.memory->setPlan(plan);
    views.map->setPlan(plan);
    views.stepMemory->setPlan(plan);
    views.operators->setPlan(plan);
    showBatch(views, document);
    showCurve(views, document);
    showTradeOffs(views, document);
    showAdvice(views, document);
    views.options->setRequest(document.asked());
    views.options->setNotes(planNotesOf(document));
    showPlaces(views, document);
    views.constraints->setConstraints(plan.graph ? constraintsInForce(*plan.graph, document.state())
                                                 : std::vector<ConstraintInForce>(),
                                      plan.graph);
    keepSelectionInPlan(views, document);
}

void showModel(const WindowViews& views, const Document& document)
{
    showPlan(views, document);
    if (document.hasModel())
        views.options->setMaximumStages(document.model()->graph.nodeCount());
    views.options->setOpenSizes(document.hasModel() ? openSizes(document.model()->graph)
                                                    : std::vector<OpenSize>());
    const Result<LossOutput> loss =
        document.hasModel() ? lossOutput(*document.model()) : Result<LossOutput>(LossOutput());
    views.options->setLoss(loss.has_value() ? *loss : LossOutput());
    views.code->setSourceFolder(QString::fromStdString(document.modelPath().parent_path().string()));
}

void showCode(const WindowViews& views, const Document& document)
{
    views.code->setPages(document.pages());
    views.code->setState(document.isCodeStale() ? CodeView::State::Updating : CodeView::State::Current);
}

// The one place where views forget a model: the document has none any more.
void forgetModel(const WindowViews& views, const Document& document)
{
    views.selection->clear();
    views.selection->setMatches({});
    views.graph->setGraphLayout(nullptr);
    views.schedule->setFigures(nullptr); // also where nobody sees it
    views.schedule->setMeasured(nullptr);
    showCode(views, document);
    showPlan(views, document);
}

// Bars in the code show what the last step of the history changed, a drag from its start on. The plan that a
// model opens with is no step, however many plans there were on the way to it.
void linkChangeBars(const WindowViews& views, Document& document)
{
    struct Change
    {
        std::shared_ptr<const Partition> partition; // that there is
        bool isDragging = false;
        bool isMove = false; // of boundaries, and not what a drag showed already
    };
    auto change = std::make_shared<Change>();
    Document* source = &document;
    QObject* context = views.graph;
    QObject::connect(source, &Document::planChanged, context, [=] {
        const bool isOther =
            std::exchange(change->partition, source->state().partition) != source->state().partition;
        const bool wasDragging = std::exchange(change->isDragging, source->isDragging());
        change->isMove = isOther && !wasDragging && !source->isDragging();
    });
    QObject::connect(&source->undoStack(), &QUndoStack::indexChanged, context, [=] {
        if (std::exchange(change->isMove, false))
            views.code->setBaseline();
    });
    QObject::connect(source, &Document::previewChanged, context, [=] {
        if (source->isDragging() && !change->isDragging)
            views.code->setBaseline();
        change->isDragging = source->isDragging();
    });
    QObject::connect(source, &Document::modelGone, context, [=] { *change = {}; });
}

void linkDocument(const WindowViews& views, Document& document)
{
    Document* source = &document;
    QObject* context = views.graph;
    QObject::connect(source, &Document::modelGone, context, [=] { forgetModel(views, *source); });
    QObject::connect(source, &Document::modelChanged, context, [=] { showModel(views, *source); });
    SpreadCalls* preview = makePreview(views, source, context);
    QObject::connect(source, &Document::planChanged, context, [=] {
        if (!source->isDragging())
            preview->drop();
        showPlan(views, *source);
    });
    QObject::connect(source, &Document::codeChanged, context, [=] { showCode(views, *source); });
    QObject::connect(&source->analyses(), &DocumentAnalyses::statisticsChanged, context, [=] {
        showPlan(views, *source);
        views.code->setBeside(source->analyses().statistics() ? CodeView::Beside::Statistics
                                                              : CodeView::Beside::Cost);
    });
    QObject::connect(source, &Document::drawingChanged, context,
                     [=] { views.graph->setGraphLayout(source->drawing()); });
    QObject::connect(source, &Document::modelGone, context, [=] { preview->drop(); }); // in a drag, say
    QObject::connect(source, &Document::previewChanged, context, [=] {
        if (source->isDragging())
            return preview->callAll();
        preview->drop();
        showPlan(views, *source);
    });
}

// Positions that the graph tells are counted in the plan that its drawing shows.
std::size_t planPosition(const WindowViews& views, const Document& document, std::size_t position)
{
    const auto& layout = views.graph->graphLayout();
    return layout ? translatedPosition(layout->tree->partition, *document.state().partition, position)
                  : position;
}

void linkGraph(const WindowViews& views, Document& document)
{
    GraphView* graph = views.graph;
    Document* target = &document;
    QObject::connect(views.selection, &Selection::matchesChanged, graph,
                     [=] { graph->setMatches(views.selection->matches()); });
    graph->setLegalPositions([=](BoundaryId boundary) { return target->legalPositions(boundary); });
    QObject::connect(graph, &GraphView::roomChanged, target, [=](QSizeF room) {
        target->setGraphView({room.width(), room.height()});
    });
    QObject::connect(graph, &GraphView::expansionRequested, target, &Document::setExpansion);
    QObject::connect(graph, &GraphView::boundaryDragged, target, [=](BoundaryId boundary, std::size_t place) {
        target->drag(boundary, planPosition(views, *target, place));
    });
    QObject::connect(graph, &GraphView::boundaryDropped, target, [=](BoundaryId boundary, std::size_t place) {
        target->drop(boundary, planPosition(views, *target, place));
    });
    QObject::connect(graph, &GraphView::boxesDragged, target, &Document::dragNodes);
    QObject::connect(graph, &GraphView::boxesDropped, target, &Document::dropNodes);
    QObject::connect(target, &Document::dragRefused, graph, &GraphView::refuseBoxDrag);
    QObject::connect(graph, &GraphView::dragCancelled, target, &Document::cancelDrag);
    QObject::connect(graph, &GraphView::boundaryMoveRequested, target, &Document::moveBoundary);
    QObject::connect(graph, &GraphView::splitRequested, target,
                     [=](std::size_t place) { target->addBoundary(planPosition(views, *target, place)); });
}

void linkSchedule(const WindowViews& views, Document& document)
{
    Document* target = &document;
    DocumentAnalyses* analyses = &document.analyses();
    QObject::connect(views.schedule, &ScheduleView::shown, target, [=] { showSchedule(views, *target); });
    QObject::connect(analyses, &DocumentAnalyses::measuredRunChanged, views.schedule,
                     [=] { showSchedule(views, *target); });
    QObject::connect(views.schedule, &ScheduleView::measuredDismissed, analyses,
                     &DocumentAnalyses::dropMeasuredStep);
    QObject::connect(views.stepMemory, &StepMemoryPanel::stagesWanted, target,
                     [=] { views.stepMemory->setStages(stagesMemory(target->state())); });
}

// One step of undo, however many they are.
void deleteConstraints(Document& document, const std::vector<std::size_t>& chosen)
{
    if (document.isDragging() || !document.state().problem)
        return;
    const auto all = constraintsInForce(document.model()->graph, document.state());
    std::vector<ConstraintInForce> gone;
    for (const std::size_t index : chosen)
        gone.push_back(all[index]);
    Result<PlanState> free =
        underConstraints(*document.model(), withoutThese(document.state(), gone), document.timeLimit());
    if (!free.has_value())
        return document.refuse(free.error());
    document.adopt(gone.size() == 1 ? QObject::tr("Delete a constraint")
                                    : QObject::tr("Delete %1 constraints").arg(gone.size()),
                   *std::move(free));
}

void linkOptions(const WindowViews& views, Document& document)
{
    Document* target = &document;
    QObject::connect(views.options, &PlanOptionsPanel::requestChanged, target,
                     [=](const PlanRequest& request) { target->setRequest(request); });
    QObject::connect(views.options, &PlanOptionsPanel::splitRequested, target, &Document::splitAutomatically);
    QObject::connect(views.options, &PlanOptionsPanel::splitsAgainChanged, target, [=](bool again) {
        target->setAfterChange(again ? Document::AfterChange::SplitAgain
                                     : Document::AfterChange::KeepBoundaries);
    });
    new StageDevices(views.places, document, views.places);
    QObject::connect(views.constraints, &ConstraintsPanel::deleteRequested, target,
                     [=](const std::vector<std::size_t>& chosen) { deleteConstraints(*target, chosen); });
    JobQueue* queue = &document.heavyQueue();
    QObject::connect(queue, &JobQueue::currentChanged, views.options, [=] {
        views.options->setState(queue->isBusy() ? PlanOptionsPanel::State::Searching
                                                : PlanOptionsPanel::State::Ready);
    });
}

void linkPanels(const WindowViews& views, Document& document)
{
    Document* target = &document;
    DocumentAnalyses* analyses = &document.analyses();
    QObject::connect(views.charts, &ExecutionCharts::boundaryDragged, target, &Document::drag);
    QObject::connect(views.charts, &ExecutionCharts::boundaryDropped, target, &Document::drop);
    QObject::connect(views.charts, &ExecutionCharts::dragCancelled, target, &Document::cancelDrag);
    QObject::connect(views.charts, &ExecutionCharts::boundaryMoveRequested, target, &Document::moveBoundary);
    QObject::connect(views.charts, &ExecutionCharts::splitRequested, target, &Document::addBoundary);
    QObject::connect(views.stages, &StagesTable::boundaryMoveRequested, target, &Document::moveBoundary);
    QObject::connect(views.stages, &StagesTable::boundaryRemoveRequested, target, &Document::removeBoundary);
    QObject::connect(views.stages, &StagesTable::stageSplitRequested, target, &Document::splitStage);
    QObject::connect(views.stages, &StagesTable::stageActivated, views.code, &CodeView::showStage);
    QObject::connect(views.modules, &ModuleTreeView::sendRequested, target, &Document::send);
    QObject::connect(views.modules, &ModuleTreeView::splitRequested, target,
                     [=](const std::vector<NodeId>& nodes, SplitSide side) {
                         if (target->hasModel())
                             target->addBoundary(splitPosition(*target->state().partition, nodes, side));
                     });
    QObject::connect(analyses, &DocumentAnalyses::batchChanged, views.memory,
                     [=] { showBatch(views, *target); });
    QObject::connect(analyses, &DocumentAnalyses::curveChanged, views.curve,
                     [=] { showCurve(views, *target); });
    QObject::connect(analyses, &DocumentAnalyses::tradeOffsChanged, views.tradeOffs,
                     [=] { showTradeOffs(views, *target); });
    QObject::connect(views.tradeOffs, &TradeOffsPanel::asked, analyses, &DocumentAnalyses::seekTradeOffs);
    QObject::connect(views.tradeOffs, &TradeOffsPanel::adoptRequested, analyses,
                     &DocumentAnalyses::adoptTradeOff);
    QObject::connect(analyses, &DocumentAnalyses::adviceChanged, views.advice,
                     [=] { showAdvice(views, *target); });
    QObject::connect(views.advice, &AdvicePanel::applyRequested, analyses,
                     &DocumentAnalyses::applySuggestion);
    // Nobody looks for advice that nobody sees.
    const auto seekAdvice = [=] {
        if (views.advice->isVisible())
            analyses->seekAdvice();
    };
    QObject::connect(views.advice, &AdvicePanel::shown, target, seekAdvice, Qt::QueuedConnection);
    QObject::connect(target, &Document::planChanged, views.advice, seekAdvice, Qt::QueuedConnection);
    QObject::connect(views.memory, &MemoryPanel::largestBatchRequested, analyses,
                     &DocumentAnalyses::findLargestBatch);
    QObject::connect(views.curve, &CurvePanel::asked, analyses, &DocumentAnalyses::computeCurve);
    QObject::connect(views.curve, &CurvePanel::adoptRequested, analyses, &DocumentAnalyses::adoptPoint);
    QObject::connect(views.code, &CodeView::statisticsRequested, target,
                     [=] { analyses->gatherStatistics(); });
    for (const auto changed : {&Selection::stageChanged, &Selection::boundaryChanged})
        QObject::connect(views.selection, changed, target, [=] { keepSelectionInPlan(views, *target); });
    QObject::connect(views.selection, &Selection::stageChanged, views.code, [=] {
        if (const auto stage = views.selection->stage())
            views.code->showStage(*stage);
    });
}

} // namespace

WindowViews makeViews(QWidget* parent)
{
    WindowViews views{};
    views.selection = new Selection(parent);
    views.graph = new GraphView(views.selection, parent);
    views.modules = new ModuleTreeView(views.selection, parent);
    views.stages = new StagesTable(views.selection, parent);
    views.options = new PlanOptionsPanel(parent);
    views.trade = new TradeSlider(parent);
    views.places = new PlacesTable(parent);
    views.constraints = new ConstraintsPanel(views.selection, parent);
    views.advice = new AdvicePanel(views.selection, parent);
    views.code = new CodeView(views.selection, parent);
    views.details = new DetailsPanel(views.selection, parent);
    views.charts = new ExecutionCharts(views.selection, parent);
    views.schedule = new ScheduleView(views.selection, parent);
    views.memory = new MemoryPanel(views.selection, parent);
    views.map = new ModuleMap(views.selection, parent);
    views.stepMemory = new StepMemoryPanel(views.selection, parent);
    views.curve = new CurvePanel(parent);
    views.tradeOffs = new TradeOffsPanel(parent);
    views.operators = new OperatorsPanel(views.selection, parent);
    views.history = new HistoryPanel(parent);
    return views;
}

void linkViews(const WindowViews& views, Document& document)
{
    linkChangeBars(views, document);
    linkDocument(views, document);
    linkGraph(views, document);
    linkSchedule(views, document);
    linkOptions(views, document);
    linkPanels(views, document);
}

} // namespace stagecraft
