#include "core/other_orders.h"

#include "core/learned_cuts.h"

#include <utility>

namespace stagecraft {

namespace {

constexpr int mostTraced = 2; // of an order

Result<void> tryOrder(RecomputeAttempts& attempts, CutOrder order, const std::function<bool()>& mayGoOn)
{
    if (!mayGoOn())
        return {};
    const RecomputedCuts cuts(attempts.chooser(), std::move(order));
    LearnedCuts learned(cuts, attempts, RecomputeChooser::Ways::Any);
    if (const TracedPlan* const best = attempts.best())
        learned.learn(best->partition, best->cost);
    const IsOver isOver = [&] { return !mayGoOn(); };
    for (int i = 0; i < mostTraced && mayGoOn(); ++i) {
        const std::optional<EstimatedCuts> next = learned.next({isOver, isOver});
        if (!next || !attempts.isWorthATrace(next->slowest))
            break;
        STAGECRAFT_ASSIGN(cost, attempts.tryOut(next->partition, RecomputeAttempts::Trial::AsChosen));
        if (cost)
            learned.learn(next->partition, *cost);
    }
    return {};
}

} // namespace

Result<void> tryOtherOrders(RecomputeAttempts& attempts, const std::vector<CutOrder>& orders,
                            const std::function<bool()>& mayGoOn)
{
    for (const CutOrder& order : orders)
        STAGECRAFT_TRY(tryOrder(attempts, order, mayGoOn));
    return tryOrdersOfBest(attempts, orders, mayGoOn);
}

Result<void> tryOrdersOfBest(RecomputeAttempts& attempts, const std::vector<CutOrder>& orders,
                             const std::function<bool()>& mayGoOn)
{
    std::vector<CutOrder> within = orders;
    within.push_back(programOrder(attempts.ground().none));
    std::size_t misses = 0; // behind each other
    for (std::size_t i = 0; misses < within.size() && attempts.best() && mayGoOn(); ++i) {
        const std::size_t bests = attempts.bests();
        const Partition& best = attempts.best()->partition;
        STAGECRAFT_TRY(tryOrder(attempts, orderOfStages(best, within[i % within.size()]), mayGoOn));
        misses = attempts.bests() > bests ? 0 : misses + 1;
    }
    return {};
}

} // namespace stagecraft
