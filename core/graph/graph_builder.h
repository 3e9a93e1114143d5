// GraphBuilder: the only way to make a Graph.
//
//     GraphBuilder builder("mlp");
//     const ValueId x = builder.addInput({.name = "x", .kind = ValueKind::UserInput, .meta = ...});
//     const ValueId y = builder.addValue({.name = "relu", .meta = ...});
//     builder.addNode({.name = "relu", .target = "aten::relu.default",
//                      .arguments = {{"self", x}}, .outputs = {{NodeOutput::Kind::Value, {y}}}});
//     builder.addOutput(y);
//     Result<Graph> graph = std::move(builder).finish();
#pragma once

#include "core/graph/alias_sets.h"
#include "core/graph/graph.h"

namespace stagecraft {

// What becomes of a place that has the name already.
enum class SameName : std::uint8_t { Stays, Replaces };

class GraphBuilder
{
public:
    explicit GraphBuilder(std::string name);

    // Module, context and source tables. Equal contexts and sources get one id.
    ModuleId addModule(std::string_view path, std::string_view className = {});
    ContextId addContext(const Context& context);
    SourceId addSource(std::vector<SourceFrame> frames);
    void setSymbolRange(const std::string& symbol, SymbolRange range);

    // A value that the graph is given. Fields that say who makes and uses it are filled in by finish().
    ValueId addInput(Value value);
    // A value that a node added later (or the next one) lists among its outputs.
    ValueId addValue(Value value);
    // Nodes are added in execution order.
    NodeId addNode(Node node);
    // Two nodes that touch storage which one of them writes. `before` was added first.
    void addOrderEdge(NodeId before, NodeId after);
    // `name` is none of a node: Graph::findPlace().
    void namePlace(std::string_view name, NodeSpan place, SameName other = SameName::Stays);
    void addOutput(Argument output);
    void markBareReturn();
    // The graph with its nodes in other contexts. Those that no node is in any more are gone.
    static Graph inContexts(Graph graph, const Table<NodeId, Context>& contexts);
    // The graph, and those within, with numbers for some of its symbols, which it then has no longer. Fails
    // with code BadUsage, naming the value, as sizeAt() does (given_sizes.h) and where a size would be
    // negative.
    static Result<Graph> atSizes(Graph graph, const Bindings& sizes);

    // What was added so far, for analyses that run while a graph is being built.
    const Node& node(NodeId id) const { return m_graph.m_nodes[id]; }
    const Value& value(ValueId id) const { return m_graph.m_values[id]; }
    std::size_t nodeCount() const { return m_graph.m_nodes.size(); }
    std::size_t contextCount() const { return m_graph.m_contexts.size(); }

    // Adds the order edges that `aliasing` asks for, if it is given. Fails, naming the node or value, where a
    // name is used twice, a value is read before it is made, is made twice or never, or an order edge points
    // backwards.
    Result<Graph> finish(const AliasingOf& aliasing = {}) &&;

private:
    static Result<void> giveSizes(Graph& graph, const Bindings& sizes, const Bindings& hints);
    void markInputs();
    Result<void> linkNode(NodeId id);
    void linkOutputs();
    Result<void> linkEdges();

    Graph m_graph;
    Table<ValueId, char> m_isInput;
    std::map<std::string, SourceId> m_sourceIds;
    std::map<std::string, ContextId> m_contextIds;
};

} // namespace stagecraft
