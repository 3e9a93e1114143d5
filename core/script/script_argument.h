// What forward() of a script takes, and whether what a person writes is that. Knows nothing of LibTorch, so
// that a window can check while somebody types.
#pragma once

#include "core/script/input_text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stagecraft {

struct InputType
{
    enum class Kind : std::uint8_t {
        Tensor,
        Integer,
        Float,
        Number, // either
        Truth,
        Text,
        None,
        Optional, // of elements[0]
        List,     // of elements[0]
        Tuple,    // of all elements
        Dict,     // of texts to elements[0]
        Other,    // which no --input can say
    };
    Kind kind = Kind::Other;
    std::string text; // as TorchScript writes it: "Optional[Tensor]"
    std::vector<InputType> elements = {};

    friend bool operator==(const InputType&, const InputType&) = default;
};

struct ScriptArgument
{
    std::string name;
    InputType type;
    bool hasDefault = false; // then it may be left out

    friend bool operator==(const ScriptArgument&, const ScriptArgument&) = default;
};

// Can --input say one of this type?
bool canBeSaid(const InputType& type);
// One of this type, as a person would write it: "f32[8,3,224,224]". Its sizes are examples.
std::string exampleOf(const InputType& type);
// Fails, naming the type and an example, where what a person wrote for that argument is none of it. It may be
// empty where there is a default.
Result<void> checkInputText(const ScriptArgument& argument, const std::string& text);

} // namespace stagecraft
