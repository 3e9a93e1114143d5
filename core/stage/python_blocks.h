// The methods of a stage's class that blocks are written as:
//
//     def run_mlp(self, module, x):
//         """MLP: layers.4.mlp, layers.5.mlp and 2 more."""
//         linear = torch.ops.aten.linear.default(x, module.fc1.weight, module.fc1.bias);  del x  # f32[8, 64]
//         relu = torch.ops.aten.relu.default(linear);  del linear  # f32[8, 64]
//         return relu
#pragma once

#include "core/stage/python_body.h"

#include <vector>

namespace stagecraft {

// "run_mlp", by block: none that the class has, or that is in `stored`, as the model's own modules are.
std::vector<PythonText> methodNames(const Graph& graph, const UniqueNames& stored,
                                    const std::vector<RepeatedBlock>& blocks);

// Writes them all, each with an empty line behind it, and the regions within them as methods of their own.
void writeBlocks(const PythonNodes& stage, const PythonScope& scope, OperatorSchemas& schemas,
                 PythonLines& lines, RegionMethods* regions);

} // namespace stagecraft
