// The JSON of an exported program (schema major 7 and 8: PyTorch 2.5, and newer): graph, signature, symbols.
#pragma once

#include "core/base/progress.h"
#include "core/graph/alias_sets.h"
#include "core/load/exported_types.h"
#include "core/load/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// Who wrote a program, and how.
struct ProgramHeader
{
    std::string torchVersion;
    std::string schemaVersion; // "8.20"
    std::string dialect;       // "TRAINING" or "ATEN"
    SizeForm sizes = SizeForm::Srepr;
    std::vector<std::string> notes;
};

struct ExportedProgram
{
    ProgramHeader header;
    Graph graph;
    Signature signature;
    std::size_t fileNodeCount = 0; // at the top level of the file
};

// `name` becomes the graph's. Fails, naming the node and the value, where the program does not hold together.
Result<ExportedProgram> readExportedProgram(std::string_view json, const std::string& name,
                                            const AliasingOf& aliasing, const Progress& progress);

} // namespace stagecraft
