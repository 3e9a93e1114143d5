// What cuDNN copies images to before it convolves them, because its kernels take others: as tensor cores
// want them, or group by group. It takes time (hopper_convolutions.h) and, while the operator runs, memory.
//
//     half precision, channels last
//       channels by eights          nothing
//       other channels              filled up to eights (nhwcAddPaddingKernel), images in and out: before
//                                   gradients, and forward where the images read go by eights; of 1 x 1 large
//                                   ones that are odd or few
//       up to 4 channels            the images read, likewise: before 7 x 7 at stride 2 and larger windows
//       groups                      both images, laid out anew (tensorTransformGeneric); nothing where these
//                                   are alike in and out and a power of two wide; one group of what is read
//                                   (nhwcSliceCKernel) where they are another power of two over 16
//       depthwise                   nothing
//     float32, channels last        both images before the weight's gradient of depthwise ones, else nothing
//     channels first                both images and the weight, laid out with channels last, of f16 and
//                                   bf16 and of float32 rounded to TF32; nothing of depthwise ones, which
//                                   PyTorch runs itself
//
// Seen by torch.profiler in 131 steps on an H100 (PyTorch 2.11, cuDNN 9; tests/data/truth), taken for every
// GPU; channels first by NVIDIA's word (Convolutional Layers User's Guide, "Tensor Layout": "automatic
// transpose operations"). Sums of products in parts, whose size no kernel's name tells, are not in it.
#pragma once

#include "core/profile/device/device.h"
#include "core/trace/trace.h"

#include <optional>

namespace stagecraft {

enum class ConvolutionPass { Forward, InputGradient, WeightGradient };

// Of images in two dimensions.
struct ImageConvolution
{
    double images = 0, channels = 0, filters = 0; // in and out
    double width = 0, filtersOfGroup = 0;         // of a group, in and out
    double taps = 0, placesIn = 0, placesOut = 0; // of a window, of an image

    double elementsIn() const { return images * channels * placesIn; }
    double elementsOut() const { return images * filters * placesOut; }
    double multiplications(double widthAs, double filtersAs) const
    {
        return images * placesOut * taps * widthAs * filtersAs * (filters / filtersOfGroup);
    }
    bool hasGroups() const { return width < channels; }
    bool isDepthwise() const { return hasGroups() && width == 1; }
    bool isStem() const { return channels <= 4 && !hasGroups(); }
    bool goesByEights() const;
};

// None: another operator, a transposed one, other dimensions, or nothing to do.
std::optional<ImageConvolution> convolutionOf(const Trace& trace, const TraceOp& op);

double paddedTo(double multiple, double count);

// Elements, in half precision with channels last.
struct ImageCopies
{
    double filledUp = 0;
    double laidOut = 0;
    double slices = 0; // of all groups, one after another
};
ImageCopies imageCopies(const ImageConvolution& one, ConvolutionPass pass);

// What these copies take inside of an operator, as an estimate; 0 elsewhere than on CUDA.
Bytes convolutionWorkspace(const Trace& trace, const TraceOp& op, const DeviceSpec& device);

} // namespace stagecraft
