// ExportedJson: writes a graph, or part of one, in the JSON of torch.export (schema 8, the subset of 8.2).
//
// Regions come back as PyTorch has them: runs of nodes of one context become a tag_activation_checkpoint,
// wrap_with_autocast or wrap_with_set_grad_enabled around a graph of their own.
#pragma once

#include "core/graph/graph.h"
#include "core/load/operator_schema.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stagecraft {

using Json = nlohmann::ordered_json;

// On one line; what is no UTF-8 is replaced.
std::string jsonText(const Json& json);
// Infinities and NaN as texts, as PyTorch writes them.
Json floatJson(double number);
Json sizeJson(const SymInt& size);
Json tensorMetaJson(const TensorMeta& meta);
// Sizes to be written as others: PyTorch wants to solve the sizes of inputs for their symbols.
using SizeSubstitutes = std::vector<std::pair<SymInt, SymInt>>;
TensorMeta substituted(const TensorMeta& meta, const SizeSubstitutes& substitutes);

class ExportedJson
{
public:
    using Steps = std::span<const NodeId>;
    // The value to write where the graph reads `value`.
    using Resolve = std::function<ValueId(ValueId)>;

    ExportedJson(const Graph& graph, Resolve resolve);

    // {"as_tensor": {"name": ...}}, {"as_int": 3}, ...
    Json argument(const Argument& argument, const Node* node = nullptr) const;
    Json value(ValueId id) const;
    // Of a number of the graph: "int", "float" or "bool".
    std::string numberKind(ValueId id) const;
    // Appends a node that the graph does not have.
    static Json plainNode(const std::string& target, Json inputs, Json outputs);
    static Json namedInput(const std::string& name, Json argument);

    // Adds the nodes to `graph["nodes"]`, regions wrapped, and what is known of their results to its tables.
    // `kept` are values read after the last node.
    void addNodes(Json& graph, Steps steps, std::span<const ValueId> kept) const;
    // Adds an entry to the table of tensors or numbers that `value` belongs in.
    void describe(Json& graph, ValueId value) const;
    void setSubstitutes(SizeSubstitutes substitutes) { m_substitutes = std::move(substitutes); }
    static void describeTensor(Json& graph, const std::string& name, const TensorMeta& meta);
    // A graph without inputs, outputs and nodes.
    static Json emptyGraph();

private:
    enum class LevelKind { Checkpoint, Autocast, Gradient, Nodes };
    struct Level
    {
        LevelKind kind = LevelKind::Checkpoint;
        std::size_t depth = 0; // checkpoints around it
    };

    void addLevel(Json& graph, Steps steps, std::span<const ValueId> kept, Level level) const;
    void addRegion(Json& graph, Steps steps, std::span<const ValueId> kept, Level level) const;
    bool isSameRegion(const Context& a, const Context& b, Level level) const;
    bool isRegion(Steps run, Level level) const;
    static Level below(Level level, bool isInside);
    Json regionInputs(const Context& context, Level level) const;
    Json node(const Node& node) const;
    Json outputsOf(const Node& node) const;
    Json wholeGraph() const;
    Json tensorList(const TensorListArgument& list) const;
    Json intList(const IntListArgument& list) const;
    std::vector<ValueId> readBefore(Steps steps) const;
    std::vector<ValueId> lastResult(Steps steps) const;
    std::vector<ValueId> madeAndRead(Steps steps, Steps after, std::span<const ValueId> kept) const;

    const Graph& m_graph;
    Resolve m_resolve;
    SizeSubstitutes m_substitutes;
    mutable OperatorSchemas m_schemas;
};

} // namespace stagecraft
