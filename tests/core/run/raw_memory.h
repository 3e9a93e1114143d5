// Memory as LibTorch's own libraries take it for what they need meanwhile: known by its address alone.
#pragma once

#include <cstddef>

namespace stagecraft {

void* takeRawMemory(std::size_t bytes);
void giveBackRawMemory(void* data);

} // namespace stagecraft
