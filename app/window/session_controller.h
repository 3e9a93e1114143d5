// SessionController: keeps what a window works on, a moment after each change, and goes on with it when it is
// asked to: the same file, the same choices, and the edits that no file has.
#pragma once

#include "app/document/kept_session.h"
#include "app/jobs/job.h"

#include <QObject>
#include <QTimer>

namespace stagecraft {

class Document;
class MessageBar;
class OpeningController;
class WelcomePage;

class SessionController : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    SessionController(Document& document, OpeningController& opening, QSettings* settings,
                      MessageBar* messages);

    // Offers what there is on that page, now and when it changes.
    void offerOn(WelcomePage* page);
    // Opens what was worked on last, in a document that has nothing yet. Says by name what is missing or has
    // changed. Nothing where there is none.
    void goOnWithLast();
    // At once, what would be kept in a moment.
    void keepNow();

private:
    void goOn(const KeptSession& session); // where its files are there
    void resume(const KeptSession& session);
    void showOn(WelcomePage* page);
    void sayWhatChanged();
    void restoreEdits();
    void forget();

    Document& m_document;
    OpeningController& m_opening;
    QSettings* m_settings;
    MessageBar* m_messages;
    QTimer m_delay;
    // Of the session that is being opened.
    QString m_restored; // the file whose edits come back unasked, if they are found
    std::optional<KeptSession> m_resumed;
    std::optional<PlanRequest> m_requestBefore;
    // Each in a queue of its own: a file that takes seconds to look for does not keep another from opening.
    JobQueue m_queue;
    Job<QStringList> m_look; // which files are gone
    JobQueue m_queueOfOne;
    Job<QString> m_find; // what is missing of the session that is chosen
};

} // namespace stagecraft
