// StatusLine: what the status bar says of the model, the selection and the plan, and of a running job.
#pragma once

#include "app/jobs/job_queue.h"

#include <QObject>
#include <QPointer>

#include <vector>

class QAction;
class QStatusBar;
class QToolButton;

namespace stagecraft {

class Document;
class ElidedLabel;
class ProgressChip;
class Selection;

class StatusLine : public QObject
{
    Q_OBJECT

public:
    // `options` is where what the plan is made for is chosen.
    StatusLine(QStatusBar* bar, Document& document, const Selection& selection, QAction* options);
    // The chip shows its jobs, too, and ends them; those of the document's queues it always does.
    void watch(JobQueue& queue);

private:
    ElidedLabel* addLabel(const QString& name);
    void showModel();
    void showSelection();
    void showPlan();
    void showJob();

    Document& m_document;
    const Selection& m_selection;
    QWidget* m_labels; // of which a message takes the place; it would share it with those shown meanwhile
    ElidedLabel* m_model;
    ElidedLabel* m_selected;
    QToolButton* m_setup;
    ElidedLabel* m_stages;
    ElidedLabel* m_slowest;
    ElidedLabel* m_bound;
    ProgressChip* m_chip;
    std::vector<QPointer<JobQueue>> m_queues; // the first that is busy is shown
    QPointer<JobQueue> m_shownQueue;          // whose oldest job the chip shows; none: idle
    QString m_shownJob;
};

// What the plan is made for: "4 × NVIDIA H100 · 8 microbatches · as exported · 1F1B".
QString setupText(const Document& document);
// While there is no plan: "splitting into 4 stages…", else "not split yet"; empty without a model.
QString unsplitText(const Document& document);
// "linear_7 (op 812)", counted from 1; "12 ops"; empty for none.
QString selectionText(const Document& document, const Selection& selection);
// "slowest: stage 3, 12.4 ms (6.0 % above the mean)": the mean of all stages.
QString slowestText(const Document& document);

} // namespace stagecraft
