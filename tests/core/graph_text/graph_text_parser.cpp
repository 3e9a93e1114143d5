#include "tests/core/graph_text/graph_text_parser.h"

#include "core/graph/graph_builder.h"
#include "tests/core/graph_text/graph_text_arguments.h"
#include "tests/core/graph_text/sym_int_text.h"

#include <algorithm>

namespace stagecraft {

namespace {

using namespace graph_text;

constexpr int maxNesting = 32;

class GraphParser
{
public:
    GraphParser(LineScanner& scanner, int depth)
        : m_scanner(scanner), m_depth(depth), m_arguments(scanner, m_builder, m_values)
    {
    }

    // From the word behind "graph" to the end of the line of "return".
    Result<Graph> parse()
    {
        STAGECRAFT_ASSIGN(name, m_scanner.takeName());
        STAGECRAFT_TRY(m_scanner.endLine());
        m_builder = GraphBuilder(name);
        while (true) {
            m_scanner.skipEmptyLines();
            const std::size_t start = m_scanner.position();
            const std::string_view word = m_scanner.word("_:");
            if (word == "return" || word == "return_bare")
                return finish(word == "return_bare");
            STAGECRAFT_ASSIGN(known, parseHeadLine(word));
            if (!known) {
                m_scanner.goTo(start);
                STAGECRAFT_TRY(parseNode());
            }
        }
    }

private:
    // ------------------------------------------------------------ lines
    Result<Graph> finish(bool isBare)
    {
        if (!m_scanner.sees('\n') && !m_scanner.atEnd())
            do {
                STAGECRAFT_ASSIGN(output, m_arguments.parse());
                m_builder.addOutput(std::move(output));
            } while (m_scanner.take(","));
        STAGECRAFT_TRY(m_scanner.endLine());
        if (isBare)
            m_builder.markBareReturn();
        return std::move(m_builder).finish();
    }

    // False where `word` starts no line but a node's.
    Result<bool> parseHeadLine(std::string_view word)
    {
        const std::optional<ValueKind> input = meaningOf(inputKinds, word);
        if (input)
            STAGECRAFT_TRY(parseInput(*input));
        else if (word == "symbol")
            STAGECRAFT_TRY(parseSymbol());
        else if (word == "module")
            STAGECRAFT_TRY(parseModule());
        else if (word == "context")
            STAGECRAFT_TRY(parseContext());
        else if (word == "device")
            STAGECRAFT_TRY(parseDefaultDevice());
        else
            return false;
        STAGECRAFT_TRY(m_scanner.endLine());
        return true;
    }

    Result<void> parseSymbol()
    {
        STAGECRAFT_ASSIGN(name, m_scanner.takeName());
        SymbolRange range;
        if (m_scanner.take("hint")) {
            range.hint = m_scanner.integer();
            if (range.hint)
                m_hints[name] = *range.hint;
        }
        if (m_scanner.take("range")) {
            range.min = m_scanner.integer();
            STAGECRAFT_TRY(m_scanner.expect(".."));
            range.max = m_scanner.integer();
        }
        m_builder.setSymbolRange(name, range);
        return {};
    }

    Result<void> parseModule()
    {
        STAGECRAFT_ASSIGN(path, m_scanner.takeName());
        m_builder.addModule(path, m_scanner.quoted('"').value_or(""));
        return {};
    }

    Result<void> parseDefaultDevice()
    {
        STAGECRAFT_ASSIGN(text, m_scanner.takeName(targetCharacters));
        m_device = parseDevice(text);
        return {};
    }

    Result<void> parseContext()
    {
        const std::optional<std::int64_t> number = m_scanner.integer();
        Context context;
        if (m_scanner.take("grad")) {
            STAGECRAFT_ASSIGN(isOn, m_scanner.takeSwitch());
            context.gradEnabled = isOn;
        }
        if (m_scanner.take("autocast")) {
            STAGECRAFT_ASSIGN(device, m_scanner.takeName());
            Autocast autocast{device, std::nullopt};
            if (!m_scanner.seesWord("on") && !m_scanner.seesWord("off"))
                autocast.dtype = dtypeFromShortName(m_scanner.word());
            STAGECRAFT_ASSIGN(isOn, m_scanner.takeSwitch());
            autocast.enabled = isOn;
            autocast.cacheEnabled = !m_scanner.take("uncached");
            context.autocast = autocast;
        }
        while (m_scanner.take("recompute")) {
            const std::optional<std::int64_t> region = m_scanner.integer();
            if (!region)
                return m_scanner.wrong("a recomputed region has a number");
            context.recomputeRegions.push_back(static_cast<int>(*region));
        }
        context.keepsResults = m_scanner.take("keeps");
        if (number != static_cast<std::int64_t>(m_builder.addContext(context).index()))
            return m_scanner.wrong("contexts are numbered from 1, and no two are alike");
        return {};
    }

