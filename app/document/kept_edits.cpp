#include "app/document/kept_edits.h"

#include <QCryptographicHash>

namespace stagecraft {

std::filesystem::path KeptEdits::placeOf(const std::string& fingerprint,
                                         const std::filesystem::path& planPlace) const
{
    if (m_folder.empty() || fingerprint.empty())
        return {};
    if (planPlace.empty())
        return m_folder / "splits" / (fingerprint + ".stagecraft");
    const QByteArray name =
        QCryptographicHash::hash(QByteArray::fromStdString(planPlace.string()), QCryptographicHash::Sha256);
    return m_folder / "edits" / (name.toHex().toStdString() + ".stagecraft");
}

void KeptEdits::release()
{
    finish();
    m_lock.reset();
    m_claimed.clear();
    m_isElsewhere = false;
    m_earlier.reset();
}

bool KeptEdits::claim(const std::filesystem::path& place)
{
    if (place == m_claimed)
        return !m_isElsewhere;
    release();
    m_claimed = place;
    if (place.empty())
        return true;
    std::error_code ignored; // where nothing can be written, nothing can be lost
    std::filesystem::create_directories(place.parent_path(), ignored);
    m_lock = std::make_unique<QLockFile>(QString::fromStdString(place.string() + ".lock"));
    m_lock->setStaleLockTime(0); // however long it has been held
    m_isElsewhere = !m_lock->tryLock() && m_lock->error() == QLockFile::LockFailedError;
    if (!m_isElsewhere && std::filesystem::exists(place, ignored))
        m_earlier = readPlan(place);
    return !m_isElsewhere;
}

void KeptEdits::doAt(const std::filesystem::path& place, std::function<void()> work)
{
    if (place.empty() || isElsewhere(place))
        return;
    if (place == m_newestPlace)
        m_queue.drop(m_newest);
    m_newestPlace = place;
    m_newest = m_queue.add(
        QString(),
        [work = std::move(work)](const Progress&) -> JobQueue::Delivery {
            work();
            return [] {};
        },
        [] {});
}

// A convenience: nobody is to be disturbed when it fails.
void KeptEdits::keep(const std::filesystem::path& place, MakePlan plan)
{
    doAt(place, [place, plan = std::move(plan)] {
        std::error_code ignored; // writePlan says what is wrong
        std::filesystem::create_directories(place.parent_path(), ignored);
        static_cast<void>(writePlan(plan(), place));
    });
}

void KeptEdits::putBack(const std::filesystem::path& place)
{
    if (m_earlier && m_earlier->has_value())
        keep(place, [plan = **m_earlier] { return plan; });
    else
        remove(place);
}

void KeptEdits::forget(const std::filesystem::path& place)
{
    if (place == m_claimed)
        m_earlier.reset();
    remove(place);
}

void KeptEdits::remove(const std::filesystem::path& place)
{
    doAt(place, [place] {
        std::error_code ignored; // it may not be there
        std::filesystem::remove(place, ignored);
    });
}

} // namespace stagecraft
