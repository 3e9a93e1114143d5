#include "core/exchange/overlay.h"

#include "core/base/json_entry.h"
#include "core/base/text_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace stagecraft {

namespace {

constexpr std::size_t mostFigures = 32;
constexpr double mostValue = 1e18; // sums of more would leave what a number can hold
constexpr Bytes mostText(std::int64_t{64} << 20);

constexpr NameTable<Combine, 4> combinations{"combine",
                                             {{{Combine::Sum, "sum", "Sum"},
                                               {Combine::Mean, "mean", "Mean"},
                                               {Combine::Max, "max", "Most"},
                                               {Combine::Min, "min", "Least"}}}};

std::optional<OverlayColour> colourOf(const std::string& text)
{
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    if (text.size() != 7 || text[0] != '#' || text.find_first_not_of(digits, 1) != std::string::npos)
        return std::nullopt;
    const auto part = [&](std::size_t at) {
        return static_cast<std::uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16));
    };
    return OverlayColour{part(1), part(3), part(5)};
}

// How many of the nodes lie in each module, or below it.
Table<ModuleId, std::size_t> countsWithin(const Graph& graph, const auto& nodes)
{
    Table<ModuleId, std::size_t> counts(graph.modules().size());
    for (const NodeId node : nodes)
        for (std::optional<ModuleId> module = graph[node].module; module;
             module = graph.modules()[*module].parent)
            ++counts[*module];
    return counts;
}

// What a file names that the model lacks: how many, and the first of them.
struct Strangers
{
    static constexpr std::size_t mostNamed = 3;

    std::size_t count = 0;
    std::string first;

    void add(const std::string& name)
    {
        if (count++ < mostNamed)
            first += (count > 1 ? ", '" : "'") + name + "'";
    }
    std::string text(const std::string& file, const std::string& what) const
    {
        return file + ": the model has no " + what + " " + first +
               (count > mostNamed ? ", nor " + std::to_string(count - mostNamed) + " more of it" : "");
    }
};

class OverlayReader
{
public:
    OverlayReader(const Graph& graph, const std::string& file) : m_graph(graph), m_file(file)
    {
        m_overlay.name = file;
        m_overlay.nodes = Table<NodeId, OverlayEntry>(graph.nodeCount());
        m_overlay.modules = Table<ModuleId, OverlayEntry>(graph.modules().size());
        m_overlay.nodesWithin = countsWithin(graph, graph.nodes());
    }

    Result<Overlay> read(const JsonEntry& document)
    {
        if (document["nodes"].isNull() && document["modules"].isNull())
            return Error{ErrorCode::BadFormat,
                         m_file + ": is no overlay: it has neither \"nodes\" nor \"modules\""};
        if (!document["name"].isNull()) {
            STAGECRAFT_ASSIGN(name, document["name"].text());
            m_overlay.name = printable(name);
        }
        STAGECRAFT_TRY(noteUnknown(document));
        STAGECRAFT_TRY(declareFigures(document["figures"]));
        STAGECRAFT_TRY(takeNodes(document["nodes"]));
        STAGECRAFT_TRY(takeModules(document["modules"]));
        if (m_known == 0)
            return Error{ErrorCode::BadFormat, m_file + ": names nothing of this model; " + strangersText()};
        if (m_noNodes.count + m_noModules.count > 0)
            m_overlay.notes.push_back(strangersText());
        STAGECRAFT_TRY(takeColours(document));
        return std::move(m_overlay);
    }

private:
    // "color_by", say, which else would do nothing, unsaid.
    Result<void> noteUnknown(const JsonEntry& document)
    {
        constexpr std::array<std::string_view, 6> known{"name",  "figures", "colour_by",
                                                        "range", "nodes",   "modules"};
        STAGECRAFT_ASSIGN(members, document.members());
        std::string names;
        for (const auto& [name, entry] : members)
            if (std::ranges::find(known, name) == known.end())
                names += (names.empty() ? "'" : ", '") + printable(name) + "'";
        if (!names.empty())
            m_overlay.notes.push_back(m_file + ": an overlay has no " + names);
        return {};
    }

