// Files that were given to torch.export.save(extra_files=...) beside the program: texts of whoever wrote it.
//
//     gpt2/extra/NAME      PyTorch 2.8 and newer
//     extra_files/NAME     before
#pragma once

#include "core/load/zip_archive.h"

#include <cstddef>
#include <optional>
#include <string>

namespace stagecraft {

// None where the archive has none of that name. Fails where it has more than `most` bytes, or is damaged.
Result<std::optional<OwnedBytes>> readExtraFile(const ZipArchive& archive, const std::string& name,
                                                std::size_t most);

} // namespace stagecraft
