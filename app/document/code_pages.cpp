#include "app/document/code_pages.h"

namespace stagecraft {

CodePages::CodePages(JobQueue& queue, std::function<Subject()> subject)
    : m_subject(std::move(subject)), m_job(queue)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(150);
    connect(&m_delay, &QTimer::timeout, this, &CodePages::start);
}

void CodePages::forget()
{
    stopWaiting();
    m_pages.clear();
}

void CodePages::start()
{
    const Subject subject = m_subject();
    if (!subject.model)
        return;
    m_job.start(
        tr("Writing code"),
        [subject, previous = m_pages](const Progress& progress) {
            return makeStagePages(*subject.model, *subject.partition, previous, progress);
        },
        [this](Result<std::vector<StagePage>> pages) {
            if (pages.has_value())
                m_pages = *std::move(pages);
            else
                emit failed(pages.error());
            emit changed();
        });
    emit changed(); // stale from now on
}

} // namespace stagecraft
