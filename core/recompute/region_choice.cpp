#include "core/recompute/region_choice.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

using Shapes = RegionEstimate::Shapes;

struct Tried
{
    Shapes shapes;
    RegionWorth worth;
};

class Trials
{
public:
    Trials(const RegionEstimate& estimate, const RegionRoom& room)
        : m_estimate(estimate), m_room(room), m_toFree(-left({}).asDouble())
    {
        best = tried({});
    }

    // Returns whether it fits.
    bool add(StageRegions::Choice choice)
    {
        Tried next = tried(std::move(choice));
        const bool fits = next.worth.over == Bytes{};
        if (next.worth < best.worth)
            best = std::move(next);
        return fits;
    }
    // Can other choices under the same cap be better than the best, as far as this one's price tells?
    bool mayBeBetter(double price, double least) const
    {
        return best.worth.over > Bytes{} || least + price * m_toFree < best.worth.added.value();
    }
    Bytes left(const StageRegions::Choice& choice) const
    {
        const Bytes held = m_room.held(m_estimate.of(shapesOf(choice)));
        return Bytes((m_room.bytes - held).count() / m_room.inFlight);
    }

    Tried best;

private:
    Shapes shapesOf(const StageRegions::Choice& choice) const
    {
        std::vector<RecomputeRegion> regions;
        for (const StageRegions::Run& run : choice.runs)
            regions.push_back(run.region);
        return legalShapes(m_estimate, m_estimate.shapesOf(regions));
    }
    Tried tried(const StageRegions::Choice& choice) const
    {
        Tried made{shapesOf(choice), {}};
        made.worth = m_room.worth(m_estimate.of(made.shapes));
        return made;
    }

    const RegionEstimate& m_estimate;
    const RegionRoom& m_room;
    double m_toFree; // bytes
};

} // namespace

RegionEstimate::Shapes chooseRegions(const RegionEstimate& estimate, const StageRegions& runs,
                                     const RegionRoom& room, const RegionTrials& trials)
{
    Trials all(estimate, room);
    for (const Bytes cap : trials.caps) {
        std::optional<StageRegions::Choice> fits;
        for (std::size_t low = 0, high = trials.prices.size(); low < high;) {
            const std::size_t middle = (low + high) / 2;
            StageRegions::Choice choice = runs.at(trials.prices[middle], cap, trials.stop);
            const double least = choice.least;
            if (all.add(choice)) {
                fits = std::move(choice);
                high = middle;
            } else {
                low = middle + 1;
            }
            if (!all.mayBeBetter(trials.prices[middle], least))
                break;
        }
        if (!fits)
            continue;
        const Bytes left = all.left(*fits);
        for (const int tenths : {10, 9, 7}) { // what several regions keep may count with one of them
            StageRegions::Choice more = *fits;
            StageRegions::keepMore(more, Bytes(left.count() / 10 * tenths));
            if (all.add(std::move(more)))
                break;
        }
    }
    if (trials.estimates == 0 || (all.best.worth.over == Bytes{} && all.best.worth.added == Seconds{}))
        return std::move(all.best.shapes);
    return climbedRegions(estimate, room, std::move(all.best.shapes), trials.estimates);
}

} // namespace stagecraft
