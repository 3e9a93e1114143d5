#include "core/trace/recomputation.h"

#include "core/trace/recorder.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <set>
#include <stdexcept>

namespace stagecraft {

namespace {

using torch::autograd::SavedVariable;

// The place of a tensor that an operator of a region saved; filled while the region is run again.
struct Place
{
    std::unique_ptr<KeptTensor> tensor;
};

} // namespace

struct Recomputation::KeptInput
{
    ValueId value;
    c10::IValue plain;   // what is no tensor
    SavedVariable saved; // kept as autograd keeps tensors: by the region around, if there is one
};

// One run of a region.
struct Recomputation::Frame
{
    std::size_t depth = 0; // regions around it
    std::uint32_t run = 0;
    std::vector<NodeId> nodes;
    std::vector<ValueId> given; // values that it reads and the model holds
    std::vector<KeptInput> inputs;
    KeptResults results;
    std::vector<std::weak_ptr<Place>> places; // of all that its operators saved, in order
    std::size_t made = 0;                     // of these
    bool ranAgain = false;
};

// A region that a walk is in.
struct Recomputation::Entered
{
    std::shared_ptr<Frame> frame;
    // They live as long as the region runs, also where it keeps them with the region around it, or not at
    // all.
    std::vector<c10::IValue> arguments;
};

// A walk over nodes, and the regions it is in.
struct Recomputation::Pass
{
    Frame* target = nullptr; // the region that is run again; null: the forward pass
    std::size_t depth = 0;   // regions around the walk
    std::vector<Entered> open;
};

// In the forward pass of a region.
class Recomputation::CheckpointHooks final : public torch::autograd::SavedVariableHooks
{
public:
    CheckpointHooks(Recomputation& owner, std::shared_ptr<Frame> frame)
        : m_owner(owner), m_frame(std::move(frame)), m_place(std::make_shared<Place>())
    {
    }

    void call_pack_hook(const at::Tensor&) override { m_frame->places.push_back(m_place); }
    at::Tensor call_unpack_hook() override
    {
        if (!m_frame->ranAgain)
            m_owner.recompute(*m_frame);
        const std::unique_ptr<KeptTensor> kept = std::move(m_place->tensor);
        if (!kept)
            throw std::runtime_error("a checkpoint region saves other tensors when it is run again");
        return kept->tensor();
    }

private:
    Recomputation& m_owner;
    std::shared_ptr<Frame> m_frame;
    std::shared_ptr<Place> m_place;
};

// While a region is run again: its operators save in the same order.
class Recomputation::RecomputingHooks final : public torch::autograd::SavedVariableHooks
{
public:
    RecomputingHooks(TraceRecorder& recorder, Frame& frame) : m_recorder(recorder), m_frame(frame) {}

