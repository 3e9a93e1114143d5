// `partition --advise`: why a plan is no faster and what would help, for reading and for machines.
//
//     {"bottleneck": {"stage", "load_s", "compute_s", "receive_s", "send_s", "peak_bytes", "fits",
//       "nodes": [{"name", "time_s"}], "values": [{"from", "boundary", "time_s", "bytes"}]},
//      "bound": {"value_s", "kind", "witness": [names]}, "gap", "proven",
//      "forced": {"nodes": [names], "compute_s", "receive_s", "send_s"} | null, "reasons": [lines],
//      "suggestions": [{"kind", "text", "stages", "bottleneck_s", "bottleneck_gain_s", "iteration_s",
//       "iteration_gain_s", "peak_bytes", "bytes_sent", "fits", "moved": [names]}]}
#pragma once

#include "core/advise/bottleneck.h"
#include "core/advise/suggestions.h"

#include <span>
#include <string>
#include <string_view>

namespace stagecraft {

// "move boundary", "send nodes", "add stage", "raise limit", "change schedule", "change send", "split anew".
std::string_view suggestionName(Suggestion::Kind kind);

std::string adviceText(const PartitionProblem& problem, const BottleneckReport& report,
                       std::span<const Suggestion> suggestions);
std::string adviceJson(const PartitionProblem& problem, const BottleneckReport& report,
                       std::span<const Suggestion> suggestions);

} // namespace stagecraft
