#include "core/measure/statistics.h"

#include "core/base/available_memory.h"
#include "core/load/loss_output.h"
#include "core/measure/step_room.h"
#include "core/measure/tensor_statistics.h"
#include "core/run/interpreter.h"
#include "core/run/model_values.h"
#include "core/run/transform_scope.h"
#include "core/run/value_table.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/ivalue.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <stdexcept>

namespace stagecraft {

namespace {

using at::Tensor;

bool isDescribed(const Tensor& tensor)
{
    return tensor.defined() && tensor.is_floating_point();
}

// Fills one table from a run: values as nodes make them, gradients as they arrive.
class Gatherer
{
public:
    Gatherer(const Graph& graph, Statistics& statistics, const Progress& progress)
        : m_graph(graph), m_statistics(statistics), m_progress(progress)
    {
    }

    void see(ValueId id, const Tensor& given)
    {
        // Within a region of vmap or jvp: of all elements, and described outside of it.
        const Tensor tensor = underlyingTensor(given);
        const c10::impl::ExcludeDispatchKeyGuard outside(
            c10::DispatchKeySet({c10::DispatchKey::FuncTorchDynamicLayerFrontMode,
                                 c10::DispatchKey::FuncTorchDynamicLayerBackMode}));
        if (!isDescribed(tensor))
            return;
        m_statistics.values[id].forward = describe(tensor);
        if (!tensor.requires_grad())
            return;
        ++m_awaited;
        tensor.register_hook([this, id](const Tensor& gradient) {
            // The only way to leave the engine is to throw; runBackward() catches it.
            if (!m_progress.step("Gradients", m_arrived++, m_awaited).has_value())
                throw std::runtime_error("cancelled");
            if (isDescribed(gradient))
                m_statistics.values[id].backward = describe(gradient);
        });
    }

