// PlanComparison: the plan that is kept beside the document's, B, and how one is found to compare with: a
// plan file, or what is asked with one thing otherwise (a schedule, a device, a precision).
#pragma once

#include "app/document/code_pages.h"
#include "app/document/other_plans.h"
#include "app/document/plan_history.h"
#include "app/jobs/job.h"

#include <QObject>

#include <filesystem>

namespace stagecraft {

class PlanComparison : public QObject
{
    Q_OBJECT

public:
    // Does a plan under another question cut where this one does, or where it is best?
    enum class Cuts { Best, Same };

    // Both outlive it.
    PlanComparison(Document& document, PlanHistory& history, QObject* parent = nullptr);

    // B; null: none.
    const PlanHistory::Entry& other() const { return m_other; }
    void compareWith(PlanHistory::Entry other);
    void keepCurrent(); // the present plan becomes B
    void drop();
    // B becomes the plan, in one step of undo, and the plan B.
    void swap();

    // B becomes the plan of that request, when it is found, unless it is the document's plan. Says why there
    // is none.
    void compareWithRequest(const PlanRequest& request, const QString& origin, Cuts cuts);
    // Of this model, for what it was made for. Says why it is not to be had.
    void compareWithFile(const std::filesystem::path& path);

    // The code of B's stages, once it was asked for and is written.
    const std::vector<StagePage>& pages() const { return m_code.pages(); }
    void writeCode();

signals:
    void changed();
    void codeChanged();

private:
    void take(const QString& origin, const Result<OtherPlan>& found);

    Document& m_document;
    PlanHistory& m_history;
    PlanHistory::Entry m_other;
    Job<OtherPlan> m_job;
    RunningModel m_running; // with what B runs again
    CodePages m_code;
};

} // namespace stagecraft
