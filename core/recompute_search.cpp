#include "core/recompute_search.h"

#include "core/base/text.h"
#include "core/plan/editing.h"
#include "core/plan/evaluate.h"
#include "core/recompute/policies.h"
#include "core/recompute_bound.h"
#include "core/recompute_choice.h"
#include "core/recompute_cuts.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stagecraft {

namespace {

using Clock = std::chrono::steady_clock;

// How often a choice is corrected by what its trace says, and cuts by what is chosen.
constexpr int mostCorrections = 4;
constexpr int roundsOfCuts = 2;
constexpr double toGain = 1e-3; // at least, that recomputation is looked at where a plan fits without
constexpr Seconds momentOfBound(0.6);
constexpr Seconds momentOfCuts(0.5); // a first plan is made in any case
constexpr double leastGain = 5e-4;   // of a move of a boundary
constexpr int mostRounds = 4;
// Of the time that there is: to know that nothing fits without recomputation, and for a search with it.
constexpr double shareWithout = 0.25;
constexpr double shareOfRound = 0.15;

PartitionOptions under(PartitionOptions options, RecomputeKind kind, RecomputePlan regions = {})
{
    options.recompute = {.kind = kind, .regions = std::move(regions)};
    return options;
}

// What came of it is the automatic choice.
RecomputedPlan asAuto(RecomputedPlan plan)
{
    plan.of.problem.options.recompute.kind = RecomputeKind::Auto;
    return plan;
}

// A plan as it runs.
struct Candidate
{
    RecomputedProblem of;
    Partition partition;
    PlanCost cost;
};

double worth(const Candidate& candidate)
{
    return (candidate.cost.objective == Objective::Iteration ? candidate.cost.iteration
                                                             : candidate.cost.bottleneckTime)
        .value();
}

class AutoSearch
{
public:
    AutoSearch(std::shared_ptr<const Model> model, PartitionOptions options, const Profiler& profiler,
               const Progress& progress)
        : m_model(std::move(model)),
          m_options(std::move(options)),
          m_profiler(profiler),
          m_progress(progress),
          m_begin(Clock::now()),
          m_end(m_begin + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(std::min(m_options.timeLimit.value(), 1e8))))
    {
    }

    Result<RecomputedPlan> find(OverLimit overLimit)
    {
        STAGECRAFT_ASSIGN(none, pose(RecomputeKind::None));
        Result<FoundPlan> without = search(none.problem, nullptr, shareWithout);
        if (!without.has_value() && without.error().code != ErrorCode::Infeasible)
            return without.error();
        if (without.has_value()) {
            const Solution& solution = without->solution;
            STAGECRAFT_ASSIGN(least, planBound(withoutMemoryLimits(none.problem), solution.cost, m_progress));
            if (least.value >= solution.cost.bottleneckTime * (1 - toGain))
                return asAuto({std::move(none), *std::move(without)});
            // It fits because its stages are uneven: even ones that recompute may be faster.
            m_best = Candidate{none, solution.partition, solution.cost};
        }
        STAGECRAFT_TRY(lay(std::move(none)));
        m_corrected = rooms();
        for (int i = 0; i < roundsOfCuts; ++i) // the second knows what stages held more than estimated
            if (const auto cuts = recomputedCuts(*m_chooser, m_corrected, isOver(momentOfCuts)))
                STAGECRAFT_TRY(tryPartition(*cuts));
        using Ways = RecomputeChooser::Ways;
        if (const auto cuts = recomputedCuts(*m_chooser, rooms(), isOver(momentOfCuts), Ways::WholeBlocks))
            STAGECRAFT_TRY(tryWays(*cuts, Ways::WholeBlocks));
        STAGECRAFT_TRY(bound());
        if (!isClosed()) {
            Result<FoundPlan> all = search(m_chooser->ground().full, nullptr, shareOfRound);
            if (all.has_value())
                STAGECRAFT_TRY(tryPartition(all->solution.partition));
        }
        STAGECRAFT_TRY(improve());
        if (!m_best)
            return overLimitPlan(overLimit);
        return finish();
    }

    Result<RecomputedPlan> choose(Partition partition)
    {
        STAGECRAFT_ASSIGN(none, pose(RecomputeKind::None));
        STAGECRAFT_TRY(checkPartition(none.problem, partition));
        if (evaluate(none.problem, partition).fits()) {
            STAGECRAFT_ASSIGN(solution, evaluatePlan(none.problem, std::move(partition), m_progress));
            return asAuto({std::move(none), {std::move(solution), {}}});
        }
        STAGECRAFT_TRY(lay(std::move(none)));
        STAGECRAFT_TRY(tryPartition(partition));
        if (m_best)
            return finish();
        STAGECRAFT_ASSIGN(every, evaluateRecomputedPlan(m_model, under(m_options, RecomputeKind::Full),
                                                        std::move(partition), m_profiler, m_progress));
        every.of.notes.emplace_back("not every stage fits, though it recomputes every block");
        return asAuto(std::move(every));
    }

