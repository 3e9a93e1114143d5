#include "app/document/code_pages.h"

#include "app/document/plan_state.h"
#include "core/region_figures.h"
#include "core/stage/code_facts.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"

namespace stagecraft {

struct CodePages::Facts
{
    CutFacts cut;
    CodeFacts code;
};

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
    m_facts = nullptr;
}

// A page for each stage; those of `before` that still hold are taken over, so that a drag writes only the
// stages that it touches.
Result<CodePages::Written> CodePages::write(const Subject& subject, const Written& before,
                                            const Progress& progress)
{
    const Model& model = *subject.model;
    const Partition& partition = *subject.partition;
    Written written{.pages = {}, .facts = before.facts};
    if (!written.facts)
        written.facts = std::make_shared<const Facts>(Facts{cutFacts(model), codeFacts(model)});
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, written.facts->cut, progress));
    RegionNotes notes;
    if (subject.profile && subject.without)
        notes = regionNotes(model, *subject.profile, *subject.without, partition);
    for (std::size_t i = 0; i < programs.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Writing code", i, programs.size()));
        if (i < before.pages.size() && before.pages[i].program && *before.pages[i].program == programs[i]) {
            written.pages.push_back(before.pages[i]);
            continue;
        }
        auto code = std::make_shared<const StageCode>(
            stageCode(model, programs[i], RepeatedCode::Once, notes, &written.facts->code));
        written.pages.push_back(
            {std::make_shared<const StageProgram>(std::move(programs[i])), std::move(code)});
    }
    return written;
}

void CodePages::start()
{
    const Subject subject = m_subject();
    if (!subject.model)
        return;
    // A stage's program does not say what of it runs again, or what that costs: the model and its profile do.
    const bool isSame = subject.model == m_model && subject.profile == m_profile;
    const Written before{.pages = isSame ? m_pages : std::vector<StagePage>(),
                         .facts = subject.model == m_model ? m_facts : nullptr};
    m_job.start(
        tr("Writing code"),
        [subject, before](const Progress& progress) { return write(subject, before, progress); },
        [this, subject](Result<Written> written) {
            if (written.has_value()) {
                m_pages = std::move(written->pages);
                m_facts = std::move(written->facts);
                m_model = subject.model;
                m_profile = subject.profile;
            } else {
                emit failed(written.error());
            }
            emit changed();
        });
    emit changed(); // stale from now on
}

} // namespace stagecraft
