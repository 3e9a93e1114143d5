#include "core/search/ideals/pair_sweep.h"

#include "core/search/ideals/floating_load.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace stagecraft {

namespace {

// Ideals that can be one boundary, with what a look at a pair needs close at hand.
struct Candidates
{
    const IdealLattice* lattice = nullptr; // none: nothing, or everything
    std::vector<std::uint32_t> ideals;     // in the lattice
    std::vector<double> least;             // time of what is surely inside
    std::vector<double> most;              // of what is possibly inside
    std::vector<double> cut;
    std::vector<IdealLattice::Held> held; // by the groups alone: surely inside, possibly inside
    BitWords surely;                      // bits of groups, wordCount each
    BitWords possibly;                    // likewise
    BitWords crossing;                    // bits of values that surely cross, valueWords each
    std::vector<double> reached;          // the most time by there; -infinite: not reached
    std::vector<std::uint32_t> from;      // the candidate of the boundary before
    std::vector<std::uint32_t> order;     // those reached, by that time, descending

    std::size_t size() const { return ideals.size(); }
    bool isExact() const { return lattice == nullptr || lattice->isExact(); }
};

// Words of a bit set that can differ.
struct WordRange
{
    std::size_t first = 0;
    std::size_t last = 0; // one more
};

// The times that the windows leave a boundary: the stages before it cannot hold more than their capacities,
// those behind it must not be left with more than theirs.
class Band
{
public:
    Band(const SplitQuestion& question, std::size_t boundary)
        : m_leastCut(question.windows.cuts[boundary]),
          m_speedBefore(question.speed(boundary)),
          m_speedBehind(question.speed(boundary + 1))
    {
        const ReducedProblem& reduced = question.reduced;
        const StageWindows& windows = question.windows;
        const double slack = 1e-9 * reduced.totalSeconds;
        const auto behind = windows.capacity.begin() + static_cast<std::ptrdiff_t>(boundary) + 1;
        m_most = std::accumulate(windows.capacity.begin(), behind, 0.0) + slack;
        m_least = reduced.totalSeconds - std::accumulate(behind, windows.capacity.end(), 0.0) - slack;
        // Where stages are empty, those next to the boundary may be others; as fast ones, which pay no less
        // than what crosses where they are.
        const bool paidNearby = !reduced.mayLeaveEmpty() ||
                                (reduced.uniform && 2 * std::ranges::max(windows.cuts) <= question.limit);
        m_countsCut = paidNearby && reduced.options.send == SendKind::Relay &&
                      reduced.options.objective == Objective::Sum;
    }

    // Can an ideal be the boundary whose groups take between `least` and `most`, of which at least `cut` must
    // be sent over it?
    bool mayHold(double least, double most, double cut) const
    {
        const double extra = m_countsCut && cut > m_leastCut ? cut - m_leastCut : 0;
        return least + extra * m_speedBefore <= m_most && most - extra * m_speedBehind >= m_least;
    }

    // Time that must be done by the boundary.
    double least() const { return m_least; }

private:
    double m_least = 0; // where no more than m_leastCut crosses the boundary
    double m_most = 0;  // likewise
    double m_leastCut = 0;
    double m_speedBefore = 1;
    double m_speedBehind = 1;
    bool m_countsCut = false;
};

class PairSweep
{
public:
    explicit PairSweep(const SplitQuestion& question)
        : m_question(question),
          m_reduced(question.reduced),
          m_windows(question.windows),
          m_lattices(question.lattices),
          m_limit(question.limit),
          m_words(wordsForBits(m_reduced.size())),
          m_valueWords(wordsForBits(m_reduced.values.size())),
          m_mayBeEmpty(m_reduced.mayLeaveEmpty()),
          m_paidNearby(m_reduced.options.objective != Objective::Compute &&
                       m_reduced.options.send == SendKind::Relay && (!m_mayBeEmpty || m_reduced.uniform))
    {
        for (std::size_t b = 0; b + 1 < m_reduced.stageCount(); ++b) {
            for (const ReducedValue& value : m_reduced.values)
                m_prices.push_back(m_reduced.transfer(value.size, b));
        }
    }

