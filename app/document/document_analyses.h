// DocumentAnalyses: what a person asks of a document beside a plan: other numbers of stages, the largest
// batch, advice, trade-offs, a real run, times of ops. Each is asked for and found in the background.
#pragma once

#include "app/document/plan_state.h"
#include "app/document/schedule_figures.h"
#include "app/jobs/answer.h"
#include "core/advise/curve.h"
#include "core/advise/suggestions.h"
#include "core/advise/trade_offs.h"
#include "core/measure/statistics.h"
#include "core/profile/model/largest_batch.h"
#include "views/pages/statistics_dialog.h"

namespace stagecraft {

class Document;
struct Model;

class DocumentAnalyses : public QObject
{
    Q_OBJECT

public:
    // The document, whose part it is, and its queues outlive it.
    DocumentAnalyses(Document& document, JobQueue& heavyQueue, JobQueue& idleQueue);

    // The best plans of every number of stages under the present request; null before computeCurve(). It
    // grows while it is made, and goes when what is asked besides the number of stages changes.
    const std::shared_ptr<const PlanCurve>& curve() const { return m_curve.found(); }
    bool isCurveRunning() const { return m_curve.isRunning(); }
    void computeCurve();
    // Takes the plan of that point over: one step of undo.
    void adoptPoint(std::size_t stageCount);

    // How large the batch may be, none where no input has a batch dimension; null before findLargestBatch()
    // or after the profile has changed.
    std::shared_ptr<const std::optional<LargestBatch>> largestBatch() const;
    bool isBatchRunning() const { return m_batch.isRunning(); }
    void findLargestBatch();

    // Why the plan is no faster and what would help; null before seekAdvice() or for another plan.
    std::shared_ptr<const PlanAdvice> advice() const;
    bool isAdviceRunning() const { return m_advice.isRunning(); }
    void seekAdvice(); // unless it is there already, or the bound is still looked for
    // Takes a suggestion of advice() over: one step of undo.
    void applySuggestion(std::size_t index);

    // Plans of the present problem that give up time for memory or for bytes sent; null before
    // seekTradeOffs() or for another problem.
    std::shared_ptr<const std::vector<TradeOff>> tradeOffs() const;
    bool isTradeOffsRunning() const { return m_tradeOffs.isRunning(); }
    void seekTradeOffs();
    // Takes that plan over: one step of undo.
    void adoptTradeOff(std::size_t index);

    // One training step on this machine; null before gatherStatistics() has ended well.
    std::shared_ptr<const Statistics> statistics() const;
    void gatherStatistics(const StepInputs& inputs = {});

    // Times that are better than estimates, which the document uses from then on: of every node run on this
    // machine, which takes seconds to minutes; of one of the files of core/measure/imported_times.h.
    void measureTimes();
    void importTimes(const std::filesystem::path& path);
    // Null: estimates. They are dropped when the sizes change. One step of undo of that text.
    void useTimes(const QString& text, std::shared_ptr<const TimeOverrides> times);

    // A step that ran, of the plan that there is; it stays until it is dropped or the model goes.
    const std::shared_ptr<const MeasuredRun>& measuredRun() const { return m_measuredRun; }
    void openMeasuredStep(const std::vector<std::filesystem::path>& files);
    void dropMeasuredStep();

    // Stops what is looked for of a profile that will not be asked any more.
    void cancelOfProfile();
    void forget();

signals:
    void curveChanged();     // it grew, went, or begins or ends to be made
    void batchChanged();     // an answer is there, is looked for, or will not come
    void adviceChanged();    // likewise
    void tradeOffsChanged(); // likewise
    void measuredRunChanged();
    void statisticsChanged(); // there are some, or gathering them has failed or was cancelled

private:
    void dropStale();
    std::function<void()> tells(void (DocumentAnalyses::*changed)());
    void takeTimes(const QString& text, Result<TimeOverrides>&& found);

    // A plan is what it is by these.
    using PlanKey = std::pair<std::shared_ptr<const PartitionProblem>, std::shared_ptr<const Partition>>;
    PlanKey shownPlan() const;

    Document& m_document;
    Answer<PlanCurve, PlanState> m_curve; // of its problem, with any number of stages
    Answer<std::optional<LargestBatch>, std::shared_ptr<const Profile>> m_batch;
    Answer<PlanAdvice, PlanKey> m_advice;
    Answer<std::vector<TradeOff>, std::shared_ptr<const PartitionProblem>> m_tradeOffs;
    Answer<Statistics, std::shared_ptr<const Model>> m_statistics;
    Job<TimeOverrides> m_timesJob;
    std::shared_ptr<const MeasuredRun> m_measuredRun;
    Job<MeasuredRun> m_measuredJob;
};

} // namespace stagecraft
