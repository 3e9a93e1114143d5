// Libraries of operators that a person wrote: a shared object whose static initialisers register operators
// with LibTorch's dispatcher (TORCH_LIBRARY).
//
// Loading one runs its code. Do so only where the person named the file; a model never names one.
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace stagecraft {

// Loads it for the life of the process. Fails with the loader's, or the dispatcher's, reason.
Result<void> loadOperatorLibrary(const std::filesystem::path& path);

} // namespace stagecraft
