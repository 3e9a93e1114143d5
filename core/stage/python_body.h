// PythonBody: writes nodes of a graph as Python statements.
#pragma once

#include "core/load/operator_schema.h"
#include "core/stage/body_steps.h"
#include "core/stage/checkpoint_regions.h"
#include "core/stage/python_scope.h"
#include "core/stage/stage_program.h"

#include "core/base/unique_names.h"
#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace stagecraft {

// Regions of a stage that run again in backward, as methods: names that are taken, and what is said of each.
struct RegionMethods
{
    UniqueNames taken;
    RegionNotes notes;

    // "recompute_llama_mlp", of the module that a region is, or is a part of.
    PythonText nameFor(const Module& module);
    // What is said of the region that begins there, if anything is.
    void writeNote(NodeId first, PythonLines& lines) const;
    // Above the call of a block that runs again by itself.
    void writeNote(const BodyStep& call, const PythonNodes& stage, PythonLines& lines) const;
};

// "  # f32[8, 64]": of the results that are read.
PythonText shapesComment(const PythonScope& scope, const Table<ValueId, char>& isRead,
                         std::span<const ValueId> results);
// The end of a call of torch.utils.checkpoint.checkpoint().
PythonText checkpointEnd(bool keepsSome);
// What lines at these places of a stage run: of a block's method, in all of its calls.
std::vector<NodeId> nodesRunBy(const PythonNodes& stage, const RepeatedBlock* block, std::size_t begin,
                               std::size_t end);

class PythonBody
{
public:
    // All must outlive the body. `regions` is none where regions become functions in the midst of it: in
    // graphs within graphs. `block` is none for what is no block's.
    PythonBody(const PythonScope& scope, OperatorSchemas& schemas, PythonLines& lines,
               RegionMethods* regions = nullptr, const BlockScope* block = nullptr);

    // Writes the items in order, inside `with` statements for their contexts, and deletes variables after
    // their last use. `given` are variables that exist before the first node, `kept` values read after the
    // last.
    void write(const PythonNodes& stage, std::span<const BodyItem> items, std::span<const ValueId> given,
               std::span<const ValueId> kept);

    // Writes the methods of its regions, each behind an empty line: after write().
    void writeRegions();

    // A value or literal as an expression.
    PythonText expression(const Argument& argument) const;
    PythonText names(std::span<const ValueId> values) const;
    const PythonText& read(ValueId value) const { return nameOf(m_scope.resolve(value)); }

private:
    using Step = BodyStep;
    using Steps = std::span<const Step>;

    BodyNodes about() const { return {m_graph, m_stage.nodes, m_stage.blocks, m_scope.resolve}; }
    // `depth` regions are around the steps already.
    void writeInRegions(Steps steps, std::size_t depth);
    void writeInContexts(Steps steps);
    void writeSteps(Steps steps);
    // What backward runs again, as a function of its own.
    struct RegionFunction
    {
        PythonText name;
        Steps steps;
        std::size_t depth = 0; // regions around the steps, this one among them
        std::vector<ValueId> taken;
        std::vector<ValueId> returned;
    };
    void writeRecomputed(Steps steps, std::size_t depth);
    void writeFunction(const RegionFunction& function);
    std::span<const NodeId> nodesOf(Steps steps) const
    {
        return m_stage.nodes.subspan(steps.front().begin, steps.back().end - steps.front().begin);
    }
    bool takesModule() const { return m_regions && m_block && m_block->block->takesModule(); }
    void writeNode(const Step& step);
    void writeCall(const Step& step);
    void writeLoop(const Step& step);
    void writeSection(ModuleId module);
    void writeSubgraphs(const Node& node);

    PythonText call(const Node& node) const;
    PythonText higherOrderCall(const Node& node) const;
    PythonText target(std::string_view target) const;
    PythonText argumentText(const Node& node, const Argument& argument) const;
    PythonText argumentList(const Node& node) const;
    PythonText targets(const Node& node) const;
    PythonText callOf(const Step& step, const PythonText& module) const;
    PythonText moduleExpression(ModuleId module) const;
    PythonText deletions(const std::vector<ValueId>& values) const;
    const PythonText& nameOf(ValueId value) const;
    bool isVariable(ValueId value) const;
    std::size_t indexOf(const Step& step) const { return static_cast<std::size_t>(&step - m_steps.data()); }
    const Node& nodeAt(std::size_t place) const { return m_graph[m_stage.nodes[place]]; }
    // What a line for the nodes at these places runs: of a block's, in all of its calls.
    std::vector<NodeId> nodesRun(std::size_t begin, std::size_t end) const
    {
        return nodesRunBy(m_stage, m_block ? m_block->block : nullptr, begin, end);
    }
    // The module whose code this is.
    ModuleId moduleAround() const;
    // A name for a function or variable of the written code's own that no value has.
    PythonText ownName(const std::string& wanted);

    const PythonScope& m_scope;
    const Graph& m_graph;
    OperatorSchemas& m_schemas;
    PythonLines& m_lines;
    RegionMethods* const m_regions;
    const BlockScope* const m_block;
    PythonNodes m_stage;
    std::vector<Step> m_steps;
    BodyUses m_uses;
    std::vector<RegionFunction> m_waiting;  // to be written as methods
    Table<ModuleId, std::size_t> m_nodesOf; // how many of the steps each module has itself
    ModuleId m_section = ModuleTree::root();
    UniqueNames m_taken; // filled when the first name is made: most graphs need none
    bool m_hasTaken = false;
    std::map<const Graph*, PythonText> m_bodies; // the functions that subgraphs are written as
};

// Is it written as a call of controlFlowFunctions (python_helpers.h)?
bool isControlFlow(const Node& node);

} // namespace stagecraft
