#include "core/search/bound/bounds.h"

#include "core/base/bit_span.h"
#include "core/search/bound/min_cut.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace stagecraft {

namespace {

// Rounding must never refute a plan that exists.
constexpr double slack = 1e-9;

// For each group the weight of it and all groups that `neighbours` leads to, transitively. `order` has every
// group behind its neighbours. The groups that are reached are looked at a block at a time; where it is over
// before all were, the weight is that of some of them.
class ClosureWeights
{
public:
    using Weights = Table<ReducedGroupId, double>;

    template <class Neighbours>
    static Weights of(const ReducedProblem& reduced, const std::vector<ReducedGroupId>& order,
                      const Weights& weights, const Neighbours& neighbours)
    {
        Weights sums = weights; // each leads to itself
        ClosureWeights closure(reduced.size());
        for (std::size_t first = 0; first < reduced.size() && !reduced.over(); first += blockSize)
            closure.addBlock(reduced, order, weights, neighbours, first, sums);
        return sums;
    }

private:
    static constexpr std::size_t words = 64;
    static constexpr std::size_t blockSize = words * 64;

    explicit ClosureWeights(std::size_t groups) : m_sets(groups * words) {}

    template <class Neighbours>
    void addBlock(const ReducedProblem& reduced, const std::vector<ReducedGroupId>& order,
                  const Weights& weights, const Neighbours& neighbours, std::size_t first, Weights& sums)
    {
        const std::size_t used = wordsForBits(std::min(blockSize, weights.size() - first));
        std::ranges::fill(m_sets, 0u);
        std::vector<double> ofWord(used, 0);
        for (std::size_t g = first; g < std::min(first + blockSize, weights.size()); ++g)
            ofWord[(g - first) / 64] += weights[ReducedGroupId(g)];
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i % 4096 == 4095 && reduced.over())
                return;
            const ReducedGroupId group = order[i];
            const MutableBitSpan set(m_sets.data() + group.index() * words, used);
            for (const ReducedGroupId neighbour : neighbours(reduced.groups[group]))
                unite(set, BitSpan(m_sets.data() + neighbour.index() * words, used));
            for (std::size_t w = 0; w < used; ++w)
                sums[group] += weightOf(set[w], weights, first + w * 64, ofWord[w]);
            if (group.index() >= first && group.index() < first + blockSize)
                setBit(set, group.index() - first);
        }
    }

    static double weightOf(std::uint64_t bits, const Weights& weights, std::size_t first, double all)
    {
        if (bits == ~std::uint64_t{0})
            return all;
        double sum = 0;
        forEachBit(BitSpan(&bits, 1), [&](std::size_t bit) { sum += weights[ReducedGroupId(first + bit)]; });
        return sum;
    }

    BitWords m_sets; // of each group, those of the block that it leads to
};

// What every plan sends and receives, boundary by boundary, if no stage takes longer than the windows say.
double forcedTransfers(const ReducedProblem& reduced, const StageWindows& windows)
{
    const PartitionOptions& options = reduced.options;
    if (options.objective != Objective::Sum || options.send != SendKind::Relay || reduced.allowsEmpty())
        return 0;
    return 2 * std::accumulate(windows.cuts.begin(), windows.cuts.end(), 0.0);
}

} // namespace

HeldBytes heldByAll(const ReducedProblem& reduced)
{
    HeldBytes held;
    for (const ReducedGroup& group : reduced.groups)
        held += group.least;
    return held;
}

double longestPlan(const ReducedProblem& reduced)
{
    double most = reduced.totalSeconds / std::ranges::min(reduced.options.speeds);
    for (const ReducedValue& value : reduced.values) {
        for (std::size_t boundary = 0; boundary + 1 < reduced.stageCount(); ++boundary)
            most += 2 * reduced.transfer(value.size, boundary);
    }
    return 2 * most + 1;
}

