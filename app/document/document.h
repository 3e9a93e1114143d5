// Document: the model a window shows and the plan for it; every box of the way of the data, as it stands now.
//
//     open ─job─► model, groups ─job─► profile, problem ─job─► plan, bound
//                                                               │  ├─job─► drawing
//                            undo stack of PlanStates ──────────┘  └─job─► code of the stages
//
// Everything it holds is immutable and shared; views get it through planView() and answer by calling a
// function here. All on the GUI thread; work runs as jobs, whose newest start alone counts.
//
// While a boundary or a box is dragged there is a *preview*: a plan beside the plan, evaluated at once for
// every move of the mouse. The code follows 150 ms later; nothing is drawn anew before the drop, which is one
// step of undo.
#pragma once

#include "app/document/kept_edits.h"
#include "app/document/opened_file.h"
#include "app/document/plan_state.h"
#include "app/document/stage_pages.h"
#include "app/jobs/job.h"
#include "core/advise/curve.h"
#include "core/layout/layout_engine.h"
#include "core/measure/statistics.h"
#include "core/plan/evaluate.h"
#include "core/profile/model/largest_batch.h"
#include "core/workflow.h"
#include "views/base/plan_view.h"
#include "views/pages/statistics_dialog.h"
#include "views/plan/plan_advice.h"

#include <QTimer>
#include <QUndoStack>

#include <array>
#include <map>
#include <variant>

namespace stagecraft {

class Document : public QObject
{
    Q_OBJECT

public:
    struct Settings
    {
        std::vector<DeviceSpec> devices;
        PlanRequest request;              // for the next model that is opened
        Seconds timeLimit{3};             // for a search
        std::filesystem::path dataFolder; // where unsaved edits are kept; empty: nowhere
    };

    explicit Document(Settings settings, QObject* parent = nullptr);
    ~Document() override;

    // ---- what there is
    bool hasModel() const { return m_model != nullptr; }
    const std::shared_ptr<const Model>& model() const { return m_model; }
    const std::filesystem::path& modelPath() const { return m_modelPath; }
    // The *.stagecraft file that the plan came from or was last saved to; may be empty.
    const std::filesystem::path& planPath() const { return m_planPath; }
    const std::vector<DeviceSpec>& devices() const { return m_settings.devices; }
    const PlanRequest& request() const { return hasModel() ? m_state.request : m_settings.request; }
    const PlanState& state() const { return m_state; }
    // The plan that is shown: the previewed one during a drag.
    const PlanState& shown() const { return m_preview ? *m_preview : m_state; }
    bool isDragging() const { return m_preview.has_value(); }
    // No plan of this problem can be faster; none while that is searched for.
    std::optional<Bound> bound() const;
    Seconds stepBound() const; // likewise on the time of a step, where that is the objective; 0: not known
    PlanView planView() const;
    const std::vector<StagePage>& pages() const { return m_pages; }
    bool isCodeStale() const { return m_codeDelay.isActive() || m_codeJob.isRunning(); }
    const std::shared_ptr<const Layout>& drawing() const { return m_drawing; }
    const Expansion& expansion() const { return m_expansion; }
    QUndoStack& undoStack() { return m_undoStack; }
    JobQueue& heavyQueue() { return m_heavyQueue; }
    // All that work runs on, the weightiest first.
    std::array<JobQueue*, 3> queues() { return {&m_heavyQueue, &m_quickQueue, &m_idleQueue}; }
    // Is anything still under way that changes what is shown?
    bool isSettled() const;
    // Is there an edit that is in no file that the person saved? Kept edits do not count.
    bool hasUnsavedEdits() const { return hasModel() && !m_undoStack.isClean(); }
    bool keepsEdits() const { return !m_settings.dataFolder.empty(); }
    // Cancels all that is under way; nothing of it is delivered any more, nor is anything new begun by it.
    // Edits are kept first.
    void stopWork();
    // Has all work left its thread? Then the document goes without waiting.
    bool isAtRest() const;

    // ---- files
    void open(const std::filesystem::path& path);
    void close();
    void savePlan(const std::filesystem::path& path); // planSaved() or planNotSaved() follows
    // Gives the model the weights of these files; plan and figures stay. noticed() or failed() says how it
    // went.
    void attachWeights(const std::vector<std::filesystem::path>& files);
    // Takes over the edits that lastSplitFound() was about: one step of undo.
    void restoreLastSplit();

    // ---- a real run
    // One training step on this machine; none before gatherStatistics() has ended well.
    const std::shared_ptr<const Statistics>& statistics() const { return m_statistics; }
    void gatherStatistics(const StepInputs& inputs = {});

