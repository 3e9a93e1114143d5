#include "core/recompute/stage_choice.h"

#include "core/base/sort_unique.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stagecraft {

namespace {

using Hulls = std::span<const std::shared_ptr<const RegionHull>>;

// From one choice of a region to the next that takes more bytes.
struct Edge
{
    std::size_t region = 0;
    std::size_t to = 0;
    Bytes bytes;
    Seconds saved;
    double slope = 0; // seconds a byte; never more than that of the edge before it
};

// visit(i): of the choices of a region those whose transient is within the limit; they lie on a lower hull as
// all do.
template <class Visit>
void forEachWithin(const RegionHull& hull, Bytes transient, const Visit& visit)
{
    for (std::size_t i = 0; i < hull.choices.size(); ++i)
        if (hull.choices[i].transient <= transient)
            visit(i);
}

// Of each region the choice that keeps the fewest bytes. None: a region has no choice within the limit.
std::optional<StageChoice> fewestWithin(Hulls hulls, Bytes transient)
{
    StageChoice fewest;
    fewest.choices.reserve(hulls.size());
    for (const auto& hull : hulls) {
        const auto found = std::ranges::find_if(
            hull->choices, [&](const RegionChoice& choice) { return choice.transient <= transient; });
        if (found == hull->choices.end())
            return std::nullopt;
        fewest.choices.push_back(static_cast<std::size_t>(found - hull->choices.begin()));
        fewest.keptBytes += found->keptBytes;
        fewest.added += found->added;
    }
    return fewest;
}

// Of regions that have choices within the limit: from the fewest bytes on.
class LimitedChoice
{
public:
    LimitedChoice(Hulls hulls, Bytes transient, StageChoice fewest)
        : m_hulls(hulls), m_start(std::move(fewest))
    {
        for (std::size_t region = 0; region < hulls.size(); ++region) {
            const RegionChoice* from = nullptr;
            double slope = std::numeric_limits<double>::infinity();
            forEachWithin(*hulls[region], transient, [&](std::size_t choice) {
                const RegionChoice& to = at(region, choice);
                if (from != nullptr) {
                    const Bytes bytes = to.keptBytes - from->keptBytes;
                    const Seconds saved = from->added - to.added;
                    slope = std::min(slope, saved.value() / bytes.asDouble());
                    m_edges.push_back({region, choice, bytes, saved, slope});
                }
                from = &to;
            });
        }
        std::ranges::stable_sort(m_edges, std::ranges::greater(), &Edge::slope);
    }

    // `most`: bytes kept of one microbatch; the start takes no more.
    StageChoice fill(Bytes most) const
    {
        StageChoice choice = m_start;
        Bytes left = most - choice.keptBytes;
        Seconds relaxed;
        bool isFull = false;
        std::vector<char> isBlocked(m_hulls.size(), 0); // an edge follows the one before it only
        for (const Edge& edge : m_edges) {
            if (!isFull && edge.bytes > left) {
                isFull = true;
                relaxed = Seconds(edge.slope * left.asDouble());
                choice.bound = choice.added - relaxed;
            }
            if (edge.bytes > left)
                isBlocked[edge.region] = 1;
            if (isBlocked[edge.region])
                continue;
            left -= edge.bytes;
            choice.keptBytes += edge.bytes;
            choice.added -= edge.saved;
            choice.choices[edge.region] = edge.to;
        }
        if (!isFull)
            choice.bound = choice.added;
        for (std::size_t region = 0; region < m_hulls.size(); ++region)
            choice.transient = std::max(choice.transient, at(region, choice.choices[region]).transient);
        return choice;
    }

private:
    const RegionChoice& at(std::size_t region, std::size_t choice) const
    {
        return m_hulls[region]->choices[choice];
    }

    Hulls m_hulls;
    std::vector<Edge> m_edges;
    StageChoice m_start;
};

std::vector<Bytes> transientsOf(Hulls hulls)
{
    std::vector<Bytes> transients{Bytes()}; // of no regions
    std::vector<const RegionHull*> different;
    for (const auto& hull : hulls)
        different.push_back(hull.get());
    sortUnique(different);
    for (const RegionHull* hull : different)
        for (const RegionChoice& choice : hull->choices)
            transients.push_back(choice.transient);
    sortUnique(transients);
    return transients;
}

} // namespace

std::optional<StageChoice> chooseWithin(Hulls hulls, Bytes room, std::int64_t inFlight)
{
    std::optional<StageChoice> best;
    Seconds bound;
    for (const Bytes transient : transientsOf(hulls)) {
        if (transient > room)
            break;
        std::optional<StageChoice> fewest = fewestWithin(hulls, transient);
        const Bytes most((room - transient).count() / inFlight);
        if (!fewest || fewest->keptBytes > most)
            continue;
        const StageChoice choice = LimitedChoice(hulls, transient, *std::move(fewest)).fill(most);
        bound = best ? std::min(bound, choice.bound) : choice.bound;
        if (!best || choice.added < best->added)
            best = choice;
    }
    if (best)
        best->bound = bound;
    return best;
}

Bytes leastRoom(Hulls hulls, std::int64_t inFlight)
{
    std::optional<Bytes> least;
    for (const Bytes transient : transientsOf(hulls)) {
        const std::optional<StageChoice> fewest = fewestWithin(hulls, transient);
        if (!fewest)
            continue;
        // Less than nothing is kept where the rest of a stage shares what others count.
        const Bytes room = std::max(Bytes{}, fewest->keptBytes) * inFlight + transient;
        least = least ? std::min(*least, room) : room;
    }
    return least.value_or(Bytes());
}

} // namespace stagecraft
