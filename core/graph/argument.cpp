#include "core/graph/argument.h"

namespace stagecraft {

void collectValues(const Argument& argument, std::vector<ValueId>& values)
{
    if (const auto* value = std::get_if<ValueId>(&argument))
        values.push_back(*value);
    if (const auto* tensors = std::get_if<TensorListArgument>(&argument))
        for (const std::optional<ValueId>& element : tensors->elements)
            if (element)
                values.push_back(*element);
    if (const auto* ints = std::get_if<IntListArgument>(&argument))
        for (const IntOrValue& element : ints->elements)
            if (const auto* value = std::get_if<ValueId>(&element))
                values.push_back(*value);
    if (const auto* raw = std::get_if<RawArgument>(&argument))
        values.insert(values.end(), raw->values.begin(), raw->values.end());
}

} // namespace stagecraft
