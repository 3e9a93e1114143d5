#include "core/search/ideals/ideal_search.h"

#include "core/search/ideals/floating_groups.h"
#include "core/search/ideals/ideal_band.h"
#include "core/search/ideals/ideal_fronts.h"
#include "core/search/ideals/ideal_lattice.h"
#include "core/search/ideals/ideal_pairs.h"
#include "core/search/ideals/lattice_path.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

namespace stagecraft {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// What is known of the ideals of one boundary.
struct Layer
{
    std::unique_ptr<IdealLattice> lattice;
    std::vector<double> time;        // the most that can be computed up to there; -infinite: not reached
    std::vector<std::uint32_t> from; // the ideal of the boundary before, where reached
    // The best reached ideal within each ideal, itself allowed or not, by time - transfer.
    struct Best
    {
        double value = -infinite;
        std::uint32_t ideal = none;
    };
    std::vector<Best> within;
    std::vector<Best> strictlyWithin;
};

class IdealSearch
{
public:
    IdealSearch(const ReducedProblem& reduced, const StageWindows& windows, double limit,
                const IdealSearchLimits& limits)
        : m_reduced(reduced),
          m_windows(windows),
          m_limit(limit * (1 + 1e-12)),
          m_limits(limits),
          m_relayed(reduced.options.send == SendKind::Relay ||
                    reduced.options.objective == Objective::Compute),
          m_mayBeEmpty(reduced.mayLeaveEmpty())
    {
    }

    SplitAnswer run()
    {
        if (m_reduced.stageCount() == 1)
            return answerOf(m_reduced, GroupStages(m_reduced.size(), 0), m_limit);
        if (!buildLayers())
            return {};
        m_exact = std::ranges::all_of(m_layers, [](const Layer& layer) { return layer.lattice->isExact(); });
        const bool connected =
            std::ranges::all_of(m_layers, [](const Layer& layer) { return layer.lattice->isConnected(); });
        if (!m_relayed || !connected)
            return searchPairs();
        if (m_reduced.limitsMemory)
            return m_reduced.features.fronts ? searchFronts() : searchPairs();
        for (std::size_t b = 0; b < m_layers.size(); ++b) {
            reach(b);
            if (m_endsEarly)
                return {};
            if (std::ranges::max(m_layers[b].time) == -infinite)
                return {SplitAnswer::Verdict::Refuted, {}};
            spread(b);
        }
        return last();
    }

private:
    bool stop(std::size_t work) const { return m_limits.shouldStop && m_limits.shouldStop(work); }
    double speed(std::size_t stage) const { return m_reduced.options.speeds[stage]; }
    bool countsTransfers() const { return m_reduced.options.objective == Objective::Sum; }

    // Where entries of a lattice stand for several ideals, an empty stage cannot be told from one that is
    // not; but where all stages are alike, those left empty may as well be the last.
    bool mayFloat() const { return m_limits.mayFloat && (!m_mayBeEmpty || m_reduced.interchangeable); }

    std::vector<IdealLattice::Place> placesAt(std::size_t boundary) const
    {
        std::vector<IdealLattice::Place> places(m_reduced.size(), IdealLattice::Place::Free);
        for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
            if (m_windows.latest[group] <= boundary)
                places[group] = IdealLattice::Place::Before;
            else if (m_windows.earliest[group] > boundary)
                places[group] = IdealLattice::Place::Behind;
        }
        return places;
    }

    bool buildLayers()
    {
        const std::size_t boundaries = m_reduced.stageCount() - 1;
        m_layers.resize(boundaries);
        std::size_t left = m_limits.ideals;
        std::vector<WideBoundary> wide;
        for (std::size_t b = 0; b < boundaries; ++b) {
            const std::size_t most = mayFloat() ? m_limits.ideals / boundaries / 8 : left;
            auto lattice = makeLattice(b, placesAt(b), most);
            if (!lattice->isComplete() && !mayFloat() && m_reduced.features.bands && !stop(most * 100))
                lattice = listBand(b);
            if (!lattice->isComplete()) {
                if (!mayFloat() || stop(most * 100))
                    return false;
                wide.push_back(makeWide(b, most));
                lattice = std::move(m_layers[b].lattice);
            }
            if (!lattice || !lattice->isComplete() || lattice->size() > left || stop(lattice->size() * 200))
                return false;
            left -= lattice->size();
            m_layers[b].lattice = std::move(lattice);
        }
        std::ranges::stable_sort(wide, {}, &WideBoundary::floating);
        for (std::size_t i = 0; i < wide.size(); ++i) {
            left += m_layers[wide[i].boundary].lattice->size();
            refineWide(wide[i], std::min(left / (wide.size() - i), mostForPairs()));
            left -= m_layers[wide[i].boundary].lattice->size();
        }
        return true;
    }

