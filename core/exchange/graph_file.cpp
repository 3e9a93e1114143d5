#include "core/exchange/graph_file.h"

#include "core/base/csv_text.h"
#include "core/base/markup.h"
#include "core/base/printable.h"
#include "core/exchange/graph_records.h"

#include <algorithm>

namespace stagecraft {

namespace {

using nlohmann::ordered_json;
using Records = std::vector<ordered_json>;

std::string dumped(const ordered_json& value, int indent = -1)
{
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

std::string plainText(const ordered_json& value)
{
    return value.is_string() ? value.get<std::string>() : dumped(value);
}

// ---------------------------------------------------------------- fields
enum class FieldType { Truth, Whole, Number, Text };

struct RecordField
{
    std::string name;
    FieldType type;
};

FieldType typeOf(const ordered_json& value)
{
    if (value.is_boolean())
        return FieldType::Truth;
    if (value.is_number())
        return value.is_number_integer() ? FieldType::Whole : FieldType::Number;
    return FieldType::Text;
}

// All that any record has, in order of first appearance, with the type that holds all of its values.
std::vector<RecordField> fieldsOf(const Records& records)
{
    std::vector<RecordField> fields;
    for (const ordered_json& record : records)
        for (const auto& [name, value] : record.items()) {
            const auto found = std::ranges::find(fields, name, &RecordField::name);
            const FieldType type = typeOf(value);
            if (found == fields.end())
                fields.push_back({name, type});
            else if (type != found->type)
                found->type = std::max({type, found->type, FieldType::Number});
        }
    return fields;
}

// ---------------------------------------------------------------- GraphML
std::string_view graphMlType(FieldType type)
{
    switch (type) {
    case FieldType::Truth:
        return "boolean";
    case FieldType::Whole:
        return "long";
    case FieldType::Number:
        return "double";
    case FieldType::Text:
        break;
    }
    return "string";
}

class GraphMlWriter
{
public:
    std::string write(const std::string& name, const GraphRecords& records)
    {
        m_text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
        const std::vector<RecordField> ofNodes = fieldsOf(records.nodes), ofEdges = fieldsOf(records.edges);
        declare("node", ofNodes);
        declare("edge", ofEdges);
        m_text += "  <key id=\"model\" for=\"graph\" attr.name=\"model\" attr.type=\"string\"/>\n"
                  "  <graph edgedefault=\"directed\">\n    <data key=\"model\">" +
                  xmlText(name) + "</data>\n";
        for (const ordered_json& node : records.nodes) {
            m_text += "    <node id=\"" + node["id"].get<std::string>() + "\">";
            addData("node", ofNodes, node);
            m_text += "</node>\n";
        }
        for (const ordered_json& edge : records.edges) {
            m_text += "    <edge source=\"" + edge["source"].get<std::string>() + "\" target=\"" +
                      edge["target"].get<std::string>() + "\">";
            addData("edge", ofEdges, edge);
            m_text += "</edge>\n";
        }
        return std::move(m_text) + "  </graph>\n</graphml>\n";
    }

private:
    // They are the element's own attributes.
    static bool isElsewhere(std::string_view what, const std::string& field)
    {
        return what == "node" ? field == "id" : field == "source" || field == "target";
    }

    void declare(std::string_view what, const std::vector<RecordField>& fields)
    {
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (!isElsewhere(what, fields[i].name))
                m_text += "  <key id=\"" + key(what, i) + "\" for=\"" + std::string(what) +
                          "\" attr.name=\"" + xmlText(fields[i].name) + "\" attr.type=\"" +
                          std::string(graphMlType(fields[i].type)) + "\"/>\n";
    }
    void addData(std::string_view what, const std::vector<RecordField>& fields, const ordered_json& record)
    {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const auto found = record.find(fields[i].name);
            if (found != record.end() && !isElsewhere(what, fields[i].name))
                m_text += "<data key=\"" + key(what, i) + "\">" + xmlText(plainText(*found)) + "</data>";
        }
    }
    static std::string key(std::string_view what, std::size_t index)
    {
        return std::string(what.substr(0, 1)) + std::to_string(index);
    }

    std::string m_text;
};

// ---------------------------------------------------------------- JSON
ordered_json modulesJson(const ModuleTree& modules)
{
    ordered_json list = ordered_json::array();
    for (const ModuleId id : modules.ids()) {
        const Module& module = modules[id];
        list.push_back(
            {{"path", module.path},
             {"class", module.className},
             {"parent", module.parent ? ordered_json(modules[*module.parent].path) : ordered_json()}});
    }
    return list;
}

ordered_json symbolsJson(const Graph& graph)
{
    const auto number = [](std::optional<std::int64_t> value) {
        return value ? ordered_json(*value) : ordered_json();
    };
    ordered_json symbols = ordered_json::object();
    for (const auto& [name, range] : graph.symbolRanges())
        symbols[name] = {
            {"min", number(range.min)}, {"max", number(range.max)}, {"hint", number(range.hint)}};
    return symbols;
}

std::string jsonFile(const Graph& graph, const GraphRecords& records)
{
    return dumped({{"format", "stagecraft-graph"},
                   {"version", 1},
                   {"model", graph.name()},
                   {"symbols", symbolsJson(graph)},
                   {"modules", modulesJson(graph.modules())},
                   {"nodes", records.nodes},
                   {"edges", records.edges}},
                  1) +
           '\n';
}

// ---------------------------------------------------------------- DOT
std::string dotQuoted(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : printable(text))
        quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return quoted + '"';
}

// Operators stand in a cluster for each module; everything else around them.
class DotWriter
{
public:
    std::string write(const Graph& graph, const GraphRecords& records)
    {
        m_graph = &graph;
        m_within = Table<ModuleId, std::vector<const ordered_json*>>(graph.modules().size());
        m_text = "digraph " + dotQuoted(graph.name()) + " {\n  node [shape=box];\n";
        for (const ordered_json& node : records.nodes)
            if (node["kind"] == "operator")
                m_within[*graph.modules().find(node["module"].get<std::string>())].push_back(&node);
            else
                addNode(node, "ellipse");
        addModule(ModuleTree::root());
        for (const ordered_json& edge : records.edges)
            addEdge(edge);
        return std::move(m_text) + "}\n";
    }

private:
    void addNode(const ordered_json& node, std::string_view shape)
    {
        std::string label = node["name"].get<std::string>();
        for (const char* more : {"target", "type"})
            if (node.contains(more))
                label += "  " + node[more].get<std::string>();
        m_text += "  " + node["id"].get<std::string>() + " [shape=" + std::string(shape) +
                  ", label=" + dotQuoted(label);
        if (node.contains("overlay_colour"))
            m_text += ", style=filled, fillcolor=" + dotQuoted(node["overlay_colour"].get<std::string>());
        m_text += "];\n";
    }
    void addModule(ModuleId id)
    {
        const Module& module = m_graph->modules()[id];
        const bool isRoot = id == ModuleTree::root();
        if (!isRoot)
            m_text += "  subgraph cluster_" + std::to_string(id.index()) +
                      " {\n  label=" + dotQuoted(module.path) + ";\n";
        for (const ordered_json* node : m_within[id])
            addNode(*node, "box");
        for (const ModuleId child : module.children)
            addModule(child);
        if (!isRoot)
            m_text += "  }\n";
    }
    void addEdge(const ordered_json& edge)
    {
        m_text += "  " + edge["source"].get<std::string>() + " -> " + edge["target"].get<std::string>();
        if (edge["kind"] == "order")
            m_text += " [style=dashed];\n";
        else
            m_text += " [label=" + dotQuoted(edge.value("type", std::string())) + "];\n";
    }

