#include "core/partition/ideal_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace stagecraft {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Ideals that can be one boundary, with what a look at a pair needs close at hand.
struct Candidates
{
    std::vector<std::uint32_t> ideals; // in the lattice; by time, ascending
    std::vector<double> time;
    std::vector<double> cut;
    std::vector<std::int64_t> state; // of the groups alone
    std::vector<std::int64_t> saved;
    std::vector<std::uint64_t> groups;   // bits, wordCount each
    std::vector<std::uint64_t> crossing; // bits of values, valueWords each
    std::vector<std::uint32_t> from;     // the candidate of the boundary before; none: not reached

    std::size_t size() const { return ideals.size(); }
};

class PairSearch
{
public:
    PairSearch(const ReducedProblem& reduced, const StageWindows& windows,
               const std::vector<const IdealLattice*>& lattices, double limit,
               const IdealSearchLimits& limits)
        : m_reduced(reduced),
          m_windows(windows),
          m_lattices(lattices),
          m_limit(limit),
          m_limits(limits),
          m_words((reduced.size() + 63) / 64),
          m_valueWords((reduced.values.size() + 63) / 64),
          m_mayBeEmpty(reduced.allowsEmpty() || reduced.joined)
    {
        for (std::size_t b = 0; b + 1 < reduced.stageCount(); ++b) {
            for (const ReducedValue& value : reduced.values)
                m_prices.push_back(reduced.transfer(value.size, b));
        }
        computeReach();
    }

    SplitAnswer run()
    {
        Candidates begin;
        addCandidate(begin, nullptr, 0);
        begin.from.assign(1, 0);
        m_layers.push_back(std::move(begin));
        for (std::size_t b = 0; b < m_lattices.size(); ++b) {
            m_layers.push_back(sieve(b));
            if (!connect(b))
                return {};
            keepReached(m_layers.back());
            if (m_layers.back().size() == 0)
                return {SplitAnswer::Verdict::Refuted, {}};
        }
        Candidates end;
        addEverything(end);
        m_layers.push_back(std::move(end));
        if (!connect(m_lattices.size()))
            return {};
        if (m_layers.back().from.front() == none)
            return {SplitAnswer::Verdict::Refuted, {}};
        return trace();
    }

private:
    // Time that the stages up to and from each boundary can hold.
    void computeReach()
    {
        const std::size_t stages = m_reduced.stageCount();
        m_upTo.assign(stages + 1, 0);
        for (std::size_t stage = 0; stage < stages; ++stage)
            m_upTo[stage + 1] = m_upTo[stage] + m_windows.capacity[stage];
    }

    Candidates sieve(std::size_t b)
    {
        const IdealLattice& lattice = *m_lattices[b];
        const double slack = 1e-9 * m_reduced.totalTime;
        const double most = m_upTo[b + 1] + slack;
        const double least = m_reduced.totalTime - (m_upTo.back() - m_upTo[b + 1]) - slack;
        std::vector<std::uint32_t> kept;
        for (std::uint32_t ideal = 0; ideal < lattice.size(); ++ideal) {
            const bool tooDear = m_reduced.options.objective != Objective::Compute &&
                                 m_reduced.options.send == SendKind::Relay && lattice.cut(ideal) > m_limit;
            if (lattice.time(ideal) <= most && lattice.time(ideal) >= least && !tooDear)
                kept.push_back(ideal);
        }
        std::ranges::stable_sort(kept, {}, [&](std::uint32_t ideal) { return lattice.time(ideal); });
        Candidates candidates;
        for (const std::uint32_t ideal : kept)
            addCandidate(candidates, &lattice, ideal);
        candidates.from.assign(candidates.size(), none);
        return candidates;
    }

    void addCandidate(Candidates& candidates, const IdealLattice* lattice, std::uint32_t ideal)
    {
        candidates.ideals.push_back(ideal);
        candidates.time.push_back(lattice ? lattice->time(ideal) : 0);
        candidates.cut.push_back(lattice ? lattice->cut(ideal) : 0);
        candidates.groups.resize(candidates.groups.size() + m_words, 0);
        if (lattice)
            lattice->copyGroups(ideal, std::span(candidates.groups).last(m_words));
        describe(candidates);
    }

    void addEverything(Candidates& candidates)
    {
        candidates.ideals.push_back(0);
        candidates.time.push_back(m_reduced.totalTime);
        candidates.cut.push_back(0);
        candidates.groups.resize(m_words, 0);
        for (GroupIndex group = 0; group < m_reduced.size(); ++group)
            candidates.groups[group / 64] |= std::uint64_t{1} << (group % 64);
        describe(candidates);
        std::ranges::fill(candidates.crossing, 0u); // what the model returns has arrived
        candidates.from.assign(1, none);
    }

