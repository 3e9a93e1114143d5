// Python code of a stage: a torch.nn.Module that needs PyTorch alone, or says which operators besides.
//
// Operators are written as FX prints them, parameters under their own names, regions as `with` statements:
//
//     class Stage1(Tensors):
//         def forward(self, relu, mask):
//             linear = torch.ops.aten.linear.default(relu, self.fc.weight);  del relu  # f32[8, 64]
//             add_9 = linear;  del linear
//             for layer in range(3, 9):
//                 add_9 = self.run_block(self.layers[layer], add_9, mask)  # f32[8, 64]
//             return (add_9, mask)
//
// What stands in it several times, but for names and weights, is a method of its own (repeated_blocks.h), and
// so is each region that backward runs again, called through torch.utils.checkpoint.
#pragma once

#include "core/load/model.h"
#include "core/stage/stage_program.h"

#include <string>
#include <vector>

namespace stagecraft {

enum class RepeatedCode {
    Once,     // as methods
    EachTime, // a line for each node
};

struct CodeFacts; // code_facts.h

// The text of `stage_I.py`. `program` came from cutStages() on this model. `notes` stand above the calls of
// what backward runs again. `facts`: the model's; null: who writes one has none.
StageCode stageCode(const Model& model, const StageProgram& program,
                    RepeatedCode repeated = RepeatedCode::Once, const RegionNotes& notes = {},
                    const CodeFacts* facts = nullptr);

// "Stage3".
std::string stageClassName(StageId stage);

} // namespace stagecraft
