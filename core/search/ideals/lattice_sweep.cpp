#include "core/search/ideals/lattice_sweep.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

namespace stagecraft {

namespace {

// The most that can be done by a boundary, one way to get there.
struct Reached
{
    double time = 0;
    double bytes = 0;
    std::uint32_t fromIdeal = 0; // of the boundary before
    std::uint32_t fromIndex = 0; // among those there
};

// A begin of the next stage.
struct Begin
{
    double time = 0; // less what its transfers take from the stage
    double bytes = 0;
    std::uint32_t ideal = 0;
    std::uint32_t index = 0; // among the ways to reach it
};

// Without memory limits: one item at most, the first of those with the most time.
template <class Item>
class Best
{
public:
    bool empty() const { return m_item.time == -infinite; }
    std::uint32_t size() const { return empty() ? 0 : 1; }
    const Item* begin() const { return &m_item; }
    const Item* end() const { return &m_item + size(); }
    const Item& front() const { return m_item; }
    const Item& operator[](std::size_t) const { return m_item; }
    void push_back(const Item& item)
    {
        if (item.time > m_item.time)
            m_item = item;
    }

private:
    Item m_item{.time = -infinite};
};

// None of them is as good as another in both time and bytes; begins by time, descending.
template <class Item, bool countsMemory>
using Front = std::conditional_t<countsMemory, std::vector<Item>, Best<Item>>;

void merge(Best<Begin>& front, const Best<Begin>& more, Best<Begin>&)
{
    front.push_back(more.front());
}

void merge(std::vector<Begin>& front, const std::vector<Begin>& more, std::vector<Begin>& scratch)
{
    scratch.clear();
    double mostBytes = -infinite;
    auto a = front.begin();
    auto b = more.begin();
    while (a != front.end() || b != more.end()) {
        const bool takeA =
            b == more.end() ||
            (a != front.end() && (a->time > b->time || (a->time == b->time && a->bytes >= b->bytes)));
        const Begin& next = takeA ? *a++ : *b++;
        if (next.bytes > mostBytes) {
            scratch.push_back(next);
            mostBytes = next.bytes;
        }
    }
    front.swap(scratch);
}

void keep(Best<Reached>& all, const Reached& reached)
{
    all.push_back(reached);
}

void keep(std::vector<Reached>& all, const Reached& reached)
{
    const auto isWorse = [](const Reached& a, const Reached& than) {
        return a.time <= than.time && a.bytes <= than.bytes;
    };
    if (std::ranges::any_of(all, [&](const Reached& other) { return isWorse(reached, other); }))
        return;
    std::erase_if(all, [&](const Reached& other) { return isWorse(other, reached); });
    all.push_back(reached);
}

template <bool countsMemory>
class LatticeSweep
{
public:
    explicit LatticeSweep(const SplitQuestion& question)
        : m_question(question),
          m_reduced(question.reduced),
          m_limit(question.limit),
          m_layers(question.lattices.size()),
          m_exact(question.isExact()),
          m_mayBeEmpty(question.reduced.mayLeaveEmpty())
    {
        const std::size_t fewest = std::ranges::min(m_reduced.inFlight);
        for (const std::size_t inFlight : m_reduced.inFlight)
            m_inFlight.push_back(m_exact ? inFlight : fewest);
        for (const ReducedGroup& group : m_reduced.groups)
            m_held += group.least;
        m_roomBehind.resize(m_layers.size());
        Room room;
        for (std::size_t b = m_layers.size(); b-- > 0;) {
            room.time += question.windows.capacity[b + 1];
            room.bytes += bytesLimit(b + 1);
            m_roomBehind[b] = room;
        }
    }

    SplitAnswer run()
    {
        for (std::size_t b = 0; b < m_layers.size(); ++b) {
            const bool any = reach(b);
            if (m_endsEarly || m_stopped)
                return {};
            if (!any)
                return {SplitAnswer::Verdict::Refuted, {}};
            spread(b);
            if (m_stopped)
                return {};
            if (b > 0) // only how they were reached is needed any more
                m_layers[b - 1].within = m_layers[b - 1].itself = {};
        }
        return last();
    }

private:
    using Begins = Front<Begin, countsMemory>;

    struct Layer
    {
        std::vector<Front<Reached, countsMemory>> reached; // of each ideal; empty: not
        // Begins within each ideal but not itself, and itself.
        std::vector<Begins> within;
        std::vector<Begins> itself;
    };

    struct Room
    {
        double time = 0;
        double bytes = 0;
    };

    const IdealLattice& latticeAt(std::size_t b) const { return *m_question.lattices[b]; }
    bool countsTransfers() const { return m_reduced.options.objective == Objective::Sum; }
    double bytesLimit(std::size_t stage) const { return m_reduced.options.memoryLimits[stage].asDouble(); }
    double bytesTolerance() const { return 0.5 + 1e-15 * m_held.of(1).asDouble(); }

