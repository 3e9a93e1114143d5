// TorchScript's own operators on numbers, texts, lists and dicts: those that a script is followed through,
// each known to touch nothing but what it is given.
#pragma once

#include <string_view>
#include <vector>

namespace c10 {
struct IValue;
}

namespace stagecraft {

// Is it one that may run while a script is followed? False of any other, known or not.
bool isPlainOperator(std::string_view name);

// Is it a property that a strided tensor on the person's device has not, as prim::is_nested?
bool isUnusualKind(std::string_view name);

// What a `with` enters. Throws where that changes how operators compute, which a graph of a script does not
// say: torch.autocast that is switched on.
const c10::IValue& followedContext(const c10::IValue& context);

// Throws, naming the operator, where it would divide so that the processor stops, or make a text or list that
// is larger than a model has use for.
void checkPlainCall(std::string_view name, const std::vector<c10::IValue>& arguments);

} // namespace stagecraft