    SplitAnswer run()
    {
        Candidates begin;
        addNothing(begin);
        m_layers.push_back(std::move(begin));
        for (std::size_t b = 0; b < m_lattices.size(); ++b) {
            if (endsEarly(b))
                return {};
            m_layers.push_back(sieve(b));
            if (!connect(b, m_layers[b + 1]))
                return {};
            if (m_layers.back().order.empty())
                return {SplitAnswer::Verdict::Refuted, {}};
        }
        m_layers.push_back(everything());
        if (!connect(m_lattices.size(), m_layers.back()))
            return {};
        if (m_layers.back().order.empty())
            return {SplitAnswer::Verdict::Refuted, {}};
        return trace();
    }

private:
    // Where ideals are not told apart, all later stages may be empty: is this one perhaps the last?
    bool endsEarly(std::size_t b)
    {
        if (m_question.isExact() || !m_mayBeEmpty)
            return false;
        Candidates end = everything();
        return !connect(b, end) || !end.order.empty();
    }

    Candidates sieve(std::size_t b)
    {
        Candidates candidates;
        candidates.lattice = m_lattices[b];
        const IdealLattice& lattice = *m_lattices[b];
        const Band band(m_question, b);
        for (std::uint32_t ideal = 0; ideal < lattice.size(); ++ideal) {
            const bool tooDear = m_paidNearby && lattice.cut(ideal) > m_limit;
            if (tooDear ||
                !band.mayHold(lattice.leastTime(ideal), lattice.mostTime(ideal), lattice.cut(ideal)))
                continue;
            candidates.ideals.push_back(ideal);
            candidates.least.push_back(std::max(band.least(), lattice.leastTime(ideal)));
            candidates.most.push_back(std::max(candidates.least.back(), lattice.mostTime(ideal)));
            candidates.cut.push_back(lattice.cut(ideal));
        }
        describe(b, candidates);
        return candidates;
    }

    void addNothing(Candidates& candidates) const
    {
        candidates.ideals.push_back(0);
        for (auto* times : {&candidates.least, &candidates.most, &candidates.cut, &candidates.reached})
            times->push_back(0);
        candidates.held.emplace_back();
        candidates.surely.assign(m_words, 0);
        candidates.possibly.assign(m_words, 0);
        candidates.crossing.assign(m_valueWords, 0);
        candidates.from.push_back(0);
        candidates.order.push_back(0);
    }

    // The end: all groups, and what the model returns has arrived.
    Candidates everything() const
    {
        Candidates end;
        addNothing(end);
        end.least.front() = end.most.front() = m_reduced.totalSeconds;
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            setBit(end.surely, group.index());
            end.held.front().least += m_reduced.groups[group].least;
        }
        end.possibly = end.surely;
        end.held.front().most = end.held.front().least;
        return end;
    }

    // Groups, memory and crossing values of all candidates.
    void describe(std::size_t b, Candidates& candidates) const
    {
        const std::size_t count = candidates.size();
        candidates.surely.assign(count * m_words, 0);
        candidates.possibly.assign(count * m_words, 0);
        candidates.crossing.assign(count * m_valueWords, 0);
        candidates.held.assign(count, {});
        std::vector<std::uint32_t> values;
        for (std::uint32_t v = 0; v < m_reduced.values.size(); ++v) {
            const ReducedValue& value = m_reduced.values[v];
            const bool mayCross =
                std::ranges::any_of(value.pins, [&](auto pin) { return m_windows.earliest[pin] <= b; }) &&
                (value.returned ||
                 std::ranges::any_of(value.pins, [&](auto pin) { return m_windows.latest[pin] > b; }));
            if (mayCross)
                values.push_back(v);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const MutableBitSpan surely(candidates.surely.data() + i * m_words, m_words);
            const MutableBitSpan possibly(candidates.possibly.data() + i * m_words, m_words);
            candidates.lattice->copyGroups(candidates.ideals[i], surely, possibly);
            if (m_reduced.limitsMemory)
                candidates.held[i] = candidates.lattice->held(candidates.ideals[i]);
            for (const std::uint32_t v : values) {
                if (crosses(surely, possibly, v))
                    setBit(MutableBitSpan(candidates.crossing).subspan(i * m_valueWords, m_valueWords), v);
            }
        }
        candidates.reached.assign(count, -infinite);
        candidates.from.assign(count, 0);
    }

