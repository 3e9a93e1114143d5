// A graph, with what is known of its operators, as a file for other programs.
#pragma once

#include "core/base/named.h"
#include "core/exchange/overlay.h"
#include "core/profile/profile.h"

#include <string>

namespace stagecraft {

enum class GraphFormat : std::uint8_t { GraphMl, Json, Dot, Csv, EdgesCsv };

inline constexpr NameTable<GraphFormat, 5> graphFormats{
    "graph format",
    {{{GraphFormat::GraphMl, "graphml", "GraphML, for networkx, yEd and Gephi"},
      {GraphFormat::Json, "json", "JSON"},
      {GraphFormat::Dot, "dot", "DOT, for Graphviz"},
      {GraphFormat::Csv, "csv", "Table of operators and values"},
      {GraphFormat::EdgesCsv, "edges-csv", "Table of edges"}}}};

// What is written. All of one graph; null: not known.
struct GraphSubject
{
    const Graph& graph;
    const Profile* profile = nullptr; // its sizes are those of bytes, too
    const Overlay* overlay = nullptr;
};

// The whole file, the same for the same subject (graph_records.h). Texts of the model are quoted as the
// format wants it; what no XML can hold is written as \u001b is.
std::string graphFile(GraphFormat format, const GraphSubject& subject);

} // namespace stagecraft
