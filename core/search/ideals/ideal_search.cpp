#include "core/search/ideals/ideal_search.h"

#include "core/search/ideals/floating_groups.h"
#include "core/search/ideals/ideal_lattice.h"
#include "core/search/ideals/lattice_sweep.h"
#include "core/search/ideals/pair_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

namespace stagecraft {

namespace {

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
        if (!buildLattices())
            return {};
        SplitQuestion question{m_reduced, m_windows, m_limit, m_limits};
        for (const auto& lattice : m_lattices)
            question.lattices.push_back(lattice.get());
        if (!m_relayed || (m_reduced.limitsMemory && !m_reduced.features.fronts))
            return sweepPairs(question);
        SplitAnswer answer = sweepLattices(question);
        const bool addsUp = !m_reduced.limitsMemory ||
                            (m_reduced.runtime.holdsNothing() && m_reduced.shared.empty() &&
                             std::ranges::all_of(m_reduced.groups, [](const ReducedGroup& group) {
                                 return group.transients.whole == Bytes{} && group.held.waiting == Bytes{};
                             }));
        if (answer.verdict != SplitAnswer::Verdict::GaveUp || addsUp || !question.isExact())
            return answer;
        return sweepPairs(question);
    }

private:
    bool stop(std::size_t work) const { return m_limits.shouldStop && m_limits.shouldStop(work); }

    // Where entries of a lattice stand for several ideals, an empty stage cannot be told from one that is
    // not; but where all stages are alike, those left empty may as well be the last.
    bool mayFloat() const { return m_limits.mayFloat && (!m_mayBeEmpty || m_reduced.interchangeable); }

    IdealLattice::Places placesAt(std::size_t boundary) const
    {
        IdealLattice::Places places(m_reduced.size(), IdealLattice::Place::Free);
        for (const ReducedGroupId group : m_reduced.groups.ids()) {
            if (m_windows.latest[group] <= boundary)
                places[group] = IdealLattice::Place::Before;
            else if (m_windows.earliest[group] > boundary)
                places[group] = IdealLattice::Place::Behind;
        }
        return places;
    }

    bool buildLattices()
    {
        const std::size_t boundaries = m_reduced.stageCount() - 1;
        m_lattices.resize(boundaries);
        std::size_t left = m_limits.ideals;
        std::vector<WideBoundary> wide;
        for (std::size_t b = 0; b < boundaries; ++b) {
            const std::size_t most = mayFloat() ? m_limits.ideals / boundaries / 8 : left;
            auto lattice = makeLattice(b, placesAt(b), most);
            if (!lattice->isComplete()) {
                if (!mayFloat() || stop(most * 100))
                    return false;
                wide.push_back(makeWide(b, most));
                lattice = std::move(m_lattices[b]);
            }
            if (!lattice || !lattice->isComplete() || lattice->size() > left || stop(lattice->size() * 200))
                return false;
            left -= lattice->size();
            m_lattices[b] = std::move(lattice);
        }
        std::ranges::stable_sort(wide, {}, &WideBoundary::floating);
        for (std::size_t i = 0; i < wide.size(); ++i) {
            left += m_lattices[wide[i].boundary]->size();
            refineWide(wide[i], std::min(left / (wide.size() - i), mostForPairs()));
            left -= m_lattices[wide[i].boundary]->size();
        }
        return true;
    }

    // A boundary with too many ideals, and how many groups float there.
    struct WideBoundary
    {
        std::size_t boundary;
        std::vector<ReducedGroupId> order; // in which they are left floating
        std::size_t floating;
    };

    std::unique_ptr<IdealLattice> makeLattice(std::size_t b, IdealLattice::Places places,
                                              std::size_t most) const
    {
        return std::make_unique<IdealLattice>(m_reduced, std::move(places), b, most, m_limits.shouldStop);
    }

    std::unique_ptr<IdealLattice> makeFloating(const WideBoundary& wide, std::size_t floating,
                                               std::size_t most) const
    {
        IdealLattice::Places places = placesAt(wide.boundary);
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
            m_lattices[b] = std::move(candidate);
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
        auto& lattice = m_lattices[wide.boundary];
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

    const ReducedProblem& m_reduced;
    const StageWindows& m_windows;
    double m_limit;
    const IdealSearchLimits& m_limits;
    bool m_relayed;
    bool m_mayBeEmpty;
    std::vector<std::unique_ptr<IdealLattice>> m_lattices; // boundary by boundary
};

} // namespace

SplitAnswer findSplit(const ReducedProblem& reduced, const StageWindows& windows, double limit,
                      const IdealSearchLimits& limits)
{
    return IdealSearch(reduced, windows, limit, limits).run();
}

} // namespace stagecraft
