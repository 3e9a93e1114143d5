// `partition --curve`: a curve as a table for reading, and for machines.
//
//     {"points": [{"stages", "state", "fits", "pareto", "note", "bottleneck_s", "bound_s", "bound_kind",
//      "gap", "proven", "iteration_s", "iteration_bound_s", "speed_up", "bubble",
//      "peak_bytes", "bytes_sent"}], "runtime", "complete"}
#pragma once

#include "core/advise/curve.h"

#include <string>

namespace stagecraft {

// "open", "sketched", "searched", "no plan".
std::string_view curveStateName(CurvePoint::State state);

std::string curveText(const PlanCurve& curve);
// Figures of a point without a plan are left out.
std::string curveJson(const PlanCurve& curve);

} // namespace stagecraft
