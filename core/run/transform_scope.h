// Regions of torch.func.vmap and torch.func.jvp in a graph: each opens a transform, gives tensors a batch
// dimension that operators do not see, or a tangent, takes it back and closes the transform
// (transform_steps.cpp). They run by LibTorch's own stack of transforms, which belongs to the thread, and its
// level of forward-mode derivatives, of which there is one for all threads.
#pragma once

#include "core/base/result.h"

#include <cstddef>

namespace at {
class Tensor;
}

namespace stagecraft {

// Around a run: closes what a run that failed leaves open.
class TransformScope
{
public:
    TransformScope();
    ~TransformScope();
    TransformScope(const TransformScope&) = delete;
    TransformScope& operator=(const TransformScope&) = delete;

    // Fails where a region that was opened since is still open.
    Result<void> checkClosed() const;

private:
    std::size_t m_depth;
    bool m_hadDualLevel;
};

// The level of forward-mode derivatives of this thread's run: waits while another thread has it. Both throw
// what LibTorch throws, where one is open already or none is.
void openDualLevel();
void closeDualLevel();

// The tensor that holds the data of one in a region, with all batch dimensions and without tangents; any
// other as it is.
at::Tensor underlyingTensor(const at::Tensor& tensor);

// Is the innermost transform that is open here one of vmap, of jvp?
bool isVmapOpen();
bool isJvpOpen();

// Is this call made by a transform, on its way to the operators that do the work?
bool isInsideTransform();

} // namespace stagecraft
