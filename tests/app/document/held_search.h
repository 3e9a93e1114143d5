// Holds the first search for a plan of the model that is opened in a document, until it may go on.
#pragma once

#include "app/document/document.h"
#include "tests/patience.h"

#include <QTest>

#include <atomic>
#include <memory>
#include <utility>

namespace stagecraft {

class HeldSearch : public QObject
{
public:
    explicit HeldSearch(Document& document) : m_document(document)
    {
        connect(&document, &Document::planChanged, this, &HeldSearch::hold);
    }

    bool waitForIt() const
    {
        return QTest::qWaitFor([this] { return m_document.isFirstSearch(); }, patience);
    }
    void letGo() { *m_mayGoOn = true; }

private:
    // What is added to the queue before the search keeps it waiting.
    void hold()
    {
        if (!m_document.state().profile || std::exchange(m_isHeld, true))
            return;
        const auto wait = [mayGoOn = m_mayGoOn](const Progress& progress) -> JobQueue::Delivery {
            while (!*mayGoOn && !progress.stopRequested())
                QTest::qSleep(1);
            return [] {};
        };
        m_document.heavyQueue().add("Held", wait, [] {});
    }

    Document& m_document;
    std::shared_ptr<std::atomic_bool> m_mayGoOn = std::make_shared<std::atomic_bool>(false);
    bool m_isHeld = false;
};

} // namespace stagecraft