bool exceedsAllLimits(const ReducedProblem& reduced)
{
    Bytes allowed;
    for (const Bytes limit : reduced.options.memoryLimits)
        allowed += limit;
    return reduced.limitsMemory && heldByAll(reduced).of(std::ranges::min(reduced.inFlight)) > allowed;
}

BoundProver::BoundProver(const ReducedProblem& reduced) : m_reduced(reduced)
{
    std::vector<ReducedGroupId> order;
    for (const ReducedGroupId group : reduced.groups.ids())
        order.push_back(group);
    const std::vector<ReducedGroupId> reversed(order.rbegin(), order.rend());
    const auto before = [](const ReducedGroup& group) -> const auto&
    {
        return group.before;
    };
    const auto after = [](const ReducedGroup& group) -> const auto&
    {
        return group.after;
    };
    GroupWeights weights;
    for (const ReducedGroup& group : reduced.groups)
        weights.add(group.seconds);
    m_head = ClosureWeights::of(reduced, order, weights, before);
    m_tail = ClosureWeights::of(reduced, reversed, weights, after);
    if (!reduced.limitsMemory)
        return;
    const std::size_t fewest = std::ranges::min(reduced.inFlight);
    for (const ReducedGroupId g : reduced.groups.ids())
        weights[g] = reduced.groups[g].least.of(fewest).asDouble();
    m_headMemory = ClosureWeights::of(reduced, order, weights, before);
    m_tailMemory = ClosureWeights::of(reduced, reversed, weights, after);
}

// Stages up to the earliest must hold all that the group needs; the stage itself the group.
bool BoundProver::shrinkByMemory(StageWindows& windows, Refusal& refusal) const
{
    const std::size_t stages = m_reduced.stageCount();
    std::vector<double> upTo(stages + 1, 0);
    for (std::size_t stage = 0; stage < stages; ++stage)
        upTo[stage + 1] = upTo[stage] + m_reduced.options.memoryLimits[stage].asDouble() * (1 + slack);
    for (const ReducedGroupId g : m_reduced.groups.ids()) {
        const ReducedGroup& group = m_reduced.groups[g];
        StageFigures alone;
        alone.add(group);
        for (const std::uint32_t shared : group.shared)
            alone.held += m_reduced.shared[shared].held;
        std::size_t first = windows.earliest[g];
        while (first < stages && (upTo[first + 1] < m_headMemory[g] || !m_reduced.fits(first, alone)))
            ++first;
        std::size_t behind = windows.latest[g] + std::size_t{1};
        while (behind > first && (upTo[stages] - upTo[behind - 1] < m_tailMemory[g] * (1 - slack) ||
                                  !m_reduced.fits(behind - 1, alone)))
            --behind;
        if (behind <= first) {
            refusal = {true, g};
            return false;
        }
        windows.earliest[g] = static_cast<std::uint32_t>(first);
        windows.latest[g] = static_cast<std::uint32_t>(behind - 1);
    }
    return true;
}

void BoundProver::computeCapacity(double limit, StageWindows& windows) const
{
    const std::size_t stages = m_reduced.stageCount();
    const PartitionOptions& options = m_reduced.options;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        double left = limit;
        if (options.objective == Objective::Sum && options.send == SendKind::Relay) {
            left -= stage > 0 ? windows.cuts[stage - 1] : 0;
            left -= stage + 1 < stages ? windows.cuts[stage] : 0;
        } else if (options.objective == Objective::Sum) {
            left -= forcedTransfer(stage, windows);
        }
        windows.capacity[stage] = std::max(0.0, left) * options.speeds[stage];
    }
}

