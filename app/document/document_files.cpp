// The plan of a Document in files: saved by a person, and kept as it is edited. The rest is in document.cpp.
#include "app/document/document.h"

#include "app/document/plan_of_file.h"
#include "core/plan/sources/plan_file.h"
#include "core/workflow.h"
#include "views/base/plain_text.h"

namespace stagecraft {

namespace {

QString fileName(const std::filesystem::path& path)
{
    return shownText(path.filename().string());
}

// `plan` is of the model as it was read, whose fingerprint it has. Gives the place of what is written.
Result<std::filesystem::path> savedPlan(PlanFile plan, const std::filesystem::path& path,
                                        const Progress& progress)
{
    STAGECRAFT_ASSIGN(sha256, fileSha256(plan.model.path, progress));
    STAGECRAFT_TRY(progress.step("Writing", 1, 2));
    plan.model.sha256 = std::move(sha256);
    STAGECRAFT_TRY(writePlan(plan, path));
    return placeOf(path);
}

QString openElsewhereText(const std::filesystem::path& path)
{
    return Document::tr(
               "%1 is open in another window, too: edits made here are not kept for recovery. Save the "
               "plan to keep them, or close the other window and reload.")
        .arg(fileName(path));
}

} // namespace

void Document::savePlan(const std::filesystem::path& path)
{
    if (!m_open.model)
        return;
    if (m_open.model->isReadFrom(path)) { // by whatever name, from wherever it was asked for
        report(Error{ErrorCode::BadUsage,
                     path.string() + ": is the model that is open, and would be written over; choose "
                                     "another name"});
        emit planNotSaved();
        return;
    }
    if (m_settler.isRunning()) {
        m_open.toSave = path;
        return;
    }
    m_saveJob.start(
        tr("Saving %1").arg(fileName(path)),
        [plan = planMaker(), path](const Progress& progress) { return savedPlan(plan(), path, progress); },
        [this, path, written = m_state](const Result<std::filesystem::path>& saved) {
            if (!saved.has_value()) {
                report(saved.error());
                emit planNotSaved();
                return;
            }
            takeSaved(path, *saved, written);
        });
}

void Document::saveWaiting()
{
    if (const auto path = std::exchange(m_open.toSave, {}); !path.empty())
        savePlan(path);
}

// What was edited while it was written is not in it.
void Document::takeSaved(const std::filesystem::path& path, const std::filesystem::path& place,
                         const PlanState& written)
{
    m_kept.forget(m_open.planPath.empty() ? std::filesystem::path()
                                          : keptPlace()); // a file of its own has it
    m_open.planPath = path;
    m_open.planPlace = place;
    m_steps.takeSaved(written);
    if (!hasUnsavedEdits())
        keepEdits();
    emit planSaved();
}

// What a file of the present plan holds; owns all that it uses.
KeptEdits::MakePlan Document::planMaker() const
{
    return fileOfState({m_open.modelPath, {}, m_open.fingerprint}, m_open.model, m_state, timeLimit(),
                       devices());
}

// Of a plan file, what differs from it; of a model, the last that was done to it.
void Document::keepEdits()
{
    if (!m_open.model || !m_kept.claim(keptPlace()))
        return;
    const bool isOfModel = m_open.planPath.empty();
    if (isOfModel ? !m_steps.stack().isClean() : hasUnsavedEdits())
        m_kept.keep(keptPlace(), planMaker());
    else if (!isOfModel || m_steps.stack().canRedo())
        m_kept.putBack(keptPlace());
}

void Document::offerKeptEdits()
{
    if (!m_kept.claim(keptPlace()))
        emit noticed(openElsewhereText(m_open.planPath.empty() ? m_open.modelPath : m_open.planPath));
    else if (m_kept.earlier())
        emit lastSplitFound();
}

void Document::restoreLastSplit()
{
    if (!m_state.problem || !m_kept.earlier())
        return;
    const Result<PlanFile>& plan = *m_kept.earlier();
    if (!plan.has_value())
        return report(plan.error());
    Result<PlanState> planned = planOfFile(*plan, m_state);
    if (!planned.has_value())
        return report(planned.error());
    if (needsAnotherProfile(m_state.request, planned->request))
        return startProfiling(*planned, AfterProfile::Keep, tr("Restore the edits"));
    push(tr("Restore the edits"), *std::move(planned));
}

} // namespace stagecraft
