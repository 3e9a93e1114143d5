#include "app/document/document_analyses.h"

#include "app/document/document.h"
#include "app/document/plan_edit.h"
#include "core/plan/sources/model_parts.h"
#include "core/search/bound/bounds.h"
#include "core/workflow.h"
#include "views/base/plain_text.h"
#include "views/plan/plan_advice.h"

namespace stagecraft {

namespace {

constexpr std::size_t mostStagesCompared = 16;

// Is a curve made for `a` right for `b` too? The number of stages is what it goes over.
bool askTheSame(const PlanState& a, const PlanState& b)
{
    PlanRequest request = a.request;
    request.plan.stageCount = b.request.plan.stageCount;
    return a.profile == b.profile && request == b.request;
}

Result<GivenInputs> tensorsOf(const Model& model, const StepInputs& inputs)
{
    switch (inputs.kind) {
    case StepInputs::Kind::Random:
        break;
    case StepInputs::Kind::Exported:
        return exportedInputs(model);
    case StepInputs::Kind::File:
        return readInputs(model, inputs.file);
    }
    return GivenInputs();
}

std::function<void(const Error&)> reporter(Document& document)
{
    return [&document](const Error& error) { document.report(error); };
}

} // namespace

DocumentAnalyses::DocumentAnalyses(Document& document, JobQueue& heavyQueue, JobQueue& idleQueue)
    : m_document(document),
      m_curve(heavyQueue, tells(&DocumentAnalyses::curveChanged), reporter(document)),
      m_batch(heavyQueue, tells(&DocumentAnalyses::batchChanged), reporter(document)),
      m_advice(idleQueue, tells(&DocumentAnalyses::adviceChanged), reporter(document)),
      m_tradeOffs(heavyQueue, tells(&DocumentAnalyses::tradeOffsChanged), reporter(document)),
      m_statistics(heavyQueue, tells(&DocumentAnalyses::statisticsChanged), reporter(document)),
      m_timesJob(heavyQueue),
      m_measuredJob(heavyQueue)
{
    connect(&document, &Document::planChanged, this, &DocumentAnalyses::dropStale);
}

std::function<void()> DocumentAnalyses::tells(void (DocumentAnalyses::*changed)())
{
    return [this, changed] { (this->*changed)(); };
}

void DocumentAnalyses::forget()
{
    m_curve.drop();
    m_batch.drop();
    m_advice.drop();
    m_tradeOffs.drop();
    m_statistics.drop();
    m_measuredJob.cancel();
    m_measuredRun.reset();
}

void DocumentAnalyses::openMeasuredStep(const std::vector<std::filesystem::path>& files)
{
    if (!m_document.hasModel() || files.empty())
        return;
    m_measuredJob.start(
        tr("Reading a measured step"),
        [model = m_document.model(), state = m_document.state(), files](const Progress& progress) {
            return readMeasuredRun(*model, state, files, progress);
        },
        [this](Result<MeasuredRun> run) {
            if (!run.has_value())
                return m_document.report(run.error());
            m_measuredRun = std::make_shared<const MeasuredRun>(*std::move(run));
            emit measuredRunChanged();
        });
}

void DocumentAnalyses::dropMeasuredStep()
{
    m_measuredJob.cancel();
    m_measuredRun.reset();
    emit measuredRunChanged();
}

void DocumentAnalyses::cancelOfProfile()
{
    m_curve.cancel();
    m_batch.cancel();
}

void DocumentAnalyses::computeCurve()
{
    const PlanState& state = m_document.state();
    if (!state.problem || m_curve.isRunning())
        return;
    CurveOptions options;
    options.timeLimit = m_document.timeLimit() * 3; // all numbers of stages together
    options.lastStageCount = std::min(mostStagesCompared, m_document.model()->graph.nodeCount());
    options.known = Solution{.partition = *state.partition, .cost = *state.cost};
    options.known->bound = m_document.bound().value_or(Bound{});
    options.known->iterationBound = m_document.stepBound();
    m_curve.seek(tr("Comparing numbers of stages"), state,
                 [problem = state.problem, options](const Progress& progress, const auto& tell) {
                     return solveCurve(
                         *problem, options, [&](const PlanCurve& curve, std::size_t) { tell(curve); },
                         progress);
                 });
    emit curveChanged();
}

void DocumentAnalyses::dropStale()
{
    if (m_tradeOffs.isRunning() && m_tradeOffs.sought() != m_document.state().problem)
        m_tradeOffs.cancel();
    if (!m_curve.sought() || askTheSame(*m_curve.sought(), m_document.state()))
        return;
    m_curve.drop();
    emit curveChanged();
}

void DocumentAnalyses::adoptPoint(std::size_t stageCount)
{
    const PlanState& state = m_document.state();
    const CurvePoint* point = curve() ? curve()->find(stageCount) : nullptr;
    if (!point || !point->hasPlan() || m_document.isDragging() || !askTheSame(*m_curve.sought(), state))
        return;
    PlanState next = withRestaging(state, problemOfPoint(*m_curve.sought()->problem, stageCount),
                                   point->solution->partition);
    m_document.takeBounds(next.problem, *point->solution);
    m_document.adopt(tr("Take the plan of %n stage(s)", nullptr, static_cast<int>(stageCount)),
                     std::move(next));
}

std::shared_ptr<const std::optional<LargestBatch>> DocumentAnalyses::largestBatch() const
{
    return m_batch.about(m_document.state().profile);
}

void DocumentAnalyses::findLargestBatch()
{
    const std::shared_ptr<const Profile>& profile = m_document.state().profile;
    if (!profile || m_batch.isRunning())
        return;
    m_batch.seek(tr("Looking for the largest batch"), profile,
                 [model = m_document.model(), options = profile->options](const Progress& progress) {
                     return stagecraft::largestBatch(*model, options, progress);
                 });
    emit batchChanged();
}

DocumentAnalyses::PlanKey DocumentAnalyses::shownPlan() const
{
    return {m_document.state().problem, m_document.state().partition};
}

std::shared_ptr<const PlanAdvice> DocumentAnalyses::advice() const
{
    return m_advice.about(shownPlan());
}

void DocumentAnalyses::seekAdvice()
{
    const PlanState& state = m_document.state();
    if (!state.problem || !state.cost || m_document.isPlanning() || m_advice.sought() == shownPlan())
        return;
    m_advice.seek(tr("Looking for advice"), shownPlan(),
                  [model = m_document.model(), state, bound = m_document.bound(),
                   step = m_document.stepBound()](const Progress& progress) -> Result<PlanAdvice> {
                      Solution solution{.partition = *state.partition, .cost = *state.cost};
                      solution.iterationBound = step;
                      if (bound) {
                          solution.bound = *bound;
                      } else {
                          STAGECRAFT_ASSIGN(quick, planBound(*state.problem, solution.cost, progress));
                          solution.bound = std::move(quick);
                      }
                      return advisePlan(*state.problem, solution, {.parts = partsOfModel(model->graph)},
                                        progress);
                  });
    emit adviceChanged();
}

void DocumentAnalyses::applySuggestion(std::size_t index)
{
    const PlanState& state = m_document.state();
    const std::shared_ptr<const PlanAdvice> known = advice();
    if (!known || index >= known->suggestions.size() || m_document.isDragging())
        return;
    const Suggestion& suggestion = known->suggestions[index];
    Result<PartitionProblem> problem = planProblem(*m_document.model(), *state.profile, suggestion.options);
    if (!problem.has_value())
        return m_document.refuse(problem.error());
    PlanState next = state;
    next.request = withOptions(state.request, suggestion.options);
    if (suggestion.kind != Suggestion::Kind::RaiseLimit) // the options say the device's own limit too
        next.request.plan.memoryLimits = state.request.plan.memoryLimits;
    m_document.adopt(suggestionTitle(suggestion),
                     withRestaging(next, *std::move(problem), suggestion.solution.partition));
}

std::shared_ptr<const std::vector<TradeOff>> DocumentAnalyses::tradeOffs() const
{
    return m_tradeOffs.about(m_document.state().problem);
}

void DocumentAnalyses::seekTradeOffs()
{
    const std::shared_ptr<const PartitionProblem> problem = m_document.state().problem;
    if (!problem || m_tradeOffs.isRunning())
        return;
    m_tradeOffs.drop();
    m_tradeOffs.seek(tr("Looking for trade-offs"), problem, [problem](const Progress& progress) {
        return stagecraft::tradeOffs(*problem, progress);
    });
    emit tradeOffsChanged();
}

void DocumentAnalyses::adoptTradeOff(std::size_t index)
{
    const auto known = tradeOffs();
    if (known && index < known->size())
        m_document.adoptPlan(tr("Take the plan of “%1”").arg(shownText((*known)[index].text)),
                             (*known)[index].solution.partition);
}

std::shared_ptr<const Statistics> DocumentAnalyses::statistics() const
{
    return m_statistics.about(m_document.model());
}

void DocumentAnalyses::gatherStatistics(const StepInputs& inputs)
{
    const std::shared_ptr<const Model>& model = m_document.model();
    const PlanState& state = m_document.state();
    if (!model || m_statistics.isRunning())
        return;
    m_statistics.seek(tr("Running a step"), model,
                      [model, sizes = state.request.profile.bindings, loss = state.request.profile.lossOutput,
                       inputs](const Progress& progress) -> Result<Statistics> {
                          StatisticsOptions options{.bindings = sizes, .seed = inputs.seed};
                          options.lossOutput = loss;
                          STAGECRAFT_ASSIGN(given, tensorsOf(*model, inputs));
                          options.inputs = std::move(given);
                          return stagecraft::gatherStatistics(*model, options, progress);
                      });
}

void DocumentAnalyses::measureTimes()
{
    const PlanState& state = m_document.state();
    if (!state.profile || m_timesJob.isRunning())
        return;
    m_timesJob.start(
        tr("Measuring every op"),
        [model = m_document.model(), sizes = state.request.profile.bindings,
         loss = state.request.profile.lossOutput](const Progress& progress) -> Result<TimeOverrides> {
            STAGECRAFT_ASSIGN(times, measureModel(*model, {.bindings = sizes, .lossOutput = loss}, progress));
            TimeOverrides measured{.sizes = sizes, .times = {}};
            measured.times = std::move(times);
            return measured;
        },
        [this](Result<TimeOverrides>&& found) {
            takeTimes(tr("Take the measured times"), std::move(found));
        });
}

void DocumentAnalyses::importTimes(const std::filesystem::path& path)
{
    if (!m_document.hasModel())
        return;
    m_timesJob.start(
        tr("Reading times"),
        [model = m_document.model(), sizes = m_document.request().profile.bindings,
         path](const Progress& progress) -> Result<TimeOverrides> {
            STAGECRAFT_ASSIGN(times, readTimes(path, model->graph, progress));
            STAGECRAFT_TRY(checkMeasuredInputs(times.inputs, path.string(), model->graph, sizes));
            return TimeOverrides{sizes, std::move(times)};
        },
        [this](Result<TimeOverrides>&& found) {
            takeTimes(tr("Take the times of a file"), std::move(found));
        });
}

void DocumentAnalyses::useTimes(const QString& text, std::shared_ptr<const TimeOverrides> times)
{
    PlanState target = m_document.wanted();
    if (!m_document.state().profile || times == target.times)
        return;
    target.times = std::move(times);
    m_document.profileAs(text, target);
}

void DocumentAnalyses::takeTimes(const QString& text, Result<TimeOverrides>&& found)
{
    if (found.has_value())
        useTimes(text, std::make_shared<const TimeOverrides>(*std::move(found)));
    else
        m_document.report(found.error());
}

} // namespace stagecraft
