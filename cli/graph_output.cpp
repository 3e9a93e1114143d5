#include "cli/graph_output.h"

#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/exchange/graph_file.h"
#include "core/exchange/overlay_text.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

namespace stagecraft::cli {

void addGraphOutput(CLI::App& command, GraphOutputFlags& flags)
{
    std::string names;
    for (const auto& entry : graphFormats.entries)
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    command.add_option("--format", flags.format,
                       "As a file for other programs (core/exchange/README.md): " + names +
                           "; without it as the ending of -o says");
    addOutput(command, "-o,--output", flags.output, "", "The file to write; without it standard output");
}

void addOverlay(CLI::App& command, std::string& file)
{
    addFile(command, "--overlay", file,
            "Figures and colours of one's own by node or module (core/exchange/README.md, *.json)");
}

Result<std::optional<Overlay>> givenOverlay(const std::string& file, const Graph& graph)
{
    if (file.empty())
        return std::optional<Overlay>();
    STAGECRAFT_ASSIGN(overlay, readOverlay(file, graph));
    printNotes(overlay.notes);
    return std::optional(std::move(overlay));
}

namespace {

std::vector<NodeId> nodesOfRow(const Graph& graph, const ReportOptions& report, const SummaryRow& row)
{
    std::vector<NodeId> nodes;
    switch (report.kind) {
    case SummaryKind::Module:
        if (const std::optional<ModuleId> module = graph.modules().find(row.name))
            nodes = nodesOfModule(graph, *module);
        break;
    case SummaryKind::Node:
        if (const std::optional<NodeId> node = graph.findNode(row.name))
            nodes = {*node};
        else if (const std::optional<ModuleId> block = graph.modules().find(row.name))
            nodes = nodesOfModule(graph, *block);
        break;
    case SummaryKind::Op:
        std::ranges::copy_if(graph.nodes(), std::back_inserter(nodes),
                             [&](NodeId node) { return graph[node].target == row.name; });
        break;
    case SummaryKind::Group: {
        const auto group = std::ranges::find(report.groups, row.name, &NodeGroup::name);
        if (group != report.groups.end())
            nodes = group->nodes;
        break;
    }
    }
    return nodes;
}

} // namespace

std::vector<std::string> rowFigures(const Overlay& overlay, const Graph& graph, const ReportOptions& report,
                                    const std::vector<SummaryRow>& rows)
{
    std::vector<std::string> texts;
    texts.reserve(rows.size());
    const bool areNodes = report.kind == SummaryKind::Node || report.kind == SummaryKind::Group; // --find
    for (const SummaryRow& row : rows) {
        const std::vector<NodeId> nodes = nodesOfRow(graph, report, row);
        const bool isNode = areNodes && nodes.size() == 1 && graph[nodes.front()].name == row.name;
        texts.push_back(isNode ? figureTexts(overlay, graph, nodes.front())
                               : figureTexts(overlay, graph, nodes));
    }
    return texts;
}

Result<std::optional<GraphFormat>> askedFormat(const GraphOutputFlags& flags)
{
    if (!flags.format.empty()) {
        const Result<GraphFormat> format = parseName(graphFormats, flags.format);
        if (!format.has_value())
            return Error{ErrorCode::BadUsage, "--format: " + format.error().message};
        return std::optional(*format);
    }
    if (flags.output.empty())
        return std::optional<GraphFormat>();
    const std::string ending = lowerCase(std::filesystem::path(flags.output).extension().string());
    for (const auto& entry : graphFormats.entries)
        if (ending == '.' + std::string(entry.name))
            return std::optional(entry.kind);
    return Error{
        ErrorCode::BadUsage,
        "-o " + flags.output +
            ": its ending is that of no format (.graphml, .json, .dot, .csv); name one with --format"};
}

Result<void> writeGraph(const GraphOutputFlags& flags, GraphFormat format, const GraphSubject& subject)
{
    const std::string text = graphFile(format, subject);
    if (flags.output.empty()) {
        std::cout << text;
        return {};
    }
    STAGECRAFT_ASSIGN(size, writeTextFile(flags.output, text));
    std::cerr << flags.output << ": " << formatBytes(size) << '\n';
    return {};
}

} // namespace stagecraft::cli
