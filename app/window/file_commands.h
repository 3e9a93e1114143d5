// FileCommands: what the window reads from files and writes to them, with the dialogs that ask which.
#pragma once

#include "app/document/model_watch.h"
#include "app/jobs/job_queue.h"
#include "core/plan/framework_plan.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace stagecraft {

class Document;
class MessageBar;
class OpeningController;
struct Overlay;
class ReportController;
class WindowMessages;

class FileCommands : public QObject
{
    Q_OBJECT

public:
    // All outlive it; dialogs are those of `window`.
    FileCommands(QWidget* window, Document& document, OpeningController& opening, QSettings* settings,
                 MessageBar* bar, WindowMessages& messages);

    // Unless the plan that is there may not go: false.
    bool open(const QString& path);
    void reload();
    // Empty: none was chosen.
    QString askForModel();
    void attachWeights();
    // A measured step; empty: none was chosen.
    std::vector<std::filesystem::path> askForMeasuredStep();
    // False: no file was chosen.
    bool save();
    bool saveAs();
    // May the plan that is there go? Asks where it was edited and not saved, and waits until it is.
    bool mayLeavePlan();
    void exportStages();
    void exportPlan(); // as another framework reads it
    void exportPicture();
    void exportReport(); // saved() follows, unless it fails
    void exportGraph();  // for other programs
    // Figures of the person's own for what is written from now on; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    JobQueue& reportJobs();
    // A file of such; empty: none was chosen.
    QString askForOverlay();
    void saveSchedule();
    // Times of ops; empty: none was chosen.
    QString askForTimes();
    void importTimes(const QString& path);

signals:
    void saved(const QString& path); // besides plans
    void opening(const QString& path);

private:
    void watchModel(MessageBar* bar);
    bool saveAndWait();
    // In the folder that was chosen last for such files.
    QString askForFile(const QString& title, const char* folderKey, const QString& filter);
    std::vector<std::filesystem::path> askForFiles(const QString& title, const char* folderKey,
                                                   const QString& filter);
    // Beside the model, under its name.
    QString proposed(const char* ending) const;
    struct Place
    {
        QString path;
        std::size_t form = 0;
    };
    // Where to save in one of these forms, "Pages (*.html)": the ending of the name decides in which, and a
    // name without one gets the form's. None: no place was chosen, its name ends in none of them, or nothing
    // may be written there.
    std::optional<Place> askForPlace(const QString& title, const char* ending, const QStringList& forms);
    template <class Written>
    void tell(const QString& path, const Result<Written>& written);
    void savePlanText(Framework framework, const QString& text);
    // Nothing is written over what is open; says why not.
    bool mayWrite(const QString& path);

    QWidget* m_window;
    Document& m_document;
    OpeningController& m_opening;
    QSettings* m_settings;
    WindowMessages& m_messages;
    ModelWatch m_watch;
    ReportController* m_reports; // a child
    std::shared_ptr<const Overlay> m_overlay;
    bool m_isAskingToLeave = false;
};

} // namespace stagecraft
