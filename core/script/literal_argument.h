// Values of a script that are no tensors, as arguments of a node.
#pragma once

#include "core/graph/argument.h"

#include <string>

namespace c10 {
struct Device;
struct IValue;
} // namespace c10

namespace stagecraft {

// `type` is the schema's: a number may be an element type or a layout. Throws where it is of no kind that an
// argument can be.
Argument literalArgument(const c10::IValue& value, const std::string& type);

Device deviceArgument(const c10::Device& device);

} // namespace stagecraft
