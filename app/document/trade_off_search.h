// TradeOffSearch: plans for the document's present problem that give up time for memory or for bytes sent.
#pragma once

#include "app/jobs/answer.h"
#include "views/charts/trade_offs_panel.h"

namespace stagecraft {

class Document;
struct PartitionProblem;

class TradeOffSearch : public QObject
{
    Q_OBJECT

public:
    // The document outlives it.
    explicit TradeOffSearch(Document& document, QObject* parent = nullptr);

    // Null: not looked for yet, or found for another problem than the document has now.
    std::shared_ptr<const TradeOffs> plans() const;
    bool isRunning() const { return m_answer.isRunning(); }
    void start();
    // Takes that plan over: one step of undo.
    void adopt(std::size_t index);

signals:
    void changed();

private:
    void dropStale();

    Document& m_document;
    Answer<TradeOffs, std::shared_ptr<const PartitionProblem>> m_answer;
};

} // namespace stagecraft
