// Recomputation: checkpoint regions, run as torch.utils.checkpoint(..., use_reentrant=False) runs them.
//
//     forward    a region keeps its inputs; tensors that its operators save are counted and let go
//     backward   the first operator that asks for one of them runs the region again, up to the last of them;
//                each is held until its operator takes it
//
// A region inside a region keeps its inputs with the outer one, which is run first to have them again. What
// never asks for a saved tensor runs nothing again: inference, a region whose output nobody differentiates.
#pragma once

#include "core/base/result.h"
#include "core/run/value_table.h"
#include "core/trace/region_runs.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace c10 {
struct IValue;
}
namespace torch::autograd {
struct SavedVariableHooks;
}

namespace stagecraft {

class TraceRecorder;

class Recomputation
{
public:
    // Runs consecutive nodes, telling enterNode() before each; what they read is in the table.
    using Run = std::function<Result<void>(std::span<const NodeId>, ValueTable&)>;

    // All must outlive it. `given` holds parameters, buffers and constants at any time. Where gradients are
    // off now, regions keep their inputs only while they run.
    Recomputation(const Graph& graph, const RegionRuns& regions, const ValueTable& given,
                  TraceRecorder& recorder, Run run);
    ~Recomputation();
    Recomputation(const Recomputation&) = delete;
    Recomputation& operator=(const Recomputation&) = delete;

    // A node is about to run on `values`, in the forward pass or again: leaves and enters regions.
    void enterNode(NodeId node, const ValueTable& values);
    // The last node of the forward pass has run.
    void leaveAll();
    // What autograd is to do with a tensor that it saves now; null: no region has a say in it.
    std::unique_ptr<torch::autograd::SavedVariableHooks> savedHooks();

private:
    struct KeptInput;
    struct Frame;
    struct Entered;
    struct Pass;
    class CheckpointHooks;
    class RecomputingHooks;

    Entered enterRegion(NodeId first, std::size_t depth, const ValueTable& values);
    KeptInput keepInput(ValueId input, NodeId reader, const c10::IValue& value);
    void recompute(Frame& frame);

    const Graph& m_graph;
    const RegionRuns& m_regions;
    const ValueTable& m_given;
    TraceRecorder& m_recorder;
    Run m_run;
    bool m_trains;
    std::vector<Pass> m_passes; // the forward pass, then regions that are being run again
};

} // namespace stagecraft
