#include "core/partition/step_bound.h"

#include <algorithm>
#include <vector>

namespace stagecraft {

namespace {

// The least of the sum of weights[i] * x[i], where the x add up to `total` and none is above `most`.
double leastWeighted(std::vector<double> weights, double total, double most)
{
    std::ranges::sort(weights);
    double sum = 0;
    for (const double weight : weights) {
        const double share = std::min(total, most);
        sum += weight * share;
        total -= share;
    }
    return sum;
}

// Idle time of all devices together, by what stage i computes: `mix` between what is certain of every
// schedule that goes down and up again (0), and what is certain of this one besides (1).
std::vector<double> waitWeights(const PartitionOptions& options, double mix)
{
    const std::size_t stages = options.stageCount;
    std::vector<double> weights;
    for (std::size_t i = 0; i < stages; ++i) {
        const auto above = static_cast<double>(i); // devices that wait for stage i to come back
        const auto below = static_cast<double>(stages - 1 - i);
        const bool isGPipe = options.schedule == ScheduleKind::GPipe;
        weights.push_back(below + mix * (isGPipe ? above : 2 * above - below));
    }
    return weights;
}

bool knowsWaits(const PartitionOptions& options)
{
    const bool isKnown =
        options.schedule == ScheduleKind::GPipe ||
        (options.schedule == ScheduleKind::OneFOneB && options.microbatches > options.stageCount);
    return isKnown && options.send == SendKind::Relay && !options.sharesDevices() && options.stageCount > 1;
}

} // namespace

Seconds stepBound(const PartitionProblem& problem, const Bound& slowest)
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
    double bound = microbatches * std::max(loadsAddUp ? slowest.value.value() : 0.0, total / devices);
    if (!knowsWaits(options))
        return Seconds(bound);
    for (const double mix : {0.0, 1.0 / 3, 0.5, 0.75, 1.0}) {
        const std::vector<double> weights = waitWeights(options, mix);
        if (std::ranges::min(weights) < 0)
            continue;
        double low = bound;
        double high = (microbatches + devices) * total; // on one device
        for (int step = 0; step < 50 && low < high; ++step) {
            const double trial = (low + high) / 2;
            const double waits = leastWeighted(weights, total, trial / microbatches);
            (devices * trial < microbatches * total + waits ? low : high) = trial;
        }
        bound = std::max(bound, low);
    }
    return Seconds(bound);
}

} // namespace stagecraft
