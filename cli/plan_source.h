// Where a command gets its plan from: a plan file, boundaries by name, or a search.
#pragma once

#include "cli/plan_options.h"
#include "cli/profile_options.h"
#include "core/base/progress.h"
#include "core/plan/problem.h"
#include "core/plan/sources/plan_file.h"

#include <optional>

namespace stagecraft::cli {

struct PlanSourceFlags
{
    ProfileFlags profile;
    PlanFlags plan;
    std::string planFile;
    std::vector<std::string> splitBefore;
    std::vector<std::string> splitAfter;
    std::string splitSpec; // a file
    bool splitAtMarks = false;
    const CLI::App* command = nullptr; // tells what was given and what is only usual
};

// Whether the command may also be given a plan file with --plan.
enum class PlanFileFlag { Offered, NotOffered };
void addPlanSourceFlags(CLI::App& command, PlanSourceFlags& flags, PlanFileFlag planFile);

// A plan with all that belongs to it.
struct ChosenPlan
{
    Profile profile;
    PartitionProblem problem;
    Solution solution;            // a split by hand has the best bound that is cheap
    bool limitIsOfDevice = false; // the memory limit: nobody asked for it
    std::vector<std::string> notes;
};

// Profiles the model and then searches, splits by name or lays the plan file on it, under another schedule,
// limit or link where one is given. A model with marks (load/split_mark.h) is split at them where nothing is
// said of how many stages there shall be or where to cut; a note says so. Without an explicit memory limit it
// is the device's (planLimits); where no plan keeps that, the plan is the best that does not, its cost says
// where, and a note why.
Result<ChosenPlan> choosePlan(const Model& model, const PlanSourceFlags& flags, const Progress& progress);

// What a search would be for: as above, but nothing is searched. A memory limit that was not given is the
// device's (planLimits).
Result<PartitionProblem> planQuestion(const Model& model, const PlanSourceFlags& flags,
                                      const Progress& progress);

// Laid on the model without a profile: for export, which needs to know only where to cut.
Result<Partition> partitionOfPlanFile(const Model& model, const std::string& planFile,
                                      std::vector<std::string>& notes);

// The plan file of `flags`, laid on the model. Fails where other flags say where to cut, too.
Result<AppliedPlan> appliedPlanFile(const Model& model, const PlanSourceFlags& flags);

// What a person has to know beside the figures of the plan: core/plan/plan_notes.h.
Result<std::vector<std::string>> notesOnPlan(const Model& model, const ChosenPlan& chosen,
                                             const Progress& progress);

// One line each on standard error.
void printNotes(const std::vector<std::string>& notes);

} // namespace stagecraft::cli
