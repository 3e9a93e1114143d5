#include "core/recompute/second_run.h"

#include "core/base/sort_unique.h"
#include "core/load/operator_aliasing.h"
#include "core/load/random_operator.h"
#include "core/run/interpreter.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

Error refused(const std::string& node, const std::string& what)
{
    return {ErrorCode::BadUsage, node + " " + what};
}

// Python's own functions on sizes, and operators with graphs of their own, have no schema and draw nothing.
bool isKnown(const Node& node, OperatorSchemas& schemas)
{
    return schemas.find(node.target) || !node.subgraphs.empty() || node.target.starts_with("_operator::") ||
           node.target.starts_with("math::") || node.target.starts_with("torch::sym_");
}

// What batch norms that train read only to write it: their gradients do not depend on it.
bool isAverage(const Node& node, const std::string& argument)
{
    if (argument != "running_mean" && argument != "running_var")
        return false;
    const Argument* const training = node.argument(node.argument("training") ? "training" : "train");
    const bool* const isOn = training ? std::get_if<bool>(training) : nullptr;
    return isOn && *isOn;
}

// Values that the nodes read and the region does not make, parameters and the like left out.
std::set<ValueId> activationsInto(const Graph& graph, const RecomputeRegion& region)
{
    std::set<ValueId> inputs;
    for (const NodeId node : region.nodes)
        for (const ValueId input : graph[node].inputs) {
            const std::optional<NodeId> producer = graph[input].producer;
            if (!graph[input].isStored() &&
                !(producer && std::ranges::binary_search(region.nodes, *producer)))
                inputs.insert(input);
        }
    return inputs;
}

} // namespace

SecondRun::SecondRun(const Model& model, OperatorSchemas& schemas, const NodeStages* stages)
    : m_graph(model.graph),
      m_schemas(schemas),
      m_stages(stages),
      m_aliasing(operatorAliasing(schemas)),
      m_sets(AliasSets::find(model.graph, m_aliasing))
{
    std::set<std::string> writtenBack;
    for (const OutputSpec& output : model.signature.outputs)
        if (output.isStateUpdate() || output.kind == OutputSpec::Kind::InputMutation)
            writtenBack.insert(output.target);
    for (const ValueId input : m_graph.inputs()) {
        if (m_graph[input].isStored())
            m_stored.insert(m_sets.representative(input));
        if (writtenBack.contains(m_graph[input].target) || writtenBack.contains(m_graph[input].name))
            m_writtenBack.insert(m_sets.representative(input));
    }
}

bool SecondRun::isStored(ValueId value) const
{
    return m_stored.contains(m_sets.representative(value));
}

bool SecondRun::isWrittenBack(ValueId value) const
{
    return m_writtenBack.contains(m_sets.representative(value));
}

std::vector<NodeId> SecondRun::writersIn(NodeId stageOf, ValueId value) const
{
    std::vector<NodeId> writers;
    for (const NodeId writer : m_sets.writers(value))
        if (!m_stages || (*m_stages)[writer] == (*m_stages)[stageOf])
            writers.push_back(writer);
    return writers;
}

std::optional<NodeId> SecondRun::writerBehind(ValueId value, NodeId from, std::optional<NodeId> except) const
{
    for (const NodeId writer : writersIn(from, value))
        if (writer >= from && writer != except)
            return writer;
    return std::nullopt;
}

std::optional<NodeId> SecondRun::makerOfWritten(NodeId node) const
{
    for (const ValueId value : m_aliasing(m_graph[node]).written)
        if (const auto maker = m_graph[m_sets.representative(value)].producer;
            maker && *maker != node && !isStored(value))
            return maker;
    return std::nullopt;
}

bool SecondRun::isRandom(NodeId node) const
{
    return drawsRandomNumbers(m_graph[node], m_schemas) || !m_graph[node].subgraphs.empty();
}

std::optional<std::string> SecondRun::changedOperand(NodeId node, bool ofAverages) const
{
    const NodeAliasing aliasing = m_aliasing(m_graph[node]);
    if (aliasing.written.empty() && !aliasing.shared.empty())
        return std::nullopt; // a view, whose readers are asked
    for (const NamedArgument& argument : m_graph[node].arguments) {
        if (isAverage(m_graph[node], argument.name) != ofAverages)
            continue;
        std::vector<ValueId> values;
        collectValues(argument.value, values);
        for (const ValueId value : values) {
            if (!isStored(value))
                continue;
            if (const auto writer = writerBehind(value, node, node))
                return "reads '" + m_graph[value].name + "', which '" + m_graph[*writer].name +
                       "' writes before a second run";
            if (isWrittenBack(value))
                return "reads '" + m_graph[value].name + "', which the program writes at its end";
        }
    }
    return std::nullopt;
}

