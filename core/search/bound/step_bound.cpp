#include "core/search/bound/step_bound.h"

#include "core/schedule/path_mix.h"
#include "core/search/bound/bounds.h"
#include "core/search/reduce/reduction.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stagecraft {

namespace {

// A part of the model and where it may be.
struct Part
{
    StageTimes times; // at speed 1
    std::size_t firstStage = 0;
    std::size_t lastStage = 0;
};

// What is known of all plans that are to be bounded.
struct Certain
{
    std::vector<Part> parts;
    std::vector<double> transfers; // both ways over each boundary, of one microbatch; empty: nothing is known
};

std::vector<Part> partsOf(const PartitionProblem& problem, const ReducedProblem& reduced,
                          const std::optional<StageWindows>& windows)
{
    std::vector<Part> parts;
    for (const ReducedGroupId index : reduced.groups.ids()) {
        const ReducedGroup& group = reduced.groups[index];
        Part part{.firstStage = group.firstStage, .lastStage = group.lastStage};
        if (windows) {
            part.firstStage = std::max<std::size_t>(part.firstStage, windows->earliest[index]);
            part.lastStage = std::min<std::size_t>(part.lastStage, windows->latest[index]);
        }
        for (const NodeId node : group.nodes) {
            part.times.forward += problem.nodes[node].forward;
            part.times.backwardInput += problem.nodes[node].backwardInput;
            part.times.backwardWeight += problem.nodes[node].backwardWeight;
        }
        if (group.seconds > 0)
            parts.push_back(part);
    }
    return parts;
}

void add(StageTimes& sum, const StageTimes& more, double factor)
{
    sum.forward += more.forward * factor;
    sum.backwardInput += more.backwardInput * factor;
    sum.backwardWeight += more.backwardWeight * factor;
}

void approach(ChainCounts& mean, const ChainCounts& next, double share)
{
    for (const auto count : {&ChainCounts::forward, &ChainCounts::backwardInput, &ChainCounts::backwardWeight,
                             &ChainCounts::receiveActivations, &ChainCounts::receiveGradients})
        mean.*count += (next.*count - mean.*count) * share;
}

// What all parts cost where each is cheapest. `response` is the work that each stage then has.
double costOfCheapest(const std::vector<Part>& parts, const std::vector<double>& speeds,
                      const std::vector<ChainCounts>& prices, std::vector<StageTimes>& response)
{
    response.assign(prices.size(), {});
    double sum = 0;
    for (const Part& part : parts) {
        double least = infinite;
        std::size_t cheapest = part.firstStage;
        for (std::size_t stage = part.firstStage; stage <= part.lastStage; ++stage) {
            const ChainCounts& price = prices[stage];
            const Seconds cost = part.times.forward * price.forward +
                                 part.times.backwardInput * price.backwardInput +
                                 part.times.backwardWeight * price.backwardWeight;
            if (cost.value() / speeds[stage] >= least)
                continue;
            least = cost.value() / speeds[stage];
            cheapest = stage;
        }
        sum += least;
        add(response[cheapest], part.times, 1 / speeds[cheapest]);
    }
    return sum;
}

double costOfTransfers(const std::vector<double>& transfers, const std::vector<ChainCounts>& prices)
{
    double sum = 0;
    for (std::size_t boundary = 0; boundary < transfers.size(); ++boundary) {
        const ChainCounts& above = prices[boundary];
        const ChainCounts& below = prices[boundary + 1];
        sum += transfers[boundary] * std::min(above.forward + below.receiveActivations,
                                              below.backwardInput + above.receiveGradients);
    }
    return sum;
}

// The most that was found of any mean of chains.
double boundByChains(const PartitionProblem& problem, const ReducedProblem& reduced, const Certain& certain)
{
    auto mix = PathMix::make(scheduleOf(problem.options).value());
    const std::vector<Part>& parts = certain.parts;
    constexpr std::size_t mostActions = 1'000'000;
    if (!mix.has_value() || mix->actionCount() > mostActions)
        return 0;
    const std::vector<double>& speeds = problem.options.speeds;
    const std::size_t stages = problem.stageCount();
    std::vector<StageTimes> even(stages);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        for (const Part& part : parts)
            add(even[stage], part.times, 1 / (static_cast<double>(stages) * speeds[stage]));
    }
    const double unit = reduced.totalSeconds / static_cast<double>(stages);
    if (unit <= 0)
        return 0;
    std::vector<StageTimes> work = even;
    std::vector<StageTimes> response;
    std::vector<ChainCounts> prices(stages);
    // Whatever stage a part is in may do all of its backward pass in the first part, or none.
    const auto certainPrices = [joins = mayJoinBackward(problem)](std::vector<ChainCounts> given) {
        for (ChainCounts& price : given)
            price.backwardWeight =
                joins ? std::min(price.backwardWeight, price.backwardInput) : price.backwardWeight;
        return given;
    };
    double best = 0;
    const std::size_t workOfRound = 4 * mix->actionCount() + 2 * parts.size() * stages;
    const std::size_t rounds = std::clamp<std::size_t>(20'000'000 / (workOfRound + 1), 100, 4'000);
    for (std::size_t round = 1; round <= rounds && !reduced.over(); ++round) {
        const double share = 2.0 / static_cast<double>(round + 1);
        const auto chains = mix->longest(work, unit * std::max(0.02, 0.5 * share));
        best = std::max(best, costOfCheapest(parts, speeds, certainPrices(chains), response) +
                                  costOfTransfers(certain.transfers, chains));
        for (std::size_t stage = 0; stage < stages; ++stage)
            approach(prices[stage], chains[stage], share);
        best = std::max(best, costOfCheapest(parts, speeds, certainPrices(prices), response) +
                                  costOfTransfers(certain.transfers, prices));
        const double step = 2.0 / static_cast<double>(round + 20);
        for (std::size_t stage = 0; stage < stages; ++stage) {
            add(work[stage], work[stage], -step);
            add(work[stage], response[stage], step);
        }
    }
    return best;
}

} // namespace

