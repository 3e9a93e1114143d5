// Regions of torch.func.vmap in a graph: each opens a transform, gives tensors a batch dimension that
// operators do not see, takes it back and closes the transform (vmap_steps.cpp). They run by LibTorch's own
// stack of transforms, which belongs to the thread.
#pragma once

#include "core/base/result.h"

#include <cstddef>

namespace at {
class Tensor;
}

namespace stagecraft {

// Around a run: closes what a run that failed leaves open.
class VmapScope
{
public:
    VmapScope();
    ~VmapScope();
    VmapScope(const VmapScope&) = delete;
    VmapScope& operator=(const VmapScope&) = delete;

    // Fails where a region that was opened since is still open.
    Result<void> checkClosed() const;

private:
    std::size_t m_depth;
};

// The tensor that holds the data of one in a vmap region, with all batch dimensions; any other as it is.
at::Tensor withBatchDimensions(const at::Tensor& tensor);

// Is the innermost transform that is open here one of vmap?
bool isVmapOpen();

// Is this call made by a transform, on its way to the operators that do the work?
bool isInsideTransform();

} // namespace stagecraft
