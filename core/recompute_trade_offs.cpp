#include "core/recompute_trade_offs.h"

#include "core/plan/evaluate.h"
#include "core/recomputed_plan.h"
#include "core/search/bound/bounds.h"
#include "core/search/bound/step_bound.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// Of the time that there is: for plans that recompute nothing, and for those that do as they are told.
constexpr double shareOfEach = 0.2;
constexpr int searchedLimits = 4; // of Auto, in the rest of the time

Bytes leastPeak(const std::vector<TradeOff>& plans)
{
    return plans.empty() ? Bytes::max() : std::ranges::min(plans, {}, &TradeOff::peakMemory).peakMemory;
}

class PolicyComparison
{
public:
    PolicyComparison(std::shared_ptr<const Model> model, PartitionOptions options, const Profiler& profiler,
                     const Progress& progress)
        : m_model(std::move(model)), m_options(std::move(options)), m_profiler(profiler), m_progress(progress)
    {
    }

    // Plans of the model with the regions that it brings along.
    Result<void> compareOwn()
    {
        STAGECRAFT_TRY(addPlans({}, "", 1));
        if (m_found.plans.empty())
            return Error{ErrorCode::Infeasible, m_whyNone};
        PartitionOptions none = m_options;
        none.recompute = {.kind = RecomputeKind::None};
        STAGECRAFT_ASSIGN(posed,
                          recomputedProblem(m_model, std::move(none), m_profiler, nullptr, m_progress));
        m_none = std::move(posed.problem);
        return bound();
    }

    Result<void> compare()
    {
        STAGECRAFT_TRY(addPlans({.kind = RecomputeKind::None}, "nothing recomputed", shareOfEach));
        const Bytes without = leastPeak(m_found.plans);
        const bool isChosen = m_options.recompute.kind == RecomputeKind::Auto;
        RecomputePolicy told = m_options.recompute;
        if (isChosen)
            told = {.kind = RecomputeKind::Full};
        const std::size_t first = m_found.plans.size();
        STAGECRAFT_TRY(addPlans(told, isChosen ? "every block recomputed" : printPolicy(told), shareOfEach));
        const std::vector<TradeOff> recomputed(m_found.plans.begin() + static_cast<std::ptrdiff_t>(first),
                                               m_found.plans.end());
        if (isChosen)
            STAGECRAFT_TRY(addChosen(without, leastPeak(recomputed)));
        if (m_found.plans.empty())
            return Error{ErrorCode::Infeasible, m_whyNone};
        return bound();
    }

    RecomputedTradeOffs take()
    {
        std::vector<TradeOff> kept;
        const auto isBeaten = [&](const TradeOff& plan) {
            return std::ranges::any_of(m_found.plans, [&](const TradeOff& other) {
                return dominates(other.solution.cost, plan.solution.cost);
            });
        };
        const auto isAlike = [](const TradeOff& plan, const TradeOff& other) {
            const PlanCost& a = plan.solution.cost;
            const PlanCost& b = other.solution.cost;
            return a.iteration == b.iteration && plan.peakMemory == other.peakMemory &&
                   a.bytesSent == b.bytesSent;
        };
        for (const TradeOff& plan : m_found.plans)
            if (!isBeaten(plan) &&
                std::ranges::none_of(kept, [&](const TradeOff& other) { return isAlike(plan, other); }))
                kept.push_back(plan);
        std::ranges::stable_sort(kept, {}, [](const TradeOff& plan) { return plan.solution.cost.iteration; });
        m_found.plans = std::move(kept);
        return std::move(m_found);
    }

private:
    // Those of one policy, each as its boundaries part the regions. `how` is said before what they are; may
    // be empty.
    Result<void> addPlans(const RecomputePolicy& policy, const std::string& how, double shareOfTime)
    {
        if (isEnough())
            return {};
        PartitionOptions options = m_options;
        options.recompute = policy;
        options.timeLimit = m_options.timeLimit * shareOfTime;
        STAGECRAFT_ASSIGN(posed, recomputedProblem(m_model, options, m_profiler, nullptr, m_progress));
        if (policy.kind == RecomputeKind::None)
            m_none = posed.problem;
        m_found.notes.insert(m_found.notes.end(), posed.notes.begin(), posed.notes.end());
        Result<std::vector<TradeOff>> plans = tradeOffs(posed.problem, m_progress);
        if (!plans.has_value() && plans.error().code != ErrorCode::Infeasible)
            return isEnough() ? Result<void>() : plans.error();
        if (!plans.has_value()) {
            m_whyNone = (how.empty() ? "" : how + ": ") + plans.error().message;
            m_found.notes.push_back(m_whyNone);
            return {};
        }
        for (TradeOff& plan : *plans) {
            if (!how.empty()) {
                plan.recompute = printPolicy(policy);
                plan.text = how + ", " + plan.text;
            }
            STAGECRAFT_TRY(add(std::move(plan), options, posed));
        }
        return {};
    }

