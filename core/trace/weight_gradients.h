// Which part of a backward pass computes gradients of parameters, and which those of activations.
#pragma once

#include "core/trace/trace.h"

namespace stagecraft {

// Sets TraceStorage::weightGradientOnly. Goes backwards from the gradients of parameters: a storage is of no
// other use if every operator that reads it makes nothing but such storages.
void markWeightGradients(Trace& trace);

} // namespace stagecraft
