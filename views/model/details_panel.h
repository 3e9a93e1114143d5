// DetailsPanel: everything known of the selected op, or the sums of several. Links select what they name;
// that of a line of the source, which may be on another machine, copies where it is: "model.py:12".
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

private:
    void showSelection();
    void follow(const QUrl& link);

    Selection* m_selection;
    QTextBrowser* m_text;
    PlanView m_plan;
};

} // namespace stagecraft
