// StatusLine: what the status bar says of the model, the selection and the plan, and of a running job.
#pragma once

#include <QObject>

class QLabel;
class QStatusBar;

namespace stagecraft {

class Document;
class JobQueue;
class ProgressChip;
class Selection;

class StatusLine : public QObject
{
    Q_OBJECT

public:
    StatusLine(QStatusBar* bar, Document& document, const Selection& selection);

private:
    QLabel* addLabel(QStatusBar* bar, const QString& name);
    void showModel();
    void showSelection();
    void showPlan();
    void showJob();

    Document& m_document;
    const Selection& m_selection;
    QLabel* m_model;
    QLabel* m_selected;
    QLabel* m_stages;
    QLabel* m_slowest;
    QLabel* m_bound;
    ProgressChip* m_chip;
    JobQueue* m_shownQueue = nullptr; // whose oldest job the chip shows; none: idle
    QString m_shownJob;
};

// "linear_7 (op 812)", counted from 1; "12 ops"; empty for none.
QString selectionText(const Document& document, const Selection& selection);
// "slowest: stage 3, 12.4 ms (6.0 % above the mean)": the mean of all stages.
QString slowestText(const Document& document);

} // namespace stagecraft
