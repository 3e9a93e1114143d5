#include "core/traced_choice.h"

#include "core/plan/evaluate.h"
#include "core/recompute/policies.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostCorrections = 4;
// Traces behind each other that are no better: of small stages they take no time.
constexpr std::size_t leastMisses = 16;
constexpr std::size_t mostMisses = 256;
constexpr std::size_t mostNodesTraced = 4000;
constexpr std::size_t mostNodesOfBoth = 200; // of models whose traces take no time
constexpr double leastSpared = 2e-4;         // of a stage's time, that a trace is worth
constexpr double leastCorrected = 2e-3;      // likewise, one more of stages that fit
// A stage that is over its room by estimate takes twice as long, and for each share of it so many times more.
constexpr double slowerForRoom = 10;
constexpr double nearlySlowest = 0.9;
constexpr double doubtOfLoads = 0.02;  // by estimate
constexpr double nearlyFits = 0.05;    // over its room
constexpr double doubtOfMemory = 0.03; // by estimate
constexpr double doubtOfPolicies = 0.1;
// A region may bring more than is counted of it: what several nodes keep counts with the first.
constexpr double doubtOfFreed = 0.1;

std::size_t missesOf(const Partition& partition)
{
    return std::clamp(mostNodesTraced / std::max<std::size_t>(1, partition.stageOf.size()), leastMisses,
                      mostMisses);
}

// Do traces of it take no time?
bool isSmall(const Partition& partition)
{
    return partition.stageOf.size() <= mostNodesOfBoth;
}

// Runs that let go what can be, whatever it takes, none of which makes more again than `cap`.
RecomputePlan fewestBytes(const RecomputeChooser& chooser, const Partition& partition, Bytes cap)
{
    RecomputePlan plan;
    if (chooser.prices().empty())
        return plan;
    const RecomputeGround& ground = chooser.ground();
    for (const std::vector<NodeId>& nodes : nodesByStage(partition))
        for (StageRegions::Run& run :
             StageRegions(ground.needs, ground.storages, nodes).at(chooser.prices().back(), cap).runs)
            plan.regions.push_back(std::move(run.region));
    return plan;
}

} // namespace

TracedChoice::TracedChoice(const RecomputeChooser& chooser, std::shared_ptr<const Model> model,
                           PartitionOptions options, const Profiler& profiler, IsOver isOver,
                           Progress progress, Seconds slowest)
    : m_chooser(chooser),
      m_model(std::move(model)),
      m_options(std::move(options)),
      m_profiler(profiler),
      m_isOver(std::move(isOver)),
      m_progress(std::move(progress)),
      m_slowest(slowest)
{
}

bool TracedChoice::chooses(std::size_t stage) const
{
    return policyOf(m_options.recompute, stage).kind == RecomputeKind::Auto;
}

bool TracedChoice::mayTrace() const
{
    return !m_progress.stopRequested() && !(m_isOver && m_isOver());
}

std::vector<Bytes> TracedChoice::rooms(const std::vector<Bytes>& limits) const
{
    std::vector<Bytes> rooms = limits;
    for (std::size_t stage = 0; stage < rooms.size(); ++stage)
        rooms[stage] = chooses(stage) ? roomOfStage(rooms[stage], m_options) : Bytes::max();
    return rooms;
}

bool TracedChoice::fits(const PlanCost& cost, const std::vector<Bytes>& rooms)
{
    for (std::size_t stage = 0; stage < rooms.size(); ++stage)
        if (cost.stages[StageId(stage)].peakMemory > rooms[stage])
            return false;
    return true;
}

// Of stages that are told what they do, that.
RecomputePlan TracedChoice::asTold(const RecomputePlan& regions, const Partition& partition) const
{
    if (m_options.recompute.ofStages.empty())
        return regions;
    RecomputePolicy policy = m_options.recompute;
    for (std::size_t stage = 0; stage < partition.stageCount; ++stage)
        if (chooses(stage))
            policy = withStages(std::move(policy), {stage, stage, RecomputeKind::None});
    std::vector<RecomputePlan> stages = byStage(regions, partition);
    std::vector<RecomputePlan> told = byStage(policyRegions(policy, partition), partition);
    for (std::size_t stage = 0; stage < partition.stageCount; ++stage)
        if (!chooses(stage))
            stages[stage] = std::move(told[stage]);
    return together(std::move(stages));
}

