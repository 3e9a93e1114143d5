// Measured mode: how long every node takes on this machine's CPU.
//
// Each node is run alone on the values that a real step gives it, several times, forward and backward; then
// the whole step, so that what isolation hides (caches, overheads) shows. Slow: seconds to minutes.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/measure/real_step.h"
#include "core/profile/profile.h"

#include <cstdint>
#include <optional>

namespace stagecraft {

struct NodeTimes
{
    Seconds forward;
    Seconds backwardInput;  // gradients of activations
    Seconds backwardWeight; // what gradients of parameters take on top
};

struct MeasuredTimes
{
    Table<NodeId, std::optional<NodeTimes>> nodes; // none: not measured
    StepTimes step;                                // the whole model at once
    // Why the forward pass alone was measured: "aten::histc has no derivative in PyTorch". None: both were.
    std::optional<std::string> withoutBackward;
    // How much of the time other work had the processors (cpu_contention.h); 0 where only the time of the one
    // thread counts.
    double contention = 0;

    // Did others have the processors so much that times are too high?
    bool disturbed() const { return contention > 0.05; }
};

struct MeasureOptions
{
    Bindings bindings; // of symbolic sizes
    std::uint64_t seed = 0;
    std::string lossOutput;     // that a whole step goes back from, as lossOutput() reads it
    int repeats = 5;            // the lower quartile counts
    int threads = 0;            // that operators may use; 0: as many as LibTorch has now
    Seconds enoughPerNode{0.2}; // no further repeats once a node took so long in all
    Seconds enoughPerStep{10};  // or the whole step
};

// Nodes that the step's backward pass does not come by have no backward times. Where an operator has no
// derivative, the forward pass alone is measured. Fails where a step has no room on this machine
// (step_room.h), and as the interpreter does.
Result<MeasuredTimes> measureModel(const Model& model, const MeasureOptions& options = {},
                                   const Progress& progress = {});

// Replaces estimated times of nodes by measured ones (origin `how`), and the totals by their sums. Backward
// times that were not measured stay estimates. Notes say so, what the whole step took, and that it was
// disturbed.
void applyTimes(const MeasuredTimes& times, CostOrigin how, Profile& profile);

} // namespace stagecraft
