#include "core/trace/kernels/meta_kernels.h"

#include "core/trace/kernels/registration.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <memory>
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

namespace {

struct BoxedFunctor final : c10::OperatorKernel
{
    explicit BoxedFunctor(kernels::BoxedKernel made) : kernel(std::move(made)) {}

    void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) const
    {
        const std::size_t count = op.schema().arguments().size();
        std::vector<at::Tensor> results = kernel(torch::jit::last(*stack, count));
        torch::jit::drop(*stack, count);
        for (at::Tensor& result : results)
            stack->emplace_back(std::move(result));
    }

    kernels::BoxedKernel kernel;
};

} // namespace

void kernels::implementBoxed(torch::Library& library, const char* name, BoxedKernel kernel)
{
    implement(library, name,
              torch::CppFunction::makeFromBoxedFunctor(std::make_unique<BoxedFunctor>(std::move(kernel))));
}

void kernels::implementLike(torch::Library& library, const char* name, std::vector<std::size_t> positions,
                            LaidOut layout)
{
    const auto format = layout == LaidOut::ByRows ? at::MemoryFormat::Contiguous : at::MemoryFormat::Preserve;
    implementBoxed(library, name,
                   [positions = std::move(positions), format](at::ArrayRef<c10::IValue> arguments) {
                       std::vector<at::Tensor> results;
                       for (const std::size_t position : positions)
                           results.push_back(at::empty_like(arguments[position].toTensor(), format));
                       return results;
                   });
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
