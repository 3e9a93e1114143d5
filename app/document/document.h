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

#include "app/document/asked_change.h"
#include "app/document/code_pages.h"
#include "app/document/document_analyses.h"
#include "app/document/document_parts.h"
#include "app/document/graph_drawing.h"
#include "app/document/kept_edits.h"
#include "app/document/open_model.h"
#include "app/document/opened_file.h"
#include "app/document/plan_settler.h"
#include "app/document/plan_state.h"
#include "app/document/plan_steps.h"
#include "app/document/recomputed_plans.h"
#include "app/document/search_findings.h"
#include "app/document/tried_plan.h"
#include "app/jobs/job.h"
#include "core/workflow.h"
#include "views/base/plan_view.h"

#include <array>

namespace stagecraft {

class Document : public QObject
{
    Q_OBJECT

public:
    // What becomes of the boundaries when another choice leaves their number as it is.
    enum class AfterChange { KeepBoundaries, SplitAgain };
    struct Settings
    {
        std::vector<DeviceSpec> devices;
        PlanRequest request;              // for the next model that is opened
        std::filesystem::path dataFolder; // where unsaved edits are kept; empty: nowhere
        AfterChange afterChange = AfterChange::KeepBoundaries;
    };

    explicit Document(Settings settings, QObject* parent = nullptr);
    ~Document() override;

    // ---- what there is
    bool hasModel() const { return m_open.model != nullptr; }
    // As it runs: what is recomputed is in the contexts of its nodes.
    const std::shared_ptr<const Model>& model() const
    {
        return m_open.running.of(m_open.model, m_state.request.plan.recompute);
    }
    const std::shared_ptr<const Model>& openedModel() const { return m_open.model; } // as its file says
    const std::filesystem::path& modelPath() const { return m_open.modelPath; }
    const std::filesystem::path& modelPlace() const { return m_open.modelPlace; } // by whatever name
    // The *.stagecraft file that the plan came from or was last saved to; may be empty.
    const std::filesystem::path& planPath() const { return m_open.planPath; }
    const std::string& fingerprint() const { return m_open.fingerprint; } // of the model's content, as read
    const std::vector<DeviceSpec>& devices() const { return m_settings.devices; }
    Seconds timeLimit() const { return request().plan.timeLimit; } // for a search
    const PlanRequest& request() const { return hasModel() ? m_state.request : m_settings.request; }
    // What is asked for, whether there is a plan of it yet or it is under way.
    PlanRequest asked() const { return hasModel() ? wanted().request : m_settings.request; }
    const PlanState& state() const { return m_state; }
    // That with all that is asked for: what the next change is made from.
    PlanState wanted() const;
    // The plan that is shown: the previewed one during a drag.
    const PlanState& shown() const { return m_drag ? m_drag->shown : m_state; }
    bool isDragging() const { return m_drag.has_value(); }
    bool canEdit() const { return m_state.problem && !isDragging(); }
    // No plan of this problem can be faster; none while that is searched for.
    std::optional<Bound> bound() const { return m_found.boundsOf(shown().problem).slowest; }
    // Likewise on the time of a step, where that is the objective; 0: not known.
    Seconds stepBound() const { return m_found.boundsOf(shown().problem).step; }
    // What the search that found the plan had to say of it, or of all plans of the same question.
    SearchWord searchWord() const { return m_found.wordOf(m_state); }
    // Is a plan looked for where there is none yet? What is shown stands in for it.
    bool isFirstSearch() const { return (m_open.isFirstPlan || !hasPlan(m_state)) && m_splitJob.isRunning(); }
    PlanView planView() const;
    const std::vector<StagePage>& pages() const { return m_code.pages(); }
    bool isCodeStale() const { return m_code.isStale(); }
    const std::shared_ptr<const Layout>& drawing() const { return m_drawing.layout(); }
    const Expansion& expansion() const { return m_drawing.expansion(); }
    const PlanSteps& steps() const { return m_steps; }
    QUndoStack& undoStack() { return m_steps.stack(); }
    JobQueue& heavyQueue() { return m_queues.heavy; }
    // All that work runs on, the weightiest first.
    std::array<JobQueue*, 3> queues() { return {&m_queues.heavy, &m_queues.quick, &m_queues.idle}; }
    // Is anything still under way that changes what is shown?
    bool isSettled() const;
    // Is there an edit that is in no file that the person saved? Kept edits do not count.
    bool hasUnsavedEdits() const { return hasModel() && !m_steps.isSaved(m_state); }
    bool keepsEdits() const { return !m_settings.dataFolder.empty() && !m_kept.isElsewhere(keptPlace()); }
    // Cancels all that is under way, of which nothing is delivered, and begins nothing. Edits are kept first.
    void stopWork();
    // Has all work left its thread? Then the document goes without waiting.
    bool isAtRest() const;

