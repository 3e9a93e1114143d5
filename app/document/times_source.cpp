#include "app/document/times_source.h"

#include "app/document/document.h"
#include "app/jobs/free_memory.h"
#include "core/base/available_memory.h"

namespace stagecraft {

TimesSource::TimesSource(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_job(document.heavyQueue())
{
}

void TimesSource::measure()
{
    const PlanState& state = m_document.state();
    if (!state.profile || m_job.isRunning())
        return;
    const Result<void> room = checkRoomForStep(*state.profile, availableMemory());
    if (!room.has_value())
        return take({}, room.error());
    m_job.start(
        tr("Measuring every op"),
        [model = m_document.model(),
         sizes = state.request.profile.bindings](const Progress& progress) -> Result<TimeOverrides> {
            STAGECRAFT_ASSIGN(times, measureModel(*model, {.bindings = sizes}, progress));
            return TimeOverrides{sizes, std::move(times)};
        },
        [this](Result<TimeOverrides> found) { take(tr("Take the measured times"), std::move(found)); });
}

void TimesSource::import(const std::filesystem::path& path)
{
    if (!m_document.hasModel())
        return;
    m_job.start(
        tr("Reading times"),
        [model = m_document.model(), sizes = m_document.request().profile.bindings,
         path](const Progress& progress) -> Result<TimeOverrides> {
            STAGECRAFT_ASSIGN(times, readTimes(path, model->graph, progress));
            return TimeOverrides{sizes, std::move(times)};
        },
        [this](Result<TimeOverrides> found) { take(tr("Take the times of a file"), std::move(found)); });
}

void TimesSource::take(const QString& text, Result<TimeOverrides> found)
{
    if (found.has_value())
        m_document.useTimes(text, std::make_shared<const TimeOverrides>(*std::move(found)));
    else if (found.error().code != ErrorCode::Cancelled)
        emit m_document.failed(QString::fromStdString(found.error().message));
}

} // namespace stagecraft
