// Operators that exist only in Python libraries, but that exported models call.
#pragma once

namespace stagecraft {

// Registers those that are not registered yet, for CPU, Meta and autograd; later calls do nothing.
//
//   transformers::grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor
//       rows of input [S, K], split at offs [G], times weight [G, K, N]: one matrix an expert
void registerCustomOperators();

} // namespace stagecraft
