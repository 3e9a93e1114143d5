#include "core/profile/measure.h"

#include "core/profile/thread_count.h"
#include "core/run/interpreter.h"
#include "core/run/model_values.h"
#include "core/run/value_table.h"

#include <ATen/ATen.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace stagecraft {

namespace {

using at::Tensor;
using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point start)
{
    return Seconds(std::chrono::duration<double>(Clock::now() - start).count());
}

Seconds median(std::vector<Seconds> times)
{
    std::ranges::sort(times);
    return times[times.size() / 2];
}

bool carriesGradient(const Tensor& tensor)
{
    return tensor.defined() && tensor.requires_grad() && tensor.is_floating_point();
}

// One node, ready to be run again and again on copies of what a step gave it.
class NodeBench
{
public:
    NodeBench(const Graph& graph, NodeId node, const Interpreter& interpreter, const ValueTable& values)
        : m_graph(graph), m_node(node), m_interpreter(interpreter), m_given(values)
    {
    }

    Result<NodeTimes> measure(const MeasureOptions& options, const Progress& progress)
    {
        std::vector<Seconds> forward, all, inputsOnly;
        Seconds spent;
        for (int i = 0; i < options.repeats && (i == 0 || spent < options.enoughPerNode); ++i) {
            STAGECRAFT_TRY(progress.step("Measuring", m_node.index(), m_graph.nodeCount()));
            STAGECRAFT_ASSIGN(first, runOnce(forward));
            all.push_back(timeBackward(first, Wanted::Everything));
            STAGECRAFT_ASSIGN(second, runOnce(forward));
            inputsOnly.push_back(timeBackward(second, Wanted::Activations));
            spent += forward.back() + all.back() + inputsOnly.back();
        }
        NodeTimes times{median(forward), median(inputsOnly), {}};
        times.backwardWeight = std::max(Seconds{}, median(all) - times.backwardInput);
        return times;
    }

private:
    enum class Wanted { Everything, Activations };

    struct Run
    {
        std::vector<Tensor> outputs;     // that carry gradients
        std::vector<Tensor> activations; // leaves
        std::vector<Tensor> parameters;  // leaves
    };

    // Leaves of their own graph, so that a backward pass ends here; handed on as copies, so that the node may
    // write to them.
    Result<Run> runOnce(std::vector<Seconds>& times)
    {
        ValueTable table(m_graph);
        Run run;
        for (const ValueId input : m_graph[m_node].inputs) {
            const Tensor tensor = m_given.tensor(input);
            if (!tensor.defined()) {
                table.set(input, m_given[input]);
                continue;
            }
            Tensor leaf = tensor.detach();
            if (carriesGradient(tensor)) {
                leaf.requires_grad_();
                const bool isParameter = m_graph[input].kind == ValueKind::Parameter;
                (isParameter ? run.parameters : run.activations).push_back(leaf);
            }
            table.setTensor(input, leaf.clone(at::MemoryFormat::Preserve));
        }
        const Clock::time_point start = Clock::now();
        STAGECRAFT_TRY(m_interpreter.run(table));
        times.push_back(since(start));
        for (const ValueId result : m_graph[m_node].results)
            if (const Tensor tensor = table.tensor(result); carriesGradient(tensor))
                run.outputs.push_back(tensor);
        return run;
    }

    static Seconds timeBackward(const Run& run, Wanted wanted)
    {
        std::vector<Tensor> leaves = run.activations;
        if (wanted == Wanted::Everything)
            leaves.insert(leaves.end(), run.parameters.begin(), run.parameters.end());
        if (run.outputs.empty() || leaves.empty())
            return {};
        std::vector<Tensor> gradients;
        for (const Tensor& output : run.outputs)
            gradients.push_back(at::ones_like(output));
        const Clock::time_point start = Clock::now();
        torch::autograd::grad(run.outputs, leaves, gradients, std::nullopt, /*create_graph=*/false,
                              /*allow_unused=*/true);
        return since(start);
    }

    const Graph& m_graph;
    NodeId m_node;
    const Interpreter& m_interpreter;
    const ValueTable& m_given;
};

