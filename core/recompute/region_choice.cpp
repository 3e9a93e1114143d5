#include "core/recompute/region_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

// What was tried, and the best of it.
class Trials
{
public:
    Trials(const RegionEstimate& estimate, const RegionRoom& room, std::size_t firstPrice,
           std::optional<ChosenRegions> atHand)
        : m_estimate(estimate),
          m_room(room),
          m_toFree(-left({}).asDouble()),
          m_best(atHand ? *std::move(atHand) : tried({}, firstPrice))
    {
    }

    // Returns whether it fits.
    bool add(const StageRegions::Choice& choice, std::size_t price)
    {
        ChosenRegions next = tried(choice, price);
        const bool fits = next.worth.over == Bytes{};
        if (next.worth < m_best.worth)
            m_best = std::move(next);
        return fits;
    }
    // Can others under the same cap be better than the best, as far as this one's price tells?
    bool mayBeBetter(double price, const StageRegions::Choice& choice) const
    {
        return m_best.worth.over > Bytes{} || choice.least + price * m_toFree < m_best.worth.added.value();
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
    ChosenRegions tried(const StageRegions::Choice& choice, std::size_t price) const
    {
        ChosenRegions made{shapesOf(choice), {}, price};
        made.worth = m_room.worth(m_estimate.of(made.shapes));
        return made;
    }

    const RegionEstimate& m_estimate;
    const RegionRoom& m_room;
    double m_toFree; // bytes of one microbatch
    ChosenRegions m_best;
};

// Tries prices cap by cap. What caps choose from at a price is found once.
class PriceSearch
{
public:
    PriceSearch(const StageRegions& runs, const RegionTrials& asked, Trials& trials)
        : m_runs(runs), m_asked(asked), m_trials(trials), m_candidates(asked.prices.size())
    {
    }

    // The lowest price at which it fits, from that of the best on, and there what the room leaves besides.
    void under(Bytes cap)
    {
        std::optional<StageRegions::Choice> fits;
        std::size_t low = 0, high = m_asked.prices.size(), at = m_trials.best().price;
        for (bool isFirst = true; low < high; isFirst = false) {
            StageRegions::Choice choice = m_runs.best(candidates(at), cap);
            if (!m_trials.mayBeBetter(m_asked.prices[at], choice))
                break;
            const bool isWithin = m_trials.add(choice, at);
            const bool mayBeBetter = m_trials.mayBeBetter(m_asked.prices[at], choice);
            (isWithin ? high : low) = isWithin ? at : at + 1;
            if (isWithin)
                fits = std::move(choice);
            if (!mayBeBetter)
                break;
            at = !isFirst ? (low + high) / 2 : isWithin ? std::max(low + 1, high) - 1 : low;
        }
        if (fits)
            keepMore(*fits);
    }

private:
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
    const StageRegions::Candidates& candidates(std::size_t price)
    {
        std::optional<StageRegions::Candidates>& found = m_candidates[price];
        if (!found)
            found = m_runs.candidates(m_asked.prices[price], m_asked.caps.back(), m_asked.stop);
        return *found;
    }

    const StageRegions& m_runs;
    const RegionTrials& m_asked;
    Trials& m_trials;
    std::vector<std::optional<StageRegions::Candidates>> m_candidates; // by price
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