Seconds quickStepBound(const PartitionProblem& problem, const Bound& slowest)
{
    const PartitionOptions& options = problem.options;
    Seconds work;
    for (const ProblemNode& node : problem.nodes)
        work += node.time();
    const double total = work.value() / std::ranges::max(options.speeds);
    const auto microbatches = static_cast<double>(options.microbatches);
    const auto devices = static_cast<double>(scheduleOf(options).value().deviceCount());
    // Transfers that run beside the computing do not add up to a load.
    const bool loadsAddUp = options.objective != Objective::Overlap;
    return Seconds(microbatches * std::max(loadsAddUp ? slowest.value.value() : 0.0, total / devices));
}

Seconds stepBound(const PartitionProblem& problem, const Bound& slowest, const IsOver& isOver)
{
    const Seconds bound = quickStepBound(problem, slowest);
    if (problem.options.send != SendKind::Relay || problem.options.stageCount < 2)
        return bound;
    const auto reduced = reduceProblem(problem, Joining::Lossless, isOver);
    if (!reduced.has_value())
        return bound;
    const double byChains = boundByChains(problem, *reduced, {partsOf(problem, *reduced, std::nullopt), {}});
    return std::max(bound, Seconds(byChains));
}

Seconds stepBound(const PartitionProblem& problem, const Solution& solution, const IsOver& isOver)
{
    const PartitionOptions& options = problem.options;
    const Seconds step = solution.cost.iteration;
    if (solution.iterationBound >= step)
        return solution.iterationBound;
    const Seconds bound = std::max(stepBound(problem, solution.bound, isOver), solution.iterationBound);
    // Only where transfers block the device do they add up to its load.
    if (options.send != SendKind::Relay || options.stageCount < 2 ||
        options.objective == Objective::Overlap || options.objective == Objective::Compute || bound >= step)
        return bound;
    const auto reduced = reduceProblem(problem, Joining::Lossless, isOver);
    if (!reduced.has_value())
        return bound;
    const double mostLoad = step.value() / static_cast<double>(options.microbatches);
    const auto windows = BoundProver(*reduced).windows(mostLoad);
    if (!windows)
        return step;
    const Certain certain{partsOf(problem, *reduced, windows),
                          reduced->allowsEmpty() ? std::vector<double>{} : windows->cuts};
    return std::max(bound, std::min(step, Seconds(boundByChains(problem, *reduced, certain))));
}

Solution withStepBound(const PartitionProblem& problem, Solution solution, const IsOver& isOver)
{
    if (solution.iterationBound <= Seconds{})
        solution.iterationBound = stepBound(problem, solution, isOver);
    return solution;
}

} // namespace stagecraft