    // At boundary b, as stage `stage` counts them.
    double leastBytes(std::size_t b, std::uint32_t ideal, std::size_t stage) const
    {
        return countsMemory ? latticeAt(b).leastBytes(ideal, m_inFlight[stage]) : 0;
    }
    double mostBytes(std::size_t b, std::uint32_t ideal, std::size_t stage) const
    {
        return countsMemory ? latticeAt(b).mostBytes(ideal, m_inFlight[stage]) : 0;
    }

    // Without memory the lattices were most of the work.
    bool stop(std::size_t work)
    {
        m_work += countsMemory ? work : 0;
        constexpr std::size_t interval = 1'000'000;
        const ShouldStop& shouldStop = m_question.limits.shouldStop;
        if (m_work >= interval && shouldStop && shouldStop(std::exchange(m_work, 0)))
            m_stopped = true;
        return m_stopped;
    }

    // False: nothing is.
    bool reach(std::size_t b)
    {
        const IdealLattice& lattice = latticeAt(b);
        Layer& layer = m_layers[b];
        layer.reached.resize(lattice.size());
        std::optional<IdealLattice::Projector> projector;
        if (b > 0)
            projector.emplace(latticeAt(b - 1), lattice);
        bool any = false;
        for (std::uint32_t ideal = 0; ideal < lattice.size() && !stop(100); ++ideal) {
            if (b > 0) {
                const auto [before, whole] = projector->project(ideal);
                reachWithin(b, ideal, before, whole);
            } else if (!lattice.isEmpty(ideal)) {
                arrive(b, ideal, Begin{}); // the first stage begins with nothing done
            } else if (m_mayBeEmpty) {
                layer.reached[ideal].push_back({});
            }
            any = any || !layer.reached[ideal].empty();
        }
        return any;
    }

    void reachWithin(std::size_t b, std::uint32_t ideal, std::uint32_t before, bool whole)
    {
        const Layer& layer = m_layers[b - 1];
        auto& reached = m_layers[b].reached[ideal];
        if (whole && m_mayBeEmpty && !layer.reached[before].empty()) {
            const Reached& same = layer.reached[before].front();
            reached.push_back({same.time, leastBytes(b, ideal, b + 1), before, 0});
            return;
        }
        anyBegin(layer, before, whole, [&](const Begin& begin) {
            arrive(b, ideal, begin);
            stop(5);
            return m_exact && !reached.empty(); // all ways to get there are alike
        });
    }

    // Does `visit` say so of a begin within the ideal, itself among them unless it is the `whole`?
    template <class Visit>
    static bool anyBegin(const Layer& layer, std::uint32_t ideal, bool whole, Visit&& visit)
    {
        if constexpr (countsMemory)
            return std::ranges::any_of(layer.within[ideal], visit) ||
                   (!whole && std::ranges::any_of(layer.itself[ideal], visit));
        Begins best = whole ? Begins() : layer.itself[ideal];
        best.push_back(layer.within[ideal].front());
        return std::ranges::any_of(best, visit);
    }

    void arrive(std::size_t b, std::uint32_t ideal, const Begin& begin)
    {
        const IdealLattice& lattice = latticeAt(b);
        const double uncut = begin.time + m_limit * m_question.speed(b);
        const double bytes = begin.bytes + bytesLimit(b);
        if (!m_exact && m_mayBeEmpty && canEnd(b, uncut, bytes))
            m_endsEarly = true; // perhaps all later stages are empty
        if (m_reduced.options.objective == Objective::Overlap && lattice.cut(ideal) > m_limit)
            return;
        const double tolerance = m_question.tolerance();
        const double time = countsTransfers() ? lattice.timeWithin(ideal, uncut) : uncut;
        if (time < lattice.leastTime(ideal) - tolerance ||
            (countsTransfers() && uncut < lattice.endTime(ideal) - tolerance) ||
            bytes < leastBytes(b, ideal, b) - bytesTolerance())
            return;
        const Reached reached{std::clamp(time, lattice.leastTime(ideal), lattice.mostTime(ideal)),
                              m_exact ? leastBytes(b, ideal, b + 1) : std::min(bytes, mostBytes(b, ideal, b)),
                              begin.ideal, begin.index};
        if (canBeEnded(b, reached))
            keep(m_layers[b].reached[ideal], reached);
    }

    // Have the stages behind boundary b room for the rest?
    bool canBeEnded(std::size_t b, const Reached& reached) const
    {
        const Room& room = m_roomBehind[b];
        return reached.time + room.time >= m_reduced.totalSeconds * (1 - 1e-9) &&
               (m_held.perMicrobatch() > Bytes{} ||
                reached.bytes + room.bytes >= m_held.always().asDouble() - bytesTolerance());
    }

