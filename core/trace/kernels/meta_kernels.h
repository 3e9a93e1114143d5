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

// In which type layer and batch norms keep the mean and deviation of half-precision inputs.
enum class NormStatistics : std::uint8_t {
    AsWeights, // as the CPU's kernels
    Float32,   // as CUDA's
};

// Says so to the kernels on this thread while it lives; else it is the CPU's way.
class NormStatisticsScope
{
public:
    explicit NormStatisticsScope(NormStatistics statistics);
    ~NormStatisticsScope();
    NormStatisticsScope(const NormStatisticsScope&) = delete;
    NormStatisticsScope& operator=(const NormStatisticsScope&) = delete;

private:
    NormStatistics m_previous;
};

} // namespace stagecraft
