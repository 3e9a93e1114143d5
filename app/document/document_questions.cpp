// What a person asks Document besides a plan: other numbers of stages, the largest batch, a real run.
#include "app/document/document.h"

#include "app/document/plan_edit.h"
#include "app/jobs/free_memory.h"
#include "core/base/available_memory.h"
#include "core/load/attached_weights.h"
#include "core/plan/sources/model_parts.h"
#include "core/search/bound/plan_bound.h"
#include "core/workflow.h"

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

Result<PlanAdvice> adviseOn(const PartitionProblem& problem, Solution solution, std::optional<Bound> bound,
                            std::vector<NamedNodes> parts, const Progress& progress)
{
    if (!bound) {
        STAGECRAFT_ASSIGN(quick, planBound(problem, solution.cost, progress));
        bound = std::move(quick);
    }
    solution.bound = *std::move(bound);
    STAGECRAFT_ASSIGN(report, reportBottleneck(problem, solution, {.isOver = overOf(progress)}));
    SuggestionOptions options;
    options.parts = std::move(parts);
    std::vector<Suggestion> suggestions = suggestChanges(problem, solution.partition, options, progress);
    STAGECRAFT_TRY(progress.step("Looking for changes", 1, 1)); // cut short, they would not be the best
    // A limit that is high enough already needs no raising.
    std::erase_if(suggestions, [&](const Suggestion& suggestion) {
        return suggestion.kind == Suggestion::Kind::RaiseLimit &&
               suggestion.options.memoryLimits == problem.options.memoryLimits;
    });
    return PlanAdvice{std::move(report), std::move(suggestions)};
}

} // namespace

void Document::computeCurve()
{
    if (!m_state.problem || m_curveJob.isRunning())
        return;
    m_curveState = m_state;
    const auto tell = [this, problem = m_state.problem](const PlanCurve& curve, std::size_t) {
        // From the worker's thread. The queues wait for their workers before this object goes.
        QMetaObject::invokeMethod(
            this, [this, problem, curve] { takeCurve(problem, curve); }, Qt::QueuedConnection);
    };
    CurveOptions options;
    options.timeLimit = m_settings.timeLimit * 3; // all numbers of stages together
    options.lastStageCount = std::min(mostStagesCompared, m_model->graph.nodeCount());
    options.known = Solution{.partition = *m_state.partition, .cost = *m_state.cost};
    options.known->bound = bound().value_or(Bound{});
    m_curveJob.start(
        tr("Comparing numbers of stages"),
        [problem = m_state.problem, options, tell](const Progress& progress) {
            return solveCurve(*problem, options, tell, progress);
        },
        [this, problem = m_state.problem](Result<PlanCurve> curve) {
            if (!curve.has_value())
                report(curve.error());
            else if (problem == m_curveState.problem)
                m_curve = std::make_shared<const PlanCurve>(*std::move(curve));
            emit curveChanged();
        });
    emit curveChanged();
}

void Document::takeCurve(const std::shared_ptr<const PartitionProblem>& problem, const PlanCurve& curve)
{
    if (!m_curveJob.isRunning() || problem != m_curveState.problem)
        return; // of a curve that nobody waits for
    m_curve = std::make_shared<const PlanCurve>(curve);
    emit curveChanged();
}

void Document::dropStaleCurve()
{
    if (!m_curveState.problem || askTheSame(m_curveState, m_state))
        return;
    m_curveJob.cancel();
    m_curve.reset();
    m_curveState = {};
    emit curveChanged();
}

void Document::adoptPoint(std::size_t stageCount)
{
    const CurvePoint* point = m_curve ? m_curve->find(stageCount) : nullptr;
    if (!point || !point->hasPlan() || isDragging() || !askTheSame(m_curveState, m_state))
        return;
    PlanState next =
        withRestaging(m_state, problemOfPoint(*m_curveState.problem, stageCount), point->solution->partition);
    m_bounds[next.problem] = {point->solution->bound, point->solution->iterationBound};
    push(tr("Take the plan of %n stage(s)", nullptr, static_cast<int>(stageCount)), std::move(next));
}

void Document::adoptPlan(const QString& text, const Partition& partition)
{
    if (!m_state.problem || isDragging())
        return;
    const Result<void> checked = checkPartition(*m_state.problem, partition);
    checked.has_value() ? push(text, withPartition(m_state, partition)) : refuse(checked.error());
}

