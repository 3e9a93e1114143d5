#include "core/recompute/region_choice.h"

#include "core/recompute/region_fill.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

constexpr double nearlyEqual = 1e-6;

// What was tried, and the best of it.
class Trials
{
public:
    Trials(const RegionEstimate& estimate, const RegionRoom& room, std::size_t firstPrice,
           std::optional<ChosenRegions> atHand)
        : m_estimate(estimate), m_room(room), m_best(atHand ? *std::move(atHand) : tried({}, firstPrice))
    {
    }

    // Returns whether it fits.
    bool add(const StageRegions::Choice& choice, std::size_t price) { return add(shapesOf(choice), price); }
    void addParted()
    {
        if (const RegionEstimate::Shapes parted = partedAtBlocks(m_estimate, m_best.shapes);
            parted != m_best.shapes)
            add(legalShapes(m_estimate, parted), m_best.price);
    }
    // The same with what does not have to run again in the room that there is.
    void addFilled(const StageRegions::Choice& choice, std::size_t price)
    {
        add(filledRegions(m_estimate, m_room, shapesOf(choice)), price);
    }
    // Can others under the same cap be better than the best, as far as this one's price tells? A byte that
    // is left, or missing, is worth no more, or no less.
    bool mayBeBetter(double price, const StageRegions::Choice& choice) const
    {
        return m_best.worth.over > Bytes{} ||
               choice.added.value() - price * left(choice).asDouble() < m_best.worth.added.value();
    }
    // Of one microbatch.
    Bytes left(const StageRegions::Choice& choice) const
    {
        const Bytes held = m_room.held(m_estimate.of(shapesOf(choice)));
        return Bytes((m_room.bytes - held).count() / m_room.inFlight);
    }

    const ChosenRegions& best() const { return m_best; }

private:
    RegionEstimate::Shapes shapesOf(const StageRegions::Choice& choice) const
    {
        std::vector<RecomputeRegion> regions;
        for (const StageRegions::Run& run : choice.runs)
            regions.push_back(run.region);
        return legalShapes(m_estimate, m_estimate.shapesOf(regions));
    }
    ChosenRegions tried(RegionEstimate::Shapes shapes, std::size_t price) const
    {
        ChosenRegions made{std::move(shapes), {}, price};
        made.worth = m_room.worth(m_estimate.of(made.shapes));
        return made;
    }
    bool add(RegionEstimate::Shapes shapes, std::size_t price)
    {
        ChosenRegions next = tried(std::move(shapes), price);
        const bool fits = next.worth.over == Bytes{};
        if (next.worth < m_best.worth)
            m_best = std::move(next);
        return fits;
    }

    const RegionEstimate& m_estimate;
    const RegionRoom& m_room;
    ChosenRegions m_best;
};

// Tries prices cap by cap. What caps choose from at a price is found once.
class PriceSearch
{
public:
    PriceSearch(const StageRegions& runs, const RegionTrials& asked, Trials& trials)
        : m_runs(runs), m_asked(asked), m_trials(trials)
    {
    }

    // The lowest price at which it fits, from that of the best on, and there what the room leaves besides.
    void under(Bytes cap)
    {
        std::optional<StageRegions::Choice> fits, over; // those nearest to the room
        std::size_t low = 0, high = m_asked.prices.size(), at = m_trials.best().price;
        for (bool isFirst = true; low < high; isFirst = false) {
            StageRegions::Choice choice = m_runs.best(candidates(m_asked.prices[at]), cap);
            if (!m_trials.mayBeBetter(m_asked.prices[at], choice))
                break;
            const bool isWithin = m_trials.add(choice, at);
            const bool mayBeBetter = m_trials.mayBeBetter(m_asked.prices[at], choice);
            (isWithin ? high : low) = isWithin ? at : at + 1;
            (isWithin ? fits : over) = std::move(choice);
            if (!mayBeBetter)
                break;
            at = !isFirst ? (low + high) / 2 : isWithin ? std::max(low + 1, high) - 1 : low;
        }
        if (fits && over)
            sharpen(cap, *over, *fits);
        if (fits) {
            keepMore(*fits);
            if (m_asked.fills)
                m_trials.addFilled(*fits, m_trials.best().price);
            m_trials.addParted();
        }
    }

private:
    // Between what does not fit and what does: at the price at which both would be as good, the best.
    void sharpen(Bytes cap, StageRegions::Choice& over, StageRegions::Choice& fits)
    {
        for (int i = 0; i < m_asked.sharpenings && fits.freed > over.freed; ++i) {
            const double price = (fits.added - over.added).value() / (fits.freed - over.freed).asDouble();
            if (price <= 0)
                break;
            StageRegions::Choice choice = m_runs.best(candidates(price), cap);
            const double asGood = fits.added.value() - price * fits.freed.asDouble();
            if (choice.least >= asGood - nearlyEqual * std::abs(asGood))
                break;
            const bool isWithin = m_trials.add(choice, m_trials.best().price);
            (isWithin ? fits : over) = std::move(choice);
        }
    }
    // What several regions keep may count with one of them.
    void keepMore(const StageRegions::Choice& choice)
    {
        const Bytes left = m_trials.left(choice);
        for (const int tenths : {10, 9, 7}) {
            StageRegions::Choice more = choice;
            StageRegions::keepMore(more, Bytes(left.count() / 10 * tenths));
            if (m_trials.add(more, m_trials.best().price))
                break;
        }
    }
    const StageRegions::Candidates& candidates(double price)
    {
        const auto [found, isNew] = m_candidates.try_emplace(price);
        if (isNew)
            found->second = m_runs.candidates(
                price, m_asked.keepsForCaps ? m_asked.caps : m_asked.caps.last(1), m_asked.stop);
        return found->second;
    }

    const StageRegions& m_runs;
    const RegionTrials& m_asked;
    Trials& m_trials;
    std::map<double, StageRegions::Candidates> m_candidates; // by price
};

} // namespace

ChosenRegions chooseRegions(const RegionEstimate& estimate, const StageRegions& runs, const RegionRoom& room,
                            const RegionTrials& asked, std::optional<ChosenRegions> atHand)
{
    Trials trials(estimate, room, asked.firstPrice, std::move(atHand));
    PriceSearch search(runs, asked, trials);
    for (const Bytes cap : asked.caps)
        search.under(cap);
    ChosenRegions best = trials.best();
    if (asked.estimates == 0 || (best.worth.over == Bytes{} && best.worth.added == Seconds{}))
        return best;
    best.shapes = climbedRegions(estimate, room, std::move(best.shapes), asked.estimates);
    best.worth = room.worth(estimate.of(best.shapes));
    return best;
}

} // namespace stagecraft
