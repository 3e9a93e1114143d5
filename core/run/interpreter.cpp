#include "core/run/interpreter.h"

#include "core/graph/called_operator.h"
#include "core/graph/functorch_step.h"
#include "core/run/custom_operators.h"
#include "core/run/memory_guard.h"
#include "core/run/node_action.h"
#include "core/run/number_functions.h"
#include "core/run/torch_types.h"
#include "core/run/transform_scope.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>

#include <filesystem>

namespace stagecraft {

namespace {

// Sets the autocast mode of one device, and puts back what was there before.
class AutocastGuard
{
public:
    AutocastGuard(const Autocast& autocast, c10::DeviceType device)
        : m_device(device),
          m_enabled(at::autocast::is_autocast_enabled(device)),
          m_cacheEnabled(at::autocast::is_autocast_cache_enabled()),
          m_dtype(at::autocast::get_autocast_dtype(device))
    {
        at::autocast::increment_nesting();
        at::autocast::set_autocast_enabled(device, autocast.enabled);
        at::autocast::set_autocast_cache_enabled(autocast.cacheEnabled);
        if (autocast.dtype)
            at::autocast::set_autocast_dtype(device, c10::ScalarType(scalarTypeNumber(*autocast.dtype)));
    }
    ~AutocastGuard()
    {
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(m_device, m_enabled);
        at::autocast::set_autocast_cache_enabled(m_cacheEnabled);
        at::autocast::set_autocast_dtype(m_device, m_dtype);
    }
    AutocastGuard(const AutocastGuard&) = delete;
    AutocastGuard& operator=(const AutocastGuard&) = delete;

private:
    c10::DeviceType m_device;
    bool m_enabled;
    bool m_cacheEnabled;
    at::ScalarType m_dtype;
};

// The mode that a node's context asks for, as long as this lives.
class ModeGuard
{
public:
    ModeGuard(const Context& context, RunDevice device)
    {
        if (context.gradEnabled)
            m_gradMode.emplace(*context.gradEnabled);
        // Autocast of another device does nothing to tensors of this one.
        if (context.autocast && context.autocast->deviceType == "cpu" && device == RunDevice::Cpu)
            m_autocast.emplace(*context.autocast, c10::DeviceType::CPU);
    }

private:
    std::optional<at::AutoGradMode> m_gradMode;
    std::optional<AutocastGuard> m_autocast;
};

struct Step
{
    NodeId node;
    NodeAction action;
    std::vector<ValueId> release; // values that nothing reads after this node
};

Error atNode(const Graph& graph, NodeId id, const Error& error)
{
    return {error.code, describeNode(graph, id) + ": " + error.message};
}

std::vector<NodeId> nodesToRun(const Graph& graph, const InterpreterOptions& options)
{
    if (options.nodes)
        return *options.nodes;
    std::vector<NodeId> all;
    for (const NodeId id : graph.nodes())
        all.push_back(id);
    return all;
}

// Lists each value that the steps make behind the last step that reads it.
void planReleases(const Graph& graph, const std::vector<ValueId>& keep, std::vector<Step>& steps)
{
    Table<ValueId, char> kept(graph.valueCount(), 0);
    for (const ValueId id : graph.values())
        kept[id] = graph.isOutput(id) ? 1 : 0;
    for (const ValueId id : keep)
        kept[id] = 1;
    Table<ValueId, std::optional<std::size_t>> lastUse(graph.valueCount());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const ValueId id : graph[steps[i].node].inputs)
            if (lastUse[id])
                lastUse[id] = i;
        for (const ValueId id : graph[steps[i].node].results)
            lastUse[id] = i;
    }
    for (const ValueId id : graph.values())
        if (lastUse[id] && !kept[id])
            steps[*lastUse[id]].release.push_back(id);
}