    bool canEnd(std::size_t stage, double time, double bytes) const
    {
        return time >= m_reduced.totalSeconds - m_question.tolerance() &&
               bytes >= m_held.of(m_inFlight[stage]).asDouble() - bytesTolerance();
    }

    // Can a stage that begins so hold what is between there and the ideal? Where groups float at the next
    // boundary, ends need not hold all of it.
    bool isOfUse(std::size_t b, std::uint32_t ideal, const Begin& begin) const
    {
        if (!countsMemory || (b + 1 < m_layers.size() && !latticeAt(b + 1).isExact()))
            return true;
        return begin.time + m_limit * m_question.speed(b + 1) >=
                   latticeAt(b).leastTime(ideal) - m_question.tolerance() &&
               begin.bytes + bytesLimit(b + 1) >= leastBytes(b, ideal, b + 1) - bytesTolerance();
    }

    void spread(std::size_t b)
    {
        const IdealLattice& lattice = latticeAt(b);
        Layer& layer = m_layers[b];
        layer.within.resize(lattice.size());
        layer.itself.resize(lattice.size());
        Begins scratch;
        const bool overlaps = m_reduced.options.objective == Objective::Overlap;
        for (std::uint32_t ideal = 0; ideal < lattice.size(); ++ideal) {
            if (overlaps && lattice.cut(ideal) > m_limit)
                continue; // it ends no stage, for the one before is empty, and is too dear a begin
            for (std::uint32_t i = 0; i < layer.reached[ideal].size(); ++i) {
                const Reached& reached = layer.reached[ideal][i];
                const double time = countsTransfers() ? lattice.beginTime(ideal, reached.time) : reached.time;
                Begins one;
                one.push_back({time, reached.bytes, ideal, i});
                merge(layer.itself[ideal], one, scratch);
            }
        }
        std::optional<std::uint32_t> last;
        Begins all;
        for (const auto& [from, to] : lattice.steps()) {
            if (last != from) {
                all = layer.itself[from];
                merge(all, layer.within[from], scratch);
                last = from;
            }
            Begins useful;
            for (const Begin& begin : all) {
                if (isOfUse(b, to, begin))
                    useful.push_back(begin);
            }
            if (!useful.empty())
                merge(layer.within[to], useful, scratch);
            if (stop(20 + (all.size() + layer.within[to].size()) * 5))
                return;
        }
    }

    // The last stage ends with everything.
    SplitAnswer last()
    {
        const std::size_t b = m_layers.size() - 1;
        const Layer& layer = m_layers[b];
        const auto top = static_cast<std::uint32_t>(latticeAt(b).size() - 1);
        const bool whole =
            latticeAt(b).isExact() &&
            std::ranges::none_of(m_question.windows.earliest, [&](std::uint32_t stage) { return stage > b; });
        if (whole && m_mayBeEmpty && !layer.reached[top].empty())
            return trace(top, 0);
        SplitAnswer answer{SplitAnswer::Verdict::Refuted, {}};
        anyBegin(layer, top, whole, [&](const Begin& begin) {
            const double time = begin.time + m_limit * m_question.speed(b + 1);
            if (!canEnd(b + 1, time, begin.bytes + bytesLimit(b + 1)))
                return false;
            answer = trace(begin.ideal, begin.index);
            return true;
        });
        return answer;
    }

    SplitAnswer trace(std::uint32_t ideal, std::uint32_t index) const
    {
        std::vector<LatticePoint> path(m_layers.size());
        for (std::size_t b = m_layers.size(); b-- > 0;) {
            const Reached& reached = m_layers[b].reached[ideal][index];
            path[b] = {&latticeAt(b), ideal, reached.time};
            ideal = reached.fromIdeal;
            index = reached.fromIndex;
        }
        return answerAlong(m_reduced, path, m_limit);
    }

    const SplitQuestion& m_question;
    const ReducedProblem& m_reduced;
    double m_limit;
    std::vector<Layer> m_layers;
    bool m_exact;
    bool m_mayBeEmpty;
    std::vector<std::size_t> m_inFlight; // microbatches that each stage holds what is saved of
    HeldBytes m_held;                    // by all groups
    std::vector<Room> m_roomBehind;      // each boundary, in all stages together
    std::size_t m_work = 0;              // since it was last reported
    bool m_stopped = false;
    bool m_endsEarly = false;
};

} // namespace

SplitAnswer sweepLattices(const SplitQuestion& question)
{
    return question.reduced.limitsMemory ? LatticeSweep<true>(question).run()
                                         : LatticeSweep<false>(question).run();
}

} // namespace stagecraft
