// Numbers for a model that was written: those that are known, and random ones, with which a small one runs.
#pragma once

#include "core/forms/network.h"

#include <cstdint>

namespace stagecraft {

// Fills the buffers that no state dict has (frequencies of rotary positions, counted positions), as the
// library computes them: with those a checkpoint of the library is all that the model lacks. Everything else
// stays a shape.
Result<void> fillWhatNoFileHas(WrittenModel& written);

// Fills every parameter and buffer as it asks to be (InitialValues), tied ones in one storage; the same
// numbers for the same `seed`. Fails, saying how large they would be, beyond `most` bytes.
Result<void> fillWithRandomWeights(WrittenModel& written, std::uint64_t seed, std::int64_t most);

} // namespace stagecraft
