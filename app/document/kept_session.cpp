#include "app/document/kept_session.h"

#include "views/base/plain_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <cmath>

namespace stagecraft {

namespace {

constexpr QLatin1String arrayKey("sessions");

QString said(const char* text)
{
    return QCoreApplication::translate("KeptSession", text);
}

void write(QSettings& settings, const std::vector<KeptSession>& sessions)
{
    settings.remove(arrayKey);
    settings.beginWriteArray(arrayKey, static_cast<int>(sessions.size()));
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        const KeptSession& session = sessions[i];
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue("path", session.path);
        settings.setValue("modelPath", session.modelPath);
        settings.setValue("fingerprint", session.fingerprint);
        settings.setValue("request", QString::fromUtf8(session.request));
        settings.setValue("step", session.step);
        settings.setValue("when", session.when.toString(Qt::ISODateWithMs));
    }
    settings.endArray();
    settings.sync(); // before whatever may happen next
}

} // namespace

std::vector<KeptSession> keptSessions(const QSettings& settings)
{
    std::vector<KeptSession> sessions;
    const int count = settings.value(arrayKey + QLatin1String("/size")).toInt();
    for (int i = 1; i <= std::min<int>(count, mostSessions); ++i) {
        const auto value = [&](const char* name) {
            return settings.value(QStringLiteral("%1/%2/%3").arg(arrayKey).arg(i).arg(QLatin1String(name)))
                .toString();
        };
        const double step = value("step").toDouble();
        KeptSession session{.path = value("path"),
                            .modelPath = value("modelPath"),
                            .fingerprint = value("fingerprint"),
                            .request = value("request").toUtf8(),
                            .step = std::isfinite(step) && step > 0 ? step : 0,
                            .when = QDateTime::fromString(value("when"), Qt::ISODateWithMs)};
        if (!session.path.isEmpty())
            sessions.push_back(std::move(session));
    }
    return sessions;
}

void keepSession(QSettings& settings, const KeptSession& session)
{
    settings.sync(); // what other processes kept since
    std::vector<KeptSession> sessions = keptSessions(settings);
    std::erase_if(sessions, [&](const KeptSession& other) { return other.path == session.path; });
    sessions.insert(sessions.begin(), session);
    sessions.resize(std::min(sessions.size(), mostSessions));
    write(settings, sessions);
}

QString missingFile(const KeptSession& session)
{
    for (const QString& path : {session.path, session.modelPath})
        if (!QFileInfo(path).isFile())
            return said("%1 is not there any more").arg(shownText(path));
    return {};
}

QString changedModel(const KeptSession& session, const QString& now)
{
    if (session.fingerprint.isEmpty() || now == session.fingerprint)
        return {};
    return said("%1 has changed since %2: what was edited then was of the model as it was, and is not "
                "restored.")
        .arg(shownText(session.modelPath), QLocale::system().toString(session.when, QLocale::ShortFormat));
}

} // namespace stagecraft