void Document::findLargestBatch()
{
    if (!m_state.profile || m_batchJob.isRunning())
        return;
    m_batchJob.start(
        tr("Looking for the largest batch"),
        [model = m_model, options = m_state.profile->options](const Progress& progress) {
            return largestBatch(*model, options, progress);
        },
        [this, profile = m_state.profile](Result<std::optional<LargestBatch>> found) {
            if (found.has_value())
                m_batchAnswer = BatchAnswer{profile, *found};
            else
                report(found.error());
            emit batchChanged();
        });
    emit batchChanged();
}

std::shared_ptr<const PlanAdvice> Document::advice() const
{
    const bool isOfThis =
        m_adviceState.problem == m_state.problem && m_adviceState.partition == m_state.partition;
    return isOfThis ? m_advice : nullptr;
}

void Document::seekAdvice()
{
    if (!m_state.problem || !m_state.cost || m_boundJob.isRunning() || m_splitJob.isRunning())
        return;
    if (m_adviceState.problem == m_state.problem && m_adviceState.partition == m_state.partition)
        return;
    m_adviceState = m_state;
    m_advice.reset();
    const auto known = m_bounds.find(m_state.problem);
    m_adviceJob.start(
        tr("Looking for advice"),
        [model = m_model, state = m_state,
         bound = known == m_bounds.end() ? std::nullopt
                                         : std::optional(known->second.slowest)](const Progress& progress) {
            return adviseOn(*state.problem, Solution{.partition = *state.partition, .cost = *state.cost},
                            bound, partsOfModel(model->graph), progress);
        },
        [this](Result<PlanAdvice> advice) {
            if (advice.has_value())
                m_advice = std::make_shared<const PlanAdvice>(*std::move(advice));
            else
                report(advice.error());
            emit adviceChanged();
        });
    emit adviceChanged();
}

void Document::applySuggestion(std::size_t index)
{
    const std::shared_ptr<const PlanAdvice> known = advice();
    if (!known || index >= known->suggestions.size() || isDragging())
        return;
    const Suggestion& suggestion = known->suggestions[index];
    Result<PartitionProblem> problem = planProblem(*m_model, *m_state.profile, suggestion.options);
    if (!problem.has_value())
        return refuse(problem.error());
    PlanState next = m_state;
    next.request = withOptions(m_state.request, suggestion.options);
    if (suggestion.kind != Suggestion::Kind::RaiseLimit) // the options say the device's own limit too
        next.request.plan.memoryLimits = m_state.request.plan.memoryLimits;
    push(suggestionTitle(suggestion), withRestaging(next, *std::move(problem), suggestion.partition));
}

void Document::gatherStatistics(const StepInputs& inputs)
{
    if (!m_model || m_statisticsJob.isRunning())
        return;
    if (m_state.profile) {
        const Result<void> room = checkRoomForStep(*m_state.profile, availableMemory());
        if (!room.has_value()) {
            report(room.error());
            emit statisticsChanged();
            return;
        }
    }
    m_statisticsJob.start(
        tr("Running a step"),
        [model = m_model, sizes = m_state.request.profile.bindings,
         inputs](const Progress& progress) -> Result<Statistics> {
            StatisticsOptions options{.bindings = sizes, .seed = inputs.seed};
            STAGECRAFT_ASSIGN(given, tensorsOf(*model, inputs));
            options.inputs = std::move(given);
            return stagecraft::gatherStatistics(*model, options, progress);
        },
        [this](Result<Statistics> statistics) {
            if (statistics.has_value())
                m_statistics = std::make_shared<const Statistics>(*std::move(statistics));
            else
                report(statistics.error());
            emit statisticsChanged();
        });
}

void Document::attachWeights(const std::vector<std::filesystem::path>& files)
{
    if (!m_model || files.empty())
        return;
    m_weightsJob.start(
        tr("Reading weights"),
        [model = m_model, files](const Progress&) -> Result<std::shared_ptr<const Model>> {
            auto weighted = std::make_unique<Model>(*model);
            STAGECRAFT_TRY(stagecraft::attachWeights(*weighted, files));
            // What was made of the model before refers to its graph: it stays as long as the new one.
            return std::shared_ptr<const Model>(weighted.release(),
                                                [model](const Model* made) { delete made; });
        },
        [this](Result<std::shared_ptr<const Model>> weighted) {
            if (!weighted.has_value()) {
                report(weighted.error());
                return;
            }
            m_model = *std::move(weighted);
            m_statistics.reset();
            emit statisticsChanged();
            emit noticed(tr("The model has the weights of these files now; exports hold them."));
        });
}

} // namespace stagecraft
