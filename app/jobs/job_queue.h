// JobQueue: one worker thread that runs jobs (job.h) one after another, and tells the GUI thread about them.
//
// Heavy work (opening, tracing, searching, exporting) shares one queue, so that there is one of it at a time
// and one progress to show; quick work that follows the mouse has a queue of its own. Lives on the GUI
// thread.
#pragma once

#include "core/base/progress.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace stagecraft {

class JobQueue : public QObject
{
    Q_OBJECT

public:
    using Delivery = std::function<void()>;
    // Runs on the worker thread; what it returns runs on the GUI thread, unless the job was dropped
    // meanwhile.
    using Work = std::function<Delivery(const Progress&)>;
    using Ticket = std::uint64_t;

    explicit JobQueue(QObject* parent = nullptr);
    // Asks all jobs to stop and waits for the one that runs; nothing is delivered any more.
    ~JobQueue() override;

    // `abandoned` is called instead of the delivery if cancelAll() ends the job.
    Ticket add(const QString& name, Work work, Delivery abandoned);
    // The job is asked to stop and will deliver nothing. A ticket that has ended is ignored.
    void drop(Ticket ticket);
    // Ends every job at once, whether or not its thread has noticed yet.
    void cancelAll();
    // The same, and nobody is told.
    void abandonAll();
    // Blocks until the thread has run all that was added.
    void waitUntilDone() { m_pool.waitForDone(); }

    bool isBusy() const { return !m_jobs.empty(); }
    // Has every job that was ever added left its thread, cancelled ones too? Then the destructor need not
    // wait.
    bool isAtRest() const { return m_unfinished == 0; }
    // Name of the oldest job; empty when idle.
    QString currentName() const;

signals:
    // Another job is the oldest now, or there is none.
    void currentChanged();
    // How far the job is that runs now, 0 .. 1.
    void progressed(const QString& activity, std::optional<double> fraction);
    // isAtRest() is true again.
    void cameToRest();

private:
    struct Job
    {
        Ticket ticket;
        QString name;
        std::stop_source stop;
        Delivery abandoned;
    };
    Progress makeProgress(Ticket ticket, std::stop_token stop);
    void finish(Ticket ticket, const Delivery& delivery);
    // Removes a job and returns it; nothing if it is gone already.
    std::optional<Job> take(Ticket ticket);

    std::vector<Job> m_jobs; // oldest first
    Ticket m_nextTicket = 1;
    std::size_t m_unfinished = 0; // added, and not yet heard to have left the thread
    QThreadPool m_pool;           // one thread; last, so that it ends first
};

} // namespace stagecraft
