// What the code in a TorchScript archive is looked at for before LibTorch compiles it.
//
// Compiling runs nothing of a function's body, but LibTorch's parser calls itself for each level of nesting,
// and it evaluates what stands behind a '=' in a signature or a class.
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace stagecraft {

// Fails, naming the line, where the code is nested or chained more deeply than any that PyTorch writes, where
// a class would run code of its own while it is loaded (__setstate__), where a function starts a part beside
// the rest (fork), and where a default is no literal.
Result<void> checkScriptCode(std::string_view code);

} // namespace stagecraft
