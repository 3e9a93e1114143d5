// AnalyseActions: what a person asks of the plan beside a plan; what the answer shows in comes to the front.
#pragma once

#include "app/window/actions.h"
#include "app/window/window_views.h"

#include <QObject>

namespace stagecraft {

class Docks;
class Document;
class FileCommands;

class AnalyseActions : public QObject
{
    Q_OBJECT

public:
    // All outlive it; dialogs are those of `window`, its parent.
    AnalyseActions(QWidget* window, const Actions& actions, const WindowViews& views, Document& document,
                   FileCommands& files, Docks* docks);

private:
    void runStep();
    void readTimes();

    QWidget* m_window;
    const Actions& m_actions;
    const WindowViews& m_views;
    Document& m_document;
    FileCommands& m_files;
    Docks* m_docks;
};

} // namespace stagecraft
