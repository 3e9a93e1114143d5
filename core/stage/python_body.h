// PythonBody: writes nodes of a graph as Python statements.
#pragma once

#include "core/load/operator_schema.h"
#include "core/stage/body_steps.h"
#include "core/stage/python_scope.h"

#include "core/base/unique_names.h"
#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace stagecraft {

class PythonBody
{
public:
    // All must outlive the body. `block` is none for what is no block's.
    PythonBody(const PythonScope& scope, OperatorSchemas& schemas, PythonLines& lines,
               const BlockScope* block = nullptr);

    // Writes the items in order, inside `with` statements for their contexts, and deletes variables after
    // their last use. `given` are variables that exist before the first node, `kept` values read after the
    // last.
    void write(const PythonNodes& stage, std::span<const BodyItem> items, std::span<const ValueId> given,
               std::span<const ValueId> kept);

    // A value or literal as an expression.
    PythonText expression(const Argument& argument) const;
    const PythonText& read(ValueId value) const { return nameOf(m_scope.resolve(value)); }

private:
    using Step = BodyStep;
    using Steps = std::span<const Step>;

    BodyNodes about() const { return {m_graph, m_stage.nodes, m_stage.blocks, m_scope.resolve}; }
    // `depth` regions are around the steps already.
    void writeInRegions(Steps steps, std::size_t depth);
    void writeInContexts(Steps steps);
    void writeSteps(Steps steps);
    void writeRecomputed(Steps steps, std::size_t depth);
    void writeNode(const Step& step);
    void writeCall(const Step& step);
    void writeLoop(const Step& step);
    void writeSection(ModuleId module);
    void writeSubgraphs(const Node& node);
    void writeSubgraph(const Graph& subgraph, const PythonText& name);

    PythonText checkpointOptions(Steps steps, std::size_t depth) const;
    PythonText call(const Node& node) const;
    PythonText higherOrderCall(const Node& node) const;
    PythonText target(std::string_view target) const;
    PythonText argumentText(const Node& node, const Argument& argument) const;
    PythonText argumentList(const Node& node) const;
    PythonText targets(const Node& node) const;
    PythonText callOf(const Step& step, const PythonText& module) const;
    PythonText moduleExpression(ModuleId module) const;
    PythonText comment(std::span<const ValueId> results) const;
    PythonText names(std::span<const ValueId> values) const;
    PythonText deletions(const std::vector<ValueId>& values) const;
    const PythonText& nameOf(ValueId value) const;
    bool isVariable(ValueId value) const;
    std::size_t indexOf(const Step& step) const { return static_cast<std::size_t>(&step - m_steps.data()); }
    const Node& nodeAt(std::size_t place) const { return m_graph[m_stage.nodes[place]]; }
    // What a line for the nodes at these places runs: of a block's, in all of its calls.
    std::vector<NodeId> nodesRun(std::size_t begin, std::size_t end) const;
    // The module whose code this is.
    ModuleId moduleAround() const;
    // A name for a function or variable of the written code's own that no value has.
    PythonText ownName(const std::string& wanted);

    const PythonScope& m_scope;
    const Graph& m_graph;
    OperatorSchemas& m_schemas;
    PythonLines& m_lines;
    const BlockScope* const m_block;
    PythonNodes m_stage;
    std::vector<Step> m_steps;
    BodyUses m_uses;
    Table<ModuleId, std::size_t> m_nodesOf; // how many of the steps each module has itself
    ModuleId m_section = ModuleTree::root();
    UniqueNames m_taken; // filled when the first name is made: most graphs need none
    bool m_hasTaken = false;
    std::map<const Graph*, PythonText> m_bodies; // the functions that subgraphs are written as
};

// Is it written as a call of controlFlowFunctions (python_helpers.h)?
bool isControlFlow(const Node& node);

} // namespace stagecraft
