// A request after a choice of a person's, and what is otherwise in one request than in another, in the words
// of the fields: the name of a step of undo.
#pragma once

#include "app/document/plan_state.h"

#include <QString>

namespace stagecraft {

// `request` with that choice of a field, which it has. A schedule stays on as many devices, with as many
// stages on each as is usual.
PlanRequest withChoice(PlanRequest request, const RequestField& field, std::string_view name);

// "Precision: bfloat16", "Memory limit: 30.0 GiB", "Device: l4, Microbatches: 16"; of more than three changes
// how many there are. Of the number of stages alone "Split into 4 stages". Empty where nothing that a person
// chooses is another: what follows from another choice (stages from the schedule, the objective) is not named
// beside it.
QString changesText(const PlanRequest& before, const PlanRequest& after);
// The same with what a person says of times and of costs of operators.
QString changesText(const PlanState& before, const PlanState& after);

} // namespace stagecraft
