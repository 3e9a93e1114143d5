// TraceRecorder: writes down every operator that passes the dispatcher hook on one thread.
//
// trace_model.cpp drives it through a step; trace_hook.cpp feeds it operators and saved tensors.
#pragma once

#include "core/base/progress.h"
#include "core/base/temporarily.h"
#include "core/trace/active_casts.h"
#include "core/trace/kept_results.h"
#include "core/trace/known_values.h"
#include "core/trace/lowering.h"
#include "core/trace/op_info.h"
#include "core/trace/storage_ledger.h"
#include "core/trace/trace.h"
#include "core/trace/trace_hook.h"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
class DispatchKeySet;
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

// Unwinds a trace that was asked to stop, through LibTorch.
struct TraceStopped : std::exception
{
    const char* what() const noexcept override { return "stopped"; }
};

// Unwinds the second run of a checkpoint region, where everything that it is for was made. Not a
// std::exception: nobody on the way may take it for a failure.
struct RecomputationDone
{
};

class TraceRecorder final : public TraceListener
{
public:
    // Makes what autograd is to do with a tensor that it saves now; null: nothing but keep it.
    using SavedHooks = std::function<std::unique_ptr<torch::autograd::SavedVariableHooks>()>;

    // All three must outlive the recorder.
    TraceRecorder(const Graph& graph, const LoweringTarget& lowering, const Progress& progress);

    const std::shared_ptr<StorageLedger>& ledger() const override { return m_ledger; }

    // A tensor that exists before the step and never counts; with the value of the graph that holds it.
    void addGiven(ValueId value, const at::Tensor& tensor, StorageClass storageClass);
    // One that no value holds: it belongs to `owner`.
    StorageId addGiven(const at::Tensor& tensor, StorageClass storageClass, std::optional<ValueId> owner);
    // What a given integer or boolean tensor holds, so that operators that ask for it can be answered.
    void addData(const at::Tensor& tensor, const at::Tensor& data)
    {
        if (m_known)
            m_known->add(tensor, data);
    }
    // Operators that run from now on belong to this node, or to none (the loss), and run in its context.
    void enterNode(std::optional<NodeId> node);
    // What a value of the graph holds now.
    void noteValue(ValueId value, const at::Tensor& tensor);
    void noteInexact(InexactNode inexact);
    void noteOutput(const at::Tensor& tensor);
    void noteLoss(const at::Tensor& loss);
    void beginBackward();
    // Operators from now on are an optimizer's.
    void beginOptimizer();
    void noteParameterGradient(ValueId parameter, const at::Tensor& gradient);
    void endBackward();
    // What an operator made and the optimizer keeps.
    void noteOptimizerState(const at::Tensor& state, std::optional<ValueId> parameter);
    std::uint32_t opCount() const { return static_cast<std::uint32_t>(m_ops.size()); }
    // Hands the trace over. Outputs and loss were dropped, parameters and their gradients were not.
    Trace finish();

    void handle(const c10::OperatorHandle& op, c10::DispatchKeySet keysAfterHook,
                std::vector<c10::IValue>& stack) override;
    void handleBelowAutograd(const c10::OperatorHandle& op, c10::DispatchKeySet keysAfterHook,
                             std::vector<c10::IValue>& stack) override;
    std::unique_ptr<torch::autograd::SavedVariableHooks> savedHooks() override;
    // Called by autograd's hooks: the tensor is kept from now on.
    std::unique_ptr<KeptTensor> keep(const at::Tensor& tensor);

    // Who has a say in what autograd saves inside checkpoint regions; empty: nobody.
    void setRegionHooks(SavedHooks hooks) { m_regionHooks = std::move(hooks); }
    // Where results of operators go from now on or, where a region is run again, come from; null: nowhere.
    void setKeptResults(KeptResults* results) { m_keptResults = results; }
    // While the answer lives, what is kept is kept for this node.
    Temporarily<std::optional<NodeId>> keepFor(NodeId node) { return {m_node, node}; }
    // While this lives, operators are those of a region that is run again.
    class RecomputationScope;
    // `last`, which an operator just saved, is the last tensor that a region is run again for. Throws
    // RecomputationDone: now, if the operator has not run yet, else behind it.
    void endRecomputation(const at::Tensor& last);

private:
    struct Running; // an operator that runs

    const OpInfo& infoOf(const c10::OperatorHandle& op);
    // Runs `body` inside a region record, which is dropped again if nothing ran in it.
    template <class Body>
    bool inRegion(OpNameId name, const Body& body);
    void runLeaf(const OpInfo& info, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                 std::vector<c10::IValue>& stack);
    void takeKept(const OpInfo& info, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  std::vector<c10::IValue>& stack);
    Running beginRun(const OpInfo& info, const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                     const std::vector<c10::IValue>& stack) const;
    TraceOp beginOp(const OpInfo& info, const c10::OperatorHandle& op, const std::vector<c10::IValue>& stack);
    void endOp(TraceOp record, const c10::OperatorHandle& op, const std::vector<c10::IValue>& stack,
               Bytes allocatedBefore);
    std::optional<NodeId> currentNode() const;

    TraceArgument snapshot(const c10::IValue& value);
    TraceArgument integers(const std::vector<std::int64_t>& numbers);
    TraceArgument tensors(const std::vector<at::Tensor>& tensors);
    TraceTensorId addTensor(const at::Tensor& tensor);
    StorageId storageOf(const at::Tensor& tensor);
    void noteResult(const at::Tensor& tensor);
    void noteResize(const at::Tensor& tensor, StorageLedger::EntryIndex entry);

    const Graph& m_graph;
    const LoweringTarget& m_lowering;
    const Progress& m_progress;
    std::shared_ptr<StorageLedger> m_ledger;
    std::shared_ptr<SavedLog> m_saved;
    Trace m_trace;
    std::vector<TraceOp> m_ops;         // the trace's, until finish()
    std::vector<TraceRegion> m_regions; // likewise
    Phase m_phase = Phase::Forward;
    std::optional<NodeId> m_node;
    std::optional<RegionId> m_region;
    ActiveCasts m_casts;
    std::unique_ptr<KnownValues> m_known; // none: nothing in the graph asks for data
    Running* m_running = nullptr;         // null: no operator runs
    SavedHooks m_regionHooks;
    KeptResults* m_keptResults = nullptr;
    bool m_isRecomputing = false;           // a region is run again
    bool m_endsBehindOp = false;            // and is to end when the operator has run
    std::optional<StorageId> m_hostStorage; // stands for numbers that lie on the CPU
    // Autograd numbers its nodes as they are made: (first number, the graph's node that runs from there on).
    std::vector<std::pair<std::uint64_t, std::optional<NodeId>>> m_autogradNumbers;
    std::unordered_map<const void*, OpInfo> m_infos; // by schema
};

class TraceRecorder::RecomputationScope
{
public:
    explicit RecomputationScope(TraceRecorder& recorder);
    ~RecomputationScope();
    RecomputationScope(const RecomputationScope&) = delete;
    RecomputationScope& operator=(const RecomputationScope&) = delete;

private:
    struct Around;
    TraceRecorder& m_recorder;
    std::unique_ptr<Around> m_around;
};

} // namespace stagecraft
