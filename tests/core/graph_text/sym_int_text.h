// Reads sizes as SymInt::text() writes them: "2*s0 + 1".
#pragma once

#include "core/graph/sym_int.h"

namespace stagecraft {

Result<SymInt> parseSymInt(std::string_view text, const Bindings& symbolHints = {});

} // namespace stagecraft
