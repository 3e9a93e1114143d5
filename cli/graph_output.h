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

// Fails where the format is none, or there is a file to write and no format.
Result<void> checkGraphOutput(const GraphOutputFlags& flags);
// Writes it where the flags say. Fails where the format is unknown.
Result<void> writeGraph(const GraphOutputFlags& flags, const GraphSubject& subject);

} // namespace stagecraft::cli