    Result<RecomputeChooser> chooser()
    {
        STAGECRAFT_ASSIGN(none, pose(RecomputeKind::None));
        STAGECRAFT_TRY(lay(std::move(none)));
        return *std::move(m_chooser);
    }

private:
    Result<RecomputedProblem> pose(RecomputeKind kind) const
    {
        return recomputedProblem(m_model, under(m_options, kind), m_profiler, nullptr, m_progress);
    }

    Seconds left() const
    {
        return Seconds(std::max(0.0, std::chrono::duration<double>(m_end - Clock::now()).count()));
    }
    // Not before `moment` from now has passed.
    IsOver isOver(Seconds moment = {}) const
    {
        const auto soon = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(moment.value()));
        return
            [this, end = std::max(m_end, soon)] { return Clock::now() > end || m_progress.stopRequested(); };
    }

    Result<FoundPlan> search(PartitionProblem problem, const Partition* current, double share) const
    {
        problem.options.timeLimit =
            std::min(left(), Seconds(std::max(0.2, share * m_options.timeLimit.value())));
        return findPlan(problem, {.current = current, .overLimit = OverLimit::Refused}, m_progress);
    }

    // Every block recomputed, and what its pieces could keep.
    Result<void> lay(RecomputedProblem none)
    {
        STAGECRAFT_ASSIGN(full, pose(RecomputeKind::Full));
        m_notes = full.notes;
        STAGECRAFT_ASSIGN(ground, recomputeGround({*none.model, none.profile, none.problem},
                                                  {*full.model, full.profile, full.problem}, m_progress));
        m_chooser.emplace(std::move(ground));
        return {};
    }

    // What stages of one device may hold together, each has its share of.
    std::vector<Bytes> rooms() const
    {
        const PartitionOptions& options = m_chooser->ground().none.options;
        std::vector<Bytes> rooms = options.memoryLimits;
        for (Bytes& room : rooms)
            if (room != Bytes::max())
                room = Bytes(room.count() / static_cast<std::int64_t>(options.stagesEach()));
        return rooms;
    }

    // The partition with as little recomputed as its stages demand, if it keeps the limits and is the best.
    Result<void> tryPartition(const Partition& partition)
    {
        if (!checkPartition(m_chooser->ground().none, partition).has_value())
            return {};
        STAGECRAFT_TRY(tryWays(partition, RecomputeChooser::Ways::Any));
        if (m_best && (left() <= Seconds{} || isClosed()))
            return {};
        return tryWays(partition, RecomputeChooser::Ways::WholeBlocks);
    }

    Result<void> tryWays(const Partition& partition, RecomputeChooser::Ways ways)
    {
        std::vector<Bytes> rooms = this->rooms();
        for (int i = 0; i < mostCorrections; ++i) {
            const auto chosen = m_chooser->choose(partition, rooms, ways);
            if (!chosen)
                return {};
            STAGECRAFT_ASSIGN(posed,
                              recomputedProblem(m_model, under(m_options, RecomputeKind::Plan, chosen->plan),
                                                m_profiler, &partition, m_progress));
            const PlanCost cost = evaluate(posed.problem, partition);
            const bool changed = correct(*chosen, cost, rooms);
            if (ways == RecomputeChooser::Ways::Any)
                m_corrected = rooms;
            if (cost.fits())
                take({std::move(posed), partition, cost});
            if (!changed || m_progress.stopRequested() || (m_best && left() <= Seconds{}))
                return {};
        }
        return {};
    }

    // What a stage holds more than estimated, it has less room for, and the other way round.
    bool correct(const RecomputeChooser::Choice& chosen, const PlanCost& cost,
                 std::vector<Bytes>& rooms) const
    {
        const std::vector<Bytes> limits = this->rooms();
        bool changed = false;
        for (std::size_t stage = 0; stage < rooms.size(); ++stage) {
            const Bytes holds = cost.stages[StageId(stage)].peakMemory;
            const Bytes room = limits[stage] - (holds - chosen.memory[stage]);
            if (limits[stage] == Bytes::max() || room == rooms[stage])
                continue;
            // Only what does not fit, or may be worth it.
            changed = changed || holds > limits[stage] || room > rooms[stage];
            rooms[stage] = room;
        }
        return changed;
    }

    void take(Candidate candidate)
    {
        if (!m_best || worth(candidate) < worth(*m_best)) {
            m_best = std::move(candidate);
            m_isBetter = true;
        }
    }

    // The slowest stage, by the estimate of what each recomputes; none: some stage has no room.
    std::optional<Seconds> estimate(const Partition& partition) const
    {
        const auto chosen = m_chooser->choose(partition, m_corrected);
        if (!chosen)
            return std::nullopt;
        const PlanCost cost = evaluate(m_chooser->ground().none, partition);
        Seconds slowest;
        for (const StageId stage : cost.stages.ids())
            slowest = std::max(slowest, cost.stages[stage].load +
                                            chosen->added[stage.index()] /
                                                m_chooser->ground().none.options.speeds[stage.index()]);
        return slowest;
    }

    // Each boundary to other places near by, as long as the estimate gets better.
    Partition climbed(Partition partition) const
    {
        const PartitionProblem& problem = m_chooser->ground().none;
        std::optional<Seconds> best = estimate(partition);
        for (bool again = best.has_value(); again && !isOver()();) {
            again = false;
            for (std::size_t boundary = 0; boundary + 1 < partition.stageCount; ++boundary) {
                const BoundaryId id(boundary);
                const std::vector<std::size_t> places = legalPositions(problem, partition, id);
                const std::size_t here = stageOrder(partition).boundaries[boundary];
                const auto at = std::ranges::lower_bound(places, here) - places.begin();
                for (const std::ptrdiff_t step : {-64, 64, -16, 16, -4, 4, -1, 1}) {
                    if (isOver()() || at + step < 0 || at + step >= std::ssize(places))
                        continue;
                    const Result<Edit> moved =
                        moveBoundary(problem, partition, id, places[static_cast<std::size_t>(at + step)]);
                    const auto found = moved.has_value() ? estimate(moved->partition) : std::nullopt;
                    if (!found || *found >= *best * (1 - leastGain))
                        continue;
                    best = found;
                    partition = moved->partition;
                    again = true;
                    break;
                }
            }
        }
        return partition;
    }

    // The cuts for what is recomputed, and what is recomputed for these cuts, until neither is better.
    Result<void> improve()
    {
        for (int round = 0; m_best && round < mostRounds && !isClosed() && !isOver()(); ++round) {
            m_isBetter = false;
            if (const Partition near = climbed(m_best->partition); near != m_best->partition)
                STAGECRAFT_TRY(tryPartition(near));
            const Result<FoundPlan> found = search(m_best->of.problem, &m_best->partition, shareOfRound);
            if (found.has_value() && found->solution.partition != m_best->partition)
                STAGECRAFT_TRY(tryPartition(found->solution.partition));
            if (!m_isBetter)
                return {};
        }
        return {};
    }

    // What no plan is better than, of those better than the one at hand.
    Result<void> bound()
    {
        if (!m_best || m_bound)
            return {};
        const RecomputeGround& ground = m_chooser->ground();
        STAGECRAFT_ASSIGN(unlimited, planBound(withoutMemoryLimits(ground.none), m_best->cost, m_progress));
        m_bound = std::move(unlimited);
        if (Bound joint =
                recomputedBound(ground, m_best->cost.bottleneckTime, overOf(m_progress, momentOfBound));
            joint.value > m_bound->value)
            m_bound = std::move(joint);
        return {};
    }

    // Is there next to nothing left to gain?
    bool isClosed() const
    {
        return m_best && m_bound && m_best->cost.objective != Objective::Iteration &&
               m_bound->value >= m_best->cost.bottleneckTime * (1 - toGain);
    }

    // Regions that keep as much as they would without are no regions, if the plan does without them.
    Result<void> dropUseless()
    {
        RecomputePlan useful;
        const RecomputePlan& all = m_best->of.problem.options.recompute.regions;
        for (const RecomputeRegion& region : all.regions) {
            Bytes with, without;
            for (const NodeId node : region.nodes) {
                with += m_best->of.profile.nodes[node].savedBytes;
                without += m_chooser->ground().saved[node];
            }
            if (with < without)
                useful.regions.push_back(region);
        }
        if (useful == all)
            return {};
        STAGECRAFT_ASSIGN(posed, recomputedProblem(m_model, under(m_options, RecomputeKind::Plan, useful),
                                                   m_profiler, &m_best->partition, m_progress));
        const PlanCost cost = evaluate(posed.problem, m_best->partition);
        Candidate lean{std::move(posed), m_best->partition, cost};
        if (cost.fits() && worth(lean) <= worth(*m_best))
            m_best = std::move(lean);
        return {};
    }

    Result<RecomputedPlan> finish()
    {
        STAGECRAFT_TRY(bound());
        STAGECRAFT_TRY(dropUseless());
        Solution solution{.partition = std::move(m_best->partition), .cost = std::move(m_best->cost)};
        solution.bound = std::move(*m_bound);
        solution.bound.value = std::min(solution.bound.value, solution.cost.bottleneckTime);
        solution.solveTime = Seconds(std::chrono::duration<double>(Clock::now() - m_begin).count());
        solution.iterationBound = quickStepBound(m_chooser->ground().none, solution.bound);
        for (std::string& note : m_notes)
            m_best->of.notes.push_back(std::move(note));
        return asAuto({std::move(m_best->of), {std::move(solution), {}}});
    }

    // Every block recomputed: the best that breaks the limits, or why there is none and what limit would do.
    Result<RecomputedPlan> overLimitPlan(OverLimit overLimit) const
    {
        PartitionProblem problem = m_chooser->ground().full;
        problem.options.timeLimit = std::max(Seconds(1), left());
        const std::string even = "even where every block is recomputed, ";
        Result<FoundPlan> found = findPlan(problem, {.overLimit = overLimit}, m_progress);
        if (!found.has_value())
            return Error{found.error().code, even + found.error().message};
        STAGECRAFT_ASSIGN(parted, evaluateRecomputedPlan(m_model, under(m_options, RecomputeKind::Full),
                                                         std::move(found->solution.partition), m_profiler,
                                                         m_progress));
        const bool fits = parted.found.solution.cost.fits();
        if (!fits && overLimit == OverLimit::Refused)
            return Error{ErrorCode::Infeasible, even + "no plan was found that keeps the memory limits"};
        if (!fits)
            parted.found.whyOverLimit =
                even + (found->whyOverLimit.empty() ? "no plan was found that keeps the memory limits"
                                                    : found->whyOverLimit);
        return asAuto(std::move(parted));
    }

    std::shared_ptr<const Model> m_model;
    PartitionOptions m_options;
    const Profiler& m_profiler;
    const Progress& m_progress;
    Clock::time_point m_begin;
    Clock::time_point m_end;
    std::optional<RecomputeChooser> m_chooser;
    std::vector<Bytes>
        m_corrected; // what stages may hold by the estimate, so that they hold no more in truth
    std::optional<Candidate> m_best;
    std::optional<Bound> m_bound;
    bool m_isBetter = false;
    std::vector<std::string> m_notes;
};

