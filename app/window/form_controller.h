// FormController: models that are made from forms. Asks for a form, writes its model as a file of the
// program's own and opens that as any other; while it is open a panel has its numbers, and a change makes
// and opens the next.
#pragma once

#include "app/jobs/job.h"
#include "app/window/form_files.h"
#include "core/forms/form.h"

#include <QTimer>

#include <filesystem>

class QAction;
class QMainWindow;

namespace stagecraft {

class Docks;
class Document;
class FileCommands;
class FormPanel;
class NewModelDialog;

class FormController : public QObject
{
    Q_OBJECT

public:
    // All outlive it; it is the window's child. Files go to `folder`; empty: to one that goes with it.
    FormController(QMainWindow* window, Docks* docks, Document& document, FileCommands& files,
                   std::filesystem::path folder);

    // Asks for a form and opens its model.
    void askForForm();
    QAction* action() const { return m_action; }
    JobQueue& jobs() { return m_queue; }

private:
    void make(const Form& form);
    void followPanel();
    void giveWay(const QString& path); // to a file that is opened otherwise
    void showForm();
    void showFigures(NewModelDialog* dialog);

    QMainWindow* m_window;
    Docks* m_docks;
    Document& m_document;
    FileCommands& m_files;
    FormFiles m_formFiles;
    FormPanel* m_panel;
    QAction* m_action;
    QTimer m_delay;                  // while a number is turned
    std::filesystem::path m_opening; // the last of them that was opened from here
    JobQueue m_queue;
    Job<FormFile> m_making;
};

} // namespace stagecraft
