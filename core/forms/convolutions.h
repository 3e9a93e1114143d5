// Operators and modules of image models, on [batch, channels, height, width] with numbers for all but the
// batch.
#pragma once

#include "core/forms/layers.h"

namespace stagecraft {

struct Convolution
{
    std::int64_t channels = 0; // out
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    std::int64_t groups = 1;
    HasBias bias = HasBias::No;
};
ValueId convolutionLayer(Network& net, const std::string& path, ValueId x, const Convolution& shape);
// Over the channels of each of `groups`.
ValueId groupNormLayer(Network& net, const std::string& path, ValueId x, std::int64_t groups, double epsilon);
// In training: its averages move, and the number of batches counts up.
ValueId batchNormLayer(Network& net, const std::string& path, ValueId x);
// Both give a new version of what they write to.
ValueId reluInPlace(Network& net, const std::string& path, ValueId x);
ValueId addInPlace(Network& net, ValueId x, ValueId y);
ValueId maxPool(Network& net, ValueId x, std::int64_t kernel, std::int64_t stride, std::int64_t padding);
// Twice as high and wide, each pixel four times.
ValueId upsampleNearest(Network& net, ValueId x);
// The mean of each channel, [batch, channels, 1, 1].
ValueId globalAverage(Network& net, const std::string& path, ValueId x);

} // namespace stagecraft
