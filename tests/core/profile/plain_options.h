// How tests profile what they compare with PyTorch's counts.
#pragma once

#include "core/profile/model/profile_model.h"

namespace stagecraft::test {

// A plain device: the figures tested here do not depend on it.
inline ProfileOptions plainOptions(LoweringKind lowering)
{
    ProfileOptions options;
    options.lowering = lowering;
    options.optimizer = OptimizerKind::None;
    options.lossOutput = "all"; // PyTorch's runs went back from the sum of the outputs
    options.device.id = "plain";
    options.device.kind = "cpu";
    options.device.peakFlops[DType::F32] = 1e12;
    options.device.vectorFlops = 1e11;
    options.device.memoryBandwidth = 1e11;
    options.device.linkBandwidth = 1e10;
    options.device.memory = Bytes::max();
    return options;
}

} // namespace stagecraft::test
