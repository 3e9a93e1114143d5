// A profile for machines: JSON and CSV.
//
//     {"model", "device", "mode", "lowering", "optimizer", "totals": {...},
//      "memory_at_peak": {"phase", "op", "node", "total_bytes", "parameters_bytes", ...}, "device_memory",
//      "nodes": [{"name", "target", "module", ...}], "modules" or "ops": [...] where asked for, "notes":
//      [...]}
//
// Totals leave parameters, buffers and inputs out of saved, live and peak bytes; "..._with_model_bytes" hold
// them, gradients and optimizer state too.
#pragma once

#include "core/load/model.h"
#include "core/profile/summary.h"

#include <string>

namespace stagecraft {

// `kind` Node gives the nodes alone; Module and Op give those rows beside the nodes.
std::string profileJson(const Model& model, const Profile& profile, SummaryKind kind, int depth = INT_MAX);

// One line a row, with a header line; RFC 4180 quoting.
std::string profileCsv(const Model& model, const Profile& profile, SummaryKind kind, int depth = INT_MAX);

std::string_view modeName(TrainingMode mode);
std::string_view phaseName(Phase phase);
std::string_view loweringName(LoweringKind kind);
std::string_view optimizerName(OptimizerKind kind);
std::string_view originName(CostOrigin origin);

} // namespace stagecraft