    // Pairs of these are looked at one by one.
    std::unique_ptr<IdealLattice> listBand(std::size_t b) const
    {
        constexpr std::size_t mostIdeals = 40'000;
        const IdealBand band(m_reduced, m_windows, b, m_limit, m_mayBeEmpty);
        return std::make_unique<IdealLattice>(m_reduced, placesAt(b), b, band, mostIdeals,
                                              m_limits.shouldStop);
    }

    // A boundary with too many ideals, and how many groups float there.
    struct WideBoundary
    {
        std::size_t boundary;
        std::vector<GroupIndex> order; // in which they are left floating
        std::size_t floating;
    };

    std::unique_ptr<IdealLattice> makeLattice(std::size_t b, std::vector<IdealLattice::Place> places,
                                              std::size_t most) const
    {
        return std::make_unique<IdealLattice>(m_reduced, std::move(places), b, most, m_limits.shouldStop);
    }

    std::unique_ptr<IdealLattice> makeFloating(const WideBoundary& wide, std::size_t floating,
                                               std::size_t most) const
    {
        std::vector<IdealLattice::Place> places = placesAt(wide.boundary);
        for (std::size_t i = 0; i < floating; ++i)
            places[wide.order[i]] = IdealLattice::Place::Floating;
        return makeLattice(wide.boundary, std::move(places), most);
    }

