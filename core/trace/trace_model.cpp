#include "core/trace/trace_model.h"

#include "core/graph/called_operator.h"
#include "core/graph/functorch_step.h"
#include "core/load/loss_output.h"
#include "core/run/custom_operators.h"
#include "core/run/interpreter.h"
#include "core/run/model_values.h"
#include "core/run/torch_types.h"
#include "core/run/transform_scope.h"
#include "core/trace/fallback_results.h"
#include "core/trace/gradient_sums.h"
#include "core/trace/kernels/meta_kernels.h"
#include "core/trace/recomputation.h"
#include "core/trace/recorder.h"
#include "core/trace/region_runs.h"
#include "core/trace/size_bounds.h"
#include "core/trace/trace_hook.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/sum.h>

#include <algorithm>
#include <set>
#include <utility>

namespace stagecraft {

namespace {

StorageClass storageClassOf(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Parameter:
        return StorageClass::Parameter;
    case ValueKind::Buffer:
        return StorageClass::Buffer;
    case ValueKind::Constant:
        return StorageClass::Constant;
    default:
        return StorageClass::Input;
    }
}

// The routes that are not of one device answer as PyTorch's meta device does.
KernelModel kernelModelOf(const LoweringTarget& target)
{
    if (target.kind != LoweringKind::Device)
        return KernelModel::MetaFunctions;
    return isCpu(target) ? KernelModel::Cpu : KernelModel::Cuda;
}

bool isWrittenBack(OutputSpec::Kind kind)
{
    return kind == OutputSpec::Kind::BufferMutation || kind == OutputSpec::Kind::ParameterMutation ||
           kind == OutputSpec::Kind::InputMutation;
}

// What is kept of a region is found by counting operators, and autocast casts no weight twice that it has
// cast before the region: a second run, which it knows nothing of, counts others.
Result<void> checkKeptResults(const Model& model, const LoweringTarget& target)
{
    bool isAny = false;
    for (const NodeId node : model.graph.nodes()) {
        const Context& context = model.graph.context(model.graph[node].context);
        isAny = isAny || context.keepsResults;
        if (context.keepsResults && (context.autocast || autocastType(target.precision)))
            return Error{ErrorCode::Unsupported,
                         model.name +
                             ": results of operators in checkpoint regions cannot be kept under autocast"};
    }
    return isAny ? installHookBelowAutograd() : Result<void>();
}

// One step of a model, from its first operator to its last.
class Step
{
public:
    Step(const Model& model, const TraceOptions& options, const SizeBounds& bounds, const Progress& progress)
        : m_graph(model.graph),
          m_model(model),
          m_options(options),
          m_bounds(bounds),
          m_progress(progress),
          m_regions(regionRuns(model.graph, options.parts.get())),
          m_recorder(model.graph, options.lowering, progress),
          m_values(model.graph)
    {
    }

    Result<Trace> run()
    {
        STAGECRAFT_TRY(makeInputs());
        STAGECRAFT_ASSIGN(interpreter,
                          Interpreter::prepare(m_graph, {.device = RunDevice::Meta,
                                                         .unknownOperator = UnknownOperator::Postpone,
                                                         .nodes = m_regions.order}));
        {
            const KernelModelScope kernels(kernelModelOf(m_options.lowering));
            const TraceScope scope(m_recorder);
            STAGECRAFT_TRY(runForward(interpreter));
            STAGECRAFT_TRY(runBackward());
        }
        for (const NodeId id : m_graph.nodes())
            if (const std::string sizes = boundedSizes(m_graph, id, m_bounds); !sizes.empty())
                if (!m_recovered.contains(id))
                    m_recorder.noteInexact({id, "its size depends on data and is taken at its bound", sizes});
        Trace trace = m_recorder.finish();
        trace.checkpointRuns = Table<NodeId, std::uint32_t>(m_graph.nodeCount(), 0);
        for (const NodeId id : m_graph.nodes())
            if (const auto& around = m_regions.around[id]; !around.empty())
                trace.checkpointRuns[id] = around.front();
        return trace;
    }

private:
    Result<void> makeInputs()
    {
        const LedgerScope scope(m_recorder.ledger());
        STAGECRAFT_ASSIGN(values, modelValues(m_model, {.device = RunDevice::Meta,
                                                        .bindings = m_bounds.bindings,
                                                        .trainable = true,
                                                        .gradientsOf = m_options.gradientsOf}));
        m_values = std::move(values);
        if (const std::optional<DType> type = pureType(m_options.lowering.precision))
            castInputs(at::ScalarType(scalarTypeNumber(*type)));
        // A second name of a parameter takes no memory, also where the file has no data that shows it.
        for (const ParameterGroup& group : parameterGroups(m_model))
            for (const ValueId name : group.values)
                m_values.setTensor(name, m_values.tensor(group.values.front()));
        for (const ValueId input : m_graph.inputs())
            if (const at::Tensor tensor = m_values.tensor(input); tensor.defined()) {
                m_recorder.addGiven(input, tensor, storageClassOf(m_graph[input].kind));
                addData(input, tensor);
            }
        if (m_options.gradients == GradientStart::Present)
            makeGradients();
        return m_readsData ? m_model.unchanged() : Result<void>();
    }