std::optional<std::string> SecondRun::difference(NodeId node) const
{
    if (!isKnown(m_graph[node], m_schemas))
        return "is not known here: nobody can say whether a second run is like the first";
    for (const ValueId value : m_aliasing(m_graph[node]).written)
        if (isStored(value))
            return "writes '" + m_graph[value].name + "', and would do so twice";
    return changedOperand(node, /*ofAverages=*/true);
}

bool SecondRun::isKeptTogether(const RecomputeRegion& region, ValueId value) const
{
    const std::optional<NodeId> maker = m_graph[m_sets.representative(value)].producer;
    const auto isKept = [&](NodeId node) { return std::ranges::binary_search(region.kept, node); };
    return maker && isKept(*maker) && std::ranges::all_of(m_sets.writers(value), [&](NodeId writer) {
               return isKept(writer) || !std::ranges::binary_search(region.nodes, writer);
           });
}

std::optional<std::string> SecondRun::readsTooLate(const RecomputeRegion& region, NodeId node) const
{
    const NodeAliasing aliasing = m_aliasing(m_graph[node]);
    if (aliasing.written.empty() && !aliasing.shared.empty())
        return std::nullopt; // a view, whose readers are asked
    for (const ValueId value : m_graph[node].inputs)
        if (!isStored(value) && isKeptTogether(region, value))
            if (const auto writer = writerBehind(value, node, node))
                return "reads '" + m_graph[value].name + "' as it is before '" + m_graph[*writer].name +
                       "' writes it, which is kept: keep it, too";
    return std::nullopt;
}

std::optional<std::string> SecondRun::obstacle(NodeId node, const RecomputeRegion* region) const
{
    if (!m_graph[node].subgraphs.empty())
        return "has an inner graph, of which nothing can be kept";
    if (m_graph.context(m_graph[node].context).autocast)
        return "runs under autocast, which does not cast the same in a second run";
    const std::vector<ValueId> written = m_aliasing(m_graph[node]).written;
    for (const ValueId value : written)
        if (!isStored(value) && !(region && isKeptTogether(*region, value)))
            return "writes '" + m_graph[value].name + "', which a second run would leave as it was";
    for (const ValueId result : m_graph[node].results)
        if (!isStored(result) && !(region && isKeptTogether(*region, result)))
            if (const auto writer = writerBehind(result, node, node))
                return "makes '" + m_graph[result].name + "', which '" + m_graph[*writer].name +
                       "' writes, so that it cannot be kept";
    return std::nullopt;
}

Result<void> SecondRun::check(const RecomputeRegion& region) const
{
    for (const ValueId input : activationsInto(m_graph, region)) {
        if (isStored(input))
            continue; // its readers are asked
        const auto writer = writerBehind(input, region.nodes.front(), std::nullopt);
        if (writer || isWrittenBack(input))
            return refused(writer ? describeNode(m_graph, *writer) : "the program at its end",
                           "writes '" + m_graph[input].name +
                               "', which a region needs as it was to run again");
    }
    std::optional<NodeId> keptRandom;
    for (const NodeId node : region.nodes) {
        const bool isKept = std::ranges::binary_search(region.kept, node);
        if (const auto why = changedOperand(node, /*ofAverages=*/false))
            return refused(describeNode(m_graph, node), *why);
        if (const auto why = isKept ? obstacle(node, &region) : difference(node))
            return refused(describeNode(m_graph, node), *why);
        if (const auto why = isKept ? std::nullopt : readsTooLate(region, node))
            return refused(describeNode(m_graph, node), *why);
        if (!isRandom(node))
            continue;
        if (keptRandom && !isKept)
            return refused(describeNode(m_graph, node), "would draw the random numbers of '" +
                                                            m_graph[*keptRandom].name +
                                                            "', which is kept: keep it, too");
        if (isKept && !keptRandom)
            keptRandom = node;
    }
    return {};
}

void SecondRun::keepNeeded(RecomputeRegion& region) const
{
    std::vector<NodeId> kept;
    bool keepsRandom = false;
    for (const NodeId node : region.nodes) {
        if (!std::ranges::binary_search(region.kept, node) && !difference(node) &&
            !(isRandom(node) && keepsRandom))
            continue;
        kept.push_back(node);
        keepsRandom = keepsRandom || isRandom(node);
    }
    const std::vector<NodeId> chosen = kept;
    for (const NodeId node : chosen) // whoever writes what is kept
        for (const ValueId result : m_graph[node].results)
            if (!isStored(result))
                std::ranges::copy_if(m_sets.writers(result), std::back_inserter(kept), [&](NodeId writer) {
                    return std::ranges::binary_search(region.nodes, writer);
                });
    sortUnique(kept);
    region.kept = std::move(kept);
}

} // namespace stagecraft
