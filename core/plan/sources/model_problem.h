// From a model and its profile to a PartitionProblem.
#pragma once

#include "core/load/model.h"
#include "core/plan/problem.h"
#include "core/profile/profile.h"

namespace stagecraft {

// What the figures mean:
//   - times are the profile's, as parts of a stage (stage_times.h); the batch it was made for is one
//     microbatch;
//   - parameters and buffers are state of every stage that reads them, with gradients and optimizer state as
//     the profile's totals say; one used in several stages is copied;
//   - inputs of the model reach every stage by keyword and cost no link; sizes and other numbers cost
//     nothing;
//   - what the model returns is brought to the last stage.
//   - the versions of a tensor that is written in place are sent as one.
// Kept in one stage: producer and readers of a value that cannot be sent; whatever reads or writes storage
// that is written in place under several names, so that no stage sees it half written; nodes that exchange no
// data with others (an assertion, a counter), with their neighbour in program order; options.keepTogether and
// options.neverCut. Fails as checkProblem does, and if cancelled.
Result<PartitionProblem> makeProblem(const Model& model, const Profile& profile,
                                     const PartitionOptions& options, const Progress& progress = {});

} // namespace stagecraft
