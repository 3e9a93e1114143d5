// The Meta kernels that LibTorch lacks: shapes, strides, dtypes and aliases of results, without data.
//
// PyTorch keeps about 400 of them in Python. Each one here gives exactly what the CPU's eager operator gives,
// memory layout included, so that a trace on the meta device allocates what a real run allocates.
// One file a family of operators; `kernels/README.md` lists what decides a layout.
#pragma once

#include <cstdint>

namespace stagecraft {

// Registers every kernel whose operator has none for Meta, once in a process; later calls do nothing.
// Operators that PyTorch decomposes (CompositeImplicit) are left alone: a Meta kernel would cut them off from
// autograd. Kernels that a Python host has registered are never replaced.
void registerMetaKernels();

// Whose results the kernels give, where they differ in layout or in the type of statistics.
enum class KernelModel : std::uint8_t {
    Cpu,           // the CPU's eager operators
    Cuda,          // CUDA's: norms of half-precision inputs keep their statistics in single precision
    MetaFunctions, // PyTorch's own functions for the meta device, which know no device: kernels/README.md
};

// Says so to the kernels on this thread while it lives; else it is the CPU.
class KernelModelScope
{
public:
    explicit KernelModelScope(KernelModel model);
    ~KernelModelScope();
    KernelModelScope(const KernelModelScope&) = delete;
    KernelModelScope& operator=(const KernelModelScope&) = delete;

private:
    KernelModel m_previous;
};

} // namespace stagecraft