    // Memory and crossing values of the candidate that was added last.
    void describe(Candidates& candidates)
    {
        const std::uint64_t* const groups = candidates.groups.data() + candidates.groups.size() - m_words;
        std::int64_t state = 0;
        std::int64_t saved = 0;
        for (GroupIndex group = 0; m_reduced.limitsMemory && group < m_reduced.size(); ++group) {
            if (has(groups, group)) {
                state += m_reduced.groups[group].state;
                saved += m_reduced.groups[group].saved;
            }
        }
        candidates.state.push_back(state);
        candidates.saved.push_back(saved);
        candidates.crossing.resize(candidates.crossing.size() + m_valueWords, 0);
        std::uint64_t* const crossing =
            candidates.crossing.data() + candidates.crossing.size() - m_valueWords;
        for (std::size_t v = 0; v < m_reduced.values.size(); ++v) {
            bool inside = false;
            bool outside = m_reduced.values[v].returned;
            for (const GroupIndex pin : m_reduced.values[v].pins)
                (has(groups, pin) ? inside : outside) = true;
            if (inside && outside)
                crossing[v / 64] |= std::uint64_t{1} << (v % 64);
        }
    }

    static bool has(const std::uint64_t* bits, std::size_t bit)
    {
        return (bits[bit / 64] >> (bit % 64) & 1) != 0;
    }

    // Which candidates of layer b + 1 end a stage b that begins with a candidate of layer b. False: gave up.
    bool connect(std::size_t b)
    {
        const Candidates& begins = m_layers[b];
        Candidates& ends = m_layers[b + 1];
        const double capacity =
            m_limit * m_reduced.options.speeds[b] * (1 + 1e-12) + 1e-12 * m_reduced.totalTime;
        for (std::size_t end = 0; end < ends.size(); ++end) {
            const auto first = std::ranges::lower_bound(begins.time, ends.time[end] - capacity);
            for (auto place = first;
                 place != begins.time.end() && *place <= ends.time[end] + 1e-12 * m_reduced.totalTime;
                 ++place) {
                const auto begin = static_cast<std::size_t>(place - begins.time.begin());
                ++m_pairs;
                if (connects(b, begins, begin, ends, end)) {
                    ends.from[end] = static_cast<std::uint32_t>(begin);
                    break;
                }
            }
            if (m_pairs > m_limits.pairs || (end % 64 == 0 && m_limits.shouldStop && m_limits.shouldStop()))
                return false;
        }
        return true;
    }

    bool connects(std::size_t stage, const Candidates& begins, std::size_t begin, const Candidates& ends,
                  std::size_t end) const
    {
        const std::uint64_t* const inner = begins.groups.data() + begin * m_words;
        const std::uint64_t* const outer = ends.groups.data() + end * m_words;
        std::uint64_t differs = 0;
        for (std::size_t w = 0; w < m_words; ++w) {
            if ((inner[w] & ~outer[w]) != 0)
                return false;
            differs |= inner[w] ^ outer[w];
        }
        if (differs == 0)
            return m_mayBeEmpty;
        const double compute = (ends.time[end] - begins.time[begin]) / m_reduced.options.speeds[stage];
        if (compute > m_limit * (1 + 1e-12))
            return false;
        if (m_reduced.limitsMemory && !fits(stage, begins, begin, ends, end))
            return false;
        if (m_reduced.options.objective == Objective::Compute)
            return true;
        if (m_reduced.options.send == SendKind::Relay) {
            const double in = begins.cut[begin];
            const double out = ends.cut[end];
            return (m_reduced.options.objective == Objective::Sum
                        ? compute + in + out
                        : std::max({compute, in, out})) <= m_limit * (1 + 1e-12);
        }
        return directLoad(stage, compute, begins.crossing.data() + begin * m_valueWords,
                          ends.crossing.data() + end * m_valueWords, inner, outer) <= m_limit * (1 + 1e-12);
    }