Result<NodeAction> prepareNode(const Graph& graph, NodeId id, const InterpreterOptions& options)
{
    const std::string& target = graph[id].target;
    if (target == "higher_order::out_dtype")
        return prepareTypedCall(graph, id, options.device);
    if (isFunctionalized(graph[id]))
        return prepareFunctionalizedCall(graph, id, options.device);
    if (target.starts_with("higher_order::"))
        return prepareHigherOrderCall(graph, id, options);
    if (isTransformStep(target))
        return prepareTransformStep(graph, id);
    if (findNumberFunction(target))
        return prepareNumberCall(graph, id);
    return prepareOperatorCall(graph, id, options.device);
}

} // namespace

struct Interpreter::State
{
    const Graph* graph = nullptr;
    RunDevice device = RunDevice::Cpu;
    std::vector<Step> steps;

    // Runs one node, asking for help where it fails.
    Result<void> runStep(const Step& step, ValueTable& values, const Progress& progress,
                         const RunHooks& hooks) const
    {
        Result<void> outcome;
        try {
            outcome = step.action(values, progress);
        } catch (const std::exception& exception) {
            outcome = Error{ErrorCode::Failed, exceptionReason(exception)};
        }
        if (outcome.has_value() || outcome.error().code == ErrorCode::Cancelled)
            return outcome;
        Error error = outcome.error();
        if (hooks.recover) {
            const Result<void> recovered = hooks.recover(step.node, error.message, values);
            if (recovered.has_value())
                return {};
            error = {error.code, error.message + "; " + recovered.error().message};
        }
        return atNode(*graph, step.node, error);
    }
};

Interpreter::Interpreter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter& Interpreter::operator=(Interpreter&&) noexcept = default;

Result<Interpreter> Interpreter::prepare(const Graph& graph, const InterpreterOptions& options)
{
    registerCustomOperators();
    guardMemory();
    auto state = std::make_unique<State>();
    state->graph = &graph;
    state->device = options.device;
    for (const NodeId id : nodesToRun(graph, options)) {
        Result<NodeAction> action = prepareNode(graph, id, options);
        if (!action.has_value()) {
            const Error error = action.error();
            if (error.code != ErrorCode::NotFound || options.unknownOperator == UnknownOperator::Refuse)
                return atNode(graph, id, error);
            action = NodeAction([error](ValueTable&, const Progress&) -> Result<void> { return error; });
        }
        state->steps.push_back({id, std::move(action).value(), {}});
    }
    planReleases(graph, options.keep, state->steps);
    return Interpreter(std::move(state));
}

Result<void> Interpreter::run(ValueTable& values, const Progress& progress, const RunHooks& hooks) const
{
    const Graph& graph = *m_state->graph;
    const TransformScope transforms;
    std::unique_ptr<ModeGuard> mode;
    ContextId context(0);
    for (std::size_t i = 0; i < m_state->steps.size(); ++i) {
        const Step& step = m_state->steps[i];
        STAGECRAFT_TRY(progress.step("Running", i, m_state->steps.size()));
        if (graph[step.node].context != context) {
            context = graph[step.node].context;
            mode.reset(); // the old mode ends before the new one begins
            mode = std::make_unique<ModeGuard>(graph.context(context), m_state->device);
        }
        if (hooks.beforeNode)
            hooks.beforeNode(step.node);
        STAGECRAFT_TRY(m_state->runStep(step, values, progress, hooks));
        if (hooks.afterNode)
            hooks.afterNode(step.node, values);
        for (const ValueId id : step.release)
            values.release(id);
        if (hooks.afterRelease)
            hooks.afterRelease(step.node);
    }
    return transforms.checkClosed();
}

std::string describeNode(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    std::string text = "node '" + node.name + "' (" + node.target + ")";
    if (const std::string& path = graph.modules()[node.module].path; !path.empty())
        text += " in module '" + path + "'";
    if (node.source && !graph.source(*node.source).empty()) {
        const SourceFrame& frame = graph.source(*node.source).back();
        text +=
            ", " + std::filesystem::path(frame.file).filename().string() + ":" + std::to_string(frame.line);
    }
    return text;
}

} // namespace stagecraft
