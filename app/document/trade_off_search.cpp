#include "app/document/trade_off_search.h"

#include "app/document/document.h"
#include "views/base/plain_text.h"

namespace stagecraft {

TradeOffSearch::TradeOffSearch(Document& document, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_answer(
          document.heavyQueue(), [this] { emit changed(); },
          [&document](const Error& error) { document.report(error); })
{
    connect(&document, &Document::planChanged, this, &TradeOffSearch::dropStale);
    connect(&document, &Document::modelGone, this, [this] {
        m_answer.drop();
        emit changed();
    });
}

std::shared_ptr<const TradeOffs> TradeOffSearch::plans() const
{
    return m_answer.about(m_document.state().problem);
}

void TradeOffSearch::start()
{
    const std::shared_ptr<const PartitionProblem> problem = m_document.state().problem;
    if (!problem || m_answer.isRunning())
        return;
    m_answer.drop();
    m_answer.seek(tr("Looking for trade-offs"), problem,
                  [problem](const Progress& progress) { return tradeOffs(*problem, progress); });
    emit changed();
}

void TradeOffSearch::adopt(std::size_t index)
{
    const std::shared_ptr<const TradeOffs> known = plans();
    if (known && index < known->size())
        m_document.adoptPlan(tr("Take the plan of “%1”").arg(shownText((*known)[index].text)),
                             (*known)[index].partition);
}

void TradeOffSearch::dropStale()
{
    if (m_answer.isRunning() && m_answer.sought() != m_document.state().problem)
        m_answer.cancel();
    emit changed();
}

} // namespace stagecraft