    // With as few floating groups as keep it within `most` ideals.
    WideBoundary makeWide(std::size_t b, std::size_t most)
    {
        WideBoundary wide{b, floatingOrder(m_reduced, placesAt(b)), 0};
        (void)stop(wide.order.size() * wide.order.size() * 5 + m_reduced.size() * 100);
        std::size_t tooFew = 0;
        wide.floating = wide.order.size() + 1;
        while (wide.floating - tooFew > 1 && !stop(10'000)) {
            const std::size_t count = std::min(wide.order.size(), tooFew + (wide.floating - tooFew) / 2);
            auto candidate = makeFloating(wide, count, most);
            if (!candidate->isComplete()) {
                tooFew = count;
                continue;
            }
            wide.floating = count;
            m_layers[b].lattice = std::move(candidate);
        }
        return wide;
    }

    // Where pairs are looked at, no boundary may have so many ideals that all are spent on its stages.
    std::size_t mostForPairs() const
    {
        const double each = static_cast<double>(m_limits.pairs) / static_cast<double>(m_reduced.stageCount());
        return m_relayed ? m_limits.ideals : static_cast<std::size_t>(std::sqrt(each));
    }

    // Each group that floats no more about doubles the ideals; where it does worse, fewer are tried.
    void refineWide(WideBoundary& wide, std::size_t most)
    {
        auto& lattice = m_layers[wide.boundary].lattice;
        std::size_t fewest = 0; // floating groups that may do
        while (wide.floating > fewest && most >= lattice->size() * 3 / 2 && !stop(10'000)) {
            const auto doublings = static_cast<std::size_t>(std::bit_width(most / lattice->size()));
            const std::size_t wanted =
                wide.floating - std::min(wide.floating, std::max<std::size_t>(1, doublings - 1));
            const std::size_t count = std::max(wanted, fewest);
            auto candidate = makeFloating(wide, count, most);
            if (!candidate->isComplete()) {
                fewest = count + 1;
                continue;
            }
            wide.floating = count;
            lattice = std::move(candidate);
        }
    }

    // Can the stage in front of boundary b end with this ideal, if it begins with the best there is?
    void reach(std::size_t b)
    {
        Layer& layer = m_layers[b];
        const IdealLattice& lattice = *layer.lattice;
        layer.time.assign(lattice.size(), -infinite);
        layer.from.assign(lattice.size(), none);
        std::optional<IdealLattice::Projector> projector;
        if (b > 0)
            projector.emplace(*m_layers[b - 1].lattice, lattice);
        for (std::size_t ideal = 0; ideal < lattice.size(); ++ideal) {
            Layer::Best best{0, 0};
            if (b > 0) {
                const auto [before, whole] = projector->project(ideal);
                best = whole ? m_layers[b - 1].strictlyWithin[before] : m_layers[b - 1].within[before];
                if (whole && m_mayBeEmpty && m_layers[b - 1].time[before] != -infinite) {
                    layer.time[ideal] = m_layers[b - 1].time[before];
                    layer.from[ideal] = before;
                    continue;
                }
            } else if (lattice.isEmpty(ideal)) {
                layer.time[ideal] = m_mayBeEmpty ? 0 : -infinite;
                continue;
            }
            if (best.value != -infinite)
                reachFrom(b, ideal, best);
        }
    }

    void reachFrom(std::size_t b, std::size_t ideal, const Layer::Best& best)
    {
        Layer& layer = m_layers[b];
        const IdealLattice& lattice = *layer.lattice;
        const double cut = lattice.cut(ideal);
        const double uncut = best.value + m_limit * speed(b);
        if (!m_exact && m_mayBeEmpty && uncut >= m_reduced.totalSeconds - tolerance())
            m_endsEarly = true; // perhaps all later stages are empty
        if (m_reduced.options.objective == Objective::Overlap && cut > m_limit)
            return;
        const double time = countsTransfers() ? lattice.timeWithin(ideal, uncut) : uncut;
        if (time < lattice.leastTime(ideal) - tolerance() ||
            (countsTransfers() && uncut < lattice.endTime(ideal) - tolerance()))
            return;
        layer.time[ideal] = std::clamp(time, lattice.leastTime(ideal), lattice.mostTime(ideal));
        layer.from[ideal] = best.ideal;
    }

    double tolerance() const { return 1e-12 * m_reduced.totalSeconds; }

    // What ends no stage, for the one before is empty, may yet be too dear a begin.
    bool mayBegin(double cut) const
    {
        return m_reduced.options.objective != Objective::Overlap || cut <= m_limit;
    }

    // What the next stage has begun with, less what the transfers take of its time.
    double beginTime(std::size_t b, std::size_t ideal) const
    {
        const IdealLattice& lattice = *m_layers[b].lattice;
        const double time = m_layers[b].time[ideal];
        if (!countsTransfers())
            return time;
        return lattice.beginTime(ideal, time);
    }

    // How good a begin of the next stage the reached ideals within each ideal are.
    void spread(std::size_t b)
    {
        Layer& layer = m_layers[b];
        const IdealLattice& lattice = *layer.lattice;
        layer.within.assign(lattice.size(), {});
        layer.strictlyWithin.assign(lattice.size(), {});
        const auto improve = [](Layer::Best& best, const Layer::Best& candidate) {
            if (candidate.value > best.value)
                best = candidate;
        };
        for (std::uint32_t ideal = 0; ideal < lattice.size(); ++ideal) {
            if (layer.time[ideal] != -infinite && mayBegin(lattice.cut(ideal)))
                layer.within[ideal] = {beginTime(b, ideal), ideal};
        }
        for (const auto& [from, to] : lattice.steps()) {
            improve(layer.strictlyWithin[to], layer.within[from]);
            improve(layer.within[to], layer.within[from]);
        }
    }

    // The last stage ends with everything.
    SplitAnswer last()
    {
        const std::size_t b = m_layers.size() - 1;
        const Layer& layer = m_layers[b];
        const auto top = static_cast<std::uint32_t>(layer.lattice->size() - 1);
        const bool whole =
            layer.lattice->isExact() &&
            std::ranges::none_of(m_windows.earliest, [&](std::uint32_t stage) { return stage > b; });
        const Layer::Best best = whole ? layer.strictlyWithin[top] : layer.within[top];
        if (whole && m_mayBeEmpty && layer.time[top] != -infinite)
            return trace(top);
        if (best.value == -infinite ||
            m_reduced.totalSeconds > m_limit * speed(b + 1) + best.value + tolerance())
            return {SplitAnswer::Verdict::Refuted, {}};
        return trace(best.ideal);
    }

    SplitAnswer trace(std::uint32_t ideal) const
    {
        std::vector<LatticePoint> path(m_layers.size());
        for (std::size_t b = m_layers.size(); b-- > 0;) {
            path[b] = {m_layers[b].lattice.get(), ideal, m_layers[b].time[ideal]};
            ideal = m_layers[b].from[ideal];
        }
        return answerAlong(m_reduced, path, m_limit);
    }

    std::vector<const IdealLattice*> lattices() const
    {
        std::vector<const IdealLattice*> all;
        for (const Layer& layer : m_layers)
            all.push_back(layer.lattice.get());
        return all;
    }

    SplitAnswer searchPairs() const
    {
        return findSplitByPairs(m_reduced, m_windows, lattices(), m_limit, m_limits);
    }

    SplitAnswer searchFronts() const
    {
        SplitAnswer answer = findSplitByFronts(m_reduced, m_windows, lattices(), m_limit, m_limits);
        const bool addsUp = m_reduced.shared.empty() &&
                            std::ranges::all_of(m_reduced.groups,
                                                [](const auto& group) { return group.transient == Bytes{}; });
        if (answer.verdict != SplitAnswer::Verdict::GaveUp || addsUp || !m_exact)
            return answer;
        return searchPairs();
    }

    const ReducedProblem& m_reduced;
    const StageWindows& m_windows;
    double m_limit;
    const IdealSearchLimits& m_limits;
    bool m_relayed;
    bool m_mayBeEmpty;
    bool m_exact = true;
    bool m_endsEarly = false;
    std::vector<Layer> m_layers;
};

} // namespace

SplitAnswer findSplit(const ReducedProblem& reduced, const StageWindows& windows, double limit,
                      const IdealSearchLimits& limits)
{
    return IdealSearch(reduced, windows, limit, limits).run();
}

} // namespace stagecraft
