// Random weights for a model that was written: what makes a small one of a family run.
#pragma once

#include "core/forms/network.h"

#include <cstdint>

namespace stagecraft {

// Fills every parameter and buffer as it asks to be (InitialValues), tied ones in one storage; the same
// numbers for the same `seed`. Fails, saying how large they would be, beyond `most` bytes.
Result<void> fillWithRandomWeights(WrittenModel& written, std::uint64_t seed, std::int64_t most);

} // namespace stagecraft
