#include "app/window/session_controller.h"

#include "app/document/document.h"
#include "app/document/kept_request.h"
#include "app/window/opening_controller.h"
#include "views/base/format.h"
#include "views/base/message_bar.h"
#include "views/base/plain_text.h"
#include "views/pages/welcome_page.h"

#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

QString absolutePath(const std::filesystem::path& path)
{
    return QFileInfo(QString::fromStdString(path.string())).absoluteFilePath();
}

QString openedPath(const Document& document)
{
    return absolutePath(document.planPath().empty() ? document.modelPath() : document.planPath());
}

// "4 × A100 80GB · 8 microbatches · BF16 · 1F1B · 912 ms", in the language of the window.
QString summaryOf(const KeptSession& session, const Document& document)
{
    const PlanRequest request = requestOf(session.request, document.request());
    const QString setup = planSetup(request, document.devices());
    return session.step > 0 ? setup + QStringLiteral(" · ") + toText(Seconds(session.step)) : setup;
}

// The end of its path that no other session's has: "mine.pt2", or "first/mine.pt2".
QString distinctName(const QString& path, const std::vector<KeptSession>& sessions)
{
    const QStringList parts = path.split('/');
    for (qsizetype count = 1; count < parts.size(); ++count) {
        const QString end = parts.last(count).join('/');
        const auto hasEnd = [&](const KeptSession& session) { return session.path.endsWith('/' + end); };
        if (std::ranges::count_if(sessions, hasEnd) <= 1)
            return end;
    }
    return path;
}

// What `missing` says is why it cannot be gone on with; empty: it can.
GalleryCard cardOf(const KeptSession& session, const std::vector<KeptSession>& sessions,
                   const Document& document, const QString& missing)
{
    return {.path = session.path,
            .title = shownText(distinctName(session.path, sessions)),
            .subtitle = missing.isEmpty() ? summaryOf(session, document) : missing,
            .details = QLocale::system().toString(session.when, QLocale::ShortFormat),
            .isUsable = missing.isEmpty()};
}

} // namespace

SessionController::SessionController(Document& document, OpeningController& opening, QSettings* settings,
                                     MessageBar* messages)
    : m_document(document),
      m_opening(opening),
      m_settings(settings),
      m_messages(messages),
      m_look(m_queue),
      m_find(m_queueOfOne)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(500);
    connect(&m_delay, &QTimer::timeout, this, &SessionController::keepNow);
    connect(&document, &Document::planChanged, this, [this] {
        if (hasPlan(m_document.state()))
            m_delay.start();
    });
    connect(&document, &Document::modelGone, this, [this] {
        m_delay.stop(); // of what is no more
    });
    connect(&document, &Document::lastSplitFound, this, &SessionController::restoreEdits,
            Qt::QueuedConnection); // after who offers it
    connect(&document, &Document::modelChanged, this, &SessionController::sayWhatChanged,
            Qt::QueuedConnection); // after the bar is cleared
    connect(&document, &Document::failed, this, &SessionController::forget);
    connect(&opening, &OpeningController::givenUp, this, &SessionController::forget);
}

void SessionController::keepNow()
{
    m_delay.stop();
    m_restored.clear(); // there were none
    const PlanState& state = m_document.state();
    if (!m_document.hasModel() || !hasPlan(state))
        return;
    keepSession(*m_settings, {.path = openedPath(m_document),
                              .modelPath = absolutePath(m_document.modelPath()),
                              .fingerprint = QString::fromStdString(m_document.fingerprint()),
                              .request = requestJson(m_document.request()),
                              .step = state.cost->iteration.value(),
                              .when = QDateTime::currentDateTime()});
}

void SessionController::offerOn(WelcomePage* page)
{
    connect(page, &WelcomePage::sessionChosen, this, [this](const QString& path) {
        for (const KeptSession& session : keptSessions(*m_settings))
            if (session.path == path)
                return goOn(session);
    });
    connect(&m_document, &Document::modelChanged, page, [this, page] { showOn(page); });
    showOn(page);
}

// All can be gone on with until their files are known to be gone: a network drive takes seconds to say so.
void SessionController::showOn(WelcomePage* page)
{
    const std::vector<KeptSession> sessions = keptSessions(*m_settings);
    const auto show = [this, page, sessions](const QStringList& missing) {
        std::vector<GalleryCard> cards;
        for (std::size_t i = 0; i < sessions.size(); ++i)
            cards.push_back(cardOf(sessions[i], sessions, m_document, missing.value(qsizetype(i))));
        page->setSessions(cards);
    };
    show({});
    m_look.start(
        tr("Looking for files"),
        [sessions](const Progress&) -> Result<QStringList> {
            QStringList missing;
            for (const KeptSession& session : sessions)
                missing << missingFile(session);
            return missing;
        },
        [show](const Result<QStringList>& missing) {
            if (missing.has_value() && !missing->join(QString()).isEmpty())
                show(*missing);
        });
}

void SessionController::goOnWithLast()
{
    const std::vector<KeptSession> sessions = keptSessions(*m_settings);
    if (!sessions.empty())
        goOn(sessions.front());
}

void SessionController::goOn(const KeptSession& session)
{
    m_find.start(
        tr("Looking for files"),
        [session](const Progress&) -> Result<QString> { return missingFile(session); },
        [this, session](const Result<QString>& missing) {
            if (!missing.has_value())
                return;
            if (missing->isEmpty())
                return resume(session);
            m_messages->post(
                {"session",
                 Message::Severity::Warning,
                 tr("%1, so there is nothing to go on with. Open it from where it is now.").arg(*missing),
                 {},
                 {}});
        });
}

void SessionController::resume(const KeptSession& session)
{
    PlanRequest request = requestOf(session.request, m_document.request());
    if (!findDevice(m_document.devices(), request.device).has_value())
        request.device = m_document.request().device;
    if (!m_document.hasModel()) {
        m_requestBefore = m_document.request();
        m_document.setRequest(request);
    }
    m_restored = session.path;
    m_resumed = session;
    m_opening.open(session.path.toStdString());
}

void SessionController::sayWhatChanged()
{
    const std::optional<KeptSession> resumed = std::exchange(m_resumed, {});
    m_requestBefore.reset();
    if (!resumed || resumed->path != openedPath(m_document))
        return;
    const QString changed = changedModel(*resumed, QString::fromStdString(m_document.fingerprint()));
    if (!changed.isEmpty())
        m_messages->post({"session", Message::Severity::Warning, changed, {}, {}});
}

void SessionController::forget()
{
    m_restored.clear();
    m_resumed.reset();
    if (const auto before = std::exchange(m_requestBefore, {}); before && !m_document.hasModel())
        m_document.setRequest(*before); // what was asked of that model is not of the next
}

void SessionController::restoreEdits()
{
    if (std::exchange(m_restored, {}) != openedPath(m_document))
        return;
    m_messages->remove("lastSplit");
    m_document.restoreLastSplit();
}

} // namespace stagecraft
