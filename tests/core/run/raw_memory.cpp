#include "raw_memory.h"

#include <c10/core/CPUAllocator.h>

namespace stagecraft {

void* takeRawMemory(std::size_t bytes)
{
    return c10::GetCPUAllocator()->raw_allocate(bytes);
}

void giveBackRawMemory(void* data)
{
    c10::GetCPUAllocator()->raw_deallocate(data);
}

} // namespace stagecraft
