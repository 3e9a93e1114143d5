// The way of the data: what the window and the command line do with a model, one function an arrow.
//
//     file ─openModel─► Model ─traceAndProfile─► Profile ─planProblem─► PartitionProblem
//                         │                                                   │
//                         │            findPlan       (search)  ◄─────────────┤
//                         │            evaluatePlan   (by hand) ◄─────────────┘
//                         │                   │
//                         │            Partition, PlanCost, Bound
//                         │                   │
//                         ├─◄─ drawPlan ──────┤──► Layout
//                         ├─◄─ cutStages ─────┤──► StageProgram ─stageCode─► StageCode
//                         ├─◄─ exportStages ──┘──► folder ─verifyExport─► VerifyReport
//                         ├─◄─ sayPlan ──► the text that another framework reads
//                         └─◄─ reportPage ──► the page that anybody reads
//
// Those declared here call the rooms in order and add nothing of their own; the others are the rooms' own,
// in the headers named below. openModel() reads a .pt2; openModelFile() (script/open_model_file.h), which
// both programs call, TorchScript too. All may run on any thread; what takes longer than a blink takes a
// Progress.
#pragma once

#include "core/base/work_budget.h"
#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "core/load/open_model.h" // openModel
#include "core/plan/framework_plan.h"
#include "core/plan/partition.h"
#include "core/plan/sources/model_problem.h" // PartitionProblem
#include "core/profile/profile.h"
#include "core/report/report.h"            // reportPage
#include "core/schedule/step_comparison.h" // compareSteps
#include "core/stage/cut.h"                // cutStages
#include "core/stage/export.h"             // exportStages
#include "core/stage/python_code.h"        // stageCode
#include "core/stage/verify.h"             // verifyExport

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// One step on the meta device, then what every node of it costs on options.device. Fails as traceModel does,
// and before it, saying what differs, where this LibTorch does not pass traceSelfTest().
Result<Profile> traceAndProfile(const Model& model, const ProfileOptions& options,
                                const Progress& progress = {});

// What there is to split; what cannot be cut into different stages is kept together. Fails as makeProblem
// does.
Result<PartitionProblem> planProblem(const Model& model, const Profile& profile, PartitionOptions options,
                                     const Progress& progress = {});

// What a stage may hold where no limit is given: what the device has beside its driver's context. One value,
// for all stages; none of a device whose memory is not known.
std::vector<Bytes> planLimits(const DeviceSpec& device);

// What is done where no plan keeps the memory limits: the best that breaks them is taken, or none.
enum class OverLimit { Taken, Refused };
struct FindOptions
{
    const Partition* current = nullptr; // what comes out is never worse, if this is a plan of the problem
    OverLimit overLimit = OverLimit::Taken;
};
struct FoundPlan
{
    Solution solution;
    std::string whyOverLimit; // not empty: nothing fits into memory; this is the best plan that does not
};

// The best plan that can be found within the problem's time limit, with bounds on its slowest device and on
// its step. Where no plan keeps the memory limits, the best that ignores them, with bounds of all such, its
// cost saying which stages do not fit. Fails where the other constraints contradict each other, or limits are
// not kept that must be: says which stage breaks them, and what limit or number of stages would do.
Result<FoundPlan> findPlan(const PartitionProblem& problem, const FindOptions& options = {},
                           const Progress& progress = {});

// A plan made by hand or read from a file, with its cost and the bounds that need no search (planBound,
// stepBound). Fails, in one line, where the plan is not legal.
Result<Solution> evaluatePlan(const PartitionProblem& problem, Partition partition,
                              const Progress& progress = {});

// A plan as a framework reads it.
struct SaidPlan
{
    // In the place of a plan that the framework cannot say.
    struct Instead
    {
        Error inTheWay;    // of the plan that was asked for
        Solution plan;     // the best that it can say: a plan of the same problem
        std::string costs; // "the best plan that megatron can say takes a step of 2 ms instead of 1.8 ms ..."
    };
    std::string text; // of that plan, where there is one
    std::optional<Instead> instead;
    std::vector<std::string> unsaid = {}; // what it does not say of the model (unsaidOfModel)
};

// The plan of `problem` that `partition` is, of a model with that profile. Where the framework cannot say
// it, the best plan that it can, with what that costs; fails where it can say none, with what is in the way
// of both.
Result<SaidPlan> sayPlan(Framework framework, const Model& model, const Profile& profile,
                         const PartitionProblem& problem, const Partition& partition,
                         const Progress& progress = {});

// A step of a run of the plan's export, as files of it tell (measure/step_record.h), fit to be compared with
// what simulate() makes of `schedule` (schedule/step_comparison.h). `kind` is the schedule's, where it is one
// of those that have a name. Fails where a file is of another model, plan or schedule, and as
// readStepRecord() and measuredStep() do.
Result<MeasuredStep> readMeasuredStep(std::span<const std::filesystem::path> files, const Graph& graph,
                                      const Partition& partition, const Schedule& schedule,
                                      std::optional<ScheduleKind> kind, const Progress& progress = {});

// The drawing of a plan with some boxes open. `engine` keeps what it drew before, so that the next drawing of
// nearly the same takes milliseconds. Fails only if cancelled.
Result<Layout> drawPlan(LayoutEngine& engine, std::shared_ptr<const Graph> graph, const GroupTree& groups,
                        const Partition& partition, const Expansion& expansion,
                        const RunTreeOptions& options = {}, const Progress& progress = {},
                        const std::optional<PageShape>& page = {});

} // namespace stagecraft
