// Graph: what a model computes, as operators and the values between them.
//
// A Graph never changes. GraphBuilder makes one and checks it, so every Graph in the program holds:
//   - ids are dense, nodes are in execution order (an exported program's own), every value is defined
//     before it is used and by exactly one node or graph input;
//   - names of values are unique, names of nodes are unique;
//   - an operator that writes in place gives a new value, a *version*; a use of the old name afterwards is
//     ordered behind the write by an order edge, so that dependence is always visible.
//
//        data edge:   producer ──value──► user
//        order edge:  before ───────────► after     (they touch storage that one of them writes)
//
// Nested regions that only set a mode (no_grad, autocast, checkpoint) are inlined: each node names its
// Context. `cond`, `while_loop` and their like stay nodes with subgraphs.
#pragma once

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/graph/argument.h"
#include "core/graph/module_tree.h"
#include "core/graph/tensor_meta.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stagecraft {

class Graph;

enum class ValueKind : std::uint8_t {
    UserInput,
    Parameter,
    Buffer,
    Constant,   // a tensor the export lifted out of the code
    Activation, // a tensor made by a node
    SizeScalar, // a number made by a node or given as input: a size, an index, a bool
    Opaque,     // a token, a script object: cannot be looked into or sent
};

struct Value
{
    std::string name;
    ValueKind kind = ValueKind::Activation;
    std::optional<TensorMeta> meta; // of tensors
    std::optional<SymInt> scalar;   // of integer SizeScalars, where the file says which expression it is
    std::string target;             // fully qualified name of a Parameter, Buffer or Constant
    std::optional<NodeId> producer; // none for graph inputs
    std::vector<NodeId> users;      // distinct, in execution order

    bool isTensor() const { return meta.has_value(); }
    // Does it come with the model? A parameter, buffer or constant.
    bool isStored() const
    {
        return kind == ValueKind::Parameter || kind == ValueKind::Buffer || kind == ValueKind::Constant;
    }
};

struct Autocast
{
    std::string deviceType;
    std::optional<DType> dtype; // none: the device's default
    bool enabled = true;
    bool cacheEnabled = true;

    friend bool operator==(const Autocast&, const Autocast&) = default;
};

// The mode that a node runs in. Context 0 is the model's own: nothing set.
struct Context
{
    std::optional<bool> gradEnabled;
    std::optional<Autocast> autocast;
    // Checkpoint regions around it, outermost first: consecutive nodes with one number at one place run again
    // together in backward (core/trace/recomputation.h).
    std::vector<int> recomputeRegions;
    // In a region: are its results kept, so that it does not run again with the innermost one?
    bool keepsResults = false;

    friend bool operator==(const Context&, const Context&) = default;
};

// One line of the Python traceback of an operator, outermost first.
struct SourceFrame
{
    std::string file;
    int line = 0;
    std::string function;
    std::string text; // the line of code itself; may be empty

    friend bool operator==(const SourceFrame&, const SourceFrame&) = default;
};

// One result of an operator, in the order of its schema.
struct NodeOutput
{
    enum class Kind : std::uint8_t { Value, List, None };
    Kind kind = Kind::Value;
    std::vector<ValueId> values; // one for Value, any number for List, none for None

    friend bool operator==(const NodeOutput&, const NodeOutput&) = default;
};

struct Node
{
    std::string name;
    // "aten::linear.default"; "_operator::add", "math::trunc", "torch::sym_max" for Python's own functions on
    // sizes; "higher_order::cond".
    std::string target;
    std::vector<NamedArgument> arguments;
    std::vector<NodeOutput> outputs;
    ModuleId module = ModuleTree::root();
    ContextId context{0};
    std::optional<SourceId> source;
    std::vector<std::shared_ptr<const Graph>> subgraphs;
    // The file's own notes (nn_module_stack, torch_fn, ...), kept for the writers.
    std::vector<std::pair<std::string, std::string>> metadata;

    // Filled in by GraphBuilder: distinct values read, and values made, each in order of first appearance.
    std::vector<ValueId> inputs;
    std::vector<ValueId> results;

    // Null where no argument has that name.
    const Argument* argument(std::string_view name) const;
};

// What is known of a symbol that stands in sizes.
struct SymbolRange
{
    std::optional<std::int64_t> min; // none: unbounded
    std::optional<std::int64_t> max;
    std::optional<std::int64_t> hint; // the value it had when the model was exported

    friend bool operator==(const SymbolRange&, const SymbolRange&) = default;
};

// Nodes by their indices, [begin, end); where these are equal, the place between two nodes.
struct NodeSpan
{
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const NodeSpan&, const NodeSpan&) = default;
};

class Graph
{
public:
    const std::string& name() const { return m_name; }

    std::size_t nodeCount() const { return m_nodes.size(); }
    std::size_t valueCount() const { return m_values.size(); }
    auto nodes() const { return m_nodes.ids(); }
    auto values() const { return m_values.ids(); }
    const Node& operator[](NodeId id) const { return m_nodes[id]; }
    const Value& operator[](ValueId id) const { return m_values[id]; }

    std::span<const ValueId> inputs() const { return m_inputs; }
    std::span<const Argument> outputs() const { return m_outputs; } // values and literals
    bool isOutput(ValueId id) const { return m_isOutput[id]; }
    // Does a subgraph return its one output bare, not in a tuple? (The condition of a while_loop.)
    bool returnsBareValue() const { return m_returnsBareValue; }

    const ModuleTree& modules() const { return m_modules; }
    const Context& context(ContextId id) const { return m_contexts[id]; }
    std::size_t contextCount() const { return m_contexts.size(); }
    std::span<const SourceFrame> source(SourceId id) const { return m_sources[id]; }
    const std::map<std::string, SymbolRange>& symbolRanges() const { return m_symbolRanges; }

    // Nodes that must run before, or after, `id`: over data and order edges, distinct, ascending.
    std::span<const NodeId> predecessors(NodeId id) const { return m_predecessors[id]; }
    std::span<const NodeId> successors(NodeId id) const { return m_successors[id]; }
    // Order edges alone, as (before, after), ascending.
    std::span<const std::pair<NodeId, NodeId>> orderEdges() const { return m_orderEdges; }

    std::optional<NodeId> findNode(std::string_view name) const;
    std::optional<ValueId> findValue(std::string_view name) const;
    // What a name of the file stands for that is no node's here: a region that was inlined, what it returns
    // (the place behind it), a split mark.
    std::optional<NodeSpan> findPlace(std::string_view name) const;

private:
    friend class GraphBuilder;
    Graph() = default;

    std::string m_name;
    Table<NodeId, Node> m_nodes;
    Table<ValueId, Value> m_values;
    std::vector<ValueId> m_inputs;
    std::vector<Argument> m_outputs;
    Table<ValueId, char> m_isOutput;
    bool m_returnsBareValue = false;
    ModuleTree m_modules;
    Table<ContextId, Context> m_contexts;
    Table<SourceId, std::vector<SourceFrame>> m_sources;
    std::map<std::string, SymbolRange> m_symbolRanges;
    Table<NodeId, std::vector<NodeId>> m_predecessors;
    Table<NodeId, std::vector<NodeId>> m_successors;
    std::vector<std::pair<NodeId, NodeId>> m_orderEdges;
    std::unordered_map<std::string, NodeId> m_nodesByName;
    std::unordered_map<std::string, ValueId> m_valuesByName;
    std::unordered_map<std::string, NodeSpan> m_placesByName;
};

// Does the node make nothing that others need, and look at what others make? An assertion about a tensor.
bool onlyLooks(const Graph& graph, NodeId node);

} // namespace stagecraft