    Result<void> parseInput(ValueKind kind)
    {
        Value value;
        value.kind = kind;
        STAGECRAFT_TRY(m_scanner.expect("%"));
        STAGECRAFT_ASSIGN(name, m_scanner.takeName());
        value.name = name;
        value.target = m_scanner.quoted('"').value_or("");
        if (kind != ValueKind::Opaque) {
            STAGECRAFT_TRY(m_scanner.expect(":"));
            STAGECRAFT_TRY(parseType(value));
        }
        return define(m_builder.addInput(value), name);
    }

    Result<void> parseNode()
    {
        Node node;
        if (m_scanner.sees('%') || m_scanner.sees('[') || m_scanner.seesWord("none")) {
            do {
                STAGECRAFT_ASSIGN(output, parseOutput());
                node.outputs.push_back(std::move(output));
            } while (m_scanner.take(","));
            STAGECRAFT_TRY(m_scanner.expect("="));
        }
        STAGECRAFT_ASSIGN(target, m_scanner.takeName(targetCharacters));
        node.target = target;
        STAGECRAFT_TRY(m_scanner.expect("("));
        if (!m_scanner.take(")"))
            do {
                STAGECRAFT_ASSIGN(argument, m_arguments.parseNamed());
                node.arguments.push_back(std::move(argument));
            } while (m_scanner.take(","));
        if (!node.arguments.empty())
            STAGECRAFT_TRY(m_scanner.expect(")"));
        // Results become visible only now: a node cannot read what it makes.
        for (const auto& [name, value] : m_results)
            STAGECRAFT_TRY(define(value, name));
        if (!m_results.empty())
            node.name = m_results.front().first;
        m_results.clear();
        STAGECRAFT_TRY(parseNodeEnding(node));
        return parseSubgraphs(std::move(node));
    }

    Result<void> parseNodeEnding(Node& node)
    {
        m_before.clear();
        if (m_scanner.takeWord("named")) {
            STAGECRAFT_ASSIGN(name, m_scanner.takeName());
            node.name = name;
        }
        if (m_scanner.take("@")) {
            STAGECRAFT_ASSIGN(path, m_scanner.takeName());
            node.module = m_builder.addModule(path);
        }
        if (m_scanner.takeWord("in")) {
            const std::optional<std::int64_t> context = m_scanner.integer();
            if (!context || *context < 0 || static_cast<std::size_t>(*context) >= m_builder.contextCount())
                return m_scanner.wrong("there is no such context");
            node.context = ContextId(static_cast<std::size_t>(*context));
        }
        if (m_scanner.takeWord("after")) {
            do {
                STAGECRAFT_ASSIGN(name, m_scanner.takeName());
                const auto before = m_nodes.find(name);
                if (before == m_nodes.end())
                    return m_scanner.wrong("there is no node '" + name + "' before");
                m_before.push_back(before->second);
            } while (m_scanner.take(","));
        }
        return m_scanner.endLine();
    }

    Result<void> parseSubgraphs(Node node)
    {
        const std::vector<NodeId> before = std::move(m_before);
        std::size_t wanted = 0;
        for (const NamedArgument& argument : node.arguments)
            if (const auto* subgraph = std::get_if<SubgraphId>(&argument.value))
                wanted = std::max<std::size_t>(wanted, subgraph->index() + std::size_t{1});
        for (m_scanner.skipEmptyLines(); m_scanner.takeWord("graph"); m_scanner.skipEmptyLines()) {
            if (m_depth >= maxNesting)
                return m_scanner.wrong("graphs are nested too deeply");
            STAGECRAFT_ASSIGN(subgraph, GraphParser(m_scanner, m_depth + 1).parse());
            node.subgraphs.push_back(std::make_shared<const Graph>(std::move(subgraph)));
        }
        if (node.subgraphs.size() < wanted)
            return m_scanner.wrong("node '" + node.name + "' has " + std::to_string(node.subgraphs.size()) +
                                   " subgraphs, its arguments name " + std::to_string(wanted));
        const std::string name = node.name;
        const NodeId id = m_builder.addNode(std::move(node));
        m_nodes.emplace(name, id);
        for (const NodeId earlier : before)
            m_builder.addOrderEdge(earlier, id);
        return {};
    }

    // ------------------------------------------------------------ values
    Result<void> define(ValueId value, const std::string& name)
    {
        if (!m_values.emplace(name, value).second)
            return m_scanner.wrong("two values are named '" + name + "'");
        return {};
    }

    Result<NodeOutput> parseOutput()
    {
        if (m_scanner.takeWord("none"))
            return NodeOutput{NodeOutput::Kind::None, {}};
        if (!m_scanner.take("[")) {
            STAGECRAFT_ASSIGN(value, parseResult());
            return NodeOutput{NodeOutput::Kind::Value, {value}};
        }
        NodeOutput list{NodeOutput::Kind::List, {}};
        if (m_scanner.take("]"))
            return list;
        do {
            STAGECRAFT_ASSIGN(value, parseResult());
            list.values.push_back(value);
        } while (m_scanner.take(","));
        STAGECRAFT_TRY(m_scanner.expect("]"));
        return list;
    }

