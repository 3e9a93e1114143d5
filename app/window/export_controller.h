// ExportController: what the export dialog asks for, done: sizes beforehand, writing, verifying, as jobs.
#pragma once

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
    // Both outlive it. The dialog shows the model and plan that the document has now; it proposes a folder
    // inside `parentFolder`.
    ExportController(Document& document, ExportDialog& dialog, const QString& parentFolder,
                     QObject* parent = nullptr);
    // That verifies stages without programs; empty: that of the environment.
    void setPython(std::string python) { m_python = std::move(python); }

private:
    ExportOptions optionsNow() const;
    void showLoss();
    void showPlannedFiles();
    void startExport();
    void showNextSteps(const ExportReport& report);
    void startVerify();
    void showError(const Error& error);
    void showProgress(const QString& activity, double fraction);

    ExportDialog& m_dialog;
    JobQueue& m_queue;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Partition> m_partition;
    Bindings m_sizes;        // that it is verified with
    std::string m_askedLoss; // of the plan
    std::string m_python;
    RunPlan m_run;
    RegionNotes m_regionNotes; // in the code
    std::size_t m_devices;     // a process each
    JobQueue m_planQueue;      // sizes follow the typing, whatever else runs
    Job<LossOutput> m_lossJob;
    Job<std::vector<ExportedFile>> m_planJob;
    Job<ExportReport> m_exportJob;
    Job<VerifyReport> m_verifyJob;
};

} // namespace stagecraft
