#include "core/graph/graph_text.h"
#include "core/graph/graph_text_names.h"
#include "core/graph/text_scanner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace stagecraft {

namespace {

using namespace graph_text;

// Bare where it can be read back so, else in quotes.
std::string named(std::string_view name, std::string_view allowed = nameCharacters)
{
    TextScanner scanner(name);
    const bool isBare = !name.empty() && scanner.word(allowed).size() == name.size();
    return isBare ? std::string(name) : inQuotes(name);
}

std::string join(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

// The shortest text that reads back as the same double, and not as an integer.
std::string floatText(double value)
{
    if (std::isnan(value))
        return "nan";
    std::array<char, 40> buffer{};
    const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string text(buffer.data(), end);
    const bool looksInteger = text.find_first_not_of("-0123456789") == std::string::npos;
    return looksInteger ? text + ".0" : text;
}

std::string deviceText(const Device& device)
{
    return device.type + (device.index ? ":" + std::to_string(*device.index) : "");
}

std::string sizesText(const std::vector<SymInt>& sizes)
{
    std::vector<std::string> parts;
    for (const SymInt& size : sizes)
        parts.push_back(size.text());
    return "[" + join(parts) + "]";
}

class Printer
{
public:
    explicit Printer(const Graph& graph) : m_graph(graph)
    {
        for (const ValueId value : graph.values())
            if (graph[value].isTensor()) {
                m_device = graph[value].meta->device;
                break;
            }
    }

    void printTo(std::string& out, const std::string& indent) const
    {
        const std::string inner = indent + "  ";
        out += indent + "graph " + named(m_graph.name()) + "\n";
        printHead(out, inner);
        for (const ValueId input : m_graph.inputs())
            out += inner + inputText(m_graph[input]) + "\n";
        for (const NodeId node : m_graph.nodes()) {
            out += inner + nodeText(node) + "\n";
            for (const auto& subgraph : m_graph[node].subgraphs)
                Printer(*subgraph).printTo(out, inner + "  ");
        }
        std::vector<std::string> outputs;
        for (const Argument& output : m_graph.outputs())
            outputs.push_back(argumentText(output));
        out += inner + (m_graph.returnsBareValue() ? "return_bare " : "return ") + join(outputs) + "\n";
    }

    std::string nodeText(NodeId id) const
    {
        const Node& node = m_graph[id];
        std::string text;
        for (const NodeOutput& output : node.outputs)
            text += (text.empty() ? "" : ", ") + outputText(output);
        if (!node.outputs.empty())
            text += " = ";
        std::vector<std::string> arguments;
        for (const NamedArgument& argument : node.arguments)
            arguments.push_back(namedArgumentText(argument));
        // A bare word might be taken for the start of another line.
        const bool isPlain = node.target.find("::") != std::string::npos;
        text += (isPlain ? named(node.target, targetCharacters) : inQuotes(node.target)) + "(" +
                join(arguments) + ")";
        const bool isNamedAsResult = !node.results.empty() && m_graph[node.results.front()].name == node.name;
        if (!isNamedAsResult)
            text += " named " + named(node.name);
        if (node.module != ModuleTree::root())
            text += " @" + named(m_graph.modules()[node.module].path);
        if (node.context != ContextId(0))
            text += " in " + std::to_string(node.context.index());
        return text + orderText(id);
    }

private:
    void printHead(std::string& out, const std::string& indent) const
    {
        for (const auto& [name, range] : m_graph.symbolRanges()) {
            out += indent + "symbol " + named(name);
            if (range.hint)
                out += " hint " + std::to_string(*range.hint);
            if (range.min || range.max)
                out += " range " + (range.min ? std::to_string(*range.min) : "") + ".." +
                       (range.max ? std::to_string(*range.max) : "");
            out += "\n";
        }
        if (m_device != Device())
            out += indent + "device " + named(deviceText(m_device), targetCharacters) + "\n";
        for (const ModuleId id : m_graph.modules().ids()) {
            const Module& module = m_graph.modules()[id];
            if (id != ModuleTree::root() || !module.className.empty())
                out += indent + "module " + named(module.path) +
                       (module.className.empty() ? "" : " " + inQuotes(module.className)) + "\n";
        }
        for (std::size_t i = 1; i < m_graph.contextCount(); ++i)
            out +=
                indent + "context " + std::to_string(i) + contextText(m_graph.context(ContextId(i))) + "\n";
    }

    static std::string contextText(const Context& context)
    {
        std::string text;
        if (context.gradEnabled)
            text += *context.gradEnabled ? " grad on" : " grad off";
        if (const std::optional<Autocast>& autocast = context.autocast) {
            text += " autocast " + named(autocast->deviceType);
            if (autocast->dtype)
                text += " " + std::string(shortName(*autocast->dtype));
            text += autocast->enabled ? " on" : " off";
            text += autocast->cacheEnabled ? "" : " uncached";
        }
        for (const int region : context.recomputeRegions)
            text += " recompute " + std::to_string(region);
        text += context.keepsResults ? " keeps" : "";
        return text;
    }

    std::string orderText(NodeId id) const
    {
        std::vector<std::string> before;
        for (const NodeId predecessor : m_graph.predecessors(id))
            if (std::ranges::binary_search(m_graph.orderEdges(), std::pair(predecessor, id)))
                before.push_back(named(m_graph[predecessor].name));
        return before.empty() ? "" : " after " + join(before);
    }

    std::string inputText(const Value& value) const
    {
        const ValueKind kind = value.kind == ValueKind::SizeScalar ? ValueKind::UserInput : value.kind;
        std::string text(nameOf(inputKinds, kind));
        text += " %" + named(value.name);
        if (!value.target.empty())
            text += " " + inQuotes(value.target);
        return kind == ValueKind::Opaque ? text : text + " : " + typeText(value);
    }

    std::string outputText(const NodeOutput& output) const
    {
        if (output.kind == NodeOutput::Kind::None)
            return "none";
        std::vector<std::string> parts;
        for (const ValueId value : output.values)
            parts.push_back("%" + named(m_graph[value].name) + " : " + typeText(m_graph[value]));
        return output.kind == NodeOutput::Kind::List ? "[" + join(parts) + "]" : join(parts);
    }

    std::string typeText(const Value& value) const
    {
        if (value.kind == ValueKind::SizeScalar)
            return value.scalar ? "size(" + value.scalar->text() + ")" : "size";
        return value.meta ? tensorText(*value.meta, value.kind) : "opaque";
    }

    std::string tensorText(const TensorMeta& meta, ValueKind kind) const
    {
        std::string text = metaText(meta);
        if (meta.strides != contiguousMeta(meta.dtype, meta.sizes).strides)
            text += " strides " + sizesText(meta.strides);
        if (!(meta.storageOffset == SymInt(0)))
            text += " offset " + sizesText({meta.storageOffset});
        if (meta.layout != TensorLayout::Strided)
            text += " layout " + std::string(nameOf(layouts, meta.layout));
        if (meta.device != m_device)
            text += " on " + named(deviceText(meta.device), targetCharacters);
        if (meta.requiresGrad != (kind == ValueKind::Parameter))
            text += meta.requiresGrad ? " grad" : " frozen";
        return text;
    }

    std::string namedArgumentText(const NamedArgument& argument) const
    {
        const std::string value = argumentText(argument.value);
        const bool isNamed = !argument.name.empty();
        switch (argument.passing) {
        case ArgumentPassing::Positional:
            return isNamed ? named(argument.name) + " " + value : value;
        case ArgumentPassing::Keyword:
            return named(argument.name) + "=" + value;
        case ArgumentPassing::Unsaid:
            break;
        }
        return (isNamed ? named(argument.name) : "") + "? " + value;
    }

    std::string argumentText(const Argument& argument) const
    {
        return std::visit([this](const auto& value) { return literalText(value); }, argument);
    }

    std::string literalText(NoneArgument) const { return "none"; }
    std::string literalText(ValueId value) const { return "%" + named(m_graph[value].name); }
    std::string literalText(std::int64_t value) const { return std::to_string(value); }
    std::string literalText(double value) const { return floatText(value); }
    std::string literalText(bool value) const { return value ? "true" : "false"; }
    std::string literalText(const std::string& value) const { return inQuotes(value); }
    std::string literalText(DType value) const { return std::string(shortName(value)); }
    std::string literalText(MemoryFormat value) const
    {
        return "memory_format(" + std::string(nameOf(memoryFormats, value)) + ")";
    }
    std::string literalText(TensorLayout value) const
    {
        return "layout(" + std::string(nameOf(layouts, value)) + ")";
    }
    std::string literalText(const Device& value) const
    {
        return "device(" + named(deviceText(value), targetCharacters) + ")";
    }
    std::string literalText(SubgraphId value) const { return "graph(" + std::to_string(value.index()) + ")"; }
    std::string literalText(const OperatorArgument& value) const
    {
        return "operator(" + inQuotes(value.target) + ")";
    }
    std::string literalText(const std::complex<double>& value) const
    {
        return "complex(" + floatText(value.real()) + ", " + floatText(value.imag()) + ")";
    }
    std::string literalText(const RawArgument& raw) const
    {
        std::string text = "raw(" + inQuotes(raw.json);
        for (const ValueId value : raw.values)
            text += ", " + literalText(value);
        return text + ")";
    }
    // Lists of values are told apart by the kinds of their elements; one whose elements mislead is marked.
    std::string literalText(const TensorListArgument& list) const
    {
        std::vector<std::string> parts;
        bool misleads = list.elements.empty();
        for (const std::optional<ValueId>& element : list.elements) {
            parts.push_back(element ? literalText(*element) : "none");
            misleads |= element && m_graph[*element].kind == ValueKind::SizeScalar;
        }
        return (misleads ? "tensors[" : "[") + join(parts) + "]";
    }
    std::string literalText(const IntListArgument& list) const
    {
        std::vector<std::string> parts;
        bool misleads = false;
        for (const IntOrValue& element : list.elements) {
            const auto* value = std::get_if<ValueId>(&element);
            parts.push_back(value ? literalText(*value) : std::to_string(std::get<std::int64_t>(element)));
            misleads |= value && m_graph[*value].kind != ValueKind::SizeScalar;
        }
        return (misleads ? "ints[" : "[") + join(parts) + "]";
    }
    template <class T>
    std::string literalText(const std::vector<T>& list) const
    {
        std::vector<std::string> parts;
        for (const auto& element : list) // of vector<bool>: proxies
            parts.push_back(literalText(T(element)));
        const std::string_view kind = std::is_same_v<T, double> ? "floats"
                                      : std::is_same_v<T, bool> ? "bools"
                                                                : "strings";
        return (list.empty() ? std::string(kind) : "") + "[" + join(parts) + "]";
    }

    const Graph& m_graph;
    Device m_device; // the first tensor's
};

} // namespace

std::string printGraph(const Graph& graph)
{
    std::string text;
    Printer(graph).printTo(text, "");
    return text;
}

std::string printNode(const Graph& graph, NodeId id)
{
    return Printer(graph).nodeText(id);
}

} // namespace stagecraft
