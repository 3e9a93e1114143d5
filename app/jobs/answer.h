// Answer<T, Subject>: what was found out because a person asked: the result, what it is about, and the job
// that finds it.
//
//     Answer<Trace, Question> m_answer{queue, [this] { emit changed(); },
//                                      [this](const Error& error) { report(error); }};
//     m_answer.seek(tr("Looking"), question,
//                   [=](const Progress& progress) { return trace(question, progress); });
//     m_answer.about(question)     // null until it is found, and for any other question
//
// What was found stays until something else is found, or it is dropped. On the GUI thread; the work owns all
// that it uses, as that of a Job does.
#pragma once

#include "app/jobs/job.h"

#include <concepts>

namespace stagecraft {

template <class T, class Subject>
class Answer
{
public:
    // Shows what was found so far; from any thread, while the work goes on.
    using Tell = std::function<void(T)>;
    using Work = std::function<Result<T>(const Progress&, const Tell&)>;

    // `changed` is called for every result, a part or the whole, and after `failed`; neither by seek()
    // itself.
    Answer(JobQueue& queue, std::function<void()> changed, std::function<void(const Error&)> failed)
        : m_queue(queue), m_changed(std::move(changed)), m_failed(std::move(failed)), m_job(queue)
    {
    }

    void seek(const QString& name, Subject subject, Work work)
    {
        m_sought = std::move(subject);
        *m_run += 1;
        m_job.start(
            name,
            [work = std::move(work), tell = teller()](const Progress& progress) {
                return work(progress, tell);
            },
            [this](Result<T> result) {
                if (result.has_value())
                    return take(std::make_shared<const T>(*std::move(result)));
                m_failed(result.error());
                m_changed();
            });
    }
    template <std::invocable<const Progress&> WholeWork>
    void seek(const QString& name, Subject subject, WholeWork work)
    {
        seek(name, std::move(subject),
             Work([work = std::move(work)](const Progress& progress, const Tell&) -> Result<T> {
                 return work(progress);
             }));
    }

    bool isRunning() const { return m_job.isRunning(); }
    // What is sought or was last, whether or not it was found; none: nothing.
    const std::optional<Subject>& sought() const { return m_sought; }
    // What was found last, whatever it is about; null: nothing.
    const std::shared_ptr<const T>& found() const { return m_found; }
    std::shared_ptr<const T> about(const Subject& subject) const
    {
        return m_foundFor == subject ? m_found : nullptr;
    }

    // Stops looking, without a word.
    void cancel() { m_job.cancel(); }
    // The same, and forgets what was found.
    void drop()
    {
        cancel();
        m_sought.reset();
        m_foundFor.reset();
        m_found.reset();
    }

private:
    // The queue waits for its thread before it goes, so it is there while this is called.
    Tell teller()
    {
        return [this, queue = &m_queue, run = *m_run, running = std::weak_ptr(m_run)](T part) {
            auto value = std::make_shared<const T>(std::move(part));
            QMetaObject::invokeMethod(
                queue,
                [this, run, running, value] {
                    const auto newest = running.lock();
                    if (newest && *newest == run && isRunning())
                        take(value);
                },
                Qt::QueuedConnection);
        };
    }

    void take(std::shared_ptr<const T> value)
    {
        m_found = std::move(value);
        m_foundFor = m_sought;
        m_changed();
    }

    JobQueue& m_queue;
    std::function<void()> m_changed;
    std::function<void(const Error&)> m_failed;
    std::optional<Subject> m_sought;
    std::optional<Subject> m_foundFor;
    std::shared_ptr<const T> m_found;
    std::shared_ptr<std::size_t> m_run = std::make_shared<std::size_t>(0);
    Job<T> m_job;
};

} // namespace stagecraft
