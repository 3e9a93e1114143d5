#include "core/trace/kernels/meta_kernels.h"

#include "core/trace/kernels/registration.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <mutex>
#include <string>
#include <utility>

namespace stagecraft {

namespace {

thread_local KernelModel modelOfThread = KernelModel::Cpu;

c10::OperatorName operatorName(std::string_view name)
{
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos)
        return {"aten::" + std::string(name), ""};
    return {"aten::" + std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))};
}

void registerAll(torch::Library& library)
{
    kernels::registerAttention(library);
    kernels::registerConvolution(library);
    kernels::registerElementwise(library);
    kernels::registerFourier(library);
    kernels::registerIndexing(library);
    kernels::registerLinearAlgebra(library);
    kernels::registerLosses(library);
    kernels::registerNormalization(library);
    kernels::registerOptimizers(library);
    kernels::registerPooling(library);
    kernels::registerQuantization(library);
    kernels::registerRecurrent(library);
    kernels::registerReductions(library);
    kernels::registerSpatial(library);
}

} // namespace

bool kernels::lacksMetaKernel(const char* name)
{
    const auto op = c10::Dispatcher::singleton().findSchema(operatorName(name));
    return op && !op->hasKernelForDispatchKey(c10::DispatchKey::Meta) &&
           !op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

at::Tensor kernels::rowMajorLike(const at::Tensor& tensor)
{
    return at::empty_like(tensor, at::MemoryFormat::Contiguous);
}

std::int64_t kernels::numberFor(at::IntArrayRef list, std::size_t dimension)
{
    TORCH_CHECK(list.size() == 1 || dimension < list.size(), "a list of ", list.size(),
                " numbers is too short for dimension ", dimension);
    return list[list.size() == 1 ? 0 : dimension];
}

KernelModel kernels::kernelModel()
{
    return modelOfThread;
}

bool kernels::followsMetaFunctions()
{
    return modelOfThread == KernelModel::MetaFunctions;
}

KernelModelScope::KernelModelScope(KernelModel model) : m_previous(std::exchange(modelOfThread, model)) {}

KernelModelScope::~KernelModelScope()
{
    modelOfThread = m_previous;
}

void registerMetaKernels()
{
    // The dispatcher is one a process, and so is what we add to it. Kept until the end: a kernel must not go
    // while some other thread may call it.
    static std::once_flag once;
    std::call_once(once, [] {
        static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__,
                                      __LINE__);
        registerAll(library);
    });
}

} // namespace stagecraft
