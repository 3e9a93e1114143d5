// Pieces of Python source: names, strings, numbers, and the lines of a file.
#pragma once

#include "core/graph/argument.h"
#include "core/stage/stage_program.h"

#include <string>
#include <string_view>

namespace stagecraft {

bool isPythonIdentifier(std::string_view text); // and no keyword
// 'it\'s': a quoted string.
std::string pythonString(std::string_view text);
// 0.1, 1e-05, inf, nan: the shortest text that reads back as the same number.
std::string pythonFloat(double number);
std::string_view pythonName(MemoryFormat format); // "torch.channels_last"
std::string_view pythonName(TensorLayout layout); // "torch.strided"
// "torch.ops.aten.linear.default", "math.trunc"; parts that are keywords go through getattr().
std::string pythonTarget(std::string_view target);
// The expression that reads a tensor by its dotted name: self.h[0].attn.weight.
std::string pythonAttribute(std::string_view path);

// The lines of a file, and which node each runs.
class PythonLines
{
public:
    void add(std::string_view line, std::optional<NodeId> node = {});
    // A line that declares an input or places a weight.
    void addDeclaration(std::string_view line, ValueId value);
    void indent() { m_indentation += 4; }
    void outdent() { m_indentation -= 4; }
    StageCode take() && { return std::move(m_code); }

private:
    StageCode m_code;
    std::size_t m_indentation = 0;
};

} // namespace stagecraft
