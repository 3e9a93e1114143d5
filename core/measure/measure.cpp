#include "core/measure/measure.h"

#include "core/base/available_memory.h"
#include "core/graph/functorch_step.h"
#include "core/load/loss_output.h"
#include "core/measure/cpu_contention.h"
#include "core/measure/step_room.h"
#include "core/measure/thread_count.h"
#include "core/run/interpreter.h"
#include "core/run/missing_derivative.h"
#include "core/run/model_values.h"
#include "core/run/value_table.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace stagecraft {

namespace {

using at::Tensor;

// The lower quartile: what else the machine does only adds, and may add to half of them.
Seconds typical(std::vector<Seconds> times)
{
    std::ranges::sort(times);
    return times[times.size() / 4];
}

bool carriesGradient(const Tensor& tensor)
{
    return tensor.defined() && tensor.requires_grad() && tensor.is_floating_point();
}

Seconds timeGradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& leaves,
                      Stopwatch::Clock clock)
{
    std::vector<Tensor> gradients;
    for (const Tensor& output : outputs)
        gradients.push_back(at::ones_like(output));
    const Stopwatch watch(clock);
    torch::autograd::grad(outputs, leaves, gradients, std::nullopt, /*create_graph=*/false,
                          /*allow_unused=*/true);
    return watch.elapsed();
}

// What a backward pass takes that has next to nothing to do: a real step has one, not one for every node.
Seconds emptyBackward(Stopwatch::Clock clock)
{
    constexpr int repeats = 51;
    std::vector<Seconds> times;
    for (int i = 0; i < repeats; ++i) {
        const Tensor leaf = at::ones({1}).requires_grad_();
        times.push_back(timeGradients({leaf.view({1})}, {leaf}, clock));
    }
    return typical(std::move(times));
}

// One node, ready to be run again and again on copies of what a step gave it.
class NodeBench
{
public:
    NodeBench(const Graph& graph, NodeId node, const Interpreter& interpreter, const ValueTable& values,
              Seconds emptyBackward)
        : m_graph(graph),
          m_node(node),
          m_interpreter(interpreter),
          m_given(values),
          m_clock(Stopwatch::clockFor(at::get_num_threads())),
          m_emptyBackward(emptyBackward)
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
        NodeTimes times{typical(forward), typical(inputsOnly), {}};
        times.backwardWeight = std::max(Seconds{}, typical(all) - times.backwardInput);
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
        const Stopwatch watch(m_clock);
        STAGECRAFT_TRY(m_interpreter.run(table));
        times.push_back(watch.elapsed());
        for (const ValueId result : m_graph[m_node].results)
            if (const Tensor tensor = table.tensor(result); carriesGradient(tensor))
                run.outputs.push_back(tensor);
        return run;
    }

    Seconds timeBackward(const Run& run, Wanted wanted) const
    {
        std::vector<Tensor> leaves = run.activations;
        if (wanted == Wanted::Everything)
            leaves.insert(leaves.end(), run.parameters.begin(), run.parameters.end());
        if (run.outputs.empty() || leaves.empty())
            return {};
        return std::max(Seconds{}, timeGradients(run.outputs, leaves, m_clock) - m_emptyBackward);
    }

    const Graph& m_graph;
    NodeId m_node;
    const Interpreter& m_interpreter;
    const ValueTable& m_given;
    Stopwatch::Clock m_clock;
    Seconds m_emptyBackward;
};

Result<NodeTimes> measureNode(const Graph& graph, NodeId node, const ValueTable& values,
                              Seconds emptyBackward, const MeasureOptions& options, const Progress& progress)
{
    InterpreterOptions alone;
    alone.nodes = std::vector{node};
    alone.keep = graph[node].results;
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, alone));
    try {
        return NodeBench(graph, node, interpreter, values, emptyBackward).measure(options, progress);
    } catch (const std::exception& problem) {
        const std::string text = problem.what();
        return Error{ErrorCode::Failed, "measuring " + describeNode(graph, node) +
                                            " failed: " + text.substr(0, text.find('\n'))};
    }
}

// Operators in a region of vmap or jvp are not themselves when they run alone.
Result<void> checkNodesRunAlone(const Graph& graph)
{
    for (const NodeId node : graph.nodes())
        if (isTransformStep(graph[node].target))
            return Error{ErrorCode::Unsupported,
                         describeNode(graph, node) +
                             " is a step of vmap or jvp, whose operators cannot be timed "
                             "one by one: profile the model with estimated times"};
    return {};
}

