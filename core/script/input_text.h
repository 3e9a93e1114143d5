// Inputs as a person writes them, the same as stagecraft-cli import takes
// (resources/python/model_import/input_text.py):
//
//     f32[8,3,224,224]          a tensor
//     mask=bool[8,128]          of that name
//     (f32[2,3], f32[2,3])      a tuple; [..] a list
//     {"a": f32[2], "b": none}  a dict
//     none, true, 0.5, "text"   values that are no tensors
#pragma once

#include "core/load/model.h"

#include <string>
#include <vector>

namespace stagecraft {

// What an argument of forward() is given.
struct GivenValue
{
    enum class Kind { Literal, Tensor, Tuple, List, Dict };
    Kind kind = Kind::Literal;
    SampleInput leaf; // of a Literal or Tensor
    std::vector<GivenValue> elements = {};
    std::vector<std::string> keys = {}; // of a Dict: one for each element, none twice
};

struct GivenArgument
{
    std::string name; // empty: by its place
    GivenValue value;
};

// Is it None, which an optional argument may be?
bool isNone(const GivenValue& value);

// Fails, quoting the text, where it is none of these; a size that is called something ("batch=8") is that
// number.
Result<GivenArgument> parseInput(const std::string& text);

} // namespace stagecraft
