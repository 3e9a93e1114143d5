#include "app/document/kept_stars.h"

#include "app/document/document.h"
#include "app/document/plan_of_file.h"
#include "core/base/sha256.h"
#include "views/base/plain_text.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QUuid>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t partLength = 16;

QJsonObject starOf(const std::string& viewState)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(viewState)).object()["star"].toObject();
}

std::string viewStateOf(const TriedPlan& plan)
{
    const QJsonObject star{{"origin", plan.origin}, {"when", plan.when.toString(Qt::ISODateWithMs)}};
    return QJsonDocument(QJsonObject{{"star", star}}).toJson(QJsonDocument::Compact).toStdString();
}

// None where nobody starred anything yet.
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (entry->path().extension() == ".stagecraft")
            files.push_back(entry->path());
    std::ranges::sort(files);
    return files;
}

} // namespace

KeptStars::KeptStars(Document& document, PlanHistory& history, std::filesystem::path folder, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_history(history),
      m_folder(folder.empty() ? folder : folder / "starred"),
      m_files(m_folder),
      m_job(*document.queues().back())
{
    connect(&history, &PlanHistory::starred, this, &KeptStars::keep);
    connect(&document, &Document::planChanged, this, &KeptStars::start);
    connect(&document, &Document::modelGone, this, &KeptStars::forget);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &KeptStars::look);
}

void KeptStars::start()
{
    if (m_folder.empty() || m_document.isDragging() || !hasPlan(m_document.state()))
        return;
    if (m_hasMissed)
        look();
    if (!m_watcher.directories().isEmpty())
        return;
    std::error_code ignored; // where nothing can be kept, nothing comes either
    std::filesystem::create_directories(m_folder, ignored);
    m_watcher.addPath(QString::fromStdString(m_folder.string()));
    look();
}

void KeptStars::forget()
{
    m_job.cancel();
    if (const QStringList watched = m_watcher.directories(); !watched.isEmpty())
        m_watcher.removePaths(watched);
    m_places.clear();
    m_there.clear();
    m_useless.clear();
    m_hasMissed = false;
}

std::string KeptStars::pathPart() const
{
    return sha256Of(m_document.modelPlace().string()).substr(0, partLength);
}

std::string KeptStars::contentPart() const
{
    return m_document.fingerprint().substr(0, partLength);
}

std::vector<std::filesystem::path> KeptStars::placesOfModel() const
{
    std::vector<std::filesystem::path> places;
    for (const std::filesystem::path& file : filesOf(m_folder)) {
        const std::string name = file.filename().string();
        if (name.starts_with(pathPart()) || name.find('-' + contentPart() + '-') == partLength)
            places.push_back(file);
    }
    return places;
}

void KeptStars::keep(std::size_t id, bool isStarred)
{
    const PlanHistory::Entry plan = m_history.find(id);
    if (m_folder.empty() || m_document.fingerprint().empty())
        return;
    if (!isStarred) {
        if (const auto known = m_places.find(id); known != m_places.end()) {
            m_files.forget(known->second);
            m_places.erase(known);
        }
        return;
    }
    if (!plan)
        return;
    const std::string name = std::to_string(QDateTime::currentMSecsSinceEpoch()) + '.' +
                             QUuid::createUuid().toString(QUuid::Id128).toStdString(); // no other window's
    const auto place = m_folder / (pathPart() + '-' + contentPart() + '-' + name + ".stagecraft");
    m_places[id] = place;
    m_files.keep(place, [make = fileOfState({m_document.modelPath(), {}, m_document.fingerprint()},
                                            m_document.openedModel(), plan->state, m_document.timeLimit(),
                                            m_document.devices()),
                         view = viewStateOf(*plan)] {
        PlanFile file = make();
        file.viewState = view;
        return file;
    });
}

KeptStars::Star KeptStars::readStar(const std::filesystem::path& place,
                                    const std::filesystem::path& modelPath, const PlanState& state,
                                    const PlanQuestion& question, const Progress& progress)
{
    Star star{place, {}, {}, Error{ErrorCode::Failed, {}}};
    const Result<PlanFile> file = readPlan(place);
    if (file.has_value()) {
        const QJsonObject kept = starOf(file->viewState);
        star.origin = kept["origin"].toString();
        star.when = QDateTime::fromString(kept["when"].toString(), Qt::ISODateWithMs);
    }
    star.plan = planOfFile(place, modelPath, state, question, progress);
    return star;
}

// First once there is a plan, whose question is theirs where their files do not say; then whenever the folder
// changes.
void KeptStars::look()
{
    m_hasMissed = !hasPlan(m_document.state());
    if (m_hasMissed)
        return;
    m_files.finish(); // what is our own is there
    std::vector<std::filesystem::path> places = placesOfModel();
    std::erase_if(places, [this](const std::filesystem::path& place) {
        return m_useless.contains(place) ||
               std::ranges::any_of(m_places, [&](const auto& known) { return known.second == place; });
    });
    if (places.empty())
        dropGone();
    else
        readNew(std::move(places));
}

// What another window took away; once all that is there is known, for that may be the same plan's.
void KeptStars::dropGone()
{
    const std::vector<std::filesystem::path> places = placesOfModel();
    const std::set<std::filesystem::path> before =
        std::exchange(m_there, std::set(places.begin(), places.end()));
    std::vector<std::size_t> gone;
    for (const auto& [id, place] : m_places)
        if (before.contains(place) && !m_there.contains(place))
            gone.push_back(id);
    for (const std::size_t id : gone)
        m_history.setStarred(id, false);
}

void KeptStars::readNew(std::vector<std::filesystem::path> places)
{
    const Result<PlanQuestion> question = m_document.questionOf(m_document.state());
    if (!question.has_value())
        return;
    m_job.start(
        tr("Working out starred plans"),
        [places = std::move(places), modelPath = m_document.modelPath(), state = m_document.state(),
         question = *question](const Progress& progress) -> Result<std::vector<Star>> {
            std::vector<Star> stars;
            for (const std::filesystem::path& place : places)
                stars.push_back(readStar(place, modelPath, state, question, progress));
            return stars;
        },
        [this](const Result<std::vector<Star>>& stars) {
            if (!stars.has_value())
                return m_document.report(stars.error());
            for (const Star& star : *stars)
                take(star);
            dropGone();
        });
}

void KeptStars::take(const Star& star)
{
    const QString name = tr("The starred plan \u201c%1\u201d of %2")
                             .arg(shownText(star.origin.toStdString()),
                                  QLocale::system().toString(star.when, QLocale::ShortFormat));
    if (!star.plan.has_value()) {
        if (star.plan.error().code == ErrorCode::Cancelled || !std::filesystem::exists(star.place))
            return; // or taken away meanwhile
        m_useless.insert(star.place);
        emit m_document.noticed(tr("%1 does not apply any more: %2")
                                    .arg(name, QString::fromStdString(star.plan.error().message)));
        return;
    }
    for (const std::string& note : star.plan->notes)
        emit m_document.noticed(tr("%1: %2").arg(name, QString::fromStdString(note)));
    const PlanHistory::Entry entry = m_history.addStarred(
        {.state = star.plan->state, .bounds = star.plan->bounds, .origin = star.origin, .when = star.when});
    // The same plan may have been starred in two windows: one file is enough, the same for all of them, and
    // goes with its star.
    const auto [known, isNew] = m_places.emplace(entry->id, star.place);
    if (isNew || known->second == star.place)
        return;
    m_files.forget(std::max(known->second, star.place));
    known->second = std::min(known->second, star.place);
}

} // namespace stagecraft