    // ---- files
    void open(const std::filesystem::path& path);
    void close() { clear(), emit modelChanged(); }
    void savePlan(const std::filesystem::path& path); // planSaved() or planNotSaved() follows
    // Gives the model the weights of these files; plan and figures stay. noticed() or failed() says how it
    // went.
    void attachWeights(const std::vector<std::filesystem::path>& files);
    // Takes over the edits that lastSplitFound() was about: one step of undo.
    void restoreLastSplit();

    // ---- the plan; each is one step of undo
    void setRequest(const PlanRequest& request, const QString& name = {}); // of the step; none: the change
    void setDevices(std::vector<DeviceSpec> devices) { m_settings.devices = std::move(devices); }
    // With what `target` has otherwise than wanted(): one step of undo of that text.
    void profileAs(const QString& text, const PlanState& target);
    void setAfterChange(AfterChange after) { m_settings.afterChange = after; }
    void settle();             // what is recomputed, for the boundaries that there are; begins by itself, too
    void splitAutomatically(); // splitConfirmed() and no step where that finds the plan that is there
    // Before a model is opened: of the first. Each takes over those of the one before.
    void setSubstitutes(std::shared_ptr<const Substitutes> said) { m_state.substitutes = std::move(said); }
    void moveBoundary(BoundaryId boundary, StageDirection direction, BoundaryStep step);
    void addBoundary(std::size_t position); // in the stage order of state().partition
    void removeBoundary(BoundaryId boundary);
    void splitStage(StageId stage);
    void send(const std::vector<NodeId>& nodes, StageDirection direction);
    std::vector<std::size_t> legalPositions(BoundaryId boundary) const;
    bool isLocked(BoundaryId boundary) const; // see constraint_steps.h

    // ---- a drag: previews while it goes on; the drop is one step of undo
    void drag(BoundaryId boundary, std::size_t position);
    void drop(BoundaryId boundary, std::size_t position);
    // `nodes` to `stage`, with all that must go along. Where that cannot be, the plan stays as it is:
    // dragRefused() while they are dragged, refused() when they are dropped.
    void dragNodes(const std::vector<NodeId>& nodes, StageId stage);
    void dropNodes(const std::vector<NodeId>& nodes, StageId stage);
    void cancelDrag();

    // ---- what is found out elsewhere
    DocumentAnalyses& analyses() { return m_analyses; }
    const DocumentAnalyses& analyses() const { return m_analyses; }
    // What a search for a plan of that state is asked. Fails where its device is not known.
    Result<PlanQuestion> questionOf(const PlanState& state) const;
    // Another plan of the present problem: one step of undo of that text.
    void adoptPlan(const QString& text, const Partition& partition);
    // The same of any state that was made from the present one.
    void adopt(const QString& text, PlanState next) { push(text, std::move(next)); }
    // What is known of a problem by a search.
    void takeBounds(const std::shared_ptr<const PartitionProblem>& problem, const Solution& solution)
    {
        m_found.take(problem, solution);
    }
    // Is a plan, what it recomputes or its bound looked for?
    bool isPlanning() const
    {
        return m_boundJob.isRunning() || m_splitJob.isRunning() || m_settler.isRunning();
    }
    // Tells the person: it cannot be done; it went wrong.
    void refuse(const Error& error) { emit refused(QString::fromStdString(error.message)); }
    void report(const Error& error);

