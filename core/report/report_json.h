// The figures of a report for its script: what charts are drawn from.
//
//     {"model": {...}, "plan": as `partition --json`, but for the names of nodes,
//      "recomputation": by stage, as there; null where nothing runs again,
//      "modules": {"name": [...], "class": [...], "parent": [...]},    column by column; parents first
//      "nodes": {"name", "op", "module", "stage", "type", "forward_s", "backward_input_s",
//                "backward_weight_s", "flops", "parameter_bytes", "saved_bytes"},
//      "crossing": [[[name, type, forward bytes, backward bytes], ...], ...],    by boundary, largest first
//      "schedule": {"title", "step_s", "shown_s", "bubble": {...}, "devices": [...]},
//      "plan_file": text, "plan_name": "gpt2.stagecraft"}
//
// "op", "type" and "class" are indices into "ops", "types" and "classes". Times of nodes have six digits; all
// that the plan says is as exact as `partition --json`.
#pragma once

#include "core/base/result.h"
#include "core/report/report_subject.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

// Fails as simulate() does.
Result<nlohmann::ordered_json> reportJson(const ReportSubject& subject);

// The name of the model's file, without its folder, and of a plan beside it.
std::string modelFileName(const Model& model);
std::string planFileName(const Model& model);
// The same step's times, printed with six digits and read again.
double sixDigits(double value);

} // namespace stagecraft