// What stages that are told take longer for it; false: one of them has no room, by the estimate.
bool TracedChoice::addTold(const Partition& partition, std::vector<Seconds>& added) const
{
    if (m_options.recompute.ofStages.empty())
        return true;
    const RecomputeGround& ground = m_chooser.ground();
    Table<NodeId, Bytes> saved = ground.saved;
    for (const RecomputeRegion& region : asTold({}, partition).regions)
        for (const NodeId node : region.nodes) {
            if (std::ranges::binary_search(region.kept, node))
                continue;
            added[partition.stageOf[node].index()] += m_chooser.again(node);
            saved[node] = ground.savedInBlocks[node];
        }
    const PlanCost none = evaluate(ground.none, partition);
    std::vector<Bytes> less(partition.stageCount);
    for (const NodeId node : saved.ids())
        less[partition.stageOf[node].index()] += ground.saved[node] - saved[node];
    for (std::size_t stage = 0; stage < partition.stageCount; ++stage) {
        const StageCost& cost = none.stages[StageId(stage)];
        if (!chooses(stage) && !splitsBackward(ground.none.options.schedule) &&
            cost.peakMemory - less[stage] * cost.inFlight > cost.memoryLimit)
            return false;
    }
    return true;
}

Seconds TracedChoice::asBadAs(Seconds load, Bytes memory, Bytes room)
{
    if (room == Bytes::max() || memory <= room)
        return load;
    const double over = (memory - room).asDouble() / std::max(1.0, room.asDouble());
    return load * (2 + slowerForRoom * over);
}

std::optional<std::vector<Seconds>> TracedChoice::estimate(const Partition& partition,
                                                           const std::vector<Bytes>& rooms,
                                                           RecomputeChooser::Known& known, Seconds most) const
{
    std::optional<RecomputeChooser::Choice> chosen = m_chooser.choose(partition, rooms, known, most);
    if (!chosen || !addTold(partition, chosen->added))
        return std::nullopt;
    std::vector<Seconds> loads;
    for (const StageId stage : chosen->without.stages.ids()) {
        const std::size_t i = stage.index();
        loads.push_back(asBadAs(m_chooser.loadOf(*chosen, stage), chosen->memory[i], rooms[i]));
    }
    return loads;
}

RecomputePlan TracedChoice::policyRegions(RecomputePolicy policy, const Partition& partition) const
{
    policy.regions = {};
    OperatorSchemas schemas;
    return policyPlan(*m_model, policy, schemas, nodeStages(partition).get()).plan;
}

// What cannot be a region is left out by then.
Result<void> TracedChoice::tryOut(const RecomputePlan& regions, StageTrials& trials)
{
    const Partition& partition = trials.partition();
    PartitionOptions options = m_options;
    options.recompute = {.kind = RecomputeKind::Plan, .regions = asTold(regions, partition)};
    STAGECRAFT_ASSIGN(posed,
                      recomputedProblem(m_model, std::move(options), m_profiler, &partition, m_progress));
    PlanCost cost = evaluate(posed.problem, partition);
    trials.add(posed.problem.options.recompute.regions, cost);
    trials.last = TracedPlan{std::move(posed), partition, std::move(cost)};
    if (trials.last->of.problem.options.recompute.regions == trials.plan())
        trials.traced = trials.last;
    return {};
}

