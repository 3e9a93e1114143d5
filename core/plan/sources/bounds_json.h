// How far a plan can be from the best, for machines: under the same names wherever a plan is told.
#pragma once

#include "core/plan/partition.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

// "bound_s", "bound_kind": of the slowest device; "gap", 0 .. 1, "proven": of the plan above it;
// "iteration_bound_s": of the step.
inline void addBounds(nlohmann::ordered_json& json, const Solution& solution)
{
    json["bound_s"] = solution.bound.value.value();
    json["bound_kind"] = solution.bound.kind;
    json["gap"] = solution.gap();
    json["proven"] = solution.proven();
    json["iteration_bound_s"] = solution.iterationBound.value();
}

} // namespace stagecraft