bool BoundProver::shrink(double limit, StageWindows& windows, Refusal& refusal) const
{
    const std::size_t stages = m_reduced.stageCount();
    computeCapacity(limit, windows);
    std::vector<double> upTo(stages + 1, 0);
    for (std::size_t stage = 0; stage < stages; ++stage)
        upTo[stage + 1] = upTo[stage] + windows.capacity[stage];
    const double tolerance = slack * std::max(limit, m_reduced.totalSeconds);
    refusal = {};
    if (upTo[stages] < m_reduced.totalSeconds - tolerance)
        return false;
    for (const ReducedGroupId g : m_reduced.groups.ids()) {
        const ReducedGroup& group = m_reduced.groups[g];
        std::size_t stage = std::max<std::size_t>(windows.earliest[g], group.firstStage);
        for (const ReducedGroupId before : group.before)
            stage = std::max<std::size_t>(stage, windows.earliest[before]);
        while (stage < stages && (upTo[stage + 1] < m_head[g] - tolerance ||
                                  windows.capacity[stage] < group.seconds - tolerance))
            ++stage;
        windows.earliest[g] = static_cast<std::uint32_t>(stage);
    }
    for (const ReducedGroupId i : std::views::reverse(m_reduced.groups.ids())) {
        const ReducedGroup& group = m_reduced.groups[i];
        if (group.sinkable) {
            const auto first = std::ranges::min(
                group.after, {}, [&](ReducedGroupId after) { return windows.earliest[after]; });
            windows.earliest[i] = std::max(windows.earliest[i], windows.earliest[first]);
        }
        std::size_t behind =
            std::min<std::size_t>(windows.latest[i], group.lastStage) + 1; // one more than the stage
        for (const ReducedGroupId after : group.after)
            behind = std::min<std::size_t>(behind, windows.latest[after] + std::size_t{1});
        while (behind > 0 && (upTo[stages] - upTo[behind - 1] < m_tail[i] - tolerance ||
                              windows.capacity[behind - 1] < group.seconds - tolerance))
            --behind;
        if (behind == 0 || behind - 1 < windows.earliest[i]) {
            refusal = {true, i};
            return false;
        }
        windows.latest[i] = static_cast<std::uint32_t>(behind - 1);
    }
    return true;
}

double BoundProver::cutPrice(std::size_t value, std::size_t boundary, const StageWindows& windows) const
{
    const ReducedValue& item = m_reduced.values[value];
    if (m_reduced.options.send == SendKind::Relay)
        return m_reduced.transfer(item.size, boundary);
    // Direct: a value is paid by at least two stages however many boundaries it crosses; each of those that
    // it could cross gets its share.
    std::size_t first = m_reduced.stageCount();
    std::size_t last = item.returned ? m_reduced.stageCount() - 1 : 0;
    for (const ReducedGroupId pin : item.pins) {
        first = std::min<std::size_t>(first, windows.earliest[pin]);
        last = std::max<std::size_t>(last, windows.latest[pin]);
    }
    double least = m_reduced.transfer(item.size, boundary);
    for (std::size_t b = first; b < last; ++b)
        least = std::min(least, m_reduced.transfer(item.size, b));
    return last > first ? least / static_cast<double>(last - first) : least;
}

double BoundProver::leastCut(std::size_t boundary, const StageWindows& windows) const
{
    ClosureCut problem;
    Table<ReducedGroupId, std::uint32_t> itemOf(m_reduced.size());
    const auto isLeft = [&](ReducedGroupId group) { return windows.latest[group] <= boundary; };
    const auto isRight = [&](ReducedGroupId group) { return windows.earliest[group] > boundary; };
    for (const ReducedGroupId group : m_reduced.groups.ids()) {
        if (!isLeft(group) && !isRight(group))
            itemOf[group] = static_cast<std::uint32_t>(problem.itemCount++);
    }
    for (const ReducedGroupId group : m_reduced.groups.ids()) {
        if (isLeft(group) || isRight(group))
            continue;
        for (const ReducedGroupId before : m_reduced.groups[group].before) {
            if (!isLeft(before))
                problem.precedences.emplace_back(itemOf[before], itemOf[group]);
        }
    }
    const bool sinkIsRight = !m_reduced.allowsEmpty() || m_reduced.uniform;
    for (std::size_t v = 0; v < m_reduced.values.size(); ++v) {
        ClosureCut::Edge edge;
        edge.hasRight = m_reduced.values[v].returned && sinkIsRight;
        for (const ReducedGroupId pin : m_reduced.values[v].pins) {
            if (isLeft(pin))
                edge.hasLeft = true;
            else if (isRight(pin))
                edge.hasRight = true;
            else
                edge.members.push_back(itemOf[pin]);
        }
        const std::size_t ends = edge.members.size() + (edge.hasLeft ? 1 : 0) + (edge.hasRight ? 1 : 0);
        if (ends < 2 || (edge.members.empty() && !(edge.hasLeft && edge.hasRight)))
            continue;
        edge.price = cutPrice(v, boundary, windows);
        problem.edges.push_back(std::move(edge));
    }
    return minimumCut(problem, m_reduced.isOver);
}