    void call_pack_hook(const at::Tensor& tensor) override
    {
        m_tensor = tensor.tensor_data();
        const std::size_t index = m_frame.made++;
        if (index >= m_frame.places.size())
            throw std::runtime_error("a checkpoint region saves more tensors when it is run again");
        // Who is no more has no use for it: its operator belongs to what nobody differentiates.
        if (const std::shared_ptr<Place> place = m_frame.places[index].lock())
            place->tensor = m_recorder.keep(tensor);
        if (m_frame.made == m_frame.places.size())
            m_recorder.endRecomputation(tensor);
    }
    at::Tensor call_unpack_hook() override { return m_tensor; }

private:
    TraceRecorder& m_recorder;
    Frame& m_frame;
    at::Tensor m_tensor;
};

Recomputation::Recomputation(const Graph& graph, const RegionRuns& regions, const ValueTable& given,
                             TraceRecorder& recorder, Run run)
    : m_graph(graph),
      m_regions(regions),
      m_given(given),
      m_recorder(recorder),
      m_run(std::move(run)),
      m_trains(at::GradMode::is_enabled())
{
    m_passes.emplace_back();
    m_recorder.setRegionHooks([this] { return savedHooks(); });
}

Recomputation::~Recomputation()
{
    m_recorder.setRegionHooks({});
}

void Recomputation::enterNode(NodeId node, const ValueTable& values)
{
    Pass& pass = m_passes.back();
    const std::vector<std::uint32_t>& around = m_regions.around[node];
    std::size_t common = 0;
    while (common < pass.open.size() && pass.depth + common < around.size() &&
           pass.open[common].frame->run == around[pass.depth + common])
        ++common;
    while (pass.open.size() > common)
        pass.open.pop_back();
    while (pass.depth + pass.open.size() < around.size())
        pass.open.push_back(enterRegion(node, pass.depth + pass.open.size(), values));
    Frame* const innermost = pass.open.empty() ? pass.target : pass.open.back().frame.get();
    const bool isKept = m_trains && innermost && m_graph.context(m_graph[node].context).keepsResults;
    m_recorder.setKeptResults(isKept ? &innermost->results : nullptr);
}

void Recomputation::leaveAll()
{
    m_recorder.setKeptResults(nullptr);
    m_passes.back().open.clear();
}

Recomputation::Entered Recomputation::enterRegion(NodeId first, std::size_t depth, const ValueTable& values)
{
    auto frame = std::make_shared<Frame>();
    std::vector<c10::IValue> arguments;
    frame->depth = depth;
    frame->run = m_regions.around[first][depth];
    std::set<ValueId> known;
    for (std::size_t i = m_regions.positions[first]; i < m_regions.order.size(); ++i) {
        const NodeId node = m_regions.order[i];
        if (depth >= m_regions.around[node].size() || m_regions.around[node][depth] != frame->run)
            break;
        frame->nodes.push_back(node);
        for (const ValueId input : m_graph[node].inputs) {
            if (!known.insert(input).second)
                continue;
            if (m_graph[input].isStored()) {
                frame->given.push_back(input);
                continue;
            }
            arguments.push_back(values[input]);
            if (m_trains)
                frame->inputs.push_back(keepInput(input, node, values[input]));
        }
        known.insert(m_graph[node].results.begin(), m_graph[node].results.end());
    }
    return {std::move(frame), std::move(arguments)};
}

Recomputation::KeptInput Recomputation::keepInput(ValueId input, NodeId reader, const c10::IValue& value)
{
    if (!value.isTensor())
        return {input, value, {}};
    const auto keeping = m_recorder.keepFor(reader);
    return {input, {}, SavedVariable(value.toTensor(), /*is_output=*/false)};
}

void Recomputation::recompute(Frame& frame)
{
    ValueTable values(m_graph);
    for (const ValueId given : frame.given)
        values.set(given, m_given[given]);
    for (const KeptInput& input : frame.inputs) {
        const at::Tensor tensor = input.saved.unpack();
        values.set(input.value, tensor.defined() ? c10::IValue(tensor) : input.plain);
    }
    const TraceRecorder::RecomputationScope scope(m_recorder);
    const at::AutoGradMode gradMode(true);
    m_passes.push_back({&frame, frame.depth + 1, {}});
    std::optional<Error> problem;
    try {
        const Result<void> done = m_run(frame.nodes, values);
        if (!done.has_value())
            problem = done.error();
    } catch (const RecomputationDone&) {
        frame.ranAgain = true;
    } catch (...) {
        m_passes.pop_back();
        throw;
    }
    m_passes.pop_back();
    if (problem)
        throw std::runtime_error(problem->message);
    if (!frame.ranAgain)
        throw std::runtime_error("a checkpoint region saves fewer tensors when it is run again");
}

std::unique_ptr<torch::autograd::SavedVariableHooks> Recomputation::savedHooks()
{
    const Pass& pass = m_passes.back();
    if (!pass.open.empty())
        return std::make_unique<CheckpointHooks>(*this, pass.open.back().frame);
    if (pass.target)
        return std::make_unique<RecomputingHooks>(m_recorder, *pass.target);
    return nullptr;
}

} // namespace stagecraft