    bool crosses(BitSpan surely, BitSpan possibly, std::uint32_t v) const
    {
        bool inside = false;
        bool outside = m_reduced.values[v].returned;
        for (const ReducedGroupId pin : m_reduced.values[v].pins) {
            inside |= hasBit(surely, pin.index());
            outside |= !hasBit(possibly, pin.index());
        }
        return inside && outside;
    }

    // How far each candidate of the next boundary can be reached by a stage b that begins with a reached one.
    // False: gave up.
    bool connect(std::size_t b, Candidates& ends)
    {
        const Candidates& begins = m_layers[b];
        const double capacity = m_limit * m_question.speed(b);
        findRanges(b, ends);
        if (m_reduced.options.send == SendKind::Direct && m_reduced.options.objective == Objective::Sum &&
            m_reduced.features.loads)
            m_floatingLoad = FloatingLoad(m_reduced, b, begins.lattice, ends.lattice);
        ends.reached.assign(ends.size(), -infinite);
        ends.order.clear();
        for (std::size_t end = 0; end < ends.size(); ++end) {
            double& best = ends.reached[end];
            auto place = begins.order.begin();
            if (begins.isExact()) // what takes more time is not within the end
                place = std::ranges::lower_bound(begins.order, ends.most[end] + 1e-8 * m_reduced.totalSeconds,
                                                 std::greater{},
                                                 [&](std::uint32_t begin) { return begins.reached[begin]; });
            for (; place != begins.order.end(); ++place) {
                const std::uint32_t begin = *place;
                const double most = begins.reached[begin] + capacity;
                if (most < ends.least[end] - m_question.tolerance() || most <= best || best >= ends.most[end])
                    break;
                ++m_pairs;
                const double time = reach({b, begins, begin, ends, end}, best);
                if (time > best) {
                    best = time;
                    ends.from[end] = begin;
                }
            }
            if (best != -infinite)
                ends.order.push_back(static_cast<std::uint32_t>(end));
            if (m_pairs > m_question.limits.pairs || (end % 64 == 63 && stop()))
                return false;
        }
        std::ranges::stable_sort(ends.order, std::greater{}, [&](auto end) { return ends.reached[end]; });
        return true;
    }

    bool stop()
    {
        const std::uint64_t work = std::exchange(m_work, 0) + 64 * (m_reduced.size() * 4);
        return m_question.limits.shouldStop && m_question.limits.shouldStop(work);
    }

