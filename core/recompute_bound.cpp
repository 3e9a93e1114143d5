#include "core/recompute_bound.h"

#include "core/base/sort_unique.h"
#include "core/plan/runtime_memory.h"
#include "core/plan/stage_cost.h"
#include "core/recompute_payments.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t mostSizes = 8;
constexpr double nearlyEqual = 5e-4; // where the search for T ends
constexpr double slack = 1e-9;       // rounding must never refute a plan that exists

class Reaches
{
public:
    explicit Reaches(const RecomputeGround& ground)
        : m_options(ground.none.options),
          m_chain(chainOf(ground)),
          m_crossings(ground, m_chain),
          m_inFlight(peakInFlight(scheduleOf(m_options).value())),
          m_runtime(m_options, stepKindOf(ground.none))
    {
        addUpPlaces();
        const std::vector<Atom> atoms = atomsOf(ground, m_chain);
        findSizes(ground);
        for (const Sizes& sizes : m_sizes)
            m_payments.push_back(
                std::make_unique<Payments>(m_chain, atoms, ground.needs, m_crossings, sizes.most));
    }

    // Can stages that take no more than that come to the end? None: it was over before that was known.
    std::optional<bool> isPossible(double most, const IsOver& isOver) const
    {
        most *= 1 + slack;
        std::vector<double> spare(m_chain.places.size(), -infinite); // the most there is for what floats
        spare.front() = 0;
        for (std::size_t stage = 0; stage < m_options.stageCount; ++stage) {
            double left = 0; // what the stages behind can take
            for (std::size_t behind = stage + 1; behind < m_options.stageCount; ++behind)
                left += most * m_options.speeds[behind];
            std::vector<double> next(spare.size(), -infinite);
            for (std::size_t to = 0; to < next.size(); ++to) {
                if (isOver && isOver())
                    return std::nullopt;
                if (m_seconds.back() - m_most[to] > left * (1 + slack))
                    continue;
                const double found =
                    std::max(spare[to] + most * m_options.speeds[stage], spareAt(spare, stage, to, most));
                next[to] = found < m_due[to] * (1 - slack) ? -infinite : std::min(found, m_ready[to]);
            }
            spare = std::move(next);
        }
        return spare.back() > -infinite;
    }

private:
    // Of each place what is before it, and of each link the largest transient.
    void addUpPlaces()
    {
        std::vector<double> seconds{0}, state{0};
        for (const std::vector<NodeId>& link : m_chain.links) {
            double takes = 0, holds = 0, transient = 0;
            for (const NodeId node : link) {
                takes += m_chain.nodes[node].seconds;
                holds += m_chain.nodes[node].state;
                transient = std::max(transient, m_chain.nodes[node].transient);
            }
            seconds.push_back(seconds.back() + takes);
            state.push_back(state.back() + holds);
            m_transient.push_back(transient);
        }
        std::vector<double> due(m_chain.links.size() + 1, 0), ready(due);
        for (const ChainFloat& each : m_chain.floats) {
            due[each.due] += each.seconds;
            ready[each.ready] += each.seconds;
        }
        for (std::size_t link = 1; link < due.size(); ++link) {
            due[link] += due[link - 1];
            ready[link] += ready[link - 1];
        }
        for (const ChainPlace& place : m_chain.places) {
            m_due.push_back(due[place.link]);
            m_ready.push_back(ready[place.link]);
            m_seconds.push_back(seconds[place.link] + place.least);
            m_most.push_back(seconds[place.link] + place.most);
            double holds = state[place.link];
            for (std::size_t i = 0; i < place.inside.size(); ++i)
                holds += place.inside[i] ? m_chain.nodes[m_chain.links[place.link][i]].state : 0;
            m_state.push_back(holds);
            m_mostState.push_back(place.isSpan ? state[place.link + 1] : holds);
        }
    }

