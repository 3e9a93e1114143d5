// How a family of Meta kernels is registered. Included by the kernels' own .cpp files only.
#pragma once

#include "core/trace/kernels/meta_kernels.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
template <class T>
class ArrayRef;
struct IValue;
enum class ScalarType : std::int8_t;
} // namespace c10
namespace torch {
class Library;
}

namespace stagecraft::kernels {

// May the operator "aten::<name>" get a Meta kernel: it exists, has none yet, and is not CompositeImplicit?
bool lacksMetaKernel(const char* name);

// Registers `kernel` for "aten::<name>" where that is allowed. (A template, so that this header does without
// Torch; `Library` is torch::Library.)
template <class Library, class Kernel>
void implement(Library& library, const char* name, Kernel kernel)
{
    if (lacksMetaKernel(name))
        library.impl(name, std::move(kernel));
}

// The same where few of the arguments matter, or operators differ in the others alone: `kernel` gives the
// results for all that the operator is called with.
using BoxedKernel = std::function<std::vector<at::Tensor>(c10::ArrayRef<c10::IValue>)>;
void implementBoxed(torch::Library& library, const char* name, BoxedKernel kernel);

// The same, of results that are as an argument each: empty tensors of its size and type.
enum class LaidOut : std::uint8_t { ByRows, AsItIs };
void implementLike(torch::Library& library, const char* name, std::vector<std::size_t> positions,
                   LaidOut layout = LaidOut::ByRows);

// An empty tensor of the same size and type, row-major whatever the layout of `tensor`.
at::Tensor rowMajorLike(const at::Tensor& tensor);

// What an elementwise operator of `inputs` returns: broadcast, laid out as they are; of the first one's type
// unless `type` is given.
at::Tensor elementwise(std::initializer_list<at::Tensor> inputs);

at::Tensor elementwise(std::initializer_list<at::Tensor> inputs, c10::ScalarType type);

// An element of a list of one number for each dimension, or of one for all. Throws where it has neither.
std::int64_t numberFor(c10::ArrayRef<std::int64_t> list, std::size_t dimension);

// What KernelModelScope says on this thread.
KernelModel kernelModel();
bool followsMetaFunctions();

void registerAttention(torch::Library& library);
void registerConvolution(torch::Library& library);
void registerElementwise(torch::Library& library);
void registerFourier(torch::Library& library);
void registerIndexing(torch::Library& library);
void registerLinearAlgebra(torch::Library& library);
void registerLosses(torch::Library& library);
void registerNormalization(torch::Library& library);
void registerOptimizers(torch::Library& library);
void registerPooling(torch::Library& library);
void registerQuantization(torch::Library& library);
void registerRecurrent(torch::Library& library);
void registerReductions(torch::Library& library);
void registerSpatial(torch::Library& library);

} // namespace stagecraft::kernels
