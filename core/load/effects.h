// Operators with effects, such as printing: how files keep them in order, and what is left out of the graph.
#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/load/json_view.h"
#include "core/load/operator_schema.h"

#include <optional>
#include <string_view>
#include <vector>

namespace stagecraft {

// Makes with_effects(token, operator, arguments...) the operator alone, and `results` those of it: the token
// keeps such calls in their order, which is that of the nodes anyway. The name of the token that it makes;
// none: `node` is another. Fails where it names no operator.
Result<std::optional<std::string_view>> takeOutToken(Node& node, std::vector<JsonView>& results,
                                                     OperatorSchemas& schemas);

// What a person should know where an operator without results is left out; empty: it is not.
std::string_view whyLeftOut(std::string_view target);

} // namespace stagecraft