enum class Backward { Measured, LeftOut };

ModelValueOptions valueOptions(const MeasureOptions& options, Backward backward)
{
    ModelValueOptions given;
    given.bindings = options.bindings;
    given.seed = options.seed;
    given.trainable = backward == Backward::Measured;
    return given;
}

// Which nodes of a step its backward pass comes by: none whose results are detached, or lead to no output.
class BackwardReach
{
public:
    void passed(const Graph& graph, NodeId node, const ValueTable& values)
    {
        for (const ValueId result : graph[node].results)
            if (const Tensor tensor = values.tensor(result); tensor.defined() && tensor.grad_fn())
                m_steps.emplace_back(node, tensor.grad_fn());
    }

    // Takes back what was measured of nodes that a pass from `outputs` does not come by.
    void dropOthers(std::span<const ValueId> outputs, const ValueTable& values, MeasuredTimes& times) const
    {
        const std::unordered_set<const torch::autograd::Node*> reached = stepsFrom(outputs, values);
        Table<NodeId, char> isReached(times.nodes.size(), 0);
        for (const auto& [node, step] : m_steps)
            isReached[node] |= char(reached.contains(step.get()));
        for (const NodeId node : times.nodes.ids())
            if (times.nodes[node] && !isReached[node])
                times.nodes[node]->backwardInput = times.nodes[node]->backwardWeight = Seconds{};
    }

private:
    static std::unordered_set<const torch::autograd::Node*> stepsFrom(std::span<const ValueId> outputs,
                                                                      const ValueTable& values)
    {
        std::vector<const torch::autograd::Node*> next;
        for (const ValueId output : outputs)
            if (const Tensor tensor = values.tensor(output); carriesGradient(tensor) && tensor.grad_fn())
                next.push_back(tensor.grad_fn().get());
        std::unordered_set<const torch::autograd::Node*> reached;
        while (!next.empty()) {
            const torch::autograd::Node* step = next.back();
            next.pop_back();
            if (reached.insert(step).second)
                for (const torch::autograd::Edge& edge : step->next_edges())
                    if (edge.is_valid())
                        next.push_back(edge.function.get());
        }
        return reached;
    }

    using Step =
        std::decay_t<decltype(std::declval<Tensor>().grad_fn())>; // keeps it: its address stays its own

    std::vector<std::pair<NodeId, Step>> m_steps;
};

// Whole steps, of which the lower quartile counts.
Result<StepTimes> measureStep(const Model& model, const MeasureOptions& options, Backward wanted,
                              const Progress& progress)
{
    const ThreadCount threads(options.threads);
    const Stopwatch::Clock clock = Stopwatch::clockFor(at::get_num_threads());
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(model.graph, {}));
    STAGECRAFT_ASSIGN(values, modelValues(model, valueOptions(options, wanted)));
    STAGECRAFT_ASSIGN(loss, lossOutput(model, options.lossOutput));
    const std::vector<ValueId> outputs = loss.values();
    std::vector<Seconds> forward, backward;
    Seconds spent;
    for (int i = 0; i <= options.repeats && (i == 0 || spent < options.enoughPerStep); ++i) {
        STAGECRAFT_TRY(progress.step("Measuring steps", static_cast<std::size_t>(i),
                                     static_cast<std::size_t>(options.repeats) + 1));
        STAGECRAFT_ASSIGN(times, runStep(model.graph, outputs, interpreter, values, clock, progress));
        spent += times.forward + times.backward;
        if (i == 0 && options.repeats > 0 && spent < options.enoughPerStep)
            continue; // caches are cold
        forward.push_back(times.forward);
        backward.push_back(times.backward);
    }
    STAGECRAFT_TRY(model.unchanged());
    return StepTimes{typical(forward), typical(backward)};
}

// Every node, where it stands in a step.
Result<MeasuredTimes> measureNodes(const Model& model, const MeasureOptions& options, Backward backward,
                                   Stopwatch::Clock clock, const Progress& progress)
{
    const Graph& graph = model.graph;
    MeasuredTimes times;
    times.nodes = Table<NodeId, std::optional<NodeTimes>>(graph.nodeCount());
    STAGECRAFT_ASSIGN(interpreter, Interpreter::prepare(graph, {}));
    STAGECRAFT_ASSIGN(values, modelValues(model, valueOptions(options, backward)));
    STAGECRAFT_ASSIGN(loss, lossOutput(model, options.lossOutput));

    const Seconds empty = emptyBackward(clock);
    BackwardReach reach;
    std::optional<Error> problem;
    RunHooks hooks;
    hooks.afterNode = [&](NodeId node, const ValueTable& table) {
        if (problem)
            return;
        reach.passed(graph, node, table);
        const Result<NodeTimes> measured = measureNode(graph, node, table, empty, options, progress);
        if (measured.has_value())
            times.nodes[node] = *measured;
        else
            problem = measured.error();
    };
    STAGECRAFT_TRY(interpreter.run(values, progress.silent(), hooks)); // each node says how far it is
    if (problem)
        return *problem;
    reach.dropOthers(loss.values(), values, times);
    return times;
}