    // Masks and lengths that the file holds.
    void addData(ValueId input, const at::Tensor& tensor)
    {
        constexpr std::int64_t mostElements = 4096;
        const Value& value = m_graph[input];
        const bool isHeld = value.kind == ValueKind::Buffer || value.kind == ValueKind::Constant;
        if (!isHeld || tensor.is_floating_point() || tensor.is_complex() || tensor.numel() > mostElements)
            return;
        if (const auto stored = m_model.weights.find(value.target); stored && !stored->bytes.empty()) {
            m_recorder.addData(tensor, tensorInPlace(*stored).clone());
            m_readsData = true;
        }
    }

    // What model.to(type) and its caller convert.
    void castInputs(at::ScalarType type)
    {
        for (const ValueId input : m_graph.inputs()) {
            const at::Tensor tensor = m_values.tensor(input);
            const bool isConstant = m_graph[input].kind == ValueKind::Constant;
            if (!tensor.defined() || isConstant || !tensor.is_floating_point() ||
                tensor.scalar_type() == type)
                continue;
            const at::Tensor cast = at::empty_like(tensor, tensor.options().dtype(type));
            cast.set_requires_grad(tensor.requires_grad());
            m_values.setTensor(input, cast);
        }
    }

    void makeGradients()
    {
        for (const ValueId input : m_graph.inputs()) {
            const at::Tensor tensor = m_values.tensor(input);
            if (!tensor.defined() || !tensor.requires_grad() || tensor.grad().defined())
                continue;
            tensor.mutable_grad() = at::empty_like(tensor);
            m_recorder.addGiven(tensor.grad(), StorageClass::ParameterGradient, input);
        }
    }

    void noteGradients()
    {
        for (const ValueId input : m_graph.inputs()) {
            const at::Tensor tensor = m_values.tensor(input);
            if (!tensor.defined() || !tensor.grad().defined())
                continue;
            // One that was there and was never added to is one that no step makes.
            if (m_options.gradients == GradientStart::Present && tensor.grad()._version() == 0)
                m_recorder.addGiven(tensor.grad(), StorageClass::Gradient, std::nullopt);
            else
                m_recorder.noteParameterGradient(input, tensor.grad());
        }
    }

    Result<void> runForward(const Interpreter& interpreter)
    {
        const at::AutoGradMode gradMode(m_options.mode == TrainingMode::Train);
        m_recomputation.emplace(
            m_graph, m_regions, m_values, m_recorder,
            [this](std::span<const NodeId> nodes, ValueTable& values) { return runAgain(nodes, values); });
        RunHooks hooks = hooksFor(m_values);
        hooks.afterNode = [this](NodeId id, const ValueTable& values) {
            noteResults(id, values);
            (void)m_progress.step("Tracing", id.index(), m_graph.nodeCount()); // run() ends it
        };
        Result<void> done = interpreter.run(m_values, m_progress.silent(), hooks);
        if (m_progress.stopRequested())
            return cancelled();
        STAGECRAFT_TRY(std::move(done));
        m_recomputation->leaveAll();
        m_recorder.enterNode(std::nullopt);
        return takeOutputs();
    }

    RunHooks hooksFor(const ValueTable& values)
    {
        RunHooks hooks;
        hooks.beforeNode = [this, &values](NodeId id) {
            m_recorder.enterNode(id);
            m_recomputation->enterNode(id, values);
        };
        hooks.recover = [this](NodeId id, const std::string& reason, ValueTable& table) {
            return recover(id, reason, table);
        };
        return hooks;
    }