    Result<void> add(TradeOff plan, const PartitionOptions& options, const RecomputedProblem& posed)
    {
        const Partition& partition = plan.solution.partition;
        if (!ownPlan(posed.model->graph).regions.empty()) {
            const Result<RecomputedProblem> parted =
                recomputedProblem(m_model, options, m_profiler, &partition, m_progress);
            if (!parted.has_value())
                return isEnough() ? Result<void>() : parted.error();
            plan.solution.cost = evaluate(parted->problem, partition);
            plan.peakMemory = plan.solution.cost.peakMemory();
        }
        m_whyNone = "no plan was found that keeps the memory limits with regions as its boundaries part them";
        if (plan.solution.cost.fits())
            m_found.plans.push_back(std::move(plan));
        return {};
    }

    // As little recomputed as each of some limits demands, evenly between what plans hold without and with
    // every block recomputed.
    Result<void> addChosen(Bytes without, Bytes least)
    {
        Bytes most = without;
        for (const Bytes limit : m_options.memoryLimits)
            most = std::min(most, limit);
        if (most == Bytes::max())
            return {};
        const bool isEveryBlockTooLarge = least == Bytes::max();
        const int first = most < without ? 0 : 1; // what fits without needs no search
        const int count = isEveryBlockTooLarge ? 1 : searchedLimits;
        for (int step = first; step < first + count && !m_progress.isLate(); ++step) {
            const double share = static_cast<double>(step) / searchedLimits;
            const double lower = isEveryBlockTooLarge ? most.asDouble() : least.asDouble();
            STAGECRAFT_TRY(addFitting(
                Bytes(static_cast<std::int64_t>(most.asDouble() + (lower - most.asDouble()) * share)),
                m_options.timeLimit * ((1 - 2 * shareOfEach) / count)));
        }
        return {};
    }

    Result<void> addFitting(Bytes limit, Seconds timeLimit)
    {
        PartitionOptions options = m_options;
        options.recompute = {.kind = RecomputeKind::Auto};
        options.timeLimit = timeLimit;
        if (options.memoryLimits.empty())
            options.memoryLimits = {limit};
        for (Bytes& own : options.memoryLimits)
            own = std::min(own, limit);
        Result<RecomputedPlan> found =
            findRecomputedPlan(m_model, options, m_profiler, OverLimit::Refused, m_progress);
        if (!found.has_value() && found.error().code == ErrorCode::Cancelled)
            return isEnough() ? Result<void>() : found.error();
        if (!found.has_value()) {
            m_whyNone = found.error().message;
            return {};
        }
        Solution& solution = found->found.solution;
        const Bytes peak = solution.cost.peakMemory();
        m_found.plans.push_back(
            {.text = "as little recomputed as fits in " + formatBytes(limit) + " a device",
             .solution = std::move(solution),
             .peakMemory = peak,
             .recompute = "auto"});
        return {};
    }

    // There is something to show, and no time for more.
    bool isEnough() const
    {
        return m_progress.isLate() && !m_progress.stopRequested() && !m_found.plans.empty();
    }

    // What no plan beats, whatever it cuts and recomputes.
    Result<void> bound()
    {
        const PartitionProblem unlimited = withoutMemoryLimits(*m_none);
        const TradeOff& fastest = std::ranges::min(
            m_found.plans, {}, [](const TradeOff& plan) { return plan.solution.cost.bottleneckTime; });
        STAGECRAFT_ASSIGN(bound, planBound(unlimited, fastest.solution.cost, m_progress));
        bound.value = std::min(bound.value, fastest.solution.cost.bottleneckTime);
        const Seconds step = quickStepBound(unlimited, bound);
        for (TradeOff& plan : m_found.plans) {
            plan.solution.bound = bound;
            plan.solution.iterationBound = step;
        }
        return {};
    }

    std::shared_ptr<const Model> m_model;
    PartitionOptions m_options;
    const Profiler& m_profiler;
    const Progress& m_progress;
    std::optional<PartitionProblem> m_none; // in which nothing is recomputed
    RecomputedTradeOffs m_found;
    std::string m_whyNone; // found
};

} // namespace

Result<RecomputedTradeOffs> recomputedTradeOffs(const std::shared_ptr<const Model>& model,
                                                PartitionOptions options, const Profiler& profiler,
                                                const Progress& progress)
{
    const RecomputeKind kind = options.recompute.kind;
    const bool isOwn = kind == RecomputeKind::Model && !ownPlan(model->graph).regions.empty();
    if ((kind == RecomputeKind::Model && !isOwn) || kind == RecomputeKind::None) {
        STAGECRAFT_ASSIGN(posed, recomputedProblem(model, std::move(options), profiler, nullptr, progress));
        STAGECRAFT_ASSIGN(plans, tradeOffs(posed.problem, progress));
        return RecomputedTradeOffs{std::move(plans), std::move(posed.notes)};
    }
    if (kind != RecomputeKind::Plan)
        options.recompute.regions = {};
    PolicyComparison comparison(model, std::move(options), profiler, progress);
    STAGECRAFT_TRY(isOwn ? comparison.compareOwn() : comparison.compare());
    return comparison.take();
}

} // namespace stagecraft
