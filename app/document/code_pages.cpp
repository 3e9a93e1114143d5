#include "app/document/code_pages.h"

#include "app/document/plan_state.h"
#include "core/region_figures.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"

namespace stagecraft {

namespace {

// A page for each stage; those of `previous` that still hold are taken over, so that a drag writes only the
// stages that it touches.
Result<std::vector<StagePage>> makePages(const CodePages::Subject& subject,
                                         const std::vector<StagePage>& previous, const Progress& progress)
{
    const Model& model = *subject.model;
    const Partition& partition = *subject.partition;
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    RegionNotes notes;
    if (subject.profile && subject.without)
        notes = regionNotes(model, *subject.profile, *subject.without, partition);
    std::vector<StagePage> pages;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Writing code", i, programs.size()));
        if (i < previous.size() && previous[i].program && *previous[i].program == programs[i]) {
            pages.push_back(previous[i]);
            continue;
        }
        auto code =
            std::make_shared<const StageCode>(stageCode(model, programs[i], RepeatedCode::Once, notes));
        pages.push_back({std::make_shared<const StageProgram>(std::move(programs[i])), std::move(code)});
    }
    return pages;
}

} // namespace

CodePages::Subject codeSubject(std::shared_ptr<const Model> model, std::shared_ptr<const Partition> partition,
                               const PlanState& state)
{
    return {std::move(model), std::move(partition), state.profile,
            state.again ? state.again->without : nullptr};
}

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
    m_model = nullptr;
    m_profile = nullptr;
}

void CodePages::start()
{
    const Subject subject = m_subject();
    if (!subject.model)
        return;
    // A stage's program does not say what of it runs again, or what that costs: the model and its profile do.
    const bool isSame = subject.model == m_model && subject.profile == m_profile;
    const std::vector<StagePage> previous = isSame ? m_pages : std::vector<StagePage>();
    m_job.start(
        tr("Writing code"),
        [subject, previous](const Progress& progress) { return makePages(subject, previous, progress); },
        [this, subject](Result<std::vector<StagePage>> pages) {
            if (pages.has_value()) {
                m_pages = *std::move(pages);
                m_model = subject.model;
                m_profile = subject.profile;
            } else {
                emit failed(pages.error());
            }
            emit changed();
        });
    emit changed(); // stale from now on
}

} // namespace stagecraft
