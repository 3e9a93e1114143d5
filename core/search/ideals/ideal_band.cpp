#include "core/search/ideals/ideal_band.h"

#include "core/search/ideals/ideal_lattice.h"

#include <algorithm>
#include <span>
#include <utility>

namespace stagecraft {

IdealBand::IdealBand(const ReducedProblem& reduced, const StageWindows& windows, std::size_t boundary,
                     double limit, bool mayBeEmpty)
    : m_leastCut(windows.cuts[boundary]),
      m_speedBefore(reduced.options.speeds[boundary]),
      m_speedBehind(reduced.options.speeds[boundary + 1])
{
    const double slack = 1e-9 * reduced.totalSeconds;
    double before = 0;
    double behind = 0;
    for (std::size_t stage = 0; stage < reduced.stageCount(); ++stage)
        (stage <= boundary ? before : behind) += windows.capacity[stage];
    m_most = before + slack;
    m_least = reduced.totalSeconds - behind - slack;
    // Where stages are empty, those next to the boundary may be others; as fast ones, which pay no less than
    // what crosses where they are.
    const bool paidNearby = !mayBeEmpty || (reduced.uniform && 2 * std::ranges::max(windows.cuts) <= limit);
    m_countsCut =
        paidNearby && reduced.options.send == SendKind::Relay && reduced.options.objective == Objective::Sum;
}

// Takes in or leaves out one free group after the other, heavy ones early.
class IdealLattice::BandLister
{
public:
    BandLister(IdealLattice& lattice, const IdealBand& band, std::size_t mostIdeals,
               const ShouldStop& shouldStop)
        : m_lattice(lattice),
          m_band(band),
          m_mostIdeals(mostIdeals),
          m_shouldStop(shouldStop),
          m_bits(lattice.m_wordCount, 0),
          m_missing(lattice.m_wordCount, 0),
          m_inside(lattice.m_reduced.values.size(), 0),
          m_outside(lattice.m_reduced.values.size(), 0)
    {
        findFollowers();
        findOrder();
        for (std::size_t v = 0; v < m_inside.size(); ++v) {
            const ReducedValue& value = lattice.m_reduced.values[v];
            m_outside[v] = value.returned ? 1 : 0;
            for (const GroupIndex pin : value.pins) {
                m_inside[v] += lattice.m_places[pin] == Place::Before ? 1 : 0;
                m_outside[v] += lattice.m_places[pin] == Place::Behind ? 1 : 0;
            }
        }
    }

    // False: there are too many.
    bool run()
    {
        State state{.time = m_lattice.m_least.front(), .rest = 0, .cut = 0};
        for (const FreeGroup& free : m_lattice.m_free)
            state.rest += timeOf(free);
        for (std::uint32_t v = 0; v < m_inside.size(); ++v)
            state.cut += m_inside[v] > 0 && m_outside[v] > 0 ? priceOf(v) : 0;
        m_lattice.clearEntries();
        decide(0, state);
        return !m_stopped;
    }

private:
    struct State
    {
        double time; // of what is inside
        double rest; // of what may yet come inside
        double cut;  // of what crosses for sure
    };

    double timeOf(const FreeGroup& free) const { return m_lattice.m_reduced.groups[free.group].seconds; }

    // The free groups that need each, directly or not.
    void findFollowers()
    {
        const auto& free = m_lattice.m_free;
        m_followers.assign(free.size(), BitWords(m_lattice.m_wordCount, 0));
        for (std::size_t bit = free.size(); bit-- > 0;) {
            for (const std::uint32_t next : free[bit].next) {
                setBit(m_followers[bit], next);
                unite(m_followers[bit], m_followers[next]);
            }
        }
    }

    // Each behind those that it needs, the heaviest of those that may come first.
    void findOrder()
    {
        const auto& free = m_lattice.m_free;
        BitWords placed(m_lattice.m_wordCount, 0);
        std::vector<char> done(free.size(), 0);
        while (m_order.size() < free.size()) {
            std::size_t best = free.size();
            for (std::size_t bit = 0; bit < free.size(); ++bit) {
                if (!done[bit] && includes(placed, free[bit].needs) &&
                    (best == free.size() || timeOf(free[bit]) > timeOf(free[best])))
                    best = bit;
            }
            done[best] = 1;
            setBit(placed, best);
            m_order.push_back(static_cast<std::uint32_t>(best));
        }
    }

