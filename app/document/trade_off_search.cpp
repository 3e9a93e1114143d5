#include "app/document/trade_off_search.h"

#include "app/document/document.h"
#include "views/base/plain_text.h"

namespace stagecraft {

TradeOffSearch::TradeOffSearch(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_job(document.heavyQueue())
{
    connect(&document, &Document::planChanged, this, &TradeOffSearch::dropStale);
    connect(&document, &Document::modelGone, this, [this] {
        m_problem.reset();
        m_plans.reset();
        emit changed();
    });
}

std::shared_ptr<const TradeOffs> TradeOffSearch::plans() const
{
    return m_problem && m_problem == m_document.state().problem ? m_plans : nullptr;
}

void TradeOffSearch::start()
{
    const std::shared_ptr<const PartitionProblem> problem = m_document.state().problem;
    if (!problem || m_job.isRunning())
        return;
    m_problem = problem;
    m_plans.reset();
    m_job.start(
        tr("Looking for trade-offs"),
        [problem](const Progress& progress) { return tradeOffs(*problem, progress); },
        [this](Result<TradeOffs> found) {
            if (found.has_value())
                m_plans = std::make_shared<const TradeOffs>(*std::move(found));
            else if (found.error().code != ErrorCode::Cancelled)
                emit m_document.failed(QString::fromStdString(found.error().message));
            emit changed();
        });
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
    if (m_job.isRunning() && m_problem != m_document.state().problem)
        m_job.cancel();
    emit changed();
}

} // namespace stagecraft
