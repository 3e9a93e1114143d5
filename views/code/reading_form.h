// The code of a stage in lines short enough to read beside a graph: still Python that does the same.
//
//     linear = torch.ops.aten.linear.default(relu, self.fc1.weight, self.fc1.bias);  del relu  # f32[8, 64]
//
//     linear = aten.linear.default(relu, self.fc1.weight,
//         self.fc1.bias)
//     del relu  # f32[8, 64]
#pragma once

#include "core/stage/stage_program.h"

#include <vector>

namespace stagecraft {

// Lines of at most `columns`, where Python lets them be broken: behind commas in brackets, before a `del`.
// `aten` stands for torch.ops.aten where the code imports torch and has no name of its own like that. Each
// part of a line runs what the line runs. Texts and lines in them stay as they are.
StageCode readingForm(const StageCode& code, std::size_t columns);

// Where an editor may fold lines away.
struct FoldLine
{
    int level = 0;
    bool isHeader = false;

    friend bool operator==(const FoldLine&, const FoldLine&) = default;
};
// Of each line: functions and classes, in them methods, in those what a comment names by its module.
std::vector<FoldLine> foldLines(const StageCode& code);

} // namespace stagecraft
