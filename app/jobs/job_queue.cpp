#include "app/jobs/job_queue.h"

#include "views/base/activity_terms.h"

#include <algorithm>
#include <string>

namespace stagecraft {

JobQueue::JobQueue(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

JobQueue::~JobQueue()
{
    for (Job& job : m_jobs)
        job.stop.request_stop();
    m_pool.clear();
    m_pool.waitForDone();
    m_jobs.clear();
}

Progress JobQueue::makeProgress(Ticket ticket, std::stop_token stop)
{
    return Progress(
        std::move(stop), [this, ticket](std::string_view activity, std::optional<double> fraction) {
            QMetaObject::invokeMethod(
                this,
                [this, ticket, said = std::string(activity), fraction] {
                    if (std::ranges::any_of(m_jobs, [&](const Job& job) { return job.ticket == ticket; }))
                        emit progressed(activityText(said), fraction);
                },
                Qt::QueuedConnection);
        });
}

JobQueue::Ticket JobQueue::add(const QString& name, Work work, Delivery abandoned)
{
    const Ticket ticket = m_nextTicket++;
    std::stop_source stop;
    m_jobs.push_back({ticket, name, stop, std::move(abandoned)});
    ++m_unfinished;
    m_pool.start([this, ticket, work = std::move(work), token = stop.get_token()] {
        Delivery delivery;
        if (!token.stop_requested())
            delivery = work(makeProgress(ticket, token));
        QMetaObject::invokeMethod(
            this, [this, ticket, delivery = std::move(delivery)] { finish(ticket, delivery); },
            Qt::QueuedConnection);
    });
    if (m_jobs.size() == 1)
        emit currentChanged();
    return ticket;
}

std::optional<JobQueue::Job> JobQueue::take(Ticket ticket)
{
    const auto found = std::ranges::find(m_jobs, ticket, &Job::ticket);
    if (found == m_jobs.end())
        return {};
    const bool wasOldest = found == m_jobs.begin();
    Job job = std::move(*found);
    m_jobs.erase(found);
    if (wasOldest)
        emit currentChanged();
    return job;
}

void JobQueue::finish(Ticket ticket, const Delivery& delivery)
{
    if (--m_unfinished == 0)
        emit cameToRest();
    if (take(ticket))
        delivery();
}

void JobQueue::drop(Ticket ticket)
{
    if (std::optional<Job> job = take(ticket))
        job->stop.request_stop();
}

void JobQueue::cancelAll()
{
    std::vector<Job> jobs = std::exchange(m_jobs, {});
    if (jobs.empty())
        return;
    for (Job& job : jobs)
        job.stop.request_stop();
    emit currentChanged();
    for (const Job& job : jobs)
        job.abandoned();
}

void JobQueue::abandonAll()
{
    std::vector<Job> jobs = std::exchange(m_jobs, {});
    for (Job& job : jobs)
        job.stop.request_stop();
}

QString JobQueue::currentName() const
{
    return m_jobs.empty() ? QString() : m_jobs.front().name;
}

} // namespace stagecraft
