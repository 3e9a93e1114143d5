// KeptStars: the starred plans of a model, kept as plan files where they outlive the window, and back in the
// history when the model is opened next. Their figures are worked out anew then.
//
//     FOLDER/starred/PATH-CONTENT-NAME.stagecraft
//
// PATH and CONTENT stand for the model's: one that was moved finds its stars, and so does one that has
// changed, which is said.
//
// A star is the model's, not a window's: each has a file of its own, and windows and processes that have the
// same model open see each other's stars come and go.
#pragma once

#include "app/document/kept_edits.h"
#include "app/document/other_plans.h"
#include "app/document/plan_history.h"
#include "app/jobs/job.h"

#include <QFileSystemWatcher>
#include <QObject>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace stagecraft {

class Document;

class KeptStars : public QObject
{
    Q_OBJECT

public:
    // Both outlive it. An empty folder: nothing is kept.
    KeptStars(Document& document, PlanHistory& history, std::filesystem::path folder, QObject* parent);

private:
    // What became of a file.
    struct Star
    {
        std::filesystem::path place;
        QString origin;
        QDateTime when;
        Result<OtherPlan> plan;
    };
    static Star readStar(const std::filesystem::path& place, const std::filesystem::path& modelPath,
                         const PlanState& state, const PlanQuestion& question, const Progress& progress);
    // How the files of the open model's plans begin, or go on behind the first dash.
    std::string pathPart() const;
    std::string contentPart() const;
    std::vector<std::filesystem::path> placesOfModel() const;
    void keep(std::size_t id, bool isStarred);
    void start();
    void forget();
    void look();
    void readNew(std::vector<std::filesystem::path> places);
    void dropGone();
    void take(const Star& star);

    Document& m_document;
    PlanHistory& m_history;
    std::filesystem::path m_folder;
    KeptEdits m_files;
    QFileSystemWatcher m_watcher;                          // of the folder, while a model is open
    std::map<std::size_t, std::filesystem::path> m_places; // by plan
    std::set<std::filesystem::path> m_there;               // of these, what was there when last looked
    std::set<std::filesystem::path> m_useless;             // which do not apply to this model
    bool m_hasMissed = false;                              // a change of the folder, while there was no plan
    Job<std::vector<Star>> m_job;
};

} // namespace stagecraft