// What a stage holds more than estimated, it has less room for, and the other way round where it is slow:
// once in any case, for who is over by little would else have every block run again.
Result<void> TracedChoice::tryChoices(Ways ways, StageTrials& trials, std::vector<Bytes>& rooms, Known& known,
                                      Careful careful)
{
    const std::vector<Bytes>& limits = trials.rooms();
    bool changed = true;
    const auto mayTry = [&](int i) { return i == 0 || (i == 1 && !trials.allFit()) || mayTrace(); };
    for (int i = 0; changed && i < mostCorrections && mayTry(i) && !trials.areSlowerThan(m_slowest); ++i) {
        if (i > 0 && isOverForGood(ways, trials, rooms, known))
            break;
        const RecomputeChooser::Choice chosen =
            m_chooser.chooseOrLeast(trials.partition(), rooms, known, ways, careful);
        if (i > 0 && (trials.wereTried(chosen.plan) || !mayGain(chosen, trials)))
            break;
        STAGECRAFT_TRY(tryOut(chosen.plan, trials));
        changed = false;
        const PlanCost& cost = trials.last->cost;
        for (std::size_t stage = 0; stage < rooms.size(); ++stage) {
            const StageCost& of = cost.stages[StageId(stage)];
            const Bytes room = limits[stage] - (of.peakMemory - chosen.memory[stage]);
            if (limits[stage] == Bytes::max() || room == rooms[stage])
                continue;
            const bool isOver = of.peakMemory > limits[stage];
            if (isOver || (room > rooms[stage] && of.load >= cost.bottleneckTime * nearlySlowest)) {
                changed = true;
                rooms[stage] = room;
            }
        }
    }
    return {};
}

// Would a stage that is over its room choose again what is?
bool TracedChoice::isOverForGood(Ways ways, const StageTrials& trials, const std::vector<Bytes>& rooms,
                                 Known& known) const
{
    for (std::size_t stage = 0; stage < rooms.size(); ++stage)
        if (trials.isOver(stage)) {
            const RecomputeChooser::OfStage& again =
                m_chooser.chooseOrLeast(trials.partition(), StageId(stage), rooms[stage], known, ways);
            if (trials.wasTried(stage, {again.regions}))
                return true;
        }
    return false;
}

// By the estimate, where all that was tried fits by now?
bool TracedChoice::mayGain(const RecomputeChooser::Choice& chosen, const StageTrials& trials) const
{
    const auto tried = [&](StageId stage) { return trials.best(stage.index()).load; };
    const auto taken = [&](StageId stage) { return m_chooser.loadOf(chosen, stage); };
    const auto stages = chosen.without.stages.ids();
    const Seconds slowest = std::ranges::max(stages | std::views::transform(taken));
    if (slowest > m_slowest * (1 + doubtOfLoads))
        return false;
    return !trials.allFit() ||
           slowest < std::ranges::max(stages | std::views::transform(tried)) * (1 - leastCorrected);
}

// Some stage than what was tried for it, by the estimate of what it chooses? Or, of those, the slowest.
bool TracedChoice::mayBeFaster(Ways ways, const StageTrials& trials, Known& known, Careful careful) const
{
    const RecomputeChooser::Choice chosen =
        m_chooser.chooseOrLeast(trials.partition(), trials.rooms(), known, ways);
    const auto tried = [&](StageId stage) { return trials.best(stage.index()).load; };
    const Seconds slowest = std::ranges::max(chosen.without.stages.ids() | std::views::transform(tried));
    return std::ranges::any_of(chosen.without.stages.ids(), [&](StageId stage) {
        return (careful == Careful::All || tried(stage) >= slowest) &&
               chosen.memory[stage.index()].asDouble() <=
                   trials.rooms()[stage.index()].asDouble() * (1 + nearlyFits) &&
               m_chooser.loadOf(chosen, stage) < tried(stage) * (1 - leastSpared);
    });
}

// By the estimate: do all stages that are over their rooms hold less so, or nearly what they may?
bool TracedChoice::mayMakeRoom(const StageTrials& trials, double doubt, const MemoryOf& memoryOf) const
{
    for (std::size_t stage = 0; stage < trials.rooms().size(); ++stage)
        if (trials.isOver(stage)) {
            const double enough = std::max(trials.best(stage).memory.asDouble(),
                                           trials.rooms()[stage].asDouble() * (1 + doubt));
            if (memoryOf(StageId(stage)).asDouble() > enough * (1 + doubtOfMemory))
                return false;
        }
    return true;
}

