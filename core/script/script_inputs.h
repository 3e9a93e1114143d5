// What forward() of a script is given: by a person, or by who traced it.
#pragma once

#include "core/script/input_text.h"
#include "core/script/script_argument.h"
#include "core/script/script_recorder.h"

#include <string>
#include <vector>

namespace c10 {
class Argument;
struct IValue;
} // namespace c10

namespace stagecraft {

// The inputs that a traced model was traced with; empty where the file has none that can be read.
std::vector<GivenArgument> tracedInputs(const ScriptArchive& archive);

// What forward() takes.
std::vector<ScriptArgument> scriptArguments(const std::vector<c10::Argument>& arguments);

// "forward(x: Tensor, mask: Optional[Tensor]=None)".
std::string signatureText(const std::vector<c10::Argument>& arguments);

// What a script is called with, and how the model's signature says so.
struct ScriptCall
{
    std::vector<c10::IValue> values; // of all arguments; defaults where nothing is given
    std::vector<SampleInput> samples;
    std::vector<std::string> names; // of those that are given
    Pytree tree;
};

// `arguments` are those of forward() behind the model itself. Throws a MissingInput where one without a
// default is given nothing, and a std::exception that names the argument where something else does not fit.
ScriptCall givenCall(const std::vector<c10::Argument>& arguments, const std::vector<GivenArgument>& given,
                     ScriptRecorder& recorder);

class MissingInput : public std::exception
{
};

} // namespace stagecraft