    // The nodes of a checkpoint region, in backward. What leaves the region lives until its end.
    Result<void> runAgain(std::span<const NodeId> nodes, ValueTable& values)
    {
        InterpreterOptions options{.device = RunDevice::Meta, .unknownOperator = UnknownOperator::Postpone};
        options.nodes.emplace(nodes.begin(), nodes.end());
        for (const NodeId node : nodes)
            for (const ValueId result : m_graph[node].results)
                if (std::ranges::any_of(m_graph[result].users, [&](NodeId user) {
                        return m_regions.positions[user] > m_regions.positions[nodes.back()];
                    }))
                    options.keep.push_back(result);
        STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(m_graph, options));
        RunHooks hooks = hooksFor(values);
        hooks.afterNode = [this](NodeId id, const ValueTable& table) {
            for (const ValueId result : m_graph[id].results)
                if (const at::Tensor tensor = table.tensor(result); tensor.defined())
                    m_recorder.noteValue(result, tensor);
        };
        return interpreter.run(values, {}, hooks);
    }

    void noteResults(NodeId id, const ValueTable& values)
    {
        for (const ValueId result : m_graph[id].results) {
            const at::Tensor tensor = values.tensor(result);
            if (tensor.defined())
                m_recorder.noteValue(result, tensor);
            learnSizes(m_graph[result], tensor,
                       values.holds(result) && values[result].isInt() ? std::optional(values[result].toInt())
                                                                      : std::nullopt);
        }
        // Without data a condition has no value: one of the ways was taken.
        if (m_graph[id].target == "higher_order::cond" || m_graph[id].target == "higher_order::while_loop")
            m_recorder.noteInexact({id, "its condition depends on data", {}});
        if (m_graph[id].target == "higher_order::associative_scan" && m_options.mode == TrainingMode::Train)
            m_recorder.noteInexact({id, "PyTorch has a backward pass of its own for it", {}});
        if (isVmapOpen() && hasPythonRule(m_graph[id].target))
            m_recorder.noteInexact({id, "inside vmap PyTorch has a rule of its Python library for it", {}});
    }

    // Sizes that data decide are known where the operator that makes them could run.
    void learnSizes(const Value& value, const at::Tensor& tensor, std::optional<std::int64_t> number)
    {
        if (value.scalar && number)
            learnSize(*value.scalar, *number);
        if (!value.meta || !tensor.defined() || tensor.dim() != std::ssize(value.meta->sizes))
            return;
        for (std::int64_t d = 0; d < tensor.dim(); ++d)
            learnSize(value.meta->sizes[static_cast<std::size_t>(d)], tensor.size(d));
    }

    void learnSize(const SymInt& size, std::int64_t number)
    {
        if (size.isConstant())
            return;
        const std::string name = size.text();
        const auto range = m_graph.symbolRanges().find(name);
        if (range == m_graph.symbolRanges().end() || range->second.hint || !m_settled.insert(name).second)
            return;
        if (m_bounds.used.erase(name) > 0 || !m_bounds.bindings.contains(name))
            m_bounds.bindings[name] = number;
    }

    void settleSizes(NodeId id)
    {
        for (const ValueId result : m_graph[id].results) {
            const Value& value = m_graph[result];
            if (value.scalar)
                value.scalar->collectSymbols(m_settled);
            if (value.meta)
                for (const SymInt& size : value.meta->sizes)
                    size.collectSymbols(m_settled);
        }
    }

    bool givesNumbersOnly(NodeId id) const
    {
        const auto& results = m_graph[id].results;
        return !results.empty() && std::ranges::all_of(results, [this](ValueId result) {
            return m_graph[result].scalar.has_value();
        });
    }

    Result<void> recover(NodeId id, const std::string& reason, ValueTable& values)
    {
        if (m_progress.stopRequested())
            return cancelled();
        const Substitute* substitute =
            m_options.substitutes ? m_options.substitutes->find(calledOperator(m_graph[id])) : nullptr;
        STAGECRAFT_TRY(fallbackResults(m_graph, id, m_bounds.bindings, substitute, values));
        if (!m_recovered.insert(id).second)
            return {}; // again, in a checkpoint region
        settleSizes(id);
        // What was asserted of tensors on the exporter's device need not hold on the target; nothing comes of
        // it.
        if (m_graph[id].target.starts_with("aten::_assert_"))
            return {};
        const std::string sizes = boundedSizes(m_graph, id, m_bounds);
        if (sizes.empty() && givesNumbersOnly(id))
            return {}; // which the person bound
        m_recorder.noteInexact(
            {id, sizes.empty() ? reason : "it depends on data and is taken at its bound", sizes});
        return {};
    }

