// Plans of one number of stages that give up time for memory or for bytes sent: a Pareto list.
#pragma once

#include "core/base/progress.h"
#include "core/plan/problem.h"
#include "core/plan/runtime.h"

#include <string>
#include <vector>

namespace stagecraft {

struct TradeOff
{
    std::string text; // what was asked for to get it: "the shortest step", "at most 24.0 GiB a device"
    Solution solution;
    Bytes peakMemory;           // of the fullest device
    std::string recompute = {}; // where such are compared the policy of this plan: "none", "full"

    // Forward passes that are run again, as a share of all computing.
    double recomputedShare() const;
};

// Plans of `problem` none of which is at least as good as another in the time of a step, in memory and in
// bytes sent, by the time of a step. Found by asking again with tighter limits and with slower links, so the
// list need not be complete. Together within options.timeLimit; stops early, or where `progress` is late,
// with what it has. Fails as solve does, and where it is cancelled before it has a bound.
//
// Costs and bounds are those in `problem` itself, not in the question that a plan answers: all have the same
// bounds, which no plan of `problem` beats, whatever it gives up.
Result<std::vector<TradeOff>> tradeOffs(const PartitionProblem& problem, const Progress& progress = {});

// `runtime`: of their problem, whose buffers their peaks count.
std::string tradeOffsText(const std::vector<TradeOff>& plans, PipelineRuntime runtime);
// {"runtime", "plans": [{"text", "recompute" (null: policies are not compared), "recomputed_share",
// "iteration_s", "bottleneck_s", "peak_bytes", "bytes_sent", "bubble", and the bounds as in bounds_json.h}]}
std::string tradeOffsJson(const std::vector<TradeOff>& plans, PipelineRuntime runtime);

} // namespace stagecraft
