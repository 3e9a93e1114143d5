#include "core/run/vmap_scope.h"

#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

namespace stagecraft {

namespace functorch = at::functorch;

VmapScope::VmapScope() : m_depth(functorch::getDynamicLayerStack().size()) {}

VmapScope::~VmapScope()
{
    while (functorch::getDynamicLayerStack().size() > m_depth)
        functorch::popDynamicLayerAndDeleteMetadata();
}

Result<void> VmapScope::checkClosed() const
{
    if (functorch::getDynamicLayerStack().size() == m_depth)
        return {};
    return Error{ErrorCode::BadFormat, "a region of vmap is opened or closed where it is not the other"};
}

bool isVmapOpen()
{
    const auto& stack = functorch::getDynamicLayerStack();
    return !stack.empty() && stack.back().key() == functorch::TransformType::Vmap;
}

at::Tensor withBatchDimensions(const at::Tensor& tensor)
{
    at::Tensor whole = tensor;
    while (whole.defined() && functorch::isBatchedTensor(whole))
        whole = functorch::unsafeGetBatchedImpl(whole)->value();
    return whole;
}

bool isInsideTransform()
{
    return c10::impl::tls_local_dispatch_key_set().excluded_.has(
        c10::DispatchKey::FuncTorchDynamicLayerFrontMode);
}

} // namespace stagecraft
