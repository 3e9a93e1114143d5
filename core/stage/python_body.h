// PythonBody: writes nodes of a graph as Python statements.
#pragma once

#include "core/load/operator_schema.h"
#include "core/stage/python_text.h"

#include "core/graph/graph.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// How the values of a graph are called inside a function.
struct PythonScope
{
    const Graph* graph;
    Table<ValueId, std::string> expressions; // a variable's name, or "self.h[0].weight"
    std::function<ValueId(ValueId)> resolve; // the value whose expression is to be used
    std::string device = "self.device";      // stands for every device
    std::string exportedDevice = "cpu";      // type of the device that the model was exported on
};

class PythonBody
{
public:
    // All three must outlive the body.
    PythonBody(const PythonScope& scope, OperatorSchemas& schemas, PythonLines& lines);

    // Writes the nodes in order, inside `with` statements for their contexts, and deletes variables after
    // their last use. `given` are variables that exist before the first node, `kept` values read after the
    // last.
    void write(std::span<const NodeId> nodes, std::span<const ValueId> given, std::span<const ValueId> kept);

    // A value or literal as an expression.
    std::string expression(const Argument& argument) const;
    const std::string& read(ValueId value) const { return m_scope.expressions[m_scope.resolve(value)]; }

private:
    using Steps = std::span<const NodeId>;

    void findLastUses(Steps steps, std::span<const ValueId> given, std::span<const ValueId> kept);
    // `depth` regions are around the steps already.
    void writeInRegions(Steps steps, std::size_t depth);
    void writeInContexts(Steps steps);
    void writeRecomputed(Steps steps, std::size_t depth);
    void writeNode(NodeId id);
    void writeSubgraphs(const Node& node);
    void writeSubgraph(const Graph& subgraph, const std::string& name);

    std::string call(const Node& node) const;
    std::string higherOrderCall(const Node& node) const;
    std::string argumentText(const Node& node, const Argument& argument) const;
    std::string argumentList(const Node& node) const;
    std::string targets(const Node& node) const;
    std::string contextManagers(const Context& context) const;
    std::string comment(const Node& node) const;
    std::string names(const std::vector<ValueId>& values) const;
    std::string deletions(const std::vector<ValueId>& values) const;

    const PythonScope& m_scope;
    const Graph& m_graph;
    OperatorSchemas& m_schemas;
    PythonLines& m_lines;
    Table<ValueId, char> m_isRead;                    // by any step, or kept
    std::vector<std::vector<ValueId>> m_deletedAfter; // by position of the step
    Table<NodeId, std::size_t> m_positions;
};

// "_cond_body_0": the function that a node's subgraph is written as.
std::string subgraphName(const Node& node, SubgraphId subgraph);

// A graph's values as Python variables, each resolving to itself.
PythonScope pythonScope(const Graph& graph);

} // namespace stagecraft
