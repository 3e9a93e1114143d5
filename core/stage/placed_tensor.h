// How the code of a stage has a tensor that comes with the model, whichever stage it is.
#pragma once

#include "core/load/model.h"
#include "core/stage/python_text.h"

#include <string>
#include <vector>

namespace stagecraft {

struct PlacedTensor
{
    PythonText attribute; // "self.h[0].weight"
    // "self.place('h.0.weight', (8, 64), torch.float32, device, trainable=True": other names may follow.
    PythonText call;
    std::vector<std::string> refusals; // why the call is not as it should be
};

// Of a parameter, buffer or constant with known sizes.
PlacedTensor placedTensor(const Model& model, ValueId tensor);

// "(1, 4)", "(1,)".
PythonText tupleText(const std::vector<PythonText>& parts);

} // namespace stagecraft