Result<NodeTimes> measureNode(const Graph& graph, NodeId node, const ValueTable& values,
                              const MeasureOptions& options, const Progress& progress)
{
    InterpreterOptions alone;
    alone.nodes = std::vector{node};
    alone.keep = graph[node].results;
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, alone));
    try {
        return NodeBench(graph, node, interpreter, values).measure(options, progress);
    } catch (const std::exception& problem) {
        const std::string text = problem.what();
        return Error{ErrorCode::Failed, "measuring " + describeNode(graph, node) +
                                            " failed: " + text.substr(0, text.find('\n'))};
    }
}

Tensor sumOfOutputs(const Graph& graph, const ValueTable& values)
{
    Tensor sum;
    for (const Argument& output : graph.outputs()) {
        const auto* id = std::get_if<ValueId>(&output);
        const Tensor tensor = id ? values.tensor(*id) : Tensor();
        if (carriesGradient(tensor))
            sum = sum.defined() ? sum + tensor.sum() : tensor.sum();
    }
    return sum;
}

// Gradients are new each time, as in a first step.
Result<StepTimes> stepOnce(const Model& model, const Interpreter& interpreter, const ModelValueOptions& given,
                           const Progress& progress)
{
    StepTimes times;
    STAGECRAFT_ASSIGN(values, modelValues(model, given));
    const Clock::time_point start = Clock::now();
    STAGECRAFT_TRY(interpreter.run(values, progress));
    times.forward = since(start);
    try {
        const Clock::time_point turn = Clock::now();
        if (const Tensor loss = sumOfOutputs(model.graph, values); loss.defined()) {
            loss.backward();
            times.backward = since(turn);
        }
    } catch (const std::exception& problem) {
        const std::string text = problem.what();
        return Error{ErrorCode::Failed, "the backward pass failed: " + text.substr(0, text.find('\n'))};
    }
    return times;
}

ModelValueOptions valueOptions(const MeasureOptions& options)
{
    ModelValueOptions given;
    given.bindings = options.bindings;
    given.seed = options.seed;
    return given;
}

} // namespace

Result<StepTimes> measureStep(const Model& model, const MeasureOptions& options, const Progress& progress)
{
    const ThreadCount threads(options.threads);
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
    std::vector<Seconds> forward, backward;
    for (int i = 0; i <= options.repeats; ++i) {
        STAGECRAFT_TRY(progress.step("Measuring steps", static_cast<std::size_t>(i),
                                     static_cast<std::size_t>(options.repeats) + 1));
        STAGECRAFT_ASSIGN(times, stepOnce(model, interpreter, valueOptions(options), progress));
        if (i == 0 && options.repeats > 0)
            continue; // caches are cold
        forward.push_back(times.forward);
        backward.push_back(times.backward);
    }
    return StepTimes{median(forward), median(backward)};
}

Result<MeasuredTimes> measureModel(const Model& model, const MeasureOptions& options,
                                   const Progress& progress)
{
    const ThreadCount threads(options.threads);
    const Graph& graph = model.graph;
    MeasuredTimes times;
    times.nodes = Table<NodeId, std::optional<NodeTimes>>(graph.nodeCount());
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, {}));
    STAGECRAFT_ASSIGN(values, modelValues(model, valueOptions(options)));

    std::optional<Error> problem;
    RunHooks hooks;
    hooks.afterNode = [&](NodeId node, const ValueTable& table) {
        if (problem)
            return;
        const Result<NodeTimes> measured = measureNode(graph, node, table, options, progress);
        if (measured.has_value())
            times.nodes[node] = *measured;
        else
            problem = measured.error();
    };
    STAGECRAFT_TRY(interpreter.run(values, progress, hooks));
    if (problem)
        return *problem;
    STAGECRAFT_ASSIGN(step, measureStep(model, options, progress));
    times.step = step;
    return times;
}

void applyTimes(const MeasuredTimes& times, CostOrigin how, Profile& profile)
{
    Seconds forward, backward;
    for (const NodeId node : profile.nodes.ids()) {
        NodeCost& cost = profile.nodes[node];
        if (const std::optional<NodeTimes>& measured = times.nodes[node]) {
            cost.forward.time = measured->forward;
            cost.backwardInput.time = measured->backwardInput;
            cost.backwardWeight.time = measured->backwardWeight;
            cost.origin = how;
        }
        forward += cost.forward.time;
        backward += cost.backward().time;
    }
    profile.totals.timeForward = forward;
    profile.totals.timeBackward = backward;
}

} // namespace stagecraft
