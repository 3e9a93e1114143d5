// Job<T>: a piece of work off the GUI thread, of which only the newest start counts.
//
//     Job<Profile> m_profiling{queue};
//     m_profiling.start(tr("Profiling"),
//         [model, options](const Progress& progress) { return traceAndProfile(*model, options, progress); },
//         [this](Result<Profile> profile) { ... });  // on the GUI thread
//
// Starting it again, cancelling or destroying it stops the work before and drops its result, however late
// that comes. The work must own all it uses: copies, or shared_ptr to const.
#pragma once

#include "app/jobs/job_queue.h"
#include "core/base/result.h"
#include "core/run/torch_types.h"

#include <exception>
#include <memory>

namespace stagecraft {

template <class T>
class Job
{
public:
    using Work = std::function<Result<T>(const Progress&)>;
    // Gets the result; or an Error of code Cancelled as soon as the person cancels.
    using Done = std::function<void(Result<T>)>;

    explicit Job(JobQueue& queue) : m_queue(&queue) {}
    ~Job() { cancel(); }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    void start(const QString& name, Work work, const Done& done)
    {
        cancel();
        const auto ticket = std::make_shared<JobQueue::Ticket>(0);
        *ticket = m_queue->add(
            name,
            [this, work = std::move(work), done](const Progress& progress) -> JobQueue::Delivery {
                auto result = std::make_shared<Result<T>>(guarded(work, progress));
                return [this, result, done] {
                    m_ticket = 0;
                    done(std::move(*result));
                };
            },
            [this, done, ticket] {
                if (m_ticket != *ticket)
                    return; // what was told before of that end has started it anew
                m_ticket = 0;
                done(cancelled());
            });
        m_ticket = *ticket;
    }

    // Drops the job without a word.
    void cancel() { m_queue->drop(std::exchange(m_ticket, 0)); }
    bool isRunning() const { return m_ticket != 0; }

private:
    // Memory may run out; nothing may be thrown through Qt.
    static Result<T> guarded(const Work& work, const Progress& progress)
    {
        try {
            return work(progress);
        } catch (const std::exception& exception) {
            return Error{ErrorCode::Failed, exceptionReason(exception)};
        }
    }

    JobQueue* m_queue;
    JobQueue::Ticket m_ticket = 0; // 0: not running
};

} // namespace stagecraft