    // A value costs if it crosses one end of the stage, or both and has an end inside.
    double directLoad(std::size_t stage, double compute, const std::uint64_t* crossingBegin,
                      const std::uint64_t* crossingEnd, const std::uint64_t* inner,
                      const std::uint64_t* outer) const
    {
        double in = 0;
        double out = 0;
        const std::size_t inLink = stage == 0 ? 0 : stage - 1;
        const std::size_t outLink = std::min(stage, m_reduced.stageCount() - 2);
        const std::size_t values = m_reduced.values.size();
        const auto inside = [&](GroupIndex group) { return has(outer, group) && !has(inner, group); };
        for (std::size_t w = 0; w < m_valueWords; ++w) {
            for (std::uint64_t bits = crossingBegin[w] | crossingEnd[w]; bits != 0; bits &= bits - 1) {
                const std::size_t v = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                const ReducedValue& value = m_reduced.values[v];
                const bool both = has(crossingBegin, v) && has(crossingEnd, v);
                if (both && std::ranges::none_of(value.pins, inside))
                    continue;
                if (inside(value.producer))
                    out += m_prices[outLink * values + v];
                else
                    in += m_prices[inLink * values + v];
                if (m_reduced.options.objective == Objective::Sum &&
                    compute + in + out > m_limit * (1 + 1e-12))
                    return compute + in + out;
            }
        }
        return m_reduced.options.objective == Objective::Sum ? compute + in + out
                                                             : std::max({compute, in, out});
    }

    bool fits(std::size_t stage, const Candidates& begins, std::size_t begin, const Candidates& ends,
              std::size_t end) const
    {
        StageFigures figures;
        figures.state = ends.state[end] - begins.state[begin];
        figures.saved = ends.saved[end] - begins.saved[begin];
        if (!m_reduced.fits(stage, figures))
            return false;
        const std::uint64_t* const inner = begins.groups.data() + begin * m_words;
        const std::uint64_t* const outer = ends.groups.data() + end * m_words;
        const auto inside = [&](GroupIndex group) { return has(outer, group) && !has(inner, group); };
        for (const ReducedShared& shared : m_reduced.shared) {
            if (std::ranges::any_of(shared.users, inside))
                figures.state += shared.bytes;
        }
        for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
            if (m_reduced.groups[group].transient > figures.transient && inside(group))
                figures.transient = m_reduced.groups[group].transient;
        }
        return m_reduced.fits(stage, figures);
    }

    void keepReached(Candidates& candidates) const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (candidates.from[i] == none)
                continue;
            candidates.ideals[count] = candidates.ideals[i];
            candidates.time[count] = candidates.time[i];
            candidates.cut[count] = candidates.cut[i];
            candidates.state[count] = candidates.state[i];
            candidates.saved[count] = candidates.saved[i];
            candidates.from[count] = candidates.from[i];
            std::copy_n(candidates.groups.begin() + static_cast<std::ptrdiff_t>(i * m_words), m_words,
                        candidates.groups.begin() + static_cast<std::ptrdiff_t>(count * m_words));
            std::copy_n(candidates.crossing.begin() + static_cast<std::ptrdiff_t>(i * m_valueWords),
                        m_valueWords,
                        candidates.crossing.begin() + static_cast<std::ptrdiff_t>(count * m_valueWords));
            ++count;
        }
        candidates.ideals.resize(count);
        candidates.time.resize(count);
        candidates.cut.resize(count);
        candidates.state.resize(count);
        candidates.saved.resize(count);
        candidates.from.resize(count);
        candidates.groups.resize(count * m_words);
        candidates.crossing.resize(count * m_valueWords);
    }

    SplitAnswer trace() const
    {
        const auto lastStage = static_cast<std::uint32_t>(m_reduced.stageCount() - 1);
        GroupStages stages(m_reduced.size(), lastStage);
        std::size_t candidate = m_layers.back().from.front();
        for (std::size_t layer = m_layers.size() - 2; layer > 0; --layer) {
            const Candidates& candidates = m_layers[layer];
            for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
                if (has(candidates.groups.data() + candidate * m_words, group))
                    stages[group] = static_cast<std::uint32_t>(layer - 1);
            }
            candidate = candidates.from[candidate];
        }
        if (bottleneckOf(m_reduced, stages) > m_limit * (1 + 1e-9))
            return {};
        return {SplitAnswer::Verdict::Found, std::move(stages)};
    }

    const ReducedProblem& m_reduced;
    const StageWindows& m_windows;
    const std::vector<const IdealLattice*>& m_lattices;
    double m_limit;
    const IdealSearchLimits& m_limits;
    std::size_t m_words;
    std::size_t m_valueWords;
    bool m_mayBeEmpty;
    std::vector<double> m_prices; // of each value at each boundary
    std::vector<double> m_upTo;
    std::vector<Candidates> m_layers; // the empty ideal, one for each boundary, everything
    std::size_t m_pairs = 0;
};

} // namespace

SplitAnswer findSplitByPairs(const ReducedProblem& reduced, const StageWindows& windows,
                             const std::vector<const IdealLattice*>& lattices, double limit,
                             const IdealSearchLimits& limits)
{
    return PairSearch(reduced, windows, lattices, limit, limits).run();
}

} // namespace stagecraft