    Result<std::size_t> figure(const std::string& written)
    {
        const std::string name = printable(written);
        const auto found = std::ranges::find(m_overlay.figures, name, &OverlayFigure::name);
        if (found != m_overlay.figures.end())
            return static_cast<std::size_t>(found - m_overlay.figures.begin());
        if (m_overlay.figures.size() == mostFigures)
            return Error{ErrorCode::Unsupported, m_file + ": has more than " + std::to_string(mostFigures) +
                                                     " figures; the next is '" + name + "'"};
        if (name.empty() || name == "colour" || name == "note")
            return Error{ErrorCode::BadFormat, m_file + ": '" + name + "' is no name for a figure"};
        m_overlay.figures.push_back({.name = name, .unit = {}});
        return m_overlay.figures.size() - 1;
    }

    Result<void> declareFigures(const JsonEntry& declared)
    {
        if (declared.isNull())
            return {};
        STAGECRAFT_ASSIGN(members, declared.members());
        for (const auto& [name, entry] : members) {
            STAGECRAFT_ASSIGN(index, figure(name));
            if (!entry["unit"].isNull()) {
                STAGECRAFT_ASSIGN(unit, entry["unit"].text());
                m_overlay.figures[index].unit = printable(unit);
            }
            if (entry["combine"].isNull())
                continue;
            STAGECRAFT_ASSIGN(combine, entry["combine"].text());
            const Result<Combine> known = parseName(combinations, combine);
            if (!known.has_value())
                return Error{ErrorCode::BadFormat,
                             m_file + ": figure '" + name + "': " + known.error().message};
            m_overlay.figures[index].combine = *known;
        }
        return {};
    }

    Result<double> value(const JsonEntry& entry) const
    {
        STAGECRAFT_ASSIGN(number, entry.number());
        if (std::abs(number) > mostValue)
            return entry.wrong("a number of at most 1e18");
        return number;
    }

    Result<OverlayEntry> readEntry(const JsonEntry& said)
    {
        OverlayEntry entry;
        STAGECRAFT_ASSIGN(members, said.members());
        for (const auto& [key, member] : members) {
            if (key == "colour") {
                STAGECRAFT_ASSIGN(text, member.text());
                entry.colour = colourOf(text);
                if (!entry.colour)
                    return member.wrong("a colour such as #d55e00");
            } else if (key == "note") {
                STAGECRAFT_ASSIGN(text, member.text());
                entry.note = printable(text);
            } else if (!member.isNull()) {
                STAGECRAFT_ASSIGN(number, value(member));
                STAGECRAFT_ASSIGN(index, figure(key));
                entry.figures.resize(std::max(entry.figures.size(), index + 1));
                entry.figures[index] = number;
            }
        }
        return entry;
    }

    Result<void> takeNodes(const JsonEntry& nodes)
    {
        if (nodes.isNull())
            return {};
        STAGECRAFT_ASSIGN(members, nodes.members());
        for (const auto& [name, said] : members) {
            STAGECRAFT_ASSIGN(entry, readEntry(said));
            if (const std::optional<NodeId> node = m_graph.findNode(name))
                m_overlay.nodes[*node] = std::move(entry), ++m_known;
            else
                m_noNodes.add(name);
        }
        return {};
    }

    Result<void> takeModules(const JsonEntry& modules)
    {
        if (modules.isNull())
            return {};
        STAGECRAFT_ASSIGN(members, modules.members());
        for (const auto& [path, said] : members) {
            STAGECRAFT_ASSIGN(entry, readEntry(said));
            if (const std::optional<ModuleId> module = m_graph.modules().find(path))
                m_overlay.modules[*module] = std::move(entry), ++m_known;
            else
                m_noModules.add(path);
        }
        return {};
    }

    Result<void> takeColours(const JsonEntry& document)
    {
        for (OverlayEntry& entry : m_overlay.nodes)
            complete(entry);
        for (OverlayEntry& entry : m_overlay.modules)
            complete(entry);
        if (document["colour_by"].isNull())
            return {};
        STAGECRAFT_ASSIGN(name, document["colour_by"].text());
        const auto found = std::ranges::find(m_overlay.figures, printable(name), &OverlayFigure::name);
        if (found == m_overlay.figures.end())
            return document["colour_by"].wrong("the name of a figure of the file");
        m_overlay.colourBy = static_cast<std::size_t>(found - m_overlay.figures.begin());
        if (document["range"].isNull()) {
            m_overlay.range = givenRange(*m_overlay.colourBy);
            return {};
        }
        STAGECRAFT_ASSIGN(ends, document["range"].elements());
        if (ends.size() != 2)
            return document["range"].wrong("two numbers, the least and the most");
        STAGECRAFT_ASSIGN(least, value(ends[0]));
        STAGECRAFT_ASSIGN(most, value(ends[1]));
        if (least > most)
            return document["range"].wrong("two numbers, the least and the most");
        m_overlay.range = {least, most};
        return {};
    }

