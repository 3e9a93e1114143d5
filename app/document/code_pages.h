// CodePages: the code of every stage, written in the background a moment after the plan has changed.
#pragma once

#include "app/jobs/job.h"
#include "core/load/model.h"
#include "core/profile/profile.h"
#include "views/code/code_text.h"

#include <QTimer>

#include <functional>

namespace stagecraft {

struct PlanState;

class CodePages : public QObject
{
    Q_OBJECT

public:
    // What it is written of.
    struct Subject
    {
        std::shared_ptr<const Model> model; // null: nothing
        std::shared_ptr<const Partition> partition;
        // How it runs, and how where nothing ran again: what its code says of that. Null: nothing.
        std::shared_ptr<const Profile> profile = {};
        std::shared_ptr<const Profile> without = {};
    };
    // The queue outlives it; `subject` is asked when the moment is over.
    CodePages(JobQueue& queue, std::function<Subject()> subject);

    const std::vector<StagePage>& pages() const { return m_pages; }
    bool isStale() const { return m_delay.isActive() || m_job.isRunning(); }
    bool isWaiting() const { return m_delay.isActive(); }
    void refresh() { m_delay.start(); }
    void stopWaiting() { m_delay.stop(); }
    void forget();

signals:
    void changed(); // there are other pages, or those that are there are stale
    void failed(const stagecraft::Error& error);

private:
    struct Facts; // what is asked of a model whatever its stages are: once
    struct Written
    {
        std::vector<StagePage> pages;
        std::shared_ptr<const Facts> facts;
    };
    static Result<Written> write(const Subject& subject, const Written& before, const Progress& progress);

    void start();

    std::function<Subject()> m_subject;
    std::vector<StagePage> m_pages;
    std::shared_ptr<const Model> m_model;     // of the pages
    std::shared_ptr<const Facts> m_facts;     // of that
    std::shared_ptr<const Profile> m_profile; // of what they say
    QTimer m_delay;
    Job<Written> m_job;
};

// The code of `model`, which runs as `state` says, with these stages.
CodePages::Subject codeSubject(std::shared_ptr<const Model> model, std::shared_ptr<const Partition> partition,
                               const PlanState& state);

} // namespace stagecraft
