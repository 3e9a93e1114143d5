#include "app/window/report_controller.h"

#include "app/document/document.h"
#include "core/base/output_file.h"
#include "core/plan/plan_notes.h"
#include "core/workflow.h"

#include <QCoreApplication>

namespace stagecraft {

namespace {

// All that a report is made from, so that the plan may change meanwhile.
struct Reported
{
    std::shared_ptr<const Model> model;
    PlanState state;
    std::optional<Bound> bound; // none: not found yet
    Seconds stepBound;
    std::string version;
    std::shared_ptr<const Overlay> overlay;
    MadeFor madeFor;
};

Result<Solution> solutionOf(const Reported& of, const Progress& progress)
{
    if (!of.bound)
        return evaluatePlan(*of.state.problem, *of.state.partition, progress);
    return Solution{.partition = *of.state.partition,
                    .cost = *of.state.cost,
                    .bound = *of.bound,
                    .iterationBound = of.stepBound};
}

std::vector<std::string> notesOn(const Reported& of)
{
    const PlanState& state = of.state;
    std::vector<std::string> notes = of.model->provenance.notes;
    const std::vector<std::string> onProfile = noteTexts(*state.profile);
    notes.insert(notes.end(), onProfile.begin(), onProfile.end());
    const std::vector<std::string> onPlan =
        planNotes(of.model->graph, *state.profile, *state.problem, *state.partition);
    notes.insert(notes.end(), onPlan.begin(), onPlan.end());
    return notes;
}

Result<Bytes> writeReport(const Reported& of, const std::filesystem::path& path, const Progress& progress)
{
    STAGECRAFT_ASSIGN(solution, solutionOf(of, progress));
    STAGECRAFT_ASSIGN(page,
                      reportPage({.model = *of.model,
                                  .profile = *of.state.profile,
                                  .problem = *of.state.problem,
                                  .solution = solution,
                                  .limitIsOfDevice = of.state.request.plan.memoryLimits.empty(),
                                  .notes = notesOn(of),
                                  .version = of.version,
                                  .madeFor = of.madeFor,
                                  .overlay = of.overlay.get(),
                                  .without = of.state.again ? of.state.again->without.get() : nullptr}));
    if (progress.stopRequested())
        return cancelled();
    return writeTextFile(path, page);
}

} // namespace

ReportController::ReportController(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_job(m_queue)
{
    connect(&document, &Document::modelGone, this, [this] { m_job.cancel(); });
}

void ReportController::write(const std::filesystem::path& path, std::shared_ptr<const Overlay> overlay)
{
    const PlanState& state = m_document.state();
    const bool hasCosts = state.profile && state.problem && state.cost &&
                          state.problem->stageCount() == state.partition->stageCount;
    if (!hasCosts)
        return m_document.refuse({ErrorCode::BadUsage, "the costs of this model are not known yet"});
    const Reported reported{.model = m_document.model(),
                            .state = state,
                            .bound = m_document.bound(),
                            .stepBound = m_document.stepBound(),
                            .version = QCoreApplication::applicationVersion().toStdString(),
                            .overlay = std::move(overlay),
                            .madeFor = madeFor(state.request, m_document.devices())};
    m_job.start(
        tr("Writing the report"),
        [reported, path](const Progress& progress) { return writeReport(reported, path, progress); },
        [this, path](const Result<Bytes>& size) {
            if (size.has_value())
                emit written(QString::fromStdString(path.string()));
            else if (size.error().code != ErrorCode::Cancelled)
                m_document.report(size.error());
        });
}

} // namespace stagecraft