    // Groups before both ends for sure, or behind both, are the same in all pairs.
    void findRanges(std::size_t b, const Candidates& ends)
    {
        m_groupWords = {m_words, 0};
        const auto widen = [](WordRange& range, std::size_t bit) {
            range.first = std::min(range.first, bit / 64);
            range.last = std::max(range.last, bit / 64 + 1);
        };
        const std::size_t last = ends.lattice == nullptr ? m_reduced.stageCount() : b;
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            if ((b == 0 || m_windows.latest[group] >= b) && m_windows.earliest[group] <= last)
                widen(m_groupWords, group.index());
        }
        m_valuesWords = {m_valueWords, 0};
        for (std::size_t v = 0; v < m_reduced.values.size(); ++v) {
            const ReducedValue& value = m_reduced.values[v];
            const bool touched =
                value.returned || std::ranges::any_of(value.pins, [&](ReducedGroupId pin) {
                    return (b == 0 || m_windows.latest[pin] >= b) && m_windows.earliest[pin] <= last;
                });
            if (touched)
                widen(m_valuesWords, v);
        }
    }

    struct Pair
    {
        std::size_t stage;
        const Candidates& begins;
        std::size_t begin;
        const Candidates& ends;
        std::size_t end;
    };

    // The most time by the end of a stage between the two; -infinite: there is no such stage, or it does not
    // come further than `least`.
    double reach(const Pair& pair, double least)
    {
        const auto& [stage, begins, begin, ends, end] = pair;
        const BitSpan inner = surely(begins, begin);
        const BitSpan outer = possibly(ends, end);
        m_work += 8;
        std::uint64_t differs = 0;
        for (std::size_t w = m_groupWords.first; w < m_groupWords.last; ++w) {
            if ((inner[w] & ~outer[w]) != 0)
                return -infinite;
            differs |= inner[w] ^ outer[w];
        }
        if (differs == 0 && begins.isExact() && ends.isExact())
            return m_mayBeEmpty ? begins.reached[begin] : -infinite;
        m_work += 100;
        if (m_reduced.limitsMemory && !fits(pair))
            return -infinite;
        const double speed = m_question.speed(stage);
        const double start = begins.reached[begin];
        const double needed = std::max(least, ends.least[end] - m_question.tolerance());
        // What the transfers may take without making the stage useless.
        const double room = m_limit - (needed - start) / speed;
        double taken = transferLoad(pair, room);
        if (taken <= room && !m_floatingLoad.isEmpty()) {
            const FloatingLoad::Least floating = floatingLoad(pair);
            const double surely = timeWithin(ends, end) - timeWithin(begins, begin) - floating.openTime;
            if (surely / speed + taken + floating.withTime > m_limit * (1 + 1e-12))
                return -infinite;
            taken += floating.transfer;
        }
        const double time = start + (m_limit - taken) * speed;
        return time < needed ? -infinite : std::clamp(time, ends.least[end], ends.most[end]);
    }

    // Time of the stage that transfers take for sure; infinite where they alone refute it. Beyond `room` it
    // need not be exact.
    double transferLoad(const Pair& pair, double room) const
    {
        const Objective objective = m_reduced.options.objective;
        if (objective == Objective::Compute)
            return 0;
        if (m_reduced.options.send == SendKind::Direct)
            return directLoad(pair, room);
        const double in = pair.begins.cut[pair.begin];
        const double out = pair.ends.cut[pair.end];
        if (objective == Objective::Sum)
            return in + out;
        return std::max(in, out) > m_limit ? infinite : 0;
    }

    // A value costs if it crosses an end of the stage and has an end inside.
    double directLoad(const Pair& pair, double room) const
    {
        const bool sums = m_reduced.options.objective == Objective::Sum;
        const BitSpan crossingBegin = crossing(pair.begins, pair.begin);
        const BitSpan crossingEnd = crossing(pair.ends, pair.end);
        const double* const inPrices = priceRow(receivingLink(pair.stage));
        const double* const outPrices = priceRow(sendingLink(pair.stage, m_reduced.stageCount()));
        const bool exact = pair.begins.isExact() && pair.ends.isExact();
        double in = 0;
        double out = 0;
        for (std::size_t w = m_valuesWords.first; w < m_valuesWords.last; ++w) {
            for (std::uint64_t bits = crossingBegin[w] | crossingEnd[w]; bits != 0; bits &= bits - 1) {
                const std::size_t v = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                const ReducedValue& value = m_reduced.values[v];
                const bool one = hasBit(crossingBegin, v) != hasBit(crossingEnd, v);
                if (!(exact && one) && !hasAny(pair, value.pins))
                    continue;
                if (isInside(pair, value.producer))
                    out += outPrices[v];
                else if (isOutside(pair, value.producer))
                    in += inPrices[v];
                else if (sums)
                    out += std::min(inPrices[v], outPrices[v]);
                if (sums && in + out > room)
                    return in + out;
            }
        }
        if (sums)
            return in + out;
        return std::max(in, out) > m_limit ? infinite : 0;
    }

    // Of what is within the ideal for sure.
    double timeWithin(const Candidates& candidates, std::size_t i) const
    {
        return candidates.lattice == nullptr ? candidates.least[i]
                                             : candidates.lattice->leastTime(candidates.ideals[i]);
    }

    // Besides what is sent for sure.
    FloatingLoad::Least floatingLoad(const Pair& pair)
    {
        m_work += m_floatingLoad.size() * 30;
        return m_floatingLoad.least({surely(pair.begins, pair.begin), possibly(pair.begins, pair.begin),
                                     surely(pair.ends, pair.end), possibly(pair.ends, pair.end)});
    }

    BitSpan surely(const Candidates& candidates, std::size_t i) const
    {
        return {candidates.surely.data() + i * m_words, m_words};
    }
    BitSpan possibly(const Candidates& candidates, std::size_t i) const
    {
        return {candidates.possibly.data() + i * m_words, m_words};
    }
    BitSpan crossing(const Candidates& candidates, std::size_t i) const
    {
        return {candidates.crossing.data() + i * m_valueWords, m_valueWords};
    }

    const double* priceRow(std::size_t boundary) const
    {
        return m_prices.data() + boundary * m_reduced.values.size();
    }

    bool isInside(const Pair& pair, ReducedGroupId group) const // for sure
    {
        return hasBit(surely(pair.ends, pair.end), group.index()) &&
               !hasBit(possibly(pair.begins, pair.begin), group.index());
    }
    bool isOutside(const Pair& pair, ReducedGroupId group) const
    {
        return !hasBit(possibly(pair.ends, pair.end), group.index()) ||
               hasBit(surely(pair.begins, pair.begin), group.index());
    }
    bool hasAny(const Pair& pair, const std::vector<ReducedGroupId>& groups) const
    {
        return std::ranges::any_of(groups, [&](ReducedGroupId group) { return isInside(pair, group); });
    }

    // By what is sure of it, and by the groups that surely are inside: of exact ideals, those of the stage.
    bool fits(const Pair& pair) const
    {
        StageFigures sure, inside;
        sure.held = pair.ends.held[pair.end].least.without(pair.begins.held[pair.begin].most);
        if (!m_reduced.fits(pair.stage, sure))
            return false;
        for (const ReducedShared& shared : m_reduced.shared)
            if (hasAny(pair, shared.users)) {
                inside.held += shared.held;
                sure.held += isInside(pair, shared.users.front()) ? HeldBytes{} : shared.held.atLeast();
            }
        inside.held += m_reduced.besideParts([&](ReducedGroupId each) { return isInside(pair, each); });
        for (const ReducedGroupId group : m_reduced.groups.ids())
            if (isInside(pair, group))
                inside.add(m_reduced.groups[group]);
        sure.transients = inside.transients;
        return m_reduced.fits(pair.stage, sure) && m_reduced.fits(pair.stage, inside);
    }

    SplitAnswer trace() const
    {
        std::vector<LatticePoint> path(m_lattices.size());
        std::size_t candidate = m_layers.back().from.front();
        for (std::size_t b = m_lattices.size(); b-- > 0;) {
            const Candidates& candidates = m_layers[b + 1];
            path[b] = {m_lattices[b], candidates.ideals[candidate], candidates.reached[candidate]};
            candidate = candidates.from[candidate];
        }
        return answerAlong(m_reduced, path, m_limit);
    }

    const SplitQuestion& m_question;
    const ReducedProblem& m_reduced;
    const StageWindows& m_windows;
    const std::vector<const IdealLattice*>& m_lattices;
    double m_limit;
    std::size_t m_words;
    std::size_t m_valueWords;
    bool m_mayBeEmpty;
    bool m_paidNearby; // what crosses a boundary is relayed by a stage next to it, or one that is like it
    std::vector<double> m_prices; // of each value at each boundary
    WordRange m_groupWords;
    WordRange m_valuesWords;
    FloatingLoad m_floatingLoad;      // of the stage that is looked at
    std::vector<Candidates> m_layers; // the empty ideal, one for each boundary, everything
    std::size_t m_pairs = 0;
    std::uint64_t m_work = 0; // since it was last reported
};

} // namespace

SplitAnswer sweepPairs(const SplitQuestion& question)
{
    return PairSweep(question).run();
}

} // namespace stagecraft
