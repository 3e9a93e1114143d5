// --format and --overlay: graphs and profiles as files for other programs, with a person's own figures.
#pragma once

#include "core/exchange/graph_file.h"
#include "core/profile/profile_json.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace stagecraft::cli {

struct GraphOutputFlags
{
    std::string format; // empty: none was asked for
    std::string output; // empty: standard output
};

// --format and -o.
void addGraphOutput(CLI::App& command, GraphOutputFlags& flags);
// --overlay.
void addOverlay(CLI::App& command, std::string& file);

// The overlay of --overlay, or none; says on standard error what of it the model lacks.
Result<std::optional<Overlay>> givenOverlay(const std::string& file, const Graph& graph);
// What each of the rows that `report` asked for has of them; "" of those that have none.
std::vector<std::string> rowFigures(const Overlay& overlay, const Graph& graph, const ReportOptions& report,
                                    const std::vector<SummaryRow>& rows);

// That of --format, else the one that the file's name ends with; none where there is neither. Fails where it
// is no format.
Result<std::optional<GraphFormat>> askedFormat(const GraphOutputFlags& flags);
// Writes it to the file, or to standard output.
Result<void> writeGraph(const GraphOutputFlags& flags, GraphFormat format, const GraphSubject& subject);

} // namespace stagecraft::cli