bool TracedChoice::blocksMayMakeRoom(const StageTrials& trials, Known& known) const
{
    return mayMakeRoom(trials, 0, [&](StageId stage) {
        return m_chooser
            .chooseOrLeast(trials.partition(), stage, trials.rooms()[stage.index()], known, Ways::WholeBlocks)
            .memory;
    });
}

bool TracedChoice::mayMakeRoom(const RecomputePlan& regions, const StageTrials& trials, double doubt) const
{
    const std::vector<RecomputePlan> stages = byStage(regions, trials.partition());
    return mayMakeRoom(trials, doubt, [&](StageId stage) {
        return m_chooser.memoryOf(trials.partition(), stage, stages[stage.index()].regions);
    });
}

RecomputePlan TracedChoice::toldRegions(const ToldPolicies::Policy& policy, const Partition& partition) const
{
    return policy.cap ? fewestBytes(m_chooser, partition, *policy.cap)
                      : policyRegions({.kind = policy.kind}, partition);
}

// Every block, whatever time it takes.
Result<void> TracedChoice::tryPolicies(StageTrials& trials, Policies policies, ToldPolicies& told)
{
    if (policies == Policies::Left || (policies == Policies::TriedIfNear && trials.over() > nearlyFits))
        return {};
    for (const ToldPolicies::Policy& policy : std::vector(told.all()))
        if (!trials.allFit() && (policy.isEveryBlock() || mayTrace()) && !trials.areSlowerThan(m_slowest)) {
            const RecomputePlan regions = toldRegions(policy, trials.partition());
            if (!isSmall(trials.partition()) &&
                !mayMakeRoom(regions, trials, policy.cap ? 0 : doubtOfPolicies))
                continue;
            STAGECRAFT_TRY(tryOut(regions, trials));
            if (trials.allFit())
                told.madeRoom(policy);
        }
    return {};
}

// About stages that are not the slowest who is careful of these alone does not care.
Result<TracedPlan> TracedChoice::best(StageTrials& trials, Careful careful)
{
    const RecomputePlan plan = trials.plan();
    if (trials.traced && (trials.traced->of.problem.options.recompute.regions == plan ||
                          (careful == Careful::Slowest && trials.isAsFast(trials.traced->cost))))
        return *std::move(trials.traced);
    STAGECRAFT_TRY(tryOut(plan, trials));
    return *std::move(trials.last);
}

Result<TracedPlan> TracedChoice::of(const Partition& partition, const std::vector<Bytes>& rooms, Known& known,
                                    ToldPolicies& told, Careful careful, Policies policies)
{
    StageTrials trials(partition, rooms);
    if (m_options.recompute.ofStages.empty())
        trials.add({}, evaluate(m_chooser.ground().none, partition));
    std::vector<Bytes> corrected = rooms, toTheEnd = rooms, ofBlocks = rooms;
    STAGECRAFT_TRY(tryChoices(Ways::Any, trials, corrected, known, careful));
    if (isSmall(partition) && mayTrace())
        STAGECRAFT_TRY(tryChoices(Ways::AnyToTheEnd, trials, toTheEnd, known));
    if (mayTrace() &&
        (isSmall(partition) || (trials.allFit() ? mayBeFaster(Ways::WholeBlocks, trials, known, careful)
                                                : blocksMayMakeRoom(trials, known))))
        STAGECRAFT_TRY(tryChoices(Ways::WholeBlocks, trials, ofBlocks, known));
    STAGECRAFT_TRY(tryPolicies(trials, policies, told));
    return best(trials, careful);
}

