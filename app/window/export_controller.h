// ExportController: what the export dialog asks for, done: sizes beforehand, writing, verifying, as jobs.
#pragma once

#include "app/document/plan_state.h"
#include "app/jobs/job.h"
#include "core/load/loss_output.h"
#include "core/stage/export.h"
#include "core/stage/verify.h"

namespace stagecraft {

class Document;
class ExportDialog;

class ExportController : public QObject
{
    Q_OBJECT

public:
    // Both outlive it. The dialog is of the model that the document has now, and of its plan: what comes of a
    // search that is under way, too, until it is written. It proposes a folder inside `parentFolder`.
    ExportController(Document& document, ExportDialog& dialog, const QString& parentFolder,
                     QObject* parent = nullptr);
    // That verifies stages without programs; empty: that of the environment.
    void setPython(std::string python) { m_python = std::move(python); }

private:
    ExportOptions optionsNow() const;
    void takePlan();
    void showLoss();
    void showPlannedFiles();
    void startExport();
    void showNextSteps(const ExportReport& report);
    void startVerify();
    void showError(const Error& error);
    void showProgress(const QString& activity, std::optional<double> fraction);

    Document& m_document;
    ExportDialog& m_dialog;
    JobQueue& m_queue;
    std::shared_ptr<const Model> m_opened; // while it is the document's, the plan is, too
    std::shared_ptr<const Model> m_model;  // as it runs
    PlanState m_plan;
    std::string m_python;
    RunPlan m_run;
    RegionNotes m_regionNotes; // in the code
    std::size_t m_devices = 1; // a process each
    bool m_isExported = false; // from then on the dialog is of what was written
    JobQueue m_planQueue;      // sizes follow the typing, whatever else runs
    Job<LossOutput> m_lossJob;
    Job<std::vector<ExportedFile>> m_planJob;
    Job<ExportReport> m_exportJob;
    Job<VerifyReport> m_verifyJob;
};

} // namespace stagecraft
