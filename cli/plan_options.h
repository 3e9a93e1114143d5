// Options that say what is asked of a plan, and the ways to get one: solved, split by name, or from a file.
#pragma once

#include "cli/request_fields.h"
#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/plan/problem.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace stagecraft::cli {

struct PlanFlags
{
    FieldTexts fields;
    StageCounts counts;      // what is given of these three; the others follow
    std::string memoryLimit; // "24GiB"; empty: what the device has beside its driver
    double timeLimit = 10;   // seconds, from `begin` on
    double searchShare = 1;  // of these: what comes after the search has the rest
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now(); // of the command
    std::vector<std::string> pins;         // "NAME=STAGE", stages counted from 0
    std::vector<std::string> keepTogether; // modules
    std::vector<std::string> keepClasses;  // each module of these classes stays whole
    int keepDepth = 0;                     // each module so deep stays whole; 0: none
    std::vector<std::string> neverCut;     // values
    std::vector<std::string> stageDevices; // "STAGE=DEVICE", stages counted from 0
    std::string recompute;                 // a policy or a plan file; empty: as the plan or the model says
};

void addPlanFlags(CLI::App& command, PlanFlags& flags);
// --recompute, which addPlanFlags() adds, too.
void addRecompute(CLI::App& command, std::string& recompute);

// `progress` that is late once the command has taken as long as it may.
Progress withinLimit(const PlanFlags& flags, const Progress& progress);
// The same for its search.
Progress searchWithin(const PlanFlags& flags, const Progress& progress);
// Options that need no model; memory limits as given (none: none). The sizes of an instance are in units of
// its maker's, so that a limit of a few is none too few.
enum class LimitOf { Device, Instance };
Result<PartitionOptions> planOptions(const PlanFlags& flags, LimitOf limitOf = LimitOf::Device);
// Adds pins, kept-together modules and never-cut values, by name. Fails naming what is not there.
Result<void> addConstraints(const PlanFlags& flags, const Graph& graph, PartitionOptions& options);
// Pins of an instance's nodes, by label or, where they have none, by id. Fails naming what is not there.
Result<void> addConstraints(const PlanFlags& flags, PartitionProblem& instance);

} // namespace stagecraft::cli
