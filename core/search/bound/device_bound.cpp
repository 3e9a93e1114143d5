#include "core/search/bound/device_bound.h"

#include "core/search/bound/bounds.h"

#include <algorithm>
#include <numeric>

namespace stagecraft {

namespace {

// What every plan sends and receives, boundary by boundary, if no stage takes longer than the windows say.
double forcedTransfers(const ReducedProblem& reduced, const StageWindows& windows)
{
    const PartitionOptions& options = reduced.options;
    if (options.objective != Objective::Sum || options.send != SendKind::Relay || reduced.allowsEmpty())
        return 0;
    return 2 * std::accumulate(windows.cuts.begin(), windows.cuts.end(), 0.0);
}

} // namespace

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

} // namespace stagecraft
