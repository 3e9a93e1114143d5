// FrameworkController: what the dialog of other frameworks shows, found in the background, and the plan that
// it offers, taken over.
#pragma once

#include "app/jobs/job.h"
#include "core/workflow.h"

namespace stagecraft {

class Document;
class FrameworkDialog;

class FrameworkController : public QObject
{
    Q_OBJECT

public:
    // Both outlive it. The dialog shows the plan that the document has, whatever becomes of it.
    FrameworkController(Document& document, FrameworkDialog& dialog, QObject* parent = nullptr);

private:
    // What the dialog shows is of these.
    struct Subject
    {
        Framework framework = Framework::Fqns;
        std::shared_ptr<const PartitionProblem> problem;
        std::shared_ptr<const Partition> partition;

        friend bool operator==(const Subject&, const Subject&) = default;
    };
    void say();
    void show(const Result<SaidPlan>& said);
    void apply();

    Document& m_document;
    FrameworkDialog& m_dialog;
    std::optional<Subject> m_subject;
    std::optional<Partition> m_nearest; // what is offered: a plan of the problem that there is
    JobQueue m_queue;
    Job<SaidPlan> m_job;
};

} // namespace stagecraft
