// Stages compute in the types of the model, whatever precision the plan was made for.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"

#include <string>
#include <vector>

namespace stagecraft {

// What is left to whoever trains the stages, for steps to be as those whose figures the plan has.
std::vector<std::string> notesOnTypes(const Graph& graph, const ProfileRequest& plannedFor);

} // namespace stagecraft
