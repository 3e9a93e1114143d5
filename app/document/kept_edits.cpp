#include "app/document/kept_edits.h"

#include <QCryptographicHash>

namespace stagecraft {

std::filesystem::path KeptEdits::placeOf(const std::string& fingerprint,
                                         const std::filesystem::path& planFile) const
{
    if (m_folder.empty() || fingerprint.empty())
        return {};
    if (planFile.empty())
        return m_folder / "splits" / (fingerprint + ".stagecraft");
    std::error_code ignored; // then the path as it was given has to do
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(planFile, ignored);
    const std::string path = (canonical.empty() ? planFile : canonical).string();
    const QByteArray name =
        QCryptographicHash::hash(QByteArray::fromStdString(path), QCryptographicHash::Sha256);
    return m_folder / "edits" / (name.toHex().toStdString() + ".stagecraft");
}

void KeptEdits::doAt(const std::filesystem::path& place, std::function<void()> work)
{
    if (place.empty())
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

void KeptEdits::forget(const std::filesystem::path& place)
{
    doAt(place, [place] {
        std::error_code ignored; // it may not be there
        std::filesystem::remove(place, ignored);
    });
}

} // namespace stagecraft
