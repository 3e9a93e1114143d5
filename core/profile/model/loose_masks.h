// Attention that is not fused for the layout of its mask alone, which a person can mend.
#pragma once

#include "core/graph/graph.h"
#include "core/profile/profile.h"
#include "core/trace/trace.h"

namespace stagecraft {

// Notes nodes whose mask is not dense along its last dimension where the target is CUDA: a mask that was
// expanded, or a bias made of an embedding with heads innermost. No fused kernel of PyTorch takes it
// (check_last_dim_stride_equals_1_dense, ATen/native/transformers/sdp_utils_cpp.h).
void noteLooseMasks(const Graph& graph, const Trace& trace, Profile& profile);

} // namespace stagecraft
