// What is asked of a plan as text that outlives the program: JSON for settings and files of the window's own.
#pragma once

#include "core/plan/request.h"

#include <QByteArray>

namespace stagecraft {

// Without constraints, which are of one plan.
QByteArray requestJson(const PlanRequest& request);
// `base` with what the text says; a field that it lacks, or says in a way that no longer holds, stays.
PlanRequest requestOf(const QByteArray& json, PlanRequest base);

} // namespace stagecraft
