#include "core/stage_payments.h"

#include "core/recompute_chain.h"

#include <array>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t pricesInFull = 4;
constexpr std::array<std::size_t, 4> linksBehind{0, 2, 8, 32}; // whose gradients are there at a turn

} // namespace

StagePayments::StagePayments(const RecomputeGround& ground, const ModelChain& chain,
                             const FloatHoldings& floats, const ChainCrossings& crossings, Again again)
    : m_chain(chain),
      m_gains(chain, ground.needs, ground.moments),
      m_paid(chain, ground.needs, crossings, m_gains),
      m_turns(ground, chain),
      m_caps(ground, again)
{
    const std::vector<Atom> atoms = atomsOf(ground, chain);
    for (std::size_t size = 0; size < m_caps.sizes().size(); ++size)
        m_payments.push_back(std::make_unique<Payments>(chain, atoms, ground.needs, floats, m_paid, m_gains,
                                                        m_caps.sizes()[size].most, m_caps.of(size)));
    findTurnsOfLinks();
}

void StagePayments::findTurnsOfLinks()
{
    const std::vector<std::size_t>& places = m_gains.placesOfLinks();
    const std::size_t count = m_chain.links.size();
    for (const std::size_t behind : linksBehind) {
        std::vector<double> alive(count, 0);
        for (std::size_t link = 0; link < count && !m_turns.isEmpty(); ++link)
            for (std::size_t place = places[link]; place < places[link + 1]; ++place)
                alive[link] = std::max(alive[link], aliveAt(place, link, std::min(count, link + 1 + behind)));
        m_turnsOfLinks.push_back({behind, RangeMost(std::move(alive))});
    }
}

double StagePayments::least(const Stage& stage, double most, Depth depth, Prices& prices) const
{
    const TurnOfLink turn = mostAliveOfLinks(stage);
    double least = infinite;
    for (std::size_t i = 0; i < m_payments.size(); ++i)
        if (const double left = stage.room.of(m_caps.sizes()[i].least); left >= 0) {
            double paid = byNodes(i, left, stage, most, prices);
            if (paid < std::min(least, most))
                paid = std::max(paid, atTurn(i, turn, stage, most, prices[i]));
            least = std::min(least, paid);
        }
    return depth == Depth::Nodes || least > most ? least
                                                 : std::max(least, byRuns(stage, most, depth, prices));
}

double StagePayments::byRuns(const Stage& stage, double most, Depth depth, Prices& prices) const
{
    struct Trial
    {
        double paid; // by nodes
        AtOnce atOnce;
    };
    std::vector<Trial> trials;
    for (const AtOnce& atOnce : m_caps.together())
        if (const double left = stage.room.of(m_caps.before(atOnce)); left >= 0)
            trials.push_back({byNodes(atOnce.size, left, stage, most, prices), atOnce});
    std::ranges::sort(trials, {}, &Trial::paid);
    double least = infinite;
    for (const Trial& trial : trials) {
        if (trial.paid >= std::min(least, most))
            return std::min(least, trial.paid);
        least = std::min(least, under(trial.atOnce, stage, std::min(least, most), depth, prices));
    }
    return least;
}

// Under caps that lie together; apart, if all of them may be less than `most`.
double StagePayments::under(const AtOnce& atOnce, const Stage& stage, double most, Depth depth,
                            Prices& prices) const
{
    const double left = stage.room.of(m_caps.before(atOnce));
    if (left < 0)
        return infinite;
    const Payments& payments = *m_payments[atOnce.size];
    const std::size_t cap = atOnce.end - 1;
    double paid = byNodes(atOnce.size, left, stage, most, prices);
    if (paid >= most)
        return paid;
    const auto byRuns = [&](std::size_t price) {
        return payments.byRuns(cap, price, stage.from, stage.to) + payments.ofFloats(price, stage.floats);
    };
    const Paid found = mostPaid(payments, left, byRuns, most, prices[atOnce.size]);
    paid = std::max(paid, found.seconds);
    if (paid >= most || depth != Depth::Stages)
        return paid;
    const auto alone = [&](std::size_t price) {
        return payments.byRuns(cap, price, stage.from, stage.to,
                               stage.from > 0 ? Payments::Of::StageAlone : Payments::Of::AllBefore) +
               payments.ofFloats(price, stage.floats);
    };
    const auto besides = [&](std::size_t price) {
        return payments.besides({}, cap, price, stage.from, stage.to, left);
    };
    paid = std::max(paid, inFull(payments, left, alone, besides, most, found.price));
    if (paid < most)
        paid = std::max(paid, atTurns(atOnce, stage, most, found.price));
    if (paid >= most || atOnce.end - atOnce.first == 1)
        return paid;
    const std::size_t middle = (atOnce.first + atOnce.end) / 2;
    const double low = under({atOnce.size, atOnce.first, middle}, stage, most, depth, prices);
    return std::min(low, under({atOnce.size, middle, atOnce.end}, stage, std::min(low, most), depth, prices));
}

// Where a node of it goes back, which has the most alive: by then the stage has let go of what those behind
// it saved, but of what the node saved all is there, kept or made again.
double StagePayments::atTurns(const AtOnce& atOnce, const Stage& stage, double most, std::size_t price) const
{
    const std::size_t first = m_chain.places[stage.from].firstWhole(), end = m_chain.places[stage.to].link;
    const std::optional<Turn> turn = first < end ? mostAlive(first, end) : std::nullopt;
    if (!turn)
        return 0;
    const Payments& payments = *m_payments[atOnce.size];
    const RecomputeGains::AtTurn at{turn->place, 1 - 1 / stage.room.inFlight};
    const auto costAt = [&](std::size_t each) {
        return payments.atTurn(at, atOnce.end - 1, each, stage.from, stage.to);
    };
    const double left = stage.room.beside(turn->alive - stage.room.inTurns);
    const auto besides = [&](std::size_t each) {
        return payments.besides(at, atOnce.end - 1, each, stage.from, stage.to, left);
    };
    const Paid found = mostPaid(payments, left, costAt, most, price);
    if (found.seconds >= most)
        return found.seconds;
    return std::max(found.seconds, inFull(payments, left, costAt, besides, most, found.price));
}