    // What the largest storage that a stage makes again takes at once: for as much it has no room besides.
    struct Sizes
    {
        Bytes least;
        Bytes most;
    };

    void findSizes(const RecomputeGround& ground)
    {
        std::vector<Bytes> sizes{Bytes{}};
        for (const NodeNeeds& needs : ground.needs)
            for (const NodeNeeds::Made& made : needs.made)
                if (made.isNeeded && std::isfinite(needs.again.value()))
                    sizes.push_back(made.atOnce);
        sortUnique(sizes);
        for (const Bytes size : sizes)
            m_sizes.push_back({size, size});
        while (m_sizes.size() > mostSizes) { // those that are nearest to the next
            std::size_t nearest = 1;
            for (std::size_t i = 1; i + 1 < m_sizes.size(); ++i)
                if (m_sizes[i + 1].most - m_sizes[i].least <
                    m_sizes[nearest + 1].most - m_sizes[nearest].least)
                    nearest = i;
            m_sizes[nearest + 1].least = m_sizes[nearest].least;
            m_sizes.erase(m_sizes.begin() + static_cast<std::ptrdiff_t>(nearest));
        }
    }

    double transferAt(std::size_t place, std::size_t boundary) const
    {
        if (place == 0 || place + 1 == m_chain.places.size() || m_options.objective == Objective::Compute)
            return 0;
        return std::max(0.0, linkTime(m_options, m_chain.places[place].crosses, boundary).value());
    }

    // The most seconds for what floats that are left up to there, where the stage ends; below 0: it cannot.
    double spareAt(const std::vector<double>& spare, std::size_t stage, std::size_t to, double most) const
    {
        const double speed = m_options.speeds[stage];
        const double send = stage + 1 < m_options.stageCount ? transferAt(to, stage) : 0;
        const ChainPlace& end = m_chain.places[to];
        double best = -infinite;
        double transient = 0; // of whole links
        std::size_t whole = end.link;
        for (std::size_t from = to; from-- > 0;) {
            const ChainPlace& begin = m_chain.places[from];
            const std::size_t first = begin.link + (begin.isBetween() ? 0 : 1);
            while (whole > first)
                transient = std::max(transient, m_transient[--whole]);
            // What begins before it, takes at least as long.
            if (begin.isBetween() && (m_seconds[to] - m_most[from]) / speed + send > most)
                break;
            if (spare[from] == -infinite || !isWithin(begin, end))
                continue;
            const double receive = stage > 0 ? transferAt(from, stage - 1) : 0;
            const double room = (most - send - receive) * speed;
            // Not as much as is there already?
            if (spare[from] + room - std::max(0.0, m_seconds[to] - m_most[from]) <= best)
                continue;
            const double compute = leastCompute(stage, from, to, transient);
            if (compute <= room)
                best = std::max(best, spare[from] + room - compute);
            if (best >= m_ready[to])
                break;
        }
        return best;
    }

    static bool isWithin(const ChainPlace& begin, const ChainPlace& end)
    {
        if (begin.link != end.link || begin.isBetween() || begin.isSpan || end.isSpan)
            return true;
        for (std::size_t i = 0; i < begin.inside.size(); ++i)
            if (begin.inside[i] && !end.inside[i])
                return false;
        return true;
    }

    // What the run-time of the pipeline holds at the least. What a stage receives it holds in any case, kept
    // for backward or not: that is not among what its nodes make.
    double leastBuffers(std::size_t stage, std::size_t from, std::size_t to) const
    {
        HeldBytes held;
        if (stage > 0)
            held += m_runtime.received(stage, crossingAt(from));
        if (stage + 1 < m_options.stageCount) {
            held += m_runtime.passedOn(crossingAt(to));
            held.state += leastSent(stage, from, to);
        }
        return held.of(m_inFlight[stage]).asDouble();
    }

