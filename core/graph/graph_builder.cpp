#include "core/graph/graph_builder.h"

#include "core/base/sort_unique.h"
#include "core/graph/given_sizes.h"

namespace stagecraft {

namespace {

Error malformed(const std::string& graph, const std::string& what)
{
    return {ErrorCode::BadFormat, "graph '" + graph + "': " + what};
}

// A text that is the same exactly for equal frame lists.
std::string sourceKey(const std::vector<SourceFrame>& frames)
{
    std::string key;
    for (const SourceFrame& frame : frames)
        key +=
            frame.file + '\n' + std::to_string(frame.line) + '\n' + frame.function + '\n' + frame.text + '\n';
    return key;
}

// The same for contexts.
std::string contextKey(const Context& context)
{
    const auto number = [](const auto& optional) {
        return optional ? std::to_string(static_cast<int>(*optional)) : std::string("-");
    };
    std::string key = number(context.gradEnabled);
    for (const int region : context.recomputeRegions)
        key += '/' + std::to_string(region);
    key += context.keepsResults ? " keeps" : "";
    if (const std::optional<Autocast>& autocast = context.autocast)
        key += ' ' + number(autocast->dtype) + (autocast->enabled ? " on " : " off ") +
               (autocast->cacheEnabled ? "cached " : "uncached ") + autocast->deviceType;
    return key;
}

// Sizes of one value, at numbers for symbols.
class SizesAt
{
public:
    SizesAt(const Bindings& sizes, const Bindings& hints) : m_sizes(sizes), m_hints(hints) {}

