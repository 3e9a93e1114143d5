// What was worked on last, kept in the settings so that it is offered again, also after a crash: which file,
// what was asked of it, what it came to. Edits themselves are kept elsewhere (kept_edits.h).
#pragma once

#include "app/document/tried_plan.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

class QSettings;

namespace stagecraft {

struct KeptSession
{
    QString path;        // of the plan or the model that was open
    QString modelPath;   // the same, or what the plan was of
    QString fingerprint; // contentFingerprint() of the model, as it was
    QByteArray request;  // requestJson()
    double step = 0;     // seconds; 0: not known
    QDateTime when;

    friend bool operator==(const KeptSession&, const KeptSession&) = default;
};

inline constexpr std::size_t mostSessions = 3;

// Newest first.
std::vector<KeptSession> keptSessions(const QSettings& settings);
// In the place of an older one of the same file.
void keepSession(QSettings& settings, const KeptSession& session);

// Why it cannot be gone on with, naming the file; empty where it can.
QString missingFile(const KeptSession& session);
// What is to be said where the model is not what it was, naming it; empty where it is. `now`: its
// contentFingerprint().
QString changedModel(const KeptSession& session, const QString& now);

} // namespace stagecraft
