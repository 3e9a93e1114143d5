// Graphs of exported programs: nodes, values, regions and subgraphs.
//
// Regions that only set a mode are inlined, each of their nodes carrying its Context:
//
//     y = wrap_with_set_grad_enabled(False, body, x)        a = mul(x, 2)     context: gradient off
//         body(x): a = mul(x, 2); return (a,)         ──►   z = relu(a)
//     z = relu(y)
//
// Names inside a region get a number where they are taken. Other higher-order operators stay nodes whose
// subgraphs are graphs of their own.
#pragma once

#include "core/base/progress.h"
#include "core/base/unique_names.h"
#include "core/graph/graph_builder.h"
#include "core/load/exported_argument.h"
#include "core/load/exported_notes.h"
#include "core/load/exported_types.h"
#include "core/load/model.h"
#include "core/load/operator_schema.h"
#include "core/load/tensor_versions.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

namespace stagecraft {

class ExportedGraphReader
{
public:
    // `aliasing` gives the order edges of subgraphs; the caller finishes `builder` itself.
    ExportedGraphReader(GraphBuilder& builder, SizeReader& sizes, const AliasingOf& aliasing,
                        const Progress& progress)
        : m_builder(builder), m_sizes(sizes), m_aliasing(aliasing), m_progress(progress)
    {
    }

    // Reads the whole of `graph` into the builder. `specs` say what each input is, in order, and get their
    // values; without them every input is the user's.
    Result<void> read(const JsonView& graph, std::vector<InputSpec>* specs);
    // Split marks in subgraphs, inside which no stage can end.
    std::size_t innerMarks() const { return m_innerMarks; }
    // What the graph does without, and a person should know.
    const std::set<std::string_view>& leftOut() const { return m_leftOut; }

private:
    using JsonTable = std::unordered_map<std::string_view, JsonView>;

    // One graph of the file while it is being read.
    struct Scope
    {
        JsonTable tensors; // metadata by name
        JsonTable numbers; // sizes by name
        std::unordered_map<std::string_view, Argument> names;
        std::set<std::string_view> tokens; // names of what keeps effects in order: no values
        ContextId context{0};
        Context mode;
    };

    Result<Scope> openScope(const JsonView& graph);
    Result<void> reserveNames(const JsonView& graph, const Scope& scope);
    Result<void> readInputs(Scope& scope, const JsonView& graph, std::vector<InputSpec>* specs);
    Result<void> readNodes(Scope& scope, const JsonView& graph);
    Result<void> readNode(Scope& scope, const JsonView& json);
    Result<void> leaveOut(std::string_view why)
    {
        m_leftOut.insert(why);
        return {};
    }
    Result<void> bindResult(Scope& scope, const JsonView& json, ValueId value);
    Result<void> defineToken(Scope& scope, std::string_view name);
    Result<std::vector<Argument>> readOutputs(Scope& scope, const JsonView& graph);

    Result<void> inlineRegion(Scope& scope, const JsonView& json, const std::string& target);
    Result<void> bindRegion(Scope& scope, const JsonView& json, const std::vector<Argument>& results);
    Result<std::shared_ptr<const Graph>> readSubgraph(const JsonView& json);

    Result<std::vector<NamedArgument>> readArguments(Scope& scope, const JsonView& json, Node& node);
    Result<std::vector<NodeOutput>> readResults(Scope& scope, std::span<const JsonView> elements);
    Result<NodeOutput> readResult(Scope& scope, const JsonView& json);
    Result<std::string> nodeName(const JsonView& json, const Node& node);

    void namePlace(std::string_view name, NodeSpan place);
    std::string valueName(std::string_view name);
    Result<Value> describeValue(const Scope& scope, const JsonView& json, std::string_view name);
    Result<Argument> lookUp(const Scope& scope, std::string_view name) const;
    Result<void> define(Scope& scope, std::string_view name, Argument meaning);
    Result<ValueId> defineResult(Scope& scope, const JsonView& json, std::string_view name);

    GraphBuilder& m_builder;
    SizeReader& m_sizes;
    const AliasingOf& m_aliasing;
    const Progress& m_progress;
    UniqueNames m_valueNames;
    UniqueNames m_nodeNames;
    NodeNotes m_notes{m_builder};
    TensorVersions m_versions;
    std::optional<std::string> m_mark; // the name of a split mark that stands before the next node
    std::size_t m_innerMarks = 0;
    std::set<std::string_view> m_leftOut;
    OperatorSchemas m_schemas;
    int m_regionCount = 0;
    int m_regionDepth = 0; // regions around the graph being read
    int m_subgraphDepth = 0;
};

} // namespace stagecraft