// Direct: values that a group which must be in this stage shares with one that must be elsewhere.
double BoundProver::forcedTransfer(std::size_t stage, const StageWindows& windows) const
{
    if (m_reduced.stageCount() < 2)
        return 0;
    double sum = 0;
    for (const ReducedValue& value : m_reduced.values) {
        bool here = false;
        bool elsewhere = false;
        for (const ReducedGroupId pin : value.pins) {
            here |= windows.earliest[pin] == stage && windows.latest[pin] == stage;
            elsewhere |= windows.latest[pin] < stage || windows.earliest[pin] > stage;
        }
        if (here && elsewhere)
            sum += std::min(m_reduced.transfer(value.size, receivingLink(stage)),
                            m_reduced.transfer(value.size, sendingLink(stage, m_reduced.stageCount())));
    }
    return sum;
}

// All stages together must hold all the work and, with direct sends, both ends of what must be sent.
bool BoundProver::roomForAll(double limit, const StageWindows& windows) const
{
    if (m_reduced.options.send == SendKind::Relay || m_reduced.options.objective != Objective::Sum)
        return true;
    double room = 0;
    double fastest = 0;
    for (const double speed : m_reduced.options.speeds) {
        room += limit * speed;
        fastest = std::max(fastest, speed);
    }
    const double slowest = std::ranges::min(m_reduced.options.speeds);
    const double sent = std::accumulate(windows.cuts.begin(), windows.cuts.end(), 0.0);
    return m_reduced.totalSeconds + 2 * sent * slowest <= room * (1 + slack);
}

std::optional<StageWindows> BoundProver::windows(double limit, Cuts cuts, Refusal& refusal) const
{
    const std::size_t stages = m_reduced.stageCount();
    StageWindows found{.earliest = GroupStages(m_reduced.size(), 0),
                       .latest = GroupStages(m_reduced.size(), static_cast<std::uint32_t>(stages - 1)),
                       .cuts = std::vector<double>(stages - 1, 0),
                       .capacity = std::vector<double>(stages, limit)};
    const bool count =
        cuts == Cuts::Counted && m_reduced.options.objective != Objective::Compute && m_reduced.features.cuts;
    for (int round = 0;; ++round) {
        if (round == 0 && m_reduced.limitsMemory && !shrinkByMemory(found, refusal))
            return std::nullopt;
        if (!shrink(limit, found, refusal))
            return std::nullopt;
        if (!count || round == 6)
            return found;
        double gained = 0;
        for (std::size_t boundary = 0; boundary + 1 < stages; ++boundary) {
            if (m_reduced.over())
                return found; // wider than need be
            const double cut = leastCut(boundary, found) * (1 - slack);
            gained += std::max(0.0, cut - found.cuts[boundary]);
            found.cuts[boundary] = std::max(found.cuts[boundary], cut);
            if (m_reduced.options.objective == Objective::Overlap &&
                m_reduced.options.send == SendKind::Relay && cut > limit * (1 + slack) &&
                !m_reduced.allowsEmpty())
                return std::nullopt;
        }
        if (!roomForAll(limit, found))
            return std::nullopt;
        if (gained < 1e-7 * limit)
            return found;
    }
}

