// Options that say what is asked of a plan, and the ways to get one: solved, split by name, or from a file.
#pragma once

#include "core/load/model.h"
#include "core/partition/problem.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stagecraft::cli {

struct PlanFlags
{
    std::size_t stages = 4;
    std::size_t microbatches = 8;
    std::string schedule = "1f1b";
    std::size_t stagesPerDevice = 1;
    std::string memoryLimit; // "24GiB"; empty: what the device has
    std::string send = "relay";
    std::string objective = "sum";
    double timeLimit = 10;
    std::uint64_t seed = 1;
    std::vector<std::string> pins;         // "NAME=STAGE", stages counted from 0
    std::vector<std::string> keepTogether; // modules
    std::vector<std::string> keepClasses;  // each module of these classes stays whole
    int keepDepth = 0;                     // each module so deep stays whole; 0: none
    std::vector<std::string> neverCut;     // values
};

void addPlanFlags(CLI::App& command, PlanFlags& flags);

// Options that need no model; memory limits as given (none: none).
Result<PartitionOptions> planOptions(const PlanFlags& flags);
// Adds pins, kept-together modules and never-cut values, by name. Fails naming what is not there.
Result<void> addConstraints(const PlanFlags& flags, const Graph& graph, PartitionOptions& options);
// Pins of an instance's nodes, by label or, where they have none, by id. Fails naming what is not there.
Result<void> addConstraints(const PlanFlags& flags, PartitionProblem& instance);

} // namespace stagecraft::cli