    std::pair<double, double> givenRange(std::size_t figure) const
    {
        std::optional<std::pair<double, double>> range;
        const auto take = [&](const OverlayEntry& entry) {
            if (const std::optional<double> value = entry.figure(figure))
                range = range ? std::pair(std::min(range->first, *value), std::max(range->second, *value))
                              : std::pair(*value, *value);
        };
        std::ranges::for_each(m_overlay.nodes, take);
        std::ranges::for_each(m_overlay.modules, take);
        return range.value_or(std::pair(0.0, 0.0));
    }

    // Entries that were read before the last figure was met lack the later ones.
    void complete(OverlayEntry& entry)
    {
        if (!entry.figures.empty())
            entry.figures.resize(m_overlay.figures.size());
    }

    std::string strangersText() const
    {
        if (m_noNodes.count == 0)
            return m_noModules.count == 0 ? m_file + ": says nothing" : m_noModules.text(m_file, "module");
        return m_noNodes.text(m_file, "node") +
               (m_noModules.count == 0 ? std::string()
                                       : " and no module " + m_noModules.first +
                                             (m_noModules.count > Strangers::mostNamed ? ", ..." : ""));
    }

    const Graph& m_graph;
    const std::string& m_file;
    Overlay m_overlay;
    Strangers m_noNodes;
    Strangers m_noModules;
    std::size_t m_known = 0; // entries that name something of the model
};

// Of a set of nodes: what is said of them, from the outside inwards.
class FigureSum
{
public:
    FigureSum(const Overlay& overlay, const Graph& graph, std::size_t figure, std::span<const NodeId> nodes)
        : m_overlay(overlay),
          m_graph(graph),
          m_figure(figure),
          m_within(countsWithin(graph, nodes)),
          m_own(graph.modules().size())
    {
        for (const NodeId node : nodes)
            m_own[graph[node].module].push_back(node);
    }

    std::optional<double> together()
    {
        visit(ModuleTree::root());
        if (m_values.empty() || m_isTorn)
            return std::nullopt;
        switch (m_overlay.figures[m_figure].combine) {
        case Combine::Nothing:
            return m_values.size() == 1 && m_covered == m_within[ModuleTree::root()]
                       ? std::optional(m_values[0])
                       : std::nullopt;
        case Combine::Sum:
            return std::accumulate(m_values.begin(), m_values.end(), 0.0);
        case Combine::Mean:
            return std::accumulate(m_values.begin(), m_values.end(), 0.0) /
                   static_cast<double>(m_values.size());
        case Combine::Max:
            return std::ranges::max(m_values);
        case Combine::Min:
            return std::ranges::min(m_values);
        }
        return std::nullopt;
    }

private:
    void take(double value, std::size_t nodes)
    {
        m_values.push_back(value);
        m_covered += nodes;
    }

    void visit(ModuleId module)
    {
        if (m_within[module] == 0)
            return;
        const std::optional<double> value = m_overlay.modules[module].figure(m_figure);
        if (value && m_within[module] == m_overlay.nodesWithin[module]) {
            take(*value, m_within[module]);
            return;
        }
        const std::size_t before = m_values.size();
        for (const NodeId node : m_own[module])
            if (const std::optional<double> own = m_overlay.nodes[node].figure(m_figure))
                take(*own, 1);
        for (const ModuleId child : m_graph.modules()[module].children)
            visit(child);
        if (value && m_values.size() == before)
            m_isTorn = true; // a part of what it is about, and of the part nothing is known
    }

    const Overlay& m_overlay;
    const Graph& m_graph;
    std::size_t m_figure;
    Table<ModuleId, std::size_t> m_within;
    Table<ModuleId, std::vector<NodeId>> m_own;
    std::vector<double> m_values;
    std::size_t m_covered = 0;
    bool m_isTorn = false;
};

std::optional<OverlayColour> ownColour(const Overlay& overlay, const OverlayEntry& entry)
{
    if (entry.colour)
        return entry.colour;
    const std::optional<double> value = overlay.colourBy ? entry.figure(*overlay.colourBy) : std::nullopt;
    return value ? std::optional(overlayScale(overlay, *value)) : std::nullopt;
}

