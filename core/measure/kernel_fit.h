// KernelFit: a GPU's rates and curves, from kernels that were timed.
//
//     TimedKernel  (what it has to do, how long it took) ─┬─ products ──► share, tiles, by type
//                                                         ├─ convolutions, attention ──► a share each
//                                                         └─ what moves bytes ──► a curve for each class
//
// The law is kernelTime(); what is fitted are the numbers in it. So what was not timed (another layout,
// another size, a fused operator) is predicted as well as on a device whose file comes with the program.
#pragma once

#include "core/profile/cost/kernel_work.h"

#include <functional>
#include <string>
#include <vector>

namespace stagecraft {

struct TimedKernel
{
    std::string op;
    KernelWork work;
    Seconds time;
    Seconds besides; // of it, what is not the kernel's: launching it, the host
};

using TimedKernels = std::vector<const TimedKernel*>;

double predictedSeconds(const TimedKernel& kernel, const DeviceSpec& device);
// Mean of |predicted / measured - 1|; 0 of none.
double meanError(const TimedKernels& kernels, const DeviceSpec& device);
// Sum of logarithms: too slow and too fast weigh the same, none more than a factor of two.
double misfit(const TimedKernels& kernels, const DeviceSpec& device);

struct FittedNumber
{
    std::function<double&(DeviceSpec&)> of;
    double least, most;
};

// One number after the other, by ever smaller factors, for as long as that brings the misfit down.
void fitNumbers(DeviceSpec& device, const std::vector<FittedNumber>& numbers, const TimedKernels& kernels);

using RateMap = std::map<DType, ProductRate> KernelRates::*;
// The rate of products of one type, which the device has then, whatever it had. Its tiles and the step of its
// depth stay as they are.
void fitProducts(DeviceSpec& device, RateMap rates, DType dtype, const TimedKernels& kernels);
// Tiles and step as well: one tile and a step, as of a single kernel of the library, where they describe the
// times clearly better than the best of the device's tiles does, and where times tell them from finer ones: a
// table without depths under 64 has no step of 64.
void fitTiledProducts(DeviceSpec& device, RateMap rates, DType dtype, const TimedKernels& kernels);

// Of kernels of whole steps, timed on the device's own clock: every rate and curve that there are rows enough
// for, noted among the device's sources. The others stay as they are.
void fitKernels(DeviceSpec& device, const std::vector<TimedKernel>& kernels);

} // namespace stagecraft
