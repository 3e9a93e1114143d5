// Why no plan fits, for a person: which stage, what fills it, and what would do.
#pragma once

#include "core/base/progress.h"
#include "core/search/reduce/reduction.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// Something that takes memory in a stage.
struct MemoryShare
{
    enum class Kind : std::uint8_t {
        State,     // parameters and buffers with gradients and optimizer state
        Saved,     // activations that a node keeps, of all microbatches in flight
        Transient, // while a node runs
        Waiting,   // gradients between the parts of split backward passes
        Runtime,   // buffers of the pipeline's run-time
    };
    Kind kind = Kind::State;
    std::string name; // of the parameter, or of the node
    Bytes bytes;
};

struct Infeasibility
{
    // The stage that would break its limit in the plan that needs least, what it needs there and what for,
    // the largest first. None: it is not memory that forbids it, or a part is too large for every
    // stage.
    std::optional<StageId> stage;
    Bytes need;
    Bytes limit;
    std::vector<MemoryShare> shares;
    // Each, found by trying, is enough for a plan: a limit for all stages, another number of stages, a lower
    // number of microbatches, another schedule.
    std::optional<Bytes> sufficientLimit;
    std::optional<Bytes> neededLimit; // no plan does with less: but for rounding the same, or a lower bound
    std::optional<std::size_t> sufficientStages;
    bool stagesAreLeast = false; // fewer stages, however few, are known not to do
    std::optional<std::size_t> sufficientMicrobatches;
    std::optional<ScheduleKind> sufficientSchedule;
    bool isProven = false; // there is no plan; else none was found
    std::string message;   // all of it in one line
};

// With this a message ends where more time may lead to a plan.
inline constexpr std::string_view timeWasOver = "; the time was over before all was tried: allow more";

// `reduced`, of `problem`, has no plan, or none was found, that keeps its constraints. Says less where the
// time of `reduced` is over.
Infeasibility diagnoseInfeasible(const PartitionProblem& problem, const ReducedProblem& reduced);

// solve(); where no plan keeps the constraints, the error says why, and what would do as far as that is found
// in what is left of options.timeLimit.
Result<Solution> solveOrExplain(const PartitionProblem& problem, const Progress& progress = {});

// A little more than `bytes`, so that the three digits that formatBytes prints are enough when typed in.
Bytes printedLimit(Bytes bytes);

} // namespace stagecraft