    // What it holds always of what it sends and makes itself, for certain.
    Bytes leastSent(std::size_t stage, std::size_t from, std::size_t to) const
    {
        const ChainPlace& begin = m_chain.places[from];
        const std::size_t first = begin.link + (begin.isBetween() ? 0 : 1);
        double sent = 0;
        for (const ChainCrossing& crossing : m_crossings.at(to)) {
            if (crossing.link < first)
                break; // and all that follow
            sent += crossing.held;
        }
        const CrossingBytes made{.forward = wholeBytes(sent), .backward = {}, .kept = true};
        return std::max(Bytes{}, m_runtime.sent(stage, made).state - m_runtime.passedOn(made).state);
    }

    static Bytes wholeBytes(double bytes) { return Bytes(static_cast<std::int64_t>(bytes * (1 - slack))); }

    CrossingBytes crossingAt(std::size_t place) const
    {
        const TransferSize& crosses = m_chain.places[place].crosses;
        return {.forward = wholeBytes(crosses.bytes - crosses.gradientBytes),
                .backward = wholeBytes(crosses.gradientBytes)};
    }

    // Seconds that the stage takes at the least.
    double leastCompute(std::size_t stage, std::size_t from, std::size_t to, double transient) const
    {
        const double seconds = std::max(0.0, m_seconds[to] - m_most[from]);
        const Bytes limit = m_options.memoryLimits[stage];
        if (limit == Bytes::max())
            return seconds;
        const double room =
            limit.asDouble() - std::max(0.0, m_state[to] - m_mostState[from]) - leastBuffers(stage, from, to);
        double least = infinite;
        for (std::size_t i = 0; i < m_payments.size(); ++i) {
            const double left = room - std::max(transient, m_sizes[i].least.asDouble());
            if (left >= 0)
                least = std::min(least, seconds + mostPaid(*m_payments[i], stage, from, to, left));
        }
        return least;
    }

    // At the price at which that is most: it rises with the price, and then falls.
    double mostPaid(const Payments& payments, std::size_t stage, std::size_t from, std::size_t to,
                    double room) const
    {
        const double each = room / static_cast<double>(m_inFlight[stage]);
        const auto paid = [&](std::size_t price) {
            return payments.of(price, from, to) - payments.prices()[price] * each;
        };
        std::size_t low = 0, high = payments.prices().size() - 1;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (paid(middle) < paid(middle + 1))
                low = middle + 1;
            else
                high = middle;
        }
        return std::max(0.0, paid(low));
    }

    const PartitionOptions& m_options;
    ModelChain m_chain;
    ChainCrossings m_crossings;
    std::vector<std::size_t> m_inFlight;
    RuntimeMemory m_runtime;
    std::vector<double> m_seconds; // of each place: before it, at the least
    std::vector<double> m_most;    // at the most
    std::vector<double> m_state, m_mostState;
    std::vector<double> m_due;       // of each place, of what floats: what must be before it
    std::vector<double> m_ready;     // what can be
    std::vector<double> m_transient; // of each link
    std::vector<Sizes> m_sizes;      // ascending
    std::vector<std::unique_ptr<const Payments>> m_payments; // of each
};

} // namespace

Bound recomputedBound(const RecomputeGround& ground, Seconds upper, const IsOver& isOver)
{
    Bound bound{.value = {}, .kind = "cuts and recomputation", .witness = {}};
    const PartitionOptions& options = ground.none.options;
    if (options.sharesDevices() || upper <= Seconds{} || options.objective == Objective::Overlap)
        return bound;
    const Reaches reaches(ground);
    double refuted = 0, possible = upper.value();
    while (possible - refuted > nearlyEqual * possible) {
        const double middle = (refuted + possible) / 2;
        const std::optional<bool> is = reaches.isPossible(middle, isOver);
        if (!is)
            break;
        (*is ? possible : refuted) = middle;
    }
    bound.value = Seconds(refuted);
    return bound;
}

} // namespace stagecraft