// Of all whole links, the last with the most.
std::optional<StagePayments::Turn> StagePayments::mostAlive(std::size_t first, std::size_t end) const
{
    std::optional<Turn> most;
    if (m_turns.isEmpty())
        return most;
    const std::vector<std::size_t>& places = m_gains.placesOfLinks();
    for (std::size_t place = places[first]; place < places[end]; ++place) {
        if (const double alive = aliveAt(place, first, end); !most || alive >= most->alive)
            most = {place, alive};
    }
    return most;
}

// The turn of a node in a stage that has these links.
double StagePayments::aliveAt(std::size_t place, std::size_t first, std::size_t end) const
{
    const LeastTurns::Alive of = m_turns.aliveAt(place, end);
    const RecomputeGains::There there = m_gains.thereAt(place, first, end);
    return there.kept + std::max(of.most, of.reading > 0 ? of.reading + there.keptOrAgain : 0);
}

StagePayments::TurnOfLink StagePayments::mostAliveOfLinks(const Stage& stage) const
{
    const std::size_t first = m_chain.places[stage.from].firstWhole(), end = m_chain.places[stage.to].link;
    TurnOfLink most;
    for (const TurnsOfLinks& turns : m_turnsOfLinks) {
        const std::size_t last = end == m_chain.links.size() ? end : end - std::min(end, turns.behind);
        if (first >= last)
            break;
        if (const std::size_t link = turns.alive.in(first, last); turns.alive[link] >= most.alive)
            most = {link, turns.alive[link]};
    }
    return most;
}

// By nodes: of the microbatch that goes back what those before it keep, of the others what all do; or of the
// others alone, which says more of a turn with little before it.
double StagePayments::atTurn(std::size_t size, const TurnOfLink& turn, const Stage& stage, double most,
                             std::size_t price) const
{
    const Room& room = stage.room;
    const double alive = turn.alive - room.inTurns;
    if (alive <= std::max(room.transient, m_caps.sizes()[size].least.asDouble()))
        return 0; // not more than is alive at once in any case
    const Payments& payments = *m_payments[size];
    const auto ofAll = [&](std::size_t each) { return payments.of(each, stage.from, stage.to); };
    Room ofOthers = room;
    ofOthers.inFlight -= 1;
    const double paid =
        ofOthers.inFlight > 0 ? mostPaid(payments, ofOthers.beside(alive), ofAll, most, price).seconds : 0;
    const bool isFirst = turn.link <= m_chain.places[stage.from].firstWhole();
    if (paid >= most || (isFirst && ofOthers.inFlight > 0))
        return paid;
    const double others = ofOthers.inFlight / room.inFlight;
    const auto costAt = [&](std::size_t each) {
        return others * ofAll(each) + (1 - others) * payments.before(turn.link, each, stage.from);
    };
    return std::max(paid, mostPaid(payments, room.beside(alive), costAt, most, price).seconds);
}

double StagePayments::byNodes(std::size_t size, double each, const Stage& stage, double most,
                              Prices& prices) const
{
    const Payments& payments = *m_payments[size];
    const auto costAt = [&](std::size_t price) {
        return payments.of(price, stage.from, stage.to) + payments.ofFloats(price, stage.floats);
    };
    const Paid found = mostPaid(payments, each, costAt, most, prices[size]);
    prices[size] = found.price;
    return found.seconds;
}

// What is worth its price is let go of, and of the rest something in full: the higher the price, the less
// that is beyond it.
template <typename CostAt, typename Besides>
double StagePayments::inFull(const Payments& payments, double each, CostAt costAt, Besides besides,
                             double most, std::size_t price)
{
    double paid = 0;
    for (std::size_t tried = 0; tried < pricesInFull && paid < most; ++tried, --price) {
        paid = std::max(paid, costAt(price) - payments.prices()[price] * each + besides(price));
        if (price == 0)
            break;
    }
    return paid;
}

// At the price at which that is most, from one at hand on: it rises with the price, and then falls, but
// for what is sent, where the highest price may say more. What is `most` or more is enough. `each`: bytes
// of a microbatch.
template <typename CostAt>
StagePayments::Paid StagePayments::mostPaid(const Payments& payments, double each, CostAt costAt, double most,
                                            std::size_t price)
{
    const std::vector<double>& prices = payments.prices();
    const auto paid = [&](std::size_t at) { return costAt(at) - prices[at] * each; };
    double found = paid(price);
    if (found < most)
        if (const double highest = paid(prices.size() - 1); highest >= most)
            return {highest, price};
    const auto climb = [&](std::ptrdiff_t step) {
        std::size_t steps = 0;
        for (std::size_t next = price + static_cast<std::size_t>(step); found < most && next < prices.size();
             next += static_cast<std::size_t>(step), ++steps) {
            const double there = paid(next);
            if (there < found)
                break;
            found = there;
            price = next;
        }
        return steps > 0;
    };
    if (!climb(1))
        climb(-1);
    return {std::max(0.0, found), price};
}

} // namespace stagecraft