std::optional<StageWindows> BoundProver::windows(double limit) const
{
    Refusal refusal;
    return windows(limit, Cuts::Counted, refusal);
}

std::uint64_t BoundProver::workOfWindows() const
{
    return m_reduced.stageCount() * (m_reduced.size() + m_reduced.values.size()) * 30;
}

Bound BoundProver::lowerBound(double upper, const ShouldStop& shouldStop) const
{
    const auto& speeds = m_reduced.options.speeds;
    Bound bound{.value = Seconds(m_reduced.totalSeconds / std::accumulate(speeds.begin(), speeds.end(), 0.0)),
                .kind = "area"};
    const double fastest = std::ranges::max(speeds);
    for (const ReducedGroup& group : m_reduced.groups) {
        if (group.seconds / fastest > bound.value.value())
            bound = {Seconds(group.seconds / fastest), "heaviest node", group.nodes};
    }
    const auto raise = [&](Cuts cuts, const char* kind) {
        double low = bound.value.value();
        double high = upper;
        const auto stop = [&] { return m_reduced.over() || (shouldStop && shouldStop(workOfWindows())); };
        for (int step = 0; step < 40 && high - low > 1e-6 * high && !stop(); ++step) {
            const double middle = step == 0 ? high * (1 - 1e-6) : (low + high) / 2;
            Refusal refusal;
            if (windows(middle, cuts, refusal)) {
                high = middle;
                continue;
            }
            low = middle;
            bound = {Seconds(low), kind, {}};
            if (refusal.byWindow)
                bound.witness = m_reduced.groups[refusal.group].nodes;
        }
    };
    raise(Cuts::Ignored, "windows");
    if (m_reduced.options.objective != Objective::Compute && !m_reduced.values.empty())
        raise(Cuts::Counted, "windows and cuts");
    return bound;
}

Bound deviceBound(const ReducedProblem& reduced, std::size_t deviceCount, double upper,
                  const ShouldStop& shouldStop)
{
    const BoundProver prover(reduced);
    Bound bound = prover.lowerBound(upper, shouldStop);
    const double devices = static_cast<double>(deviceCount);
    const double work = reduced.totalSeconds / std::ranges::max(reduced.options.speeds);
    if (work / devices > bound.value.value())
        bound = {.value = Seconds(work / devices), .kind = "area of devices"};
    double low = bound.value.value();
    double high = upper;
    for (int step = 0;
         step < 30 && high - low > 1e-5 * high && !(shouldStop && shouldStop(prover.workOfWindows()));
         ++step) {
        const double middle = (low + high) / 2;
        const auto windows = prover.windows(middle);
        if (windows && work + forcedTransfers(reduced, *windows) <= devices * middle) {
            high = middle;
            continue;
        }
        low = middle;
        bound = {.value = Seconds(low), .kind = "area of devices and cuts"};
    }
    return bound;
}

Result<Bound> planBound(const PartitionProblem& problem, const PlanCost& cost, const Progress& progress)
{
    const IsOver isCancelled = [&progress] { return progress.stopRequested(); };
    STAGECRAFT_ASSIGN(reduced, reduceProblem(problem, Joining::Lossless, isCancelled));
    const double reached = cost.bottleneckTime.value();
    const ShouldStop stop = [&](std::uint64_t) { return isCancelled(); };
    Bound bound = problem.options.sharesDevices()
                      ? deviceBound(reduced, problem.options.deviceCount(), reached, stop)
                      : BoundProver(reduced).lowerBound(reached, stop);
    if (isCancelled()) // what it has by now is not the best that it finds
        return cancelled();
    return bound;
}

} // namespace stagecraft
