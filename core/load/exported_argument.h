// Arguments of exported programs: every member of the schema's Argument union.
#pragma once

#include "core/graph/argument.h"
#include "core/load/json_view.h"

#include <functional>

namespace stagecraft {

// What an argument may refer to.
struct ArgumentScope
{
    // The value or literal that a name stands for; fails where nothing has that name yet.
    std::function<Result<Argument>(std::string_view name)> lookUp;
    // Reads {"name": ..., "graph": ...} and keeps it for the node.
    std::function<Result<SubgraphId>(const JsonView& graph)> addSubgraph;
};

// Kinds that this program does not know become a RawArgument with the values they name.
Result<Argument> readArgument(const JsonView& json, const ArgumentScope& scope);

// The name in a reference to a value: {"as_tensor": {"name": "x"}} or {"as_sym_int": {"as_name": "s"}}.
// None for everything else.
std::optional<std::string_view> referredName(const JsonView& json);

} // namespace stagecraft
