// WindowMessages: what the window says in its message bar of its document, and what a person answers there.
#pragma once

#include <QObject>
#include <QSet>

#include "app/document/search_findings.h"
#include "core/base/result.h"
#include "core/graph/argument.h"
#include "views/base/message_bar.h"

#include <map>
#include <memory>
#include <vector>

namespace stagecraft {

class Document;
class Selection;
struct TimeOverrides;

class WindowMessages : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    WindowMessages(MessageBar* bar, Document& document, Selection* selection);

    void showError(const QString& text);
    void showError(const Error& error);
    void showWarning(const QString& id, const QString& text);

signals:
    // A message is about an operator that is not known here, and the person wants to say what it costs.
    void costsRequested(stagecraft::NodeId node);

private:
    void offer(const QString& id, const QString& text, const QString& actionId, const QString& action,
               Message::Severity severity = Message::Severity::Info);
    void connectDocument();
    void forgetModel();
    void showPlan();
    void showLastSplit();
    void showStatistics();
    void offerToReplan();
    void offerToSplit();
    void offerToSettle();
    void showSearchWord();
    void postNote(const QString& text); // of its nodes, where it has such
    void showProfileNotes();
    void answer(const QString& messageId, const QString& actionId);

    MessageBar* m_bar;
    Document& m_document;
    Selection* m_selection;
    std::map<QString, std::vector<NodeId>> m_nodes; // what messages are about, by their ids
    QSet<QString> m_profileNotes;                   // of the profile that is shown
    QSet<QString> m_goneNotes;                      // of profiles before, that nobody has dismissed
    std::shared_ptr<const TimeOverrides> m_shownTimes;
    SearchWord m_shownWord;
    QString m_offeredToSplit; // with which words
};

} // namespace stagecraft