    const Graph* m_graph = nullptr;
    Table<ModuleId, std::vector<const ordered_json*>> m_within;
    std::string m_text;
};

// ---------------------------------------------------------------- tables
std::string csvFile(const Records& records)
{
    const std::vector<RecordField> fields = fieldsOf(records);
    std::string text;
    for (const RecordField& field : fields)
        text += (text.empty() ? "" : ",") + csvField(field.name);
    text += "\r\n";
    for (const ordered_json& record : records) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const auto found = record.find(fields[i].name);
            text += i > 0 ? "," : "";
            text += found == record.end() ? std::string() : csvField(plainText(*found));
        }
        text += "\r\n";
    }
    return text;
}

} // namespace

std::string graphFile(GraphFormat format, const GraphSubject& subject)
{
    const GraphRecords records = graphRecords(subject);
    switch (format) {
    case GraphFormat::GraphMl:
        return GraphMlWriter().write(subject.graph.name(), records);
    case GraphFormat::Json:
        return jsonFile(subject.graph, records);
    case GraphFormat::Dot:
        return DotWriter().write(subject.graph, records);
    case GraphFormat::Csv:
        return csvFile(records.nodes);
    case GraphFormat::EdgesCsv:
        break;
    }
    return csvFile(records.edges);
}

} // namespace stagecraft
