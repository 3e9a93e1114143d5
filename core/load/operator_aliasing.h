// What operators do to storage: from their schemas, and from a table of what their schemas do not say.
#pragma once

#include "core/graph/alias_sets.h"
#include "core/load/operator_schema.h"

namespace stagecraft {

// Uses `schemas`, which must live as long as the function. An operator without a schema is taken to write
// nothing and to return new storage.
AliasingOf operatorAliasing(OperatorSchemas& schemas);

} // namespace stagecraft
