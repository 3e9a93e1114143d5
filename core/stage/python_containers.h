// Python text that takes a model's arguments apart and puts together what it returns.
#pragma once

#include "core/load/pytree.h"
#include "core/stage/python_text.h"

#include <vector>

namespace stagecraft {

// Child `i` of `given`, an argument that `whole` names: "x['mask']", "part(x, 'hidden')".
PythonText partText(const Pytree& given, const PythonText& whole, std::size_t i);
// The tree with these leaves. What Python knows comes back as it was; an object of another class as that
// class, where the process that runs the code has registered it with PyTorch under the name that the file
// gives it (the code imports nothing by a name from a file), else as a dict of its fields or a tuple.
PythonText treeText(const Pytree& tree, const std::vector<PythonText>& leaves);

// Functions that those texts call.
std::vector<PythonLiteral> functionsToTakeApart(const std::vector<Pytree>& given);
std::vector<PythonLiteral> functionsToReturn(const Pytree& tree);

} // namespace stagecraft