    // ---- the drawing
    void setExpansion(const Expansion& expansion) { m_drawing.setExpansion(expansion); }
    void setDetail(std::size_t maxItems) { m_drawing.setDetail(maxItems); } // most expensive boxes first
    void setTreeOptions(const RunTreeOptions& options) { m_drawing.setTreeOptions(options); }
    void setGraphView(Size pixels) { m_drawing.setView(pixels); } // what a page is drawn for

signals:
    // Nothing is known of any model now. Whoever holds values of the one that was there lets go of them
    // before another's come: an id of one graph means nothing in the next.
    void modelGone();
    void modelChanged();
    void planChanged();    // and whatever belongs to it: request, costs, bound
    void planSettled();    // the same plan, whose recomputation is of its boundaries now
    void planNotSettled(); // it stays of those before, as that was cancelled or failed
    void askedChanged();   // it is under way
    void previewChanged(); // a drag began, moved, or ended and left the plan as it was
    void drawingChanged();
    void codeChanged();
    void cameToRest(); // isAtRest() is true again
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

private:
    enum class AfterProfile { Split, Keep, ApplyPlan, TakePlan };
    AfterProfile afterProfile(const PlanState& target) const;

    // document.cpp: what there is
    void setState(const PlanState& state);
    void push(const QString& text, PlanState next, int gesture = 0);
    void restage(const QString& text, Result<Restaging> restaging);
    bool isAnswering() const { return m_profileJob.isRunning() || m_splitJob.isRunning(); }
    // That and more: there is such a boundary, which is not locked; says so where it is.
    bool canMove(BoundaryId boundary);
    void takeBack();
    QString stepText(const QString& name, const PlanState& target) const;
    // While the plan of a file is made, what is asked waits for it.
    bool waits(const QString& name, const PlanState& target);
    // Of its request and profile; says why not.
    bool makeProblem(PlanState& target);
    // document_drag.cpp
    void endPreview();
    bool beginDrag(std::optional<BoundaryId> boundary);
    void preview(const Partition& partition);
    void pushPreview(const QString& text);
    // document_jobs.cpp: how it comes about
    void clear();
    void takeOpened(const OpenedFile& opened);
    void refresh(Change change);
    void startProfiling(PlanState target, AfterProfile after, const QString& text = {});
    // `before`, here and below: what there was when it was asked for.
    void takeProfiled(const PlanState& before, PlanState target, AfterProfile after, const QString& text,
                      Profiled profiled);
    void takePlan(const PlanState& planned); // of the file that was opened
    void askOnTop();                         // what waited
    void startSplitting(const PlanState& target, const QString& text);
    void takeSplit(const PlanState& before, PlanState target, const QString& text, Split split);
    void takeSettled(const PlanState& asked, Result<Profiled> profiled);
    void tellNotes(const Profiled& profiled);
    // The plan of a file on the open model; notes are told to the person.
    Result<PlanState> planOfFile(const PlanFile& plan, PlanState state);
    void startBounding();
    // document_files.cpp
    void takeSaved(const std::filesystem::path& path, const std::filesystem::path& place,
                   const PlanState& written);
    void saveWaiting();
    KeptEdits::MakePlan planMaker() const;
    void keepEdits();
    void offerKeptEdits();
    std::filesystem::path keptPlace() const { return m_kept.placeOf(m_open.fingerprint, m_open.planPlace); }

    Settings m_settings;
    OpenModel m_open;
    PlanState m_state;
    AskedChange m_asked; // while that is under way
    std::shared_ptr<const PlanConstraints> m_constraints;
    std::optional<DraggedPlan> m_drag;
    SearchFindings m_found;
    PlanSteps m_steps{[this](const PlanState& state) { setState(state); }};
    KeptEdits m_kept;
    DocumentQueues m_queues;
    GraphDrawing m_drawing;
    CodePages m_code;
    DocumentAnalyses m_analyses;
    PlanSettler m_settler;
    Job<OpenedFile> m_openJob{m_queues.heavy};
    Job<Profiled> m_profileJob{m_queues.heavy};
    Job<Split> m_splitJob{m_queues.heavy};
    Job<std::filesystem::path> m_saveJob{m_queues.heavy};
    Job<std::shared_ptr<const Model>> m_weightsJob{m_queues.heavy};
    Job<FoundPlan> m_boundJob{m_queues.idle};
};

} // namespace stagecraft