constexpr Seconds timeOfAdvice(3);

} // namespace

std::string autoAdvice(const std::shared_ptr<const Model>& model, PartitionOptions options,
                       const Profiler& profiler, const Progress& progress)
{
    if (progress.stopRequested() || options.recompute.kind == RecomputeKind::Auto)
        return {};
    options.recompute = {.kind = RecomputeKind::Auto};
    options.timeLimit = std::min(options.timeLimit, timeOfAdvice);
    const Result<RecomputedPlan> plan =
        findAutoPlan(model, std::move(options), profiler, OverLimit::Refused, progress);
    if (!plan.has_value() || plan->of.problem.options.recompute.regions.regions.empty())
        return {};
    const PlanCost& cost = plan->found.solution.cost;
    Seconds compute, again;
    for (const StageCost& stage : cost.stages) {
        compute += stage.compute();
        again += stage.recomputed;
    }
    return formatted(
        "; recomputed as memory demands (auto) a plan fits: slowest %s, a step %s, at most %s on a "
        "device, %.1f%% of all computing run again",
        formatSeconds(cost.bottleneckTime).c_str(), formatSeconds(cost.iteration).c_str(),
        formatBytes(cost.peakMemory()).c_str(), 100 * (again / compute));
}

Result<RecomputedPlan> findAutoPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                    const Profiler& profiler, OverLimit overLimit, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).find(overLimit);
}

Result<RecomputeChooser> recomputeChooser(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                          const Profiler& profiler, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).chooser();
}

Result<RecomputedPlan> chooseForPlan(const std::shared_ptr<const Model>& model, PartitionOptions options,
                                     Partition partition, const Profiler& profiler, const Progress& progress)
{
    return AutoSearch(model, std::move(options), profiler, progress).choose(std::move(partition));
}

} // namespace stagecraft
