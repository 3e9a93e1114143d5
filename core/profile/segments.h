// SegmentKind: how PyTorch's allocator takes memory from a device (memory/caching_allocator.h).
#pragma once

#include <cstdint>

namespace stagecraft {

// Expandable: PYTORCH_ALLOC_CONF=expandable_segments:True
enum class SegmentKind : std::uint8_t { Fixed, Expandable };

} // namespace stagecraft
