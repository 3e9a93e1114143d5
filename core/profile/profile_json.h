// A profile for machines: JSON and CSV.
//
//     {"model", "device", "mode", "lowering", "precision", "optimizer", ..., "totals": {...},
//      "memory_at_peak": {"phase", "op", "node", "total_bytes", "parameters_bytes", ...}, "device_memory",
//      "nodes": [{"name", "target", "module", ...}], "modules", "ops" or "stages": [...] where asked for,
//      "notes": [...]}
//
// Totals leave parameters, buffers and inputs out of saved, live and peak bytes; "..._with_model_bytes" hold
// them, gradients and optimizer state too.
#pragma once

#include "core/load/model.h"
#include "core/profile/summary.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace stagecraft {

struct ReportOptions
{
    SummaryKind kind = SummaryKind::Node;
    int depth = INT_MAX;                                         // of modules
    std::vector<std::string> blocks = {};                        // modules taken as one, see summary.h
    std::vector<NodeGroup> groups = {};                          // of SummaryKind::Group: stages
    enum class Parts { LeftOut, Listed } parts = Parts::LeftOut; // of each node, see operator_parts.h
};

// The rows that options ask for.
std::vector<SummaryRow> reportRows(const Model& model, const Profile& profile, const ReportOptions& options);

// Nodes are always there; Module, Op and Group ("stages") give those rows beside them.
std::string profileJson(const Model& model, const Profile& profile, const ReportOptions& options);

// One line a row, with a header line; RFC 4180 quoting.
std::string profileCsv(const Model& model, const Profile& profile, const ReportOptions& options);

// The figures of a node, by the names that they have in all files.
nlohmann::ordered_json costJson(const NodeCost& cost);

std::string_view phaseName(Phase phase);
// The same, or "recomputation" of what is run again in backward.
std::string_view passName(Phase phase, bool isRecomputed);
std::string_view originName(CostOrigin origin);

} // namespace stagecraft
