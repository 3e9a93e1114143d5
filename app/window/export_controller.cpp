#include "app/window/export_controller.h"

#include "app/document/document.h"
#include "core/base/python_program.h"
#include "core/plan/plan_notes.h"
#include "core/region_figures.h"
#include "core/stage/manifest.h"
#include "views/pages/export_dialog.h"
#include "views/pages/next_steps.h"

#include <QDesktopServices>
#include <QDir>
#include <QUrl>

#include <algorithm>

namespace stagecraft {

namespace {

// Stages without .pt2 files run in Python.
std::optional<std::string> pythonFor(const std::filesystem::path& folder, const std::string& chosen)
{
    std::error_code failure;
    const bool hasPrograms = std::filesystem::exists(folder / "stage_0.pt2", failure);
    if (hasPrograms)
        return std::nullopt;
    return chosen.empty() ? defaultPython() : chosen;
}

// What the code says of what runs again.
RegionNotes notesOf(const Model& model, const PlanState& state)
{
    return state.profile && state.again && state.again->without
               ? regionNotes(model, *state.profile, *state.again->without, *state.partition)
               : RegionNotes();
}

} // namespace

ExportController::ExportController(Document& document, ExportDialog& dialog, const QString& parentFolder,
                                   QObject* parent)
    : QObject(parent),
      m_document(document),
      m_dialog(dialog),
      m_queue(document.heavyQueue()),
      m_opened(document.openedModel()),
      m_lossJob(m_planQueue),
      m_planJob(m_planQueue),
      m_exportJob(m_queue),
      m_verifyJob(m_queue)
{
    takePlan();
    dialog.setFolder(QDir(parentFolder).absoluteFilePath(QString::fromStdString(m_model->name) + "-stages"));
    connect(&document, &Document::planChanged, this, [this] {
        const bool isOther = m_document.openedModel() == m_opened && !isSame(m_document.state(), m_plan);
        if (isOther && !m_isExported && !m_exportJob.isRunning()) {
            takePlan(); // that was searched for as the dialog was opened, say
            showPlannedFiles();
        }
    });
    connect(&dialog, &ExportDialog::optionsChanged, this, &ExportController::showPlannedFiles);
    connect(&dialog, &ExportDialog::exportRequested, this, &ExportController::startExport);
    connect(&dialog, &ExportDialog::verifyRequested, this, &ExportController::startVerify);
    connect(&dialog, &ExportDialog::cancelRequested, &m_queue, &JobQueue::cancelAll);
    connect(&dialog, &ExportDialog::openFolderRequested, this,
            [](const QString& folder) { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    connect(&dialog, &ExportDialog::openFileRequested, this,
            [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
    connect(&m_queue, &JobQueue::progressed, this, &ExportController::showProgress);
    showLoss();
    showPlannedFiles();
}

void ExportController::takePlan()
{
    m_plan = m_document.state();
    m_model = m_document.model();
    const PartitionOptions options = partitionOptions(m_plan, Seconds{});
    m_run = runPlan(options);
    m_regionNotes = notesOf(*m_model, m_plan);
    m_devices = options.deviceCount();
    m_dialog.setModelName(QString::fromStdString(m_model->name), m_plan.partition->stageCount);
    m_dialog.setNote(QString::fromStdString(exportRelaysNote(options)));
}

void ExportController::showLoss()
{
    m_lossJob.start(
        tr("Looking for the loss"), [model = m_model](const Progress&) { return lossOutput(*model); },
        [this](Result<LossOutput> loss) {
            if (loss.has_value())
                m_dialog.setLoss(*loss, m_plan.request.profile.lossOutput);
        });
}

void ExportController::showProgress(const QString& activity, std::optional<double> fraction)
{
    if (m_exportJob.isRunning() || m_verifyJob.isRunning())
        m_dialog.setProgress(activity, fraction);
}

void ExportController::showError(const Error& error)
{
    if (error.code == ErrorCode::Cancelled)
        m_dialog.setIdle();
    else
        m_dialog.setFailed(QString::fromStdString(error.message));
}

ExportOptions ExportController::optionsNow() const
{
    ExportOptions options = m_dialog.options();
    options.run = m_run;
    options.regionNotes = m_regionNotes;
    options.plannedFor = m_plan.request.profile;
    return options;
}

void ExportController::showPlannedFiles()
{
    const ExportOptions options = optionsNow();
    m_dialog.setFolderOccupied(exportedFiles(options.folder).has_value());
    m_planJob.start(
        tr("Measuring"),
        [model = m_model, partition = m_plan.partition, options](const Progress& progress) {
            return planExport(*model, *partition, options, progress);
        },
        [this](Result<std::vector<ExportedFile>> files) {
            if (files.has_value())
                m_dialog.setFiles(*files);
            else
                m_dialog.setProblem(QString::fromStdString(files.error().message));
        });
}

void ExportController::startExport()
{
    m_dialog.setProgress(tr("Writing the stages"), std::nullopt);
    m_exportJob.start(
        tr("Writing the stages"),
        [model = m_model, partition = m_plan.partition, options = optionsNow()](const Progress& progress) {
            return exportStages(*model, *partition, options, progress);
        },
        [this](Result<ExportReport> report) {
            if (!report.has_value())
                return showError(report.error());
            m_isExported = true;
            m_dialog.setExported(*report);
            showNextSteps(*report);
            m_dialog.setFolderOccupied(true); // another export would replace this one
            if (m_dialog.verifyAfterwards())
                startVerify();
        });
}

// pipeline.py runs the stages of Python and of .pt2; its README.md says all else.
void ExportController::showNextSteps(const ExportReport& report)
{
    const auto isThere = [&](const char* name) {
        return std::ranges::any_of(report.files, [&](const ExportedFile& file) { return file.name == name; });
    };
    const QDir folder(QString::fromStdString(report.folder.string()));
    const QString command = QString("cd %1 && torchrun --nproc-per-node %2 pipeline.py")
                                .arg(shellWord(folder.absolutePath()))
                                .arg(m_devices);
    m_dialog.setNextSteps(isThere("pipeline.py") ? command : QString(),
                          isThere("README.md") ? folder.absoluteFilePath("README.md") : QString());
}

void ExportController::startVerify()
{
    m_dialog.setProgress(tr("Comparing with the whole model"), std::nullopt);
    m_verifyJob.start(
        tr("Comparing the stages with the whole model"),
        [model = m_model, folder = m_dialog.options().folder, sizes = m_plan.request.profile.bindings,
         python = m_python](const Progress& progress) {
            const VerifyOptions options{.bindings = sizes,
                                        .inputs = exportedInputs(*model, sizes),
                                        .python = pythonFor(folder, python)};
            return verifyExport(*model, folder, options, progress);
        },
        [this](Result<VerifyReport> report) {
            if (report.has_value())
                m_dialog.setVerified(*report);
            else
                showError(report.error());
        });
}

} // namespace stagecraft