    void seeNode(NodeId id, const ValueTable& values)
    {
        for (const ValueId result : m_graph[id].results)
            see(result, values.tensor(result));
    }

private:
    const Graph& m_graph;
    Statistics& m_statistics;
    const Progress& m_progress;
    std::size_t m_awaited = 0; // gradients
    std::size_t m_arrived = 0;
};

// A sum over the elements of `output` whose gradient is the one asked for.
Result<Tensor> weightedSum(const Tensor& output, OutputGradients gradients, at::Generator& generator)
{
    if (gradients == OutputGradients::Ones || output.numel() == 1)
        return output.sum();
    return (output * at::randn(output.sizes(), generator, output.options())).sum();
}

Result<Tensor> weightedSum(const Tensor& output, const StoredTensor& gradient, const std::string& name)
{
    const Tensor given = tensorInPlace(gradient);
    if (given.sizes() != output.sizes())
        return Error{ErrorCode::BadFormat, "the gradient given for the output '" + name + "' is " +
                                               metaText(gradient.meta) + ", the output has " +
                                               std::to_string(output.numel()) + " elements in " +
                                               std::to_string(output.dim()) + " dimensions"};
    return (output * given.to(output.scalar_type())).sum();
}

// Over the outputs that a training step goes back from.
Result<Tensor> lossOf(const Graph& graph, const std::vector<ValueId>& outputs, const ValueTable& values,
                      const StatisticsOptions& options)
{
    // The inputs' generator began with the seed itself; gradients that repeat the inputs would tell nothing.
    at::Generator generator = at::detail::createCPUGenerator(options.seed + 1);
    Tensor loss;
    for (const ValueId output : outputs) {
        const Tensor tensor = values.tensor(output);
        if (!isDescribed(tensor) || !tensor.requires_grad())
            continue;
        STAGECRAFT_ASSIGN(
            sum, options.givenGradients
                     ? weightedSum(tensor, options.givenGradients->tensors.at(output), graph[output].name)
                     : weightedSum(tensor, options.outputGradients, generator));
        loss = loss.defined() ? loss + sum : sum;
    }
    return loss;
}

bool isFinite(const std::optional<TensorStatistics>& statistics)
{
    return !statistics || statistics->isFinite();
}

std::optional<NodeId> findFirstNonFinite(const Graph& graph, const Statistics& statistics)
{
    const auto finite = [&](ValueId id) { return isFinite(statistics.values[id].forward); };
    for (const NodeId id : graph.nodes())
        if (std::ranges::all_of(graph[id].inputs, finite) && !std::ranges::all_of(graph[id].results, finite))
            return id;
    return std::nullopt;
}

// A value's gradient is the sum of what all its readers give: only where none of them passes on what it got
// itself did one of them make it.
std::optional<NodeId> findFirstNonFiniteGradient(const Graph& graph, const Statistics& statistics)
{
    const auto finite = [&](ValueId id) { return isFinite(statistics.values[id].backward); };
    const auto gotFinite = [&](NodeId id) { return std::ranges::all_of(graph[id].results, finite); };
    const auto isMadeHere = [&](ValueId id) {
        return !finite(id) && std::ranges::all_of(graph[id].users, gotFinite);
    };
    for (std::size_t i = graph.nodeCount(); i-- > 0;) {
        const NodeId id(i);
        if (gotFinite(id) && std::ranges::any_of(graph[id].inputs, isMadeHere))
            return id;
    }
    return std::nullopt;
}

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

// Fails with Unsupported where PyTorch cannot differentiate the model.
Result<void> runBackward(const Tensor& loss, const Progress& progress)
{
    try {
        loss.backward();
    } catch (const c10::OutOfMemoryError& problem) {
        return Error{ErrorCode::Failed,
                     "the backward pass failed: " + firstLine(problem.what_without_backtrace())};
    } catch (const c10::Error& problem) {
        if (progress.stopRequested())
            return cancelled();
        return Error{ErrorCode::Unsupported, firstLine(problem.what_without_backtrace())};
    } catch (const std::exception& problem) {
        if (progress.stopRequested())
            return cancelled();
        return Error{ErrorCode::Failed, "the backward pass failed: " + firstLine(problem.what())};
    }
    return {};
}

// Where there are no gradients, the statistics are those of the forward pass.
Result<void> addGradients(const Tensor& loss, const std::string& beginning, const Progress& progress,
                          Statistics& statistics)
{
    if (!loss.defined()) {
        statistics.notes.emplace_back("no output requires gradients: forward statistics only");
        return {};
    }
    statistics.loss = loss.item<double>();
    statistics.notes.push_back(beginning);
    const Result<void> run = runBackward(loss, progress);
    if (run.has_value() || run.error().code != ErrorCode::Unsupported)
        return run;
    for (const ValueId value : statistics.values.ids()) // what was seen before it failed
        statistics.values[value].backward.reset();
    statistics.notes.push_back("PyTorch cannot make gradients: forward statistics only: " +
                               run.error().message);
    return {};
}

} // namespace

Result<Statistics> gatherStatistics(const Model& model, const StatisticsOptions& options,
                                    const Progress& progress)
{
    const Graph& graph = model.graph;
    Statistics statistics;
    statistics.values = Table<ValueId, ValueStatistics>(graph.valueCount());
    STAGECRAFT_TRY(
        checkRoomForStep(model, options.bindings, options.lossOutput, availableMemory(), progress));
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, {}));
    ModelValueOptions given;
    given.bindings = options.bindings;
    given.seed = options.seed;
    given.inputs = options.inputs;
    given.inputGradients = options.inputGradients;
    STAGECRAFT_ASSIGN(taken, lossOutput(model, options.lossOutput));
    STAGECRAFT_ASSIGN(values, modelValues(model, given));
    at::manual_seed(options.seed);

    Gatherer gatherer(graph, statistics, progress);
    for (const ValueId input : graph.inputs())
        gatherer.see(input, values.tensor(input));
    RunHooks hooks;
    hooks.afterNode = [&gatherer](NodeId node, const ValueTable& table) { gatherer.seeNode(node, table); };
    STAGECRAFT_TRY(interpreter.run(values, progress, hooks));
    STAGECRAFT_ASSIGN(loss, lossOf(graph, taken.values(), values, options));
    STAGECRAFT_TRY(addGradients(loss,
                                options.givenGradients ? "a step goes back with the gradients that were given"
                                                       : lossText(taken),
                                progress, statistics));
    if (model.structureOnly())
        statistics.notes.emplace_back("the file has no weights: small random ones were used");
    STAGECRAFT_TRY(model.unchanged());
    if (options.givenGradients)
        STAGECRAFT_TRY(options.givenGradients->unchanged());
    statistics.firstNonFinite = findFirstNonFinite(graph, statistics);
    statistics.firstNonFiniteGradient = findFirstNonFiniteGradient(graph, statistics);
    return statistics;
}

} // namespace stagecraft