Result<MeasuredTimes> measureAll(const Model& model, const MeasureOptions& options, Backward backward,
                                 const Progress& progress)
{
    const ThreadCount threads(options.threads);
    const Stopwatch::Clock clock = Stopwatch::clockFor(at::get_num_threads());
    const CpuContention contention;
    STAGECRAFT_ASSIGN(times, measureNodes(model, options, backward, clock, progress));
    STAGECRAFT_ASSIGN(step, measureStep(model, options, backward, progress));
    times.step = step;
    if (clock == Stopwatch::Clock::Wall)
        times.contention = contention.soFar();
    return times;
}

} // namespace

Result<MeasuredTimes> measureModel(const Model& model, const MeasureOptions& options,
                                   const Progress& progress)
{
    STAGECRAFT_TRY(
        checkRoomForStep(model, options.bindings, options.lossOutput, availableMemory(), progress));
    STAGECRAFT_TRY(checkNodesRunAlone(model.graph));
    Result<MeasuredTimes> times = measureAll(model, options, Backward::Measured, progress);
    if (times.has_value())
        return times;
    const std::optional<std::string> reason = missingDerivative(times.error().message);
    if (!reason)
        return times;
    STAGECRAFT_ASSIGN(forward, measureAll(model, options, Backward::LeftOut, progress));
    forward.withoutBackward = reason;
    return forward;
}

namespace {

// What is worth knowing of times that a profile was given.
std::vector<std::string> notesOf(const MeasuredTimes& times, TrainingMode mode, Seconds recomputed)
{
    std::vector<std::string> notes;
    const bool hasBackward = mode == TrainingMode::Train && !times.withoutBackward;
    if (recomputed > Seconds{})
        notes.push_back("times of nodes are without a second run: for checkpoint regions " +
                        formatSeconds(recomputed) +
                        " of forward times are added to backward, and the step at once is without");
    notes.push_back("measured node by node; the whole step at once took " +
                    formatSeconds(times.step.forward) + " forward" +
                    (hasBackward ? ", " + formatSeconds(times.step.backward) + " backward" : ""));
    if (times.withoutBackward && mode == TrainingMode::Train)
        notes.push_back("backward was not measured, and its times are estimates: " + *times.withoutBackward);
    if (times.disturbed())
        notes.push_back("other work had the processors for " +
                        std::to_string(std::lround(100 * times.contention)) +
                        " % of the time: the measured times are too high; measure on an idle "
                        "machine, or on one thread, of which only its own time counts");
    return notes;
}

// Nodes are timed alone: what runs again of a checkpoint region comes on top.
void setBackward(const NodeTimes& measured, TrainingMode mode, NodeCost& cost)
{
    const bool trains = mode == TrainingMode::Train;
    cost.recomputed.time = trains ? measured.forward * recomputedShare(cost) : Seconds{};
    cost.backwardInput.time = trains ? measured.backwardInput + cost.recomputed.time : Seconds{};
    cost.backwardWeight.time = trains ? measured.backwardWeight : Seconds{};
}

} // namespace

void applyTimes(const MeasuredTimes& times, CostOrigin how, Profile& profile)
{
    const TrainingMode mode = profile.options.mode;
    Seconds forward, backward, recomputed;
    for (const NodeId node : profile.nodes.ids()) {
        NodeCost& cost = profile.nodes[node];
        if (const std::optional<NodeTimes>& measured = times.nodes[node]) {
            if (!times.withoutBackward)
                setBackward(*measured, mode, cost);
            cost.forward.time = measured->forward;
            cost.origin = how;
        }
        forward += cost.forward.time;
        backward += cost.backward().time;
        recomputed += cost.recomputed.time;
    }
    profile.totals.timeForward = forward;
    profile.totals.timeBackward = backward;
    profile.totals.timeRecomputed = recomputed;
    for (std::string& note : notesOf(times, mode, recomputed))
        profile.notes.push_back(std::move(note));
}

} // namespace stagecraft
