// What whoever wrote a model file left in it for those who open it: which branch of the code it holds, in
// which mode it was traced.
#pragma once

#include "core/load/zip_archive.h"

#include <string>
#include <vector>

namespace stagecraft {

// The extra file that `stagecraft-cli import` has torch.export.save write: a list of texts, as JSON.
inline constexpr const char* fileNotesName = "stagecraft_notes.json";

// None where the file has none. Of more or longer ones than a person reads, the first; for ones that cannot
// be read, a note that says so.
std::vector<std::string> readFileNotes(const ZipArchive& archive);

} // namespace stagecraft
