// The code of a stage in lines short enough to read beside a graph: still Python that does the same.
//
//     linear = torch.ops.aten.linear.default(relu, self.fc1.weight, self.fc1.bias);  del relu  # f32[8, 64]
//
//     linear = aten.linear.default(relu, self.fc1.weight,
//         self.fc1.bias)
//     del relu  # f32[8, 64]
#pragma once

#include "core/stage/stage_program.h"
#include "views/code/python_scanner.h"

#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// Lines of at most `columns` bytes, where Python lets them be broken: behind commas in brackets, before a
// `del`; where that is not enough, wherever line_breaks.h knows a place. A long name stays whole, and so do
// texts of several lines and lines in them.
// `aten` stands for torch.ops.aten where the code imports torch and has no name of its own like that. Each
// part of a line runs what the line runs.
class ReadingForm
{
public:
    ReadingForm(const StageCode& code, std::size_t columns); // which outlives it
    // Goes on with so many lines of the code; false: all are done.
    bool takeLines(std::size_t count);
    // When all are done.
    StageCode made() && { return std::move(m_made); }

private:
    void takeLine(std::size_t number);
    void follow(std::string_view line);
    void add(std::string_view line, std::size_t number);

    const StageCode& m_code;
    std::size_t m_columns;
    std::vector<std::string_view> m_lines; // of the code
    std::size_t m_alias = 0;               // behind so many lines it is written; 0: nowhere
    std::size_t m_next = 0;                // line
    PythonScanner m_scanner;
    StageCode m_made;
};
// All of it at once.
StageCode readingForm(const StageCode& code, std::size_t columns);

// What is still longer goes on below, at a space or within a word, as an editor wraps it: no Python there.
StageCode wrappedLines(StageCode code, std::size_t columns);

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
