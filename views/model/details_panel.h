// DetailsPanel: everything known of the selected op, or the sums of several.
#pragma once

#include "views/base/plan_view.h"
#include "views/base/selection.h"

#include <QWidget>

class QTextBrowser;
class QUrl;

namespace stagecraft {

class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(Selection* selection, QWidget* parent = nullptr);

    void setPlan(const PlanView& plan);

signals:
    // A line of the model's own source was clicked.
    void sourceActivated(const QString& file, int line);

private:
    void showSelection();
    void follow(const QUrl& link);

    Selection* m_selection;
    QTextBrowser* m_text;
    PlanView m_plan;
};

} // namespace stagecraft