    Result<ValueId> parseResult()
    {
        Value value;
        STAGECRAFT_TRY(m_scanner.expect("%"));
        STAGECRAFT_ASSIGN(name, m_scanner.takeName());
        value.name = name;
        STAGECRAFT_TRY(m_scanner.expect(":"));
        STAGECRAFT_TRY(parseType(value));
        const ValueId id = m_builder.addValue(value);
        m_results.emplace_back(name, id);
        return id;
    }

    Result<void> parseType(Value& value)
    {
        const std::string_view word = m_scanner.word();
        if (word == "opaque") {
            value.kind = ValueKind::Opaque;
            return {};
        }
        if (word == "size") {
            value.kind = ValueKind::SizeScalar;
            if (!m_scanner.take("("))
                return {};
            STAGECRAFT_ASSIGN(sizes, parseSizes(')'));
            if (sizes.size() != 1)
                return m_scanner.wrong("a size is one expression");
            value.scalar = sizes.front();
            return {};
        }
        const std::optional<DType> dtype = dtypeFromShortName(word);
        if (!dtype)
            return m_scanner.wrong("'" + std::string(word) + "' is no element type");
        return parseTensor(*dtype, value);
    }

    Result<void> parseTensor(DType dtype, Value& value)
    {
        STAGECRAFT_TRY(m_scanner.expect("["));
        STAGECRAFT_ASSIGN(sizes, parseSizes(']'));
        TensorMeta meta = contiguousMeta(dtype, sizes);
        meta.device = m_device;
        meta.requiresGrad = value.kind == ValueKind::Parameter;
        if (m_scanner.take("strides")) {
            STAGECRAFT_TRY(m_scanner.expect("["));
            STAGECRAFT_ASSIGN(strides, parseSizes(']'));
            meta.strides = strides;
        }
        if (m_scanner.take("offset")) {
            STAGECRAFT_TRY(m_scanner.expect("["));
            STAGECRAFT_ASSIGN(offset, parseSizes(']'));
            if (offset.size() != 1)
                return m_scanner.wrong("an offset is one number");
            meta.storageOffset = offset.front();
        }
        if (m_scanner.take("layout"))
            meta.layout = meaningOf(layouts, m_scanner.word()).value_or(TensorLayout::Strided);
        if (m_scanner.take("on ")) {
            STAGECRAFT_ASSIGN(device, m_scanner.takeName(targetCharacters));
            meta.device = parseDevice(device);
        }
        if (m_scanner.take("grad"))
            meta.requiresGrad = true;
        else if (m_scanner.take("frozen"))
            meta.requiresGrad = false;
        value.meta = std::move(meta);
        return {};
    }

    // Sizes up to `end`, which is taken too.
    Result<std::vector<SymInt>> parseSizes(char end)
    {
        std::vector<SymInt> sizes;
        if (m_scanner.take(std::string_view(&end, 1)))
            return sizes;
        while (true) {
            const std::string_view text = takeExpression(end);
            STAGECRAFT_ASSIGN(size, parseSymInt(text, m_hints));
            sizes.push_back(std::move(size));
            if (m_scanner.take(std::string_view(&end, 1)))
                return sizes;
            STAGECRAFT_TRY(m_scanner.expect(","));
        }
    }

    // The text up to a comma or `end` outside brackets and quotes.
    std::string_view takeExpression(char end)
    {
        const std::string_view text = m_scanner.rest();
        int depth = 0;
        bool inQuotes = false;
        std::size_t i = 0;
        for (; i < text.size() && text[i] != '\n'; ++i) {
            const char c = text[i];
            if (inQuotes && c == '\\')
                ++i;
            else if (c == '"')
                inQuotes = !inQuotes;
            else if (!inQuotes && depth == 0 && (c == ',' || c == end))
                break;
            else if (!inQuotes)
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        i = std::min(i, text.size());
        m_scanner.skip(i);
        return text.substr(0, i);
    }

    LineScanner& m_scanner;
    int m_depth; // of graphs around this one
    GraphBuilder m_builder{""};
    Device m_device;
    Bindings m_hints;
    ArgumentParser::Values m_values;
    std::unordered_map<std::string, NodeId> m_nodes;
    std::vector<std::pair<std::string, ValueId>> m_results; // of the node being read
    std::vector<NodeId> m_before;                           // it
    ArgumentParser m_arguments;
};

} // namespace

Result<Graph> parseGraph(std::string_view text)
{
    graph_text::LineScanner scanner(text);
    scanner.skipEmptyLines();
    if (!scanner.takeWord("graph"))
        return scanner.wrong("a graph starts with 'graph' and its name");
    STAGECRAFT_ASSIGN(graph, GraphParser(scanner, 0).parse());
    scanner.skipEmptyLines();
    if (!scanner.atEnd())
        return scanner.wrong("there is something behind the graph");
    return graph;
}

} // namespace stagecraft