    Result<void> give(TensorMeta& meta) const
    {
        STAGECRAFT_TRY(give(meta.storageOffset));
        for (SymInt& stride : meta.strides)
            STAGECRAFT_TRY(give(stride));
        for (SymInt& size : meta.sizes) {
            const std::string was = size.text();
            STAGECRAFT_TRY(give(size));
            if (size.isConstant() && size.constant() < 0)
                return Error{ErrorCode::BadUsage,
                             "its size " + was + " would be " + std::to_string(size.constant())};
        }
        return {};
    }
    Result<void> give(SymInt& size) const
    {
        STAGECRAFT_ASSIGN(given, sizeAt(size, m_sizes, m_hints));
        size = std::move(given);
        return {};
    }

private:
    const Bindings& m_sizes;
    const Bindings& m_hints;
};

} // namespace

GraphBuilder::GraphBuilder(std::string name)
{
    m_graph.m_name = std::move(name);
    addContext({});
}

ModuleId GraphBuilder::addModule(std::string_view path, std::string_view className)
{
    return m_graph.m_modules.add(path, className);
}

ContextId GraphBuilder::addContext(const Context& context)
{
    const auto [entry, isNew] =
        m_contextIds.try_emplace(contextKey(context), ContextId(m_graph.m_contexts.size()));
    if (isNew)
        m_graph.m_contexts.add(context);
    return entry->second;
}

SourceId GraphBuilder::addSource(std::vector<SourceFrame> frames)
{
    const auto [entry, isNew] =
        m_sourceIds.try_emplace(sourceKey(frames), SourceId(m_graph.m_sources.size()));
    if (isNew)
        m_graph.m_sources.add(std::move(frames));
    return entry->second;
}

void GraphBuilder::setSymbolRange(const std::string& symbol, SymbolRange range)
{
    m_graph.m_symbolRanges[symbol] = range;
}

ValueId GraphBuilder::addInput(Value value)
{
    const ValueId id = addValue(std::move(value));
    m_graph.m_inputs.push_back(id);
    return id;
}

ValueId GraphBuilder::addValue(Value value)
{
    value.producer.reset();
    value.users.clear();
    return m_graph.m_values.add(std::move(value));
}

NodeId GraphBuilder::addNode(Node node)
{
    return m_graph.m_nodes.add(std::move(node));
}

void GraphBuilder::addOrderEdge(NodeId before, NodeId after)
{
    m_graph.m_orderEdges.emplace_back(before, after);
}

void GraphBuilder::namePlace(std::string_view name, NodeSpan place, SameName other)
{
    if (other == SameName::Replaces)
        m_graph.m_placesByName.insert_or_assign(std::string(name), place);
    else
        m_graph.m_placesByName.emplace(name, place);
}

void GraphBuilder::addOutput(Argument output)
{
    m_graph.m_outputs.push_back(std::move(output));
}

void GraphBuilder::markBareReturn()
{
    m_graph.m_returnsBareValue = true;
}

Graph GraphBuilder::inContexts(Graph graph, const Table<NodeId, Context>& contexts)
{
    GraphBuilder builder(graph.m_name);
    for (const NodeId node : graph.nodes())
        graph.m_nodes[node].context = builder.addContext(contexts[node]);
    graph.m_contexts = std::move(builder.m_graph.m_contexts);
    return graph;
}

Result<Graph> GraphBuilder::atSizes(Graph graph, const Bindings& sizes)
{
    Bindings hints;
    for (const auto& [symbol, range] : graph.symbolRanges())
        if (range.hint)
            hints[symbol] = *range.hint;
    STAGECRAFT_TRY(giveSizes(graph, sizes, hints));
    return graph;
}

Result<void> GraphBuilder::giveSizes(Graph& graph, const Bindings& sizes, const Bindings& hints)
{
    const SizesAt at(sizes, hints);
    for (const ValueId id : graph.values()) {
        Value& value = graph.m_values[id];
        Result<void> given = value.meta ? at.give(*value.meta) : Result<void>();
        if (given.has_value() && value.scalar)
            given = at.give(*value.scalar);
        if (!given.has_value())
            return Error{given.error().code, value.name + ": " + given.error().message};
    }
    for (const NodeId id : graph.nodes())
        for (std::shared_ptr<const Graph>& within : graph.m_nodes[id].subgraphs) {
            Graph inner = *within;
            STAGECRAFT_TRY(giveSizes(inner, sizes, hints));
            within = std::make_shared<const Graph>(std::move(inner));
        }
    std::erase_if(graph.m_symbolRanges, [&](const auto& symbol) { return sizes.contains(symbol.first); });
    return {};
}

Result<Graph> GraphBuilder::finish(const AliasingOf& aliasing) &&
{
    for (const ValueId id : m_graph.values())
        if (!m_graph.m_valuesByName.emplace(m_graph[id].name, id).second)
            return malformed(m_graph.m_name, "two values are named '" + m_graph[id].name + "'");
    for (const NodeId id : m_graph.nodes())
        if (!m_graph.m_nodesByName.emplace(m_graph[id].name, id).second)
            return malformed(m_graph.m_name, "two nodes are named '" + m_graph[id].name + "'");
    m_graph.m_isOutput = Table<ValueId, char>(m_graph.valueCount(), 0);
    markInputs();
    for (const NodeId id : m_graph.nodes())
        STAGECRAFT_TRY(linkNode(id));
    for (const ValueId id : m_graph.values())
        if (!m_graph[id].producer && !m_isInput[id])
            return malformed(m_graph.m_name, "nothing makes the value '" + m_graph[id].name + "'");
    linkOutputs();
    if (aliasing)
        for (const auto& [before, after] : storageOrder(m_graph, AliasSets::find(m_graph, aliasing)))
            addOrderEdge(before, after);
    STAGECRAFT_TRY(linkEdges());
    return std::move(m_graph);
}

void GraphBuilder::markInputs()
{
    m_isInput = Table<ValueId, char>(m_graph.valueCount(), 0);
    for (const ValueId input : m_graph.m_inputs)
        m_isInput[input] = 1;
}

Result<void> GraphBuilder::linkNode(NodeId id)
{
    Node& node = m_graph.m_nodes[id];
    node.inputs.clear();
    node.results.clear();
    std::vector<ValueId> read;
    for (const NamedArgument& argument : node.arguments)
        collectValues(argument.value, read);
    for (const ValueId input : read) {
        Value& value = m_graph.m_values[input];
        if (!value.producer && !m_isInput[input])
            return malformed(m_graph.m_name,
                             "node '" + node.name + "' reads '" + value.name + "' before it is made");
        if (!value.users.empty() && value.users.back() == id)
            continue; // read twice
        value.users.push_back(id);
        node.inputs.push_back(input);
    }
    for (const NodeOutput& output : node.outputs)
        for (const ValueId result : output.values) {
            Value& value = m_graph.m_values[result];
            if (value.producer || m_isInput[result])
                return malformed(m_graph.m_name, "the value '" + value.name + "' is made twice");
            value.producer = id;
            node.results.push_back(result);
        }
    return {};
}

void GraphBuilder::linkOutputs()
{
    std::vector<ValueId> values;
    for (const Argument& output : m_graph.m_outputs)
        collectValues(output, values);
    for (const ValueId value : values)
        m_graph.m_isOutput[value] = 1;
}

Result<void> GraphBuilder::linkEdges()
{
    sortUnique(m_graph.m_orderEdges);
    m_graph.m_predecessors = Table<NodeId, std::vector<NodeId>>(m_graph.nodeCount());
    m_graph.m_successors = Table<NodeId, std::vector<NodeId>>(m_graph.nodeCount());
    for (const NodeId id : m_graph.nodes())
        for (const ValueId input : m_graph[id].inputs)
            if (const std::optional<NodeId> producer = m_graph[input].producer)
                m_graph.m_predecessors[id].push_back(*producer);
    for (const auto& [before, after] : m_graph.m_orderEdges) {
        if (before >= after)
            return malformed(m_graph.m_name,
                             "an order edge points backwards at node '" + m_graph[before].name + "'");
        m_graph.m_predecessors[after].push_back(before);
    }
    for (const NodeId id : m_graph.nodes()) {
        sortUnique(m_graph.m_predecessors[id]);
        for (const NodeId before : m_graph.m_predecessors[id])
            m_graph.m_successors[before].push_back(id);
    }
    return {};
}

} // namespace stagecraft
