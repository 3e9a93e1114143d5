// MemoryGuard: an operator that asks for more memory than there is gets an error, where the operating system
// would promise it and end the program when it is used.
#pragma once

namespace stagecraft {

// From now on LibTorch asks for CPU memory through the guard. Later calls do nothing.
void guardMemory();

} // namespace stagecraft
