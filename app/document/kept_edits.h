// KeptEdits: edits that are in no plan file yet, kept where they outlive the window and the process, to be
// offered again when the same model or plan is opened next.
//
//     FOLDER/splits/FINGERPRINT.stagecraft    the last edits of a model that was opened as such
//     FOLDER/edits/NAME.stagecraft            of a plan file: NAME stands for where that is
//
// Who has a model or plan open has its place to itself; a lock beside it says so to other windows and
// processes. That of a dead process does not count.
//
// Written off the GUI thread, each whole or not at all, in the order in which they were given.
#pragma once

#include "app/jobs/job_queue.h"
#include "core/plan/sources/plan_file.h"

#include <QLockFile>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace stagecraft {

class KeptEdits
{
public:
    using MakePlan = std::function<PlanFile()>; // called off the GUI thread; owns all that it uses

    // An empty folder: nothing is kept.
    explicit KeptEdits(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    ~KeptEdits() { finish(); }

    // Where edits of the model of that content are kept, or, if `planPlace` is not empty, of the plan there,
    // a path by which no other goes (opened_file.h); empty if they are not.
    std::filesystem::path placeOf(const std::string& fingerprint,
                                  const std::filesystem::path& planPlace) const;
    // Makes `place` this one's until it claims another or releases it. False: it is another's, and keep() and
    // forget() leave it alone. Asked again about the same place, the answer is the same.
    bool claim(const std::filesystem::path& place);
    // What is to be done there is done first.
    void release();
    // What an earlier window left at the place that is claimed, whatever is kept there since; or why it
    // cannot be read.
    const std::optional<Result<PlanFile>>& earlier() const { return m_earlier; }
    bool isElsewhere(const std::filesystem::path& place) const { return m_isElsewhere && place == m_claimed; }
    void keep(const std::filesystem::path& place, MakePlan plan);
    // Makes the place what it was when it was claimed.
    void putBack(const std::filesystem::path& place);
    // What an earlier window left, too.
    void forget(const std::filesystem::path& place);
    bool isWriting() const { return m_queue.isBusy(); }
    // Waits until all of that has been done: some milliseconds.
    void finish() { m_queue.waitUntilDone(); }

private:
    void remove(const std::filesystem::path& place);
    // Of what is to be done at a place, only the last counts.
    void doAt(const std::filesystem::path& place, std::function<void()> work);

    std::filesystem::path m_folder;
    std::filesystem::path m_claimed;
    std::unique_ptr<QLockFile> m_lock; // beside m_claimed
    bool m_isElsewhere = false;
    std::optional<Result<PlanFile>> m_earlier;
    std::filesystem::path m_newestPlace;
    JobQueue::Ticket m_newest = 0;
    JobQueue m_queue;
};

} // namespace stagecraft