    // Moves what the program returns out of the table, which then holds inputs only.
    Result<void> takeOutputs()
    {
        const auto& specs = m_model.signature.outputs;
        for (std::size_t i = 0; i < m_graph.outputs().size(); ++i) {
            const auto* id = std::get_if<ValueId>(&m_graph.outputs()[i]);
            const at::Tensor tensor = id ? m_values.tensor(*id) : at::Tensor();
            if (!tensor.defined())
                continue;
            if (m_model.signature.isReturned(i))
                m_outputs.push_back({*id, tensor});
            else if (isWrittenBack(specs[i].kind))
                STAGECRAFT_TRY(writeBack(specs[i], tensor));
        }
        for (const Argument& output : m_graph.outputs())
            if (const auto* id = std::get_if<ValueId>(&output); id && m_graph[*id].producer)
                m_values.release(*id);
        for (const auto& [id, tensor] : m_outputs)
            m_recorder.noteOutput(tensor);
        return {};
    }

    // A functional program returns the new content of what it would have written to.
    Result<void> writeBack(const OutputSpec& spec, const at::Tensor& content)
    {
        const at::NoGradGuard noGrad;
        for (const ValueId input : m_graph.inputs()) {
            if (m_graph[input].target != spec.target && m_graph[input].name != spec.target)
                continue;
            at::Tensor target = m_values.tensor(input);
            if (target.defined() && target.sizes() != content.sizes())
                return Error{ErrorCode::BadFormat, "the program writes something of another size back to '" +
                                                       m_graph[input].name + "'"};
            if (target.defined())
                target.copy_(content);
        }
        return {};
    }

    Result<at::Tensor> makeLoss() const
    {
        STAGECRAFT_ASSIGN(loss, lossOutput(m_model, m_options.lossOutput));
        std::vector<at::Tensor> terms;
        for (const ValueId id : loss.values()) {
            const auto found = std::ranges::find(m_outputs, id, &std::pair<ValueId, at::Tensor>::first);
            if (found == m_outputs.end() || !found->second.is_floating_point() ||
                !found->second.requires_grad())
                continue;
            const at::Tensor tensor = found->second;
            terms.push_back(m_options.loss == LossKind::SquareSum ? tensor.square() : tensor);
        }
        at::Tensor total;
        for (const at::Tensor& term : terms) {
            const at::Tensor sum = loss.isSum() || term.dim() > 0 ? at::sum(term) : term;
            total = total.defined() ? total + sum : sum;
        }
        return total;
    }

    void runEngine(const at::Tensor& loss) const
    {
        std::optional<GradientSums> sums;
        if (m_options.lowering.kind == LoweringKind::Device)
            sums.emplace();
        loss.backward();
    }

    Result<void> runBackward()
    {
        try {
            at::Tensor loss;
            if (m_options.mode == TrainingMode::Train) {
                STAGECRAFT_ASSIGN(made, makeLoss());
                loss = made;
            }
            if (loss.defined())
                m_recorder.noteLoss(loss);
            m_recorder.beginBackward();
            if (loss.defined())
                runEngine(loss);
            m_recorder.endBackward();
        } catch (const std::exception& exception) {
            if (m_progress.stopRequested())
                return cancelled();
            return Error{ErrorCode::Failed,
                         m_model.name + ": the backward pass: " + exceptionReason(exception)};
        }
        noteGradients();
        m_outputs.clear();
        return {};
    }

    const Graph& m_graph;
    const Model& m_model;
    const TraceOptions& m_options;
    SizeBounds m_bounds;
    std::set<std::string> m_settled; // sizes that data decide: by data that are known, or by a stand-in
    const Progress& m_progress;
    RegionRuns m_regions;
    TraceRecorder m_recorder;
    ValueTable m_values;
    std::optional<Recomputation> m_recomputation;
    bool m_readsData = false; // of the model's file
    std::set<NodeId> m_recovered;
    std::vector<std::pair<ValueId, at::Tensor>> m_outputs;
};

} // namespace

Result<Trace> traceModel(const Model& model, const TraceOptions& options, const Progress& progress)
{
    STAGECRAFT_TRY(installTraceHook());
    STAGECRAFT_TRY(checkKeptResults(model, options.lowering));
    registerMetaKernels();
    registerCustomOperators();
    STAGECRAFT_ASSIGN(bounds, boundSizes(model.graph, options.bindings, options.bounds));
    Result<Trace> trace = Step(model, options, bounds, progress).run();
    if (trace.has_value())
        trace.value().mode = options.mode;
    return trace;
}

} // namespace stagecraft