    void decide(std::size_t place, const State& state)
    {
        constexpr std::size_t interval = 1024;
        constexpr std::size_t stepsPerIdeal = 64;
        if (++m_steps % interval == 0)
            m_stopped |= m_shouldStop && m_shouldStop(interval * 100);
        m_stopped |= m_steps > m_mostIdeals * stepsPerIdeal || m_lattice.size() > m_mostIdeals;
        if (m_stopped || !m_band.mayHold(state.time, state.time + state.rest, state.cut))
            return;
        while (place < m_order.size() && hasBit(m_missing, m_order[place]))
            ++place;
        if (place == m_order.size()) {
            m_lattice.addListed(m_bits, state.time, state.cut);
            return;
        }
        takeIn(place, state);
        leaveOut(place, state);
    }

    void takeIn(std::size_t place, State state)
    {
        const std::uint32_t bit = m_order[place];
        const FreeGroup& free = m_lattice.m_free[bit];
        state.time += timeOf(free);
        state.rest -= timeOf(free);
        for (const std::uint32_t v : groupOf(bit).values)
            state.cut += m_inside[v]++ == 0 && m_outside[v] > 0 ? priceOf(v) : 0;
        setBit(m_bits, bit);
        decide(place + 1, state);
        clearBit(m_bits, bit);
        for (const std::uint32_t v : groupOf(bit).values)
            --m_inside[v];
    }

    // With all that need it.
    void leaveOut(std::size_t place, State state)
    {
        const std::uint32_t bit = m_order[place];
        BitWords left = m_followers[bit];
        setBit(left, bit);
        subtract(left, m_missing);
        unite(m_missing, left);
        forEachBit(left, [&](std::size_t out) {
            state.rest -= timeOf(m_lattice.m_free[out]);
            for (const std::uint32_t v : groupOf(out).values)
                state.cut += m_outside[v]++ == 0 && m_inside[v] > 0 ? priceOf(v) : 0;
        });
        decide(place + 1, state);
        forEachBit(left, [&](std::size_t out) {
            for (const std::uint32_t v : groupOf(out).values)
                --m_outside[v];
        });
        subtract(m_missing, left);
    }

    const ReducedGroup& groupOf(std::size_t bit) const
    {
        return m_lattice.m_reduced.groups[m_lattice.m_free[bit].group];
    }
    double priceOf(std::uint32_t value) const
    {
        return m_lattice.m_reduced.transfer(m_lattice.m_reduced.values[value].size, m_lattice.m_boundary);
    }

    IdealLattice& m_lattice;
    const IdealBand& m_band;
    std::size_t m_mostIdeals;
    const ShouldStop& m_shouldStop;
    std::vector<BitWords> m_followers;   // of each bit
    std::vector<std::uint32_t> m_order;  // bits as they are decided
    BitWords m_bits;                     // inside
    BitWords m_missing;                  // outside
    std::vector<std::uint32_t> m_inside; // of each value, its parts inside for sure
    std::vector<std::uint32_t> m_outside;
    std::size_t m_steps = 0;
    bool m_stopped = false;
};

IdealLattice::IdealLattice(const ReducedProblem& reduced, std::vector<Place> places, std::size_t boundary,
                           const IdealBand& band, std::size_t mostIdeals, const ShouldStop& shouldStop)
    : m_reduced(reduced), m_boundary(boundary), m_places(std::move(places)), m_connected(false)
{
    addGroups();
    linkFloats();
    addFirst();
    m_complete = BandLister(*this, band, mostIdeals, shouldStop).run();
}

void IdealLattice::clearEntries()
{
    m_words.clear();
    m_least.clear();
    m_most.clear();
    m_cut.clear();
    m_groupCounts.clear();
    m_firstBytes = m_bytes.empty() ? Held{} : m_bytes.front();
    m_bytes.clear();
}

void IdealLattice::addListed(const BitWords& bits, double time, double cut)
{
    m_words.insert(m_words.end(), bits.begin(), bits.end());
    m_least.push_back(time);
    m_most.push_back(time);
    m_cut.push_back(cut);
    std::uint32_t count = 0;
    Held held = m_firstBytes;
    for (std::size_t bit = 0; bit < m_free.size(); ++bit) {
        if (!hasBit(bits, bit))
            continue;
        ++count;
        held.least += m_reduced.groups[m_free[bit].group].held;
        held.most += m_reduced.groups[m_free[bit].group].held;
    }
    m_groupCounts.push_back(count);
    if (m_reduced.limitsMemory)
        m_bytes.push_back(held);
}

} // namespace stagecraft
