#include "core/exchange/graph_records.h"

#include "core/profile/profile_json.h"

#include <algorithm>

namespace stagecraft {

namespace {

using nlohmann::ordered_json;

std::string operatorId(NodeId node)
{
    return "n" + std::to_string(node.index());
}

std::string givenId(ValueId value)
{
    return "v" + std::to_string(value.index());
}

std::string_view kindOf(const Value& value)
{
    switch (value.kind) {
    case ValueKind::UserInput:
        return "input";
    case ValueKind::Parameter:
        return "parameter";
    case ValueKind::Buffer:
        return "buffer";
    case ValueKind::Constant:
        return "constant";
    case ValueKind::SizeScalar:
        return "size";
    case ValueKind::Activation:
    case ValueKind::Opaque:
        break;
    }
    return "opaque";
}

std::string typeOf(const Value& value)
{
    if (value.meta)
        return metaText(*value.meta);
    return value.scalar ? value.scalar->text() : std::string();
}

class RecordWriter
{
public:
    explicit RecordWriter(const GraphSubject& subject)
        : m_subject(subject),
          m_graph(subject.graph),
          m_bindings(subject.profile ? subject.profile->options.bindings : Bindings())
    {
    }

    GraphRecords write()
    {
        for (const ValueId input : m_graph.inputs())
            m_records.nodes.push_back(givenRecord(input));
        for (const NodeId node : m_graph.nodes())
            m_records.nodes.push_back(operatorRecord(node));
        for (const NodeId node : m_graph.nodes())
            for (const ValueId value : m_graph[node].inputs)
                addEdge(value, operatorId(node));
        for (const auto& [before, after] : m_graph.orderEdges())
            m_records.edges.push_back(
                {{"source", operatorId(before)}, {"target", operatorId(after)}, {"kind", "order"}});
        addOutputs();
        return std::move(m_records);
    }

private:
    // None where a size is not known.
    std::optional<std::int64_t> bytesOf(const Value& value) const
    {
        const Result<Bytes> bytes = byteSize(*value.meta, m_bindings);
        return bytes.has_value() ? std::optional(bytes->count()) : std::nullopt;
    }

    void addValue(ordered_json& record, const Value& value) const
    {
        if (const std::string type = typeOf(value); !type.empty())
            record["type"] = type;
        if (value.meta)
            if (const std::optional<std::int64_t> bytes = bytesOf(value))
                record["bytes"] = *bytes;
    }

    ordered_json givenRecord(ValueId id) const
    {
        const Value& value = m_graph[id];
        ordered_json record{{"id", givenId(id)}, {"kind", kindOf(value)}, {"name", value.name}};
        if (!value.target.empty())
            record["target"] = value.target;
        addValue(record, value);
        return record;
    }

    ordered_json operatorRecord(NodeId id) const
    {
        const Node& node = m_graph[id];
        const Module& module = m_graph.modules()[node.module];
        ordered_json record{{"id", operatorId(id)},  {"kind", "operator"},    {"name", node.name},
                            {"target", node.target}, {"module", module.path}, {"class", module.className}};
        std::string type;
        for (const ValueId result : node.results)
            type += (type.empty() ? "" : ", ") + typeOf(m_graph[result]);
        record["type"] = type;
        if (node.source && !m_graph.source(*node.source).empty()) {
            const SourceFrame& frame = m_graph.source(*node.source).back();
            record["source"] = frame.file + ':' + std::to_string(frame.line);
        }
        if (m_subject.profile)
            record.update(costJson(m_subject.profile->nodes[id]));
        if (m_subject.overlay)
            addOverlay(record, *m_subject.overlay, id);
        return record;
    }

    void addOverlay(ordered_json& record, const Overlay& overlay, NodeId node) const
    {
        for (std::size_t i = 0; i < overlay.figures.size(); ++i)
            if (const auto value = overlayFigure(overlay, m_graph, i, node))
                record["overlay_" + overlay.figures[i].name] = *value;
        if (const std::optional<OverlayColour> colour = overlayColour(overlay, m_graph, node))
            record["overlay_colour"] = colourText(*colour);
        if (const std::string& note = overlay.nodes[node].note; !note.empty())
            record["overlay_note"] = note;
    }

    void addEdge(ValueId id, const std::string& target)
    {
        const Value& value = m_graph[id];
        ordered_json edge{{"source", value.producer ? operatorId(*value.producer) : givenId(id)},
                          {"target", target},
                          {"kind", "data"},
                          {"value", value.name}};
        addValue(edge, value);
        m_records.edges.push_back(std::move(edge));
    }

    // One for each that is a value; what an output holds may be a list of them.
    void addOutputs()
    {
        std::vector<ValueId> values;
        for (const Argument& output : m_graph.outputs())
            collectValues(output, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Value& value = m_graph[values[i]];
            const std::string id = "o" + std::to_string(i);
            ordered_json record{{"id", id}, {"kind", "output"}, {"name", value.name}};
            addValue(record, value);
            m_records.nodes.push_back(std::move(record));
            addEdge(values[i], id);
        }
    }

    const GraphSubject& m_subject;
    const Graph& m_graph;
    Bindings m_bindings;
    GraphRecords m_records;
};

} // namespace

GraphRecords graphRecords(const GraphSubject& subject)
{
    return RecordWriter(subject).write();
}

} // namespace stagecraft
