// RecomputeAttempts: partitions tried out with as little recomputed as their stages demand, and the best of
// them, within the time of a search.
#pragma once

#include "core/base/work_clock.h"
#include "core/recompute_known.h"
#include "core/traced_choice.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace stagecraft {

// What is compared of plans, and how much less of it another must promise to be looked at.
double worth(const PlanCost& cost);
constexpr double toGain = 1e-3;

class RecomputeAttempts
{
public:
    // `profiler` and `progress` must outlive it. Its time begins here.
    RecomputeAttempts(std::shared_ptr<const Model> model, PartitionOptions options, const Profiler& profiler,
                      const Progress& progress);

    Seconds elapsed() const { return m_clock.elapsed(); }
    Seconds passed() const { return m_clock.passed(); } // on the wall
    Seconds left() const;
    // Not before `moment` from now has passed.
    IsOver isOver(Seconds moment = {}) const;
    IsOver overAt(Seconds end) const;
    // Traces end later than they begin: none begins that would take longer than is left.
    IsOver overOfTraces() const;
    // Is there time for a partition like the last, before `end`?
    bool isTimeForOne(Seconds end) const { return elapsed() <= latestFor(end); }
    Seconds latestFor(Seconds end) const { return end - m_lastTook; } // when it has to begin
    // Of cuts for what is recomputed already: a first plan is made however little time there is.
    bool isTimeForSearch(Seconds end) const
    {
        constexpr double traces = 25; // that it may take
        return elapsed() + m_trace * traces <= end;
    }
    // May some be traced that are no better by estimate?
    bool isCheap(double share) const
    {
        constexpr double usual = 4; // traces of one
        return std::min(m_lastTook, m_trace * usual) <= m_options.timeLimit * share;
    }

    Result<RecomputedProblem> pose(RecomputeKind kind) const;
    // What there is to choose from: every block recomputed, and what its pieces could keep. Before all below.
    Result<void> lay(const RecomputedProblem& none);
    const RecomputeChooser& chooser() const { return *m_chooser; }
    RecomputeChooser takeChooser() { return *std::move(m_chooser); }
    const RecomputeGround& ground() const { return m_chooser->ground(); }
    const std::vector<std::string>& notes() const { return m_notes; } // of every block recomputed

    TracedChoice choice() const;
    RecomputeChooser::Known& known() { return m_known; } // of chooser()
    std::vector<Bytes> rooms() const { return choice().rooms(ground().none.options.memoryLimits); }

    enum class Trial { AsChosen, InTime, InAnyCase };
    using Careful = RecomputeChooser::Careful;
    // The partition with as little recomputed as its stages demand, of all but the slowest about; as long as
    // there is no plan, with what a person could tell them, unless it is as chosen alone. In any case: one at
    // which every block recomputed fits, as long as nothing else does. None: it was not traced.
    Result<std::optional<PlanCost>> tryOut(const Partition& partition, Trial trial = Trial::InTime,
                                           Careful careful = Careful::Slowest);
    void take(TracedPlan plan);
    // None is at hand, or one that slow may be better.
    bool isWorthATrace(Seconds slowest) const;

    const TracedPlan* best() const { return m_best ? &*m_best : nullptr; }
    TracedPlan takeBest() { return *std::move(m_best); }
    // Of those over the limits; none: none was.
    const TracedPlan* nearest() const { return m_nearest ? &*m_nearest : nullptr; }
    TracedPlan takeNearest() { return *std::move(m_nearest); }
    const std::vector<Partition>& tried() const { return m_tried; }
    std::size_t bests() const { return m_bests; } // how many there have been

private:
    std::shared_ptr<const Model> m_model;
    PartitionOptions m_options;
    const Profiler& m_profiler;
    const Progress& m_progress;
    WorkClock m_clock;
    std::optional<RecomputeChooser> m_chooser;
    RecomputeChooser::Known m_known;
    std::optional<ToldPolicies> m_told;
    std::vector<std::string> m_notes;
    std::vector<Partition> m_tried;
    std::optional<TracedPlan> m_best;
    std::optional<TracedPlan> m_nearest;
    std::size_t m_bests = 0;
    Seconds m_trace;    // that one takes
    Seconds m_lastTook; // all traces of the last partition
};

} // namespace stagecraft
