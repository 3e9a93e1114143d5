// A plan file and the plan of the open model that it is: what it was made for, and what a file of a plan says
// of that. For any thread.
#pragma once

#include "app/document/open_model.h"
#include "app/document/plan_state.h"
#include "core/load/model.h"
#include "core/plan/sources/plan_file.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// What is asked of any model, of this one: with the sizes and the output that it has, and the stages that it
// asks for itself.
PlanRequest requestFor(const Model& model, PlanRequest request);
// What is asked of the model at `path`, which is opened next, by what is `asked` of the one that is open, if
// one is. How a person trains and on what passes on: devices, microbatches, schedule, precision, what runs
// again. What is of the one model stays with it: constraints, a limit of memory (which holds where the same
// file is read again), and what the program chose for it instead of what was asked `before`, which is asked
// for as then: stages and schedule that its marks or its size made, recomputation so that it fits at all.
PlanRequest requestForNext(const PlanRequest& asked, const OpenModel& open, const PlanRequest& before,
                           const std::filesystem::path& path);
// `base` with the device and the profile that the plan was made for, on this model.
PlanRequest requestOfFile(const PlanFile& plan, const Model& model, const PlanRequest& base,
                          std::span<const DeviceSpec> known);

// All that the plan says of how its stages run, laid on the model; to be profiled and evaluated yet.
struct StateOfFile
{
    PlanRequest request;
    Partition partition;
    std::vector<std::string> notes; // what does not match, and what is taken instead
};
// With times and costs of operators of `base`, which no plan file holds. Fails as applyPlan() does.
Result<StateOfFile> stateOfFile(const PlanFile& plan, const Model& model, const PlanState& base,
                                std::span<const DeviceSpec> known);

// What a file of that plan holds, once it is asked; the answer owns all that it uses. Of a plan that is not
// settled without the regions that came of its policy, which are of other boundaries.
std::function<PlanFile()> fileOfState(ModelFile file, std::shared_ptr<const Model> model,
                                      const PlanState& state, Seconds timeLimit,
                                      std::span<const DeviceSpec> known);

} // namespace stagecraft
