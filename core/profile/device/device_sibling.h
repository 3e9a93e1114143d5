// What a device file leaves to that of its sibling, a board of the same architecture that more is known of:
//
//     {"name": "NVIDIA GeForce RTX 4080 16GB", "sibling": "rtx-4090", "memory_bandwidth": 716.8e9, ...}
//
// Amounts (memory, bandwidths, peaks, multiprocessors, cache) are a board's own. Shares of them, what an
// operator costs beside its work, and rates of kernels are the sibling's where the file does not have them.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace stagecraft {

// The document of a device file with all that its sibling lends it, each figure with the source "assumed: as
// on its sibling"; as it was where it names none. The sibling is a file of the same folder, or one that comes
// with the program. Fails, naming `path`, where there is none, where it has a sibling itself, or where its
// name is no name of a device.
Result<nlohmann::json> withSibling(nlohmann::json document, const std::filesystem::path& path);

} // namespace stagecraft