std::optional<OverlayColour> colourFrom(const Overlay& overlay, const ModuleTree& modules,
                                        std::optional<ModuleId> module)
{
    for (; module; module = modules[*module].parent)
        if (const std::optional<OverlayColour> colour = ownColour(overlay, overlay.modules[*module]))
            return colour;
    return std::nullopt;
}

// The innermost module that holds them all.
ModuleId commonModule(const Graph& graph, std::span<const NodeId> nodes)
{
    ModuleId common = graph[nodes.front()].module;
    for (const NodeId node : nodes)
        while (!graph.modules().contains(common, graph[node].module))
            common = *graph.modules()[common].parent;
    return common;
}

} // namespace

std::string colourText(OverlayColour colour)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", colour.red, colour.green, colour.blue);
    return text.data();
}

// From a pale blue to a deep red, by way of a pale yellow: lighter than text on it, and told apart by those
// who see no red.
OverlayColour overlayScale(const Overlay& overlay, double value)
{
    constexpr std::array<std::array<double, 3>, 3> stops{{{69, 117, 180}, {255, 237, 160}, {215, 48, 39}}};
    const auto [least, most] = overlay.range;
    const double place = most > least ? std::clamp((value - least) / (most - least), 0.0, 1.0) : 0.5;
    const std::size_t piece = place < 0.5 ? 0 : 1;
    const double within = 2 * place - static_cast<double>(piece);
    const auto channel = [&](std::size_t i) {
        return static_cast<std::uint8_t>(
            std::lround(stops[piece][i] + within * (stops[piece + 1][i] - stops[piece][i])));
    };
    return {channel(0), channel(1), channel(2)};
}

Result<Overlay> parseOverlay(std::string_view text, const std::string& name, const Graph& graph)
{
    STAGECRAFT_ASSIGN(document, parseJson<nlohmann::json>(text, name));
    return OverlayReader(graph, name).read(JsonEntry(document, name));
}

Result<Overlay> readOverlay(const std::filesystem::path& path, const Graph& graph)
{
    STAGECRAFT_ASSIGN(text, readTextFile(path, mostText));
    return parseOverlay(text, path.string(), graph);
}

std::optional<double> overlayFigure(const Overlay& overlay, const Graph& graph, std::size_t figure,
                                    NodeId node)
{
    if (const std::optional<double> own = overlay.nodes[node].figure(figure))
        return own;
    std::optional<double> outermost;
    for (std::optional<ModuleId> module = graph[node].module; module && overlay.nodesWithin[*module] == 1;
         module = graph.modules()[*module].parent)
        if (const std::optional<double> value = overlay.modules[*module].figure(figure))
            outermost = value;
    return outermost;
}

std::optional<double> overlayFigure(const Overlay& overlay, const Graph& graph, std::size_t figure,
                                    std::span<const NodeId> nodes)
{
    return FigureSum(overlay, graph, figure, nodes).together();
}

std::vector<NodeId> nodesOfModule(const Graph& graph, ModuleId module)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : graph.nodes())
        if (graph.modules().contains(module, graph[node].module))
            nodes.push_back(node);
    return nodes;
}

std::optional<OverlayColour> overlayColour(const Overlay& overlay, const Graph& graph, NodeId node)
{
    if (const std::optional<OverlayColour> colour = ownColour(overlay, overlay.nodes[node]))
        return colour;
    return colourFrom(overlay, graph.modules(), graph[node].module);
}

std::optional<OverlayColour> overlayColour(const Overlay& overlay, const Graph& graph,
                                           std::span<const NodeId> nodes)
{
    if (nodes.empty())
        return std::nullopt;
    const ModuleId common = commonModule(graph, nodes);
    if (overlay.nodesWithin[common] == nodes.size())
        if (const auto colour = ownColour(overlay, overlay.modules[common]))
            return colour;
    if (overlay.colourBy)
        if (const auto value = overlayFigure(overlay, graph, *overlay.colourBy, nodes))
            return overlayScale(overlay, *value);
    const std::optional<OverlayColour> first = overlayColour(overlay, graph, nodes.front());
    const bool isOfAll =
        std::ranges::all_of(nodes, [&](NodeId node) { return overlayColour(overlay, graph, node) == first; });
    return isOfAll ? first : std::nullopt;
}

} // namespace stagecraft
