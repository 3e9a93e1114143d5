// Putting regions back: the part of ExportedJson that wraps runs of nodes.
#include "core/base/contains.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/exported_json.h"

#include <algorithm>
#include <array>
#include <set>

namespace stagecraft {

// Values that the steps read and do not make, in order of first use.
std::vector<ValueId> ExportedJson::readBefore(Steps steps) const
{
    std::set<ValueId> known;
    std::vector<ValueId> read;
    for (const NodeId id : steps) {
        for (const ValueId input : m_graph[id].inputs)
            if (known.insert(m_resolve(input)).second)
                read.push_back(m_resolve(input));
        known.insert(m_graph[id].results.begin(), m_graph[id].results.end());
    }
    return read;
}

std::vector<ValueId> ExportedJson::madeAndRead(Steps steps, Steps after, std::span<const ValueId> kept) const
{
    std::set<ValueId> readLater;
    for (const NodeId id : after)
        for (const ValueId input : m_graph[id].inputs)
            readLater.insert(m_resolve(input));
    for (const ValueId id : kept)
        readLater.insert(m_resolve(id));
    std::vector<ValueId> made;
    for (const NodeId id : steps)
        for (const ValueId result : m_graph[id].results)
            if (readLater.contains(result) && !contains(made, result))
                made.push_back(result);
    return made;
}

std::vector<ValueId> ExportedJson::lastResult(Steps steps) const
{
    for (std::size_t i = steps.size(); i-- > 0;)
        for (const ValueId result : m_graph[steps[i]].results)
            if (m_graph[result].isTensor())
                return {result};
    return {};
}

bool ExportedJson::isSameRegion(const Context& a, const Context& b, Level level) const
{
    const auto checkpoint = [&](const Context& context) {
        return level.depth < context.recomputeRegions.size()
                   ? std::optional(context.recomputeRegions[level.depth])
                   : std::nullopt;
    };
    switch (level.kind) {
    case LevelKind::Checkpoint:
        return checkpoint(a) == checkpoint(b);
    case LevelKind::Autocast:
        return a.autocast == b.autocast;
    default:
        return a.gradEnabled == b.gradEnabled;
    }
}

bool ExportedJson::isRegion(Steps run, Level level) const
{
    const Context& context = m_graph.context(m_graph[run.front()].context);
    switch (level.kind) {
    case LevelKind::Checkpoint:
        return level.depth < context.recomputeRegions.size() && runsAgainAlike(m_graph, run, m_schemas);
    case LevelKind::Autocast:
        return context.autocast.has_value();
    default:
        return context.gradEnabled.has_value();
    }
}

// A checkpoint may hold others, in whichever mode they are: modes come inside of all of them.
ExportedJson::Level ExportedJson::below(Level level, bool isInside)
{
    if (level.kind == LevelKind::Checkpoint && isInside)
        return {LevelKind::Checkpoint, level.depth + 1};
    return {static_cast<LevelKind>(static_cast<int>(level.kind) + 1), level.depth};
}

void ExportedJson::addLevel(Json& graph, Steps steps, std::span<const ValueId> kept, Level level) const
{
    if (level.kind == LevelKind::Nodes) {
        for (const NodeId id : steps) {
            graph["nodes"].push_back(node(m_graph[id]));
            for (const ValueId result : m_graph[id].results)
                describe(graph, result);
        }
        return;
    }
    const auto contextOf = [&](NodeId id) -> const Context& { return m_graph.context(m_graph[id].context); };
    for (std::size_t begin = 0; begin < steps.size();) {
        const Context& context = contextOf(steps[begin]);
        std::size_t end = begin + 1;
        while (end < steps.size() && isSameRegion(contextOf(steps[end]), context, level))
            ++end;
        const Steps run = steps.subspan(begin, end - begin);
        std::vector<ValueId> made = madeAndRead(run, steps.subspan(end), kept);
        const bool wraps = isRegion(run, level);
        if (wraps && made.empty())
            made = lastResult(run); // PyTorch does not load a region that returns nothing
        const bool isInside =
            level.kind == LevelKind::Checkpoint && level.depth < context.recomputeRegions.size();
        if (wraps && !made.empty())
            addRegion(graph, run, made, level);
        else
            addLevel(graph, run, made, below(level, isInside));
        begin = end;
    }
}

Json ExportedJson::regionInputs(const Context& context, Level level) const
{
    Json inputs = Json::array();
    if (level.kind == LevelKind::Checkpoint)
        return inputs;
    const auto add = [&](const Argument& value) { inputs.push_back(namedInput("", argument(value))); };
    if (level.kind == LevelKind::Gradient) {
        add(*context.gradEnabled);
        return inputs;
    }
    const Autocast& autocast = *context.autocast;
    add(autocast.deviceType);
    if (autocast.dtype)
        add(*autocast.dtype);
    else
        add(NoneArgument{});
    add(autocast.enabled);
    add(autocast.cacheEnabled);
    return inputs;
}

void ExportedJson::addRegion(Json& graph, Steps steps, std::span<const ValueId> kept, Level level) const
{
    Json body = emptyGraph();
    Json inputs = regionInputs(m_graph.context(m_graph[steps.front()].context), level);
    const std::vector<ValueId> operands = readBefore(steps);
    for (const ValueId operand : operands) {
        body["inputs"].push_back(value(operand));
        describe(body, operand);
    }
    Json outputs = Json::array();
    for (const ValueId result : kept) {
        body["outputs"].push_back(value(result));
        outputs.push_back(value(result));
        describe(graph, result);
    }
    addLevel(body, steps, kept, below(level, /*isInside=*/true));
    body["is_single_tensor_return"] = false;
    const std::string name = "region_" + m_graph[steps.front()].name;
    inputs.push_back(namedInput("", {{"as_graph", {{"name", name}, {"graph", std::move(body)}}}}));
    for (const ValueId operand : operands)
        inputs.push_back(namedInput("", value(operand)));
    constexpr std::array targets{"torch.ops.higher_order.tag_activation_checkpoint",
                                 "torch.ops.higher_order.wrap_with_autocast",
                                 "torch.ops.higher_order.wrap_with_set_grad_enabled"};
    Json wrapped =
        plainNode(targets[static_cast<std::size_t>(level.kind)], std::move(inputs), std::move(outputs));
    wrapped["is_hop_single_tensor_return"] = false;
    graph["nodes"].push_back(std::move(wrapped));
}

} // namespace stagecraft
