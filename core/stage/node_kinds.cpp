#include "core/stage/node_kinds.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace stagecraft {

namespace {

// Writes down all that alike nodes have in common, so that equal texts are alike nodes.
class KindText
{
public:
    KindText(const Graph& graph, const Node& node) : m_node(node)
    {
        add(node.target);
        add(node.arguments.size());
        for (const NamedArgument& argument : node.arguments) {
            add(argument.name);
            add(argument.passing);
            add(argument.value.index());
            std::visit([this](const auto& value) { addLiteral(value); }, argument.value);
        }
        add(node.outputs.size());
        for (const NodeOutput& output : node.outputs) {
            add(output.kind);
            add(output.values.size());
        }
        for (const ValueId result : node.results)
            add(graph[result].meta);
    }

    const std::string& text() const { return m_text; }

private:
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T number)
    {
        m_text.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    void add(std::string_view text)
    {
        add(text.size());
        m_text += text;
    }
    // What the line's comment says of it.
    void add(const std::optional<TensorMeta>& meta)
    {
        add(meta.has_value());
        if (!meta)
            return;
        add(meta->dtype);
        add(meta->sizes.size());
        for (const SymInt& size : meta->sizes) {
            add(size.isConstant());
            if (size.isConstant())
                add(size.constant());
            else
                add(std::string_view(size.text()));
        }
    }

    // Inputs are in the order in which they are read first.
    void addLiteral(ValueId value)
    {
        if (m_read < m_node.inputs.size() && m_node.inputs[m_read] == value)
            return add(m_read++);
        add(static_cast<std::size_t>(std::ranges::find(m_node.inputs, value) - m_node.inputs.begin()));
    }
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void addLiteral(T number) { add(number); }
    void addLiteral(const std::string& text) { add(std::string_view(text)); }
    void addLiteral(const OperatorArgument& op) { add(std::string_view(op.target)); }
    void addLiteral(const std::complex<double>& number)
    {
        add(number.real());
        add(number.imag());
    }
    void addLiteral(const Device& device)
    {
        add(std::string_view(device.type));
        add(device.index.has_value());
        add(device.index.value_or(0));
    }
    void addLiteral(const std::optional<ValueId>& value)
    {
        add(value.has_value());
        if (value)
            addLiteral(*value);
    }
    void addLiteral(const IntOrValue& number)
    {
        add(number.index());
        std::visit([this](const auto& value) { addLiteral(value); }, number);
    }
    void addLiteral(const TensorListArgument& list) { addLiteral(list.elements); }
    void addLiteral(const IntListArgument& list) { addLiteral(list.elements); }
    template <class T>
    void addLiteral(const std::vector<T>& list)
    {
        add(list.size());
        for (const T& element : list)
            addLiteral(element);
    }
    void addLiteral(const NoneArgument&) {}
    void addLiteral(SubgraphId) {}         // see isLikeNothing()
    void addLiteral(const RawArgument&) {} // likewise

    const Node& m_node;
    std::string m_text;
    std::size_t m_read = 0; // of its inputs
};

// Functions of inner graphs are written where they are called; values of what is not read cannot be told.
bool isLikeNothing(const Node& node)
{
    return !node.subgraphs.empty() || std::ranges::any_of(node.arguments, [](const NamedArgument& argument) {
        return std::holds_alternative<SubgraphId>(argument.value) ||
               std::holds_alternative<RawArgument>(argument.value);
    });
}

} // namespace

NodeKinds nodeKinds(const Graph& graph)
{
    NodeKinds kinds;
    std::unordered_map<std::string, std::uint32_t> known;
    std::uint32_t count = 0;
    for (const NodeId node : graph.nodes()) {
        const std::uint32_t kind =
            isLikeNothing(graph[node])
                ? count
                : known.try_emplace(KindText(graph, graph[node]).text(), count).first->second;
        count += kind == count ? 1 : 0;
        kinds.add(kind);
    }
    return kinds;
}

} // namespace stagecraft
