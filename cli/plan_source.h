// Where a command gets its plan from: a plan file, boundaries by name, or a search.
#pragma once

#include "cli/plan_devices.h"
#include "cli/plan_options.h"
#include "cli/profile_options.h"
#include "cli/recompute_option.h"
#include "core/base/progress.h"
#include "core/plan/problem.h"
#include "core/plan/sources/made_for.h"
#include "core/plan/sources/plan_file.h"
#include "core/recompute_trade_offs.h"
#include "core/recomputed_plan.h"

#include <optional>

namespace stagecraft::cli {

struct PlanSourceFlags
{
    ProfileFlags profile;
    PlanFlags plan;
    std::string planFile;
    std::shared_ptr<const PlanFile>
        plannedBefore; // what is in it, where it was read already: it may be a pipe
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
    std::shared_ptr<const Model> model; // as it runs: what is recomputed is in its contexts
    Profile profile;
    PartitionProblem problem;
    Solution solution;            // a split by hand has the best bound that is cheap
    bool limitIsOfDevice = false; // the memory limit: nobody asked for it
    ProfileFlags profileFlags;    // as given, and what was not as a plan file says
    MadeFor madeFor;
    std::vector<std::string> notes; // on where it comes from, then on its figures
    std::size_t sourceNotes = 0;    // how many the first are
};

// Profiles the model and then searches, splits by name or lays the plan file on it, for what that was made
// for but where an option says otherwise, which notes tell. A model with marks (load/split_mark.h) is split
// at them where nothing is said of how many stages there shall be or where to cut; a note says so. Without an
// explicit memory limit it is the device's (planLimits); where no plan keeps that, the plan is the best that
// does not, its cost says where, and a note why.
Result<ChosenPlan> choosePlan(const Model& model, const PlanSourceFlags& flags, const Progress& progress);

// Another plan of the problem in the place of the chosen one, its regions as it parts them.
Result<void> takePartition(const Model& model, Solution solution, ChosenPlan& chosen,
                           const Progress& progress);

// The best plan for those options, which say all that is asked of it, in that share of their time, in the
// place of the chosen one.
Result<void> searchAnew(const Model& model, PartitionOptions options, double shareOfTime, ChosenPlan& chosen,
                        const Progress& progress);

// Who profiles as the flags say, which outlive it.
Result<Profiler> profilerOf(const ProfileFlags& flags, const Progress& progress);

// What a search would be for: as above, but nothing is searched. A memory limit that was not given is the
// device's (planLimits).
struct PosedQuestion
{
    PartitionProblem problem;
    std::vector<std::string> notes;
};
Result<PosedQuestion> planQuestion(const Model& model, const PlanSourceFlags& flags,
                                   const Progress& progress);

// Plans that give up time for memory or bytes sent, where asked for with and without recomputation.
struct ComparedPlans
{
    std::vector<TradeOff> plans;
    PipelineRuntime runtime;
    std::vector<std::string> notes;
};
Result<ComparedPlans> tradeOffsFor(const Model& model, const PlanSourceFlags& flags,
                                   const Progress& progress);

// A plan file laid on the model without a profile, for who needs to know only where to cut.
Result<AppliedPlan> cutsOfPlanFile(const Model& model, const std::string& planFile);
// And what to recompute.
struct LaidPlan
{
    RecomputedModel runs;
    AppliedPlan plan;
    std::shared_ptr<const NodeStages> stages;
    FlagsOfPlan asMade;
};
// `recompute`: --recompute; empty: what the plan says. `command` tells what was given of `profile`.
Result<LaidPlan> laidPlanFile(const Model& model, const CLI::App& command, const ProfileFlags& profile,
                              const std::string& planFile, const std::string& recompute);
// With what is in its plan file, which commands that look into it several times read once.
Result<PlanSourceFlags> withPlanFileRead(PlanSourceFlags flags);
// That of `flags`. Fails where other flags say where to cut, too.
Result<LaidPlan> laidPlanFile(const Model& model, const PlanSourceFlags& flags);
// Does the plan file of `flags` recompute as memory demands (auto), and was made for something else than the
// other flags say, so that what it recomputes is to be chosen anew?
Result<bool> choosesAnew(const Model& model, const PlanSourceFlags& flags);

// What a person has to know beside the figures of the plan: core/plan/plan_notes.h.
std::vector<std::string> notesOnPlan(const ChosenPlan& chosen);

// One line each on standard error.
void printNotes(const std::vector<std::string>& notes);

} // namespace stagecraft::cli
