// PythonBody: writes nodes of a graph as Python statements.
#pragma once

#include "core/load/operator_schema.h"
#include "core/stage/python_text.h"

#include "core/base/unique_names.h"
#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

// How the values of a graph are called inside a function.
struct PythonScope
{
    const Graph* graph;
    Table<ValueId, PythonText> expressions;  // a variable's name, or "self.h[0].weight"
    std::function<ValueId(ValueId)> resolve; // the value whose expression is to be used
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
    PythonText expression(const Argument& argument) const;
    const PythonText& read(ValueId value) const { return m_scope.expressions[m_scope.resolve(value)]; }

private:
    using Steps = std::span<const NodeId>;

    void findLastUses(Steps steps, std::span<const ValueId> given, std::span<const ValueId> kept);
    // `depth` regions are around the steps already.
    void writeInRegions(Steps steps, std::size_t depth);
    void writeInContexts(Steps steps);
    void writeRecomputed(Steps steps, std::size_t depth);
    void writeNode(NodeId id);
    void writeSection(const Node& node);
    void writeSubgraphs(const Node& node);
    void writeSubgraph(const Graph& subgraph, const PythonText& name);

    PythonText call(const Node& node) const;
    PythonText higherOrderCall(const Node& node) const;
    PythonText target(std::string_view target) const;
    PythonText argumentText(const Node& node, const Argument& argument) const;
    PythonText argumentList(const Node& node) const;
    PythonText targets(const Node& node) const;
    PythonText contextManagers(const Context& context) const;
    PythonText comment(const Node& node) const;
    PythonText names(const std::vector<ValueId>& values) const;
    PythonText deletions(const std::vector<ValueId>& values) const;
    bool isVariable(ValueId value) const;
    // A name for a function or variable of the written code's own that no value has.
    PythonText ownName(const std::string& wanted);

    const PythonScope& m_scope;
    const Graph& m_graph;
    OperatorSchemas& m_schemas;
    PythonLines& m_lines;
    Table<ValueId, char> m_isRead;                    // by any step, or kept
    std::vector<std::vector<ValueId>> m_deletedAfter; // by position of the step
    Table<NodeId, std::size_t> m_positions;
    Table<ModuleId, std::size_t> m_nodesOf; // how many of the steps each module has itself
    ModuleId m_section = ModuleTree::root();
    UniqueNames m_taken; // filled when the first name is made: most graphs need none
    bool m_hasTaken = false;
    std::map<const Graph*, PythonText> m_bodies; // the functions that subgraphs are written as
};

// Is it written as a call of controlFlowFunctions (python_helpers.h)?
bool isControlFlow(const Node& node);

// A graph's values as Python variables, each resolving to itself.
PythonScope pythonScope(const Graph& graph);

} // namespace stagecraft
