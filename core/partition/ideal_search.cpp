#include "core/partition/ideal_search.h"

#include "core/partition/ideal_lattice.h"
#include "core/partition/ideal_pairs.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace stagecraft {

namespace {

constexpr double lowest = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// What is known of the ideals of one boundary.
struct Layer
{
    std::unique_ptr<IdealLattice> lattice;
    std::vector<char> reached;
    std::vector<std::uint32_t> from; // the ideal of the boundary before, where reached
    // The best reached ideal within each ideal, itself allowed or not, by time - transfer.
    struct Best
    {
        double value = lowest;
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
          m_mayBeEmpty(reduced.allowsEmpty() || reduced.joined)
    {
    }

    SplitAnswer run()
    {
        if (m_reduced.stageCount() == 1)
            return finish(GroupStages(m_reduced.size(), 0));
        if (!buildLayers())
            return {};
        // Only relayed values without memory limits are settled by the sieve alone.
        const bool exact = m_relayed && !m_reduced.limitsMemory;
        if (!exact)
            return searchPairs();
        for (std::size_t b = 0; b < m_layers.size(); ++b) {
            reach(b);
            if (std::ranges::find(m_layers[b].reached, 1) == m_layers[b].reached.end())
                return {SplitAnswer::Verdict::Refuted, {}};
            spread(b);
        }
        return last();
    }

private:
    bool stop() const { return m_limits.shouldStop && m_limits.shouldStop(); }
    double speed(std::size_t stage) const { return m_reduced.options.speeds[stage]; }
    bool countsTransfers() const { return m_reduced.options.objective == Objective::Sum; }

    bool buildLayers()
    {
        std::size_t ideals = 0;
        for (std::size_t b = 0; b + 1 < m_reduced.stageCount(); ++b) {
            std::vector<IdealLattice::Place> places(m_reduced.size(), IdealLattice::Place::Free);
            for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
                if (m_windows.latest[group] <= b)
                    places[group] = IdealLattice::Place::Before;
                else if (m_windows.earliest[group] > b)
                    places[group] = IdealLattice::Place::Behind;
            }
            Layer layer;
            layer.lattice = std::make_unique<IdealLattice>(m_reduced, std::move(places), b,
                                                           m_limits.ideals - ideals, m_limits.shouldStop);
            ideals += layer.lattice->size();
            if (!layer.lattice->isComplete() || ideals > m_limits.ideals || stop())
                return false;
            m_layers.push_back(std::move(layer));
        }
        return true;
    }

    // Can the stage in front of boundary b end with this ideal, if it begins with the best there is?
    void reach(std::size_t b)
    {
        Layer& layer = m_layers[b];
        const IdealLattice& lattice = *layer.lattice;
        layer.reached.assign(lattice.size(), 0);
        layer.from.assign(lattice.size(), none);
        std::optional<IdealLattice::Projector> projector;
        if (b > 0)
            projector.emplace(*m_layers[b - 1].lattice, lattice);
        for (std::size_t ideal = 0; ideal < lattice.size(); ++ideal) {
            Layer::Best best{0, 0};
            bool empty = b == 0 && lattice.isEmpty(ideal);
            if (b > 0) {
                const auto [before, whole] = projector->project(ideal);
                best = whole ? m_layers[b - 1].strictlyWithin[before] : m_layers[b - 1].within[before];
                empty = whole && m_layers[b - 1].reached[before];
                if (empty && m_mayBeEmpty) {
                    layer.reached[ideal] = 1;
                    layer.from[ideal] = before;
                    continue;
                }
            }
            if (empty && b == 0) {
                layer.reached[ideal] = m_mayBeEmpty;
                continue;
            }
            const double cut = lattice.cut(ideal);
            const double needed = lattice.time(ideal) + (countsTransfers() ? cut * speed(b) : 0);
            if (m_reduced.options.objective == Objective::Overlap && cut > m_limit)
                continue;
            if (best.value != lowest && needed <= m_limit * speed(b) + best.value + tolerance()) {
                layer.reached[ideal] = 1;
                layer.from[ideal] = best.ideal;
            }
        }
    }

    double tolerance() const { return 1e-12 * m_reduced.totalTime; }

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
            if (layer.reached[ideal])
                layer.within[ideal] = {
                    lattice.time(ideal) - (countsTransfers() ? lattice.cut(ideal) * speed(b + 1) : 0), ideal};
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
            std::ranges::none_of(m_windows.earliest, [&](std::uint32_t stage) { return stage > b; });
        const Layer::Best best = whole ? layer.strictlyWithin[top] : layer.within[top];
        if (whole && m_mayBeEmpty && layer.reached[top])
            return trace(top);
        if (best.value == lowest || m_reduced.totalTime > m_limit * speed(b + 1) + best.value + tolerance())
            return {SplitAnswer::Verdict::Refuted, {}};
        return trace(best.ideal);
    }

    SplitAnswer trace(std::uint32_t ideal) const
    {
        const auto lastStage = static_cast<std::uint32_t>(m_layers.size());
        GroupStages stages(m_reduced.size(), lastStage);
        for (std::size_t b = m_layers.size(); b-- > 0;) {
            for (GroupIndex group = 0; group < m_reduced.size(); ++group) {
                if (m_layers[b].lattice->contains(ideal, group))
                    stages[group] = static_cast<std::uint32_t>(b);
            }
            ideal = m_layers[b].from[ideal];
        }
        return finish(std::move(stages));
    }

    SplitAnswer finish(GroupStages stages) const
    {
        if (bottleneckOf(m_reduced, stages) > m_limit * (1 + 1e-9))
            return {}; // an empty stage that may not be, or rounding
        return {SplitAnswer::Verdict::Found, std::move(stages)};
    }

    SplitAnswer searchPairs()
    {
        std::vector<const IdealLattice*> lattices;
        for (const Layer& layer : m_layers)
            lattices.push_back(layer.lattice.get());
        return findSplitByPairs(m_reduced, m_windows, lattices, m_limit, m_limits);
    }

    const ReducedProblem& m_reduced;
    const StageWindows& m_windows;
    double m_limit;
    const IdealSearchLimits& m_limits;
    bool m_relayed;
    bool m_mayBeEmpty;
    std::vector<Layer> m_layers;
};

} // namespace

SplitAnswer findSplit(const ReducedProblem& reduced, const StageWindows& windows, double limit,
                      const IdealSearchLimits& limits)
{
    return IdealSearch(reduced, windows, limit, limits).run();
}

} // namespace stagecraft