// What nodes take to run again: of those that do, as traced.
Table<NodeId, Seconds> TracedChoice::again(const TracedPlan& plan) const
{
    const RecomputeGround& ground = m_chooser.ground();
    Table<NodeId, Seconds> again(ground.needs.size());
    for (const NodeId node : again.ids())
        again[node] = ground.needs[node].whole;
    for (const RecomputeRegion& region : plan.of.problem.options.recompute.regions.regions)
        for (const NodeId node : region.nodes)
            if (!std::ranges::binary_search(region.kept, node))
                again[node] = plan.of.profile.nodes[node].recomputed.time;
    return again;
}

// Beside a stage of that cost, whose regions hold so much for a moment: what is faster than the best.
MoveRooms TracedChoice::roomsToMove(std::size_t stage, const StageCost& cost, Bytes moment,
                                    const StageTrials& trials) const
{
    const Bytes saved((trials.rooms()[stage] - cost.peakMemory).count() / cost.inFlight);
    return {.spared = cost.load - trials.best(stage).load * (1 - leastSpared),
            .saved = saved,
            .doubt = std::max(Bytes(moment.count() / cost.inFlight),
                              Bytes(static_cast<std::int64_t>(std::abs(saved.asDouble()) * doubtOfFreed)))};
}

// Neighbours of what is best for the stage, as the last trace has it, and of nothing run again; the last
// comes first.
std::vector<RecomputePlan> TracedChoice::near(std::size_t stage, const StageTrials& trials) const
{
    const RecomputeGround& ground = m_chooser.ground();
    const StageId id(stage);
    const std::vector<NodeId> nodes = std::move(nodesByStage(trials.partition())[stage]);
    const RecomputePlan& best = trials.best(stage).regions;
    const Table<NodeId, Seconds> times = again(*trials.last);
    const RegionMoves moves(nodes, ground.needs, times, ground.keeping);
    Bytes moment;
    for (const RecomputeRegion& region : best.regions)
        moment = std::max(moment, trials.last->of.profile.nodes[region.nodes.front()].regionPeak);
    const StageCost none = evaluate(ground.none, trials.partition()).stages[id];
    const std::size_t most = missesOf(trials.partition());
    std::vector<RecomputePlan> plans =
        moves.of(best, roomsToMove(stage, trials.last->cost.stages[id], moment, trials), most);
    const std::vector<RecomputePlan> anew = moves.of({}, roomsToMove(stage, none, {}, trials), most);
    for (std::size_t i = 0; i < anew.size(); ++i) // in turns
        plans.insert(plans.begin() + static_cast<std::ptrdiff_t>(std::min(plans.size(), 2 * i + 1)), anew[i]);
    std::ranges::reverse(plans);
    return plans;
}

Result<TracedPlan> TracedChoice::improved(TracedPlan plan, const std::vector<Bytes>& rooms)
{
    const Partition partition = plan.partition;
    StageTrials trials(partition, rooms);
    trials.add(plan.of.problem.options.recompute.regions, plan.cost);
    trials.last = std::move(plan);
    std::vector<RecomputePlan> best = byStage(trials.plan(), partition);
    std::vector<std::vector<RecomputePlan>> next(best.size());
    for (std::size_t stage = 0; stage < best.size(); ++stage)
        if (chooses(stage) && mayTrace())
            next[stage] = near(stage, trials);
    const auto most = static_cast<int>(missesOf(partition));
    for (int misses = 0; misses < most && mayTrace(); ++misses) {
        std::vector<RecomputePlan> tried = best;
        for (std::size_t stage = 0; stage < best.size(); ++stage)
            while (!next[stage].empty() && tried[stage] == best[stage]) {
                if (!trials.wasTried(stage, next[stage].back()))
                    tried[stage] = std::move(next[stage].back());
                next[stage].pop_back();
            }
        if (tried == best)
            break;
        STAGECRAFT_TRY(tryOut(together(std::move(tried)), trials));
        for (std::size_t stage = 0; stage < best.size(); ++stage)
            if (trials.best(stage).regions != best[stage]) {
                best[stage] = trials.best(stage).regions;
                next[stage] = near(stage, trials);
                misses = -1;
            }
    }
    return this->best(trials);
}

} // namespace stagecraft