    // ---- the plan; each is one step of undo
    void setRequest(const PlanRequest& request);
    void splitAutomatically(); // splitConfirmed() and no step where that finds the plan that is there
    // Null: estimates. They are dropped when the sizes change.
    void useTimes(const QString& text, std::shared_ptr<const TimeOverrides> times);
    void moveBoundary(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void addBoundary(std::size_t position); // in the stage order of state().partition
    void removeBoundary(BoundaryId boundary);
    void splitStage(StageId stage);
    void send(const std::vector<NodeId>& nodes, StageDirection direction);
    std::vector<std::size_t> legalPositions(BoundaryId boundary) const;

    // ---- constraints, whatever is searched for or dragged; each is one step of undo
    bool isLocked(BoundaryId boundary) const;
    void toggleLock(BoundaryId boundary);
    void togglePins(const std::vector<NodeId>& nodes); // to the stages that they are in
    void keepTogether(const std::vector<NodeId>& nodes);
    void letApart(const std::vector<NodeId>& nodes); // the groups that any of them is in
    // Plans each block as one; where that is so of all, no longer.
    void toggleBlocks(const std::vector<std::vector<NodeId>>& blocks);

    // ---- a drag: previews while it goes on; the drop is one step of undo
    void drag(BoundaryId boundary, std::size_t position);
    void drop(BoundaryId boundary, std::size_t position);
    // `nodes` to `stage`, with all that must go along. Where that cannot be, the plan stays as it is:
    // dragRefused() while they are dragged, refused() when they are dropped.
    void dragNodes(const std::vector<NodeId>& nodes, StageId stage);
    void dropNodes(const std::vector<NodeId>& nodes, StageId stage);
    void cancelDrag();

    // ---- looking around
    // The best plans of every number of stages under the present request; none before computeCurve(). It
    // grows while it is made, and goes when a choice besides the number of stages changes.
    const std::shared_ptr<const PlanCurve>& curve() const { return m_curve; }
    bool isCurveRunning() const { return m_curveJob.isRunning(); }
    void computeCurve();
    // Takes the plan of that point over: one step of undo.
    void adoptPoint(std::size_t stageCount);
    // Another plan of the present problem: one step of undo of that text.
    void adoptPlan(const QString& text, const Partition& partition);
    // How large the batch may be; none before findLargestBatch() or after the profile has changed.
    struct BatchAnswer
    {
        std::shared_ptr<const Profile> profile; // that it is about
        std::optional<LargestBatch> batch;      // none: no input has a batch dimension
    };
    const std::optional<BatchAnswer>& batchAnswer() const { return m_batchAnswer; }
    bool isBatchRunning() const { return m_batchJob.isRunning(); }
    void findLargestBatch();
    // Why state() is no faster and what would help; null before seekAdvice() or for another plan.
    std::shared_ptr<const PlanAdvice> advice() const;
    bool isAdviceRunning() const { return m_adviceJob.isRunning(); }
    void seekAdvice(); // unless it is there already, or the bound is still looked for
    // Takes a suggestion of advice() over: one step of undo.
    void applySuggestion(std::size_t index);

    // ---- the drawing
    void setExpansion(const Expansion& expansion);
    void setDetail(std::size_t maxItems); // opens the most expensive boxes, so many items in all
    void setTreeOptions(const RunTreeOptions& options);

signals:
    // Nothing is known of any model now. Whoever holds values of the one that was there lets go of them
    // before another's come: an id of one graph means nothing in the next.
    void modelGone();
    void modelChanged();
    void planChanged();    // and whatever belongs to it: request, costs, bound
    void previewChanged(); // a drag began, moved or ended
    void drawingChanged();
    void codeChanged();
    void cameToRest();        // isAtRest() is true again
    void curveChanged();      // it grew, went, or begins or ends to be made
    void batchChanged();      // an answer is there, is looked for, or will not come
    void adviceChanged();     // likewise
    void statisticsChanged(); // there are some, or gathering them has failed or was cancelled
    void planSaved();
    void planNotSaved();   // failed() says why, unless that was cancelled
    void splitConfirmed(); // a search found nothing better than the plan that is there
    void lastSplitFound(); // the model or the plan that was opened has edits that were never saved
    void refused(const QString& message);     // what was asked for cannot be done
    void dragRefused(const QString& message); // why what is dragged cannot be dropped here
    void failed(const QString& message);      // something went wrong
    void noticed(const QString& message);     // worth knowing
    // The same of some nodes of the model.
    void noticedAt(const QString& message, const std::vector<stagecraft::NodeId>& nodes);
    void nothingFits(const QString& why); // no plan for what is asked keeps the memory limits

private:
    struct Profiled
    {
        std::shared_ptr<const Profile> profile;
        std::shared_ptr<const PartitionProblem> problem;
    };
    struct Bounds
    {
        Bound slowest;
        Seconds step; // 0: not known
    };
    struct Drag
    {
        std::optional<BoundaryId> boundary;              // none: nodes are dragged
        std::shared_ptr<const PartitionProblem> problem; // that the evaluator refers to
        PlanEvaluator evaluator;
    };
    enum class AfterProfile { Split, Keep, ApplyPlan };
    static AfterProfile afterProfile(const PlanState& target);

    // document.cpp: what there is
    void setState(const PlanState& state);
    void push(const QString& text, PlanState next, int gesture = 0);
    void refuse(const Error& error);
    void report(const Error& error);
    void hold(const QString& text, PlanState draft);
    // Of its request and profile; says why not.
    bool makeProblem(PlanState& target);
    // document_drag.cpp
    void endPreview();
    bool beginDrag(std::optional<BoundaryId> boundary);
    void preview(const Partition& partition);
    void pushPreview(const QString& text);
    // document_jobs.cpp: how it comes about
    void clear();
    void takeOpened(OpenedFile opened);
    void refresh(Change change);
    void startProfiling(PlanState target, AfterProfile after, const QString& text = {});
    // `before`: what there was when it was asked for.
    void takeProfiled(const PlanState& before, PlanState target, AfterProfile after, const QString& text,
                      Profiled profiled);
    void startSplitting(const PlanState& target, const QString& text);
    void takeSplit(PlanState target, const QString& text, FoundPlan found);
    void takeBound(const std::shared_ptr<const PartitionProblem>& problem, const Solution& solution);
    // The plan of a file on the open model; notes are told to the person.
    Result<PlanState> planOfFile(const PlanFile& plan, PlanState state);
    void startBounding();
    void startDrawing();
    void startCode();
    void takeSaved(const std::filesystem::path& path, const PlanState& written);
    void keepEdits();
    void offerKeptEdits();
    std::filesystem::path keptPlace() const { return m_kept.placeOf(m_fingerprint, m_planPath); }
    void takeCurve(const std::shared_ptr<const PartitionProblem>& problem, const PlanCurve& curve);
    void dropStaleCurve();
    Result<ProfileOptions> profileOptions(const PlanRequest& request) const;
    PartitionOptions askedOf(const PlanState& state) const;

    Settings m_settings;

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const GroupTree> m_groups;
    std::filesystem::path m_modelPath;
    std::filesystem::path m_planPath;
    std::string m_fingerprint;
    std::optional<PlanFile> m_pendingPlan;
    bool m_isFirstPlan = true; // the split made on opening is not a step of undo

    PlanState m_state;
    std::shared_ptr<const PlanConstraints> m_constraints;
    std::optional<PlanState> m_preview;
    std::optional<Drag> m_drag;
    std::map<std::shared_ptr<const PartitionProblem>, Bounds> m_bounds;
    QUndoStack m_undoStack;
    KeptEdits m_kept;

    std::shared_ptr<const Statistics> m_statistics;
    std::shared_ptr<const PlanCurve> m_curve;
    PlanState m_curveState; // the curve is of its problem, with any number of stages
    std::optional<BatchAnswer> m_batchAnswer;
    std::shared_ptr<const PlanAdvice> m_advice;
    PlanState m_adviceState; // the plan that it is about, or will be
    std::vector<StagePage> m_pages;
    std::shared_ptr<const Layout> m_drawing;
    Expansion m_expansion;
    bool m_expansionIsSettled = false; // chosen by the person, or by cost once costs were known
    std::size_t m_maxItems = 150;
    RunTreeOptions m_treeOptions;
    std::shared_ptr<LayoutEngine> m_engine; // used by m_drawingJob alone

    QTimer m_codeDelay;
    QTimer m_drawingDelay;
    // Queues outlive the jobs that use them.
    JobQueue m_heavyQueue;
    JobQueue m_quickQueue;
    JobQueue m_idleQueue;
    Job<OpenedFile> m_openJob{m_heavyQueue};
    Job<Profiled> m_profileJob{m_heavyQueue};
    Job<FoundPlan> m_splitJob{m_heavyQueue};
    Job<std::monostate> m_saveJob{m_heavyQueue};
    Job<Statistics> m_statisticsJob{m_heavyQueue};
    Job<std::shared_ptr<const Model>> m_weightsJob{m_heavyQueue};
    Job<PlanCurve> m_curveJob{m_heavyQueue};
    Job<std::optional<LargestBatch>> m_batchJob{m_heavyQueue};
    Job<Layout> m_drawingJob{m_quickQueue};
    Job<std::vector<StagePage>> m_codeJob{m_quickQueue};
    Job<FoundPlan> m_boundJob{m_idleQueue};
    Job<PlanAdvice> m_adviceJob{m_idleQueue};
};

} // namespace stagecraft
