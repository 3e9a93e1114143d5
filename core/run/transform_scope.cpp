#include "core/run/transform_scope.h"

#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/TensorWrapper.h>
#include <torch/csrc/autograd/forward_grad.h>

#include <cstdint>
#include <mutex>

namespace stagecraft {

namespace functorch = at::functorch;

namespace {

// LibTorch allows one level at a time in the whole process, and numbers it 0.
constexpr std::uint64_t dualLevel = 0;
std::mutex dualLevelMutex;
thread_local bool hasDualLevel = false;

bool isOpen(functorch::TransformType type)
{
    const auto& stack = functorch::getDynamicLayerStack();
    return !stack.empty() && stack.back().key() == type;
}

} // namespace

void openDualLevel()
{
    TORCH_CHECK(!hasDualLevel, "a level of forward-mode derivatives is open already");
    dualLevelMutex.lock();
    try {
        const std::uint64_t level = torch::autograd::ForwardADLevel::get_next_idx();
        hasDualLevel = true;
        TORCH_CHECK(level == dualLevel, "the level of forward-mode derivatives is ", level);
    } catch (...) {
        if (hasDualLevel)
            closeDualLevel();
        else
            dualLevelMutex.unlock();
        throw;
    }
}

void closeDualLevel()
{
    TORCH_CHECK(hasDualLevel, "no level of forward-mode derivatives is open");
    torch::autograd::ForwardADLevel::release_idx(dualLevel);
    hasDualLevel = false;
    dualLevelMutex.unlock();
}

TransformScope::TransformScope()
    : m_depth(functorch::getDynamicLayerStack().size()), m_hadDualLevel(hasDualLevel)
{
}

TransformScope::~TransformScope()
{
    if (hasDualLevel && !m_hadDualLevel)
        closeDualLevel();
    while (functorch::getDynamicLayerStack().size() > m_depth)
        functorch::popDynamicLayerAndDeleteMetadata();
}

Result<void> TransformScope::checkClosed() const
{
    if (functorch::getDynamicLayerStack().size() == m_depth && hasDualLevel == m_hadDualLevel)
        return {};
    return Error{ErrorCode::BadFormat,
                 "a region of vmap or jvp is opened or closed where it is not the other"};
}

bool isVmapOpen()
{
    return isOpen(functorch::TransformType::Vmap);
}

bool isJvpOpen()
{
    return isOpen(functorch::TransformType::Jvp);
}

at::Tensor underlyingTensor(const at::Tensor& tensor)
{
    at::Tensor whole = tensor;
    while (whole.defined()) {
        if (functorch::isBatchedTensor(whole))
            whole = functorch::unsafeGetBatchedImpl(whole)->value();
        else if (const auto* wrapper = functorch::maybeGetTensorWrapper(whole))
            whole = wrapper->value();
        else
            break;
    }
    return whole;
}

bool isInsideTransform()
{
    return c10::impl::tls_local_dispatch_key_set().excluded_.has(
        c10::DispatchKey::FuncTorchDynamicLayerFrontMode);
}

} // namespace stagecraft
