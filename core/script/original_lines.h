// OriginalLines: which lines of the person's own Python the code of a TorchScript file was made of, where its
// writer kept that (code/...py.debug_pkl).
//
// A scripted function remembers its source, a traced operator the calls that led to it.
#pragma once

#include "core/graph/graph.h"
#include "core/script/script_archive.h"

#include <cstddef>
#include <string>
#include <vector>

namespace stagecraft {

class OriginalLines
{
public:
    // What cannot be read counts as not kept. `archive` must outlive this.
    explicit OriginalLines(const ScriptArchive& archive) : m_archive(archive) {}

    // Of what stands from `begin` to `end` in the file's code of that module: the calls that led there,
    // outermost first, where it was traced; else its one line, in `function`. Empty: not known.
    std::vector<SourceFrame> at(const std::string& module, std::size_t begin, std::size_t end,
                                const std::string& function) const;

private:
    const ScriptArchive& m_archive;
};

} // namespace stagecraft
