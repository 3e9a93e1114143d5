// Python code of a stage: a torch.nn.Module that needs PyTorch alone.
//
// Operators are written as FX prints them, parameters under their own names, regions as `with` statements:
//
//     class Stage1(Stage):
//         def forward(self, relu, mask=None):
//             linear = torch.ops.aten.linear.default(relu, self.fc[2].weight, self.fc[2].bias)  # f32[8, 64]
//             del relu
//             ...
//             return (linear, mask)
#pragma once

#include "core/load/model.h"
#include "core/stage/stage_program.h"

#include <string>
#include <vector>

namespace stagecraft {

// The text of `stage_I.py`. `program` came from cutStages() on this model.
StageCode stageCode(const Model& model, const StageProgram& program);

// "Stage3".
std::string stageClassName(StageId stage);

// Names of the graph's values as Python variables, by value: the graph's own where Python takes them.
Table<ValueId, std::string> pythonNames(const Graph& graph);

} // namespace stagecraft
