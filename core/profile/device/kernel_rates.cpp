#include "core/profile/device/kernel_rates.h"

namespace stagecraft {

const ProductRate* KernelRates::product(DType dtype, bool inBatches) const
{
    if (inBatches)
        if (const auto found = batched.find(dtype); found != batched.end())
            return &found->second;
    const auto found = single.find(dtype);
    return found == single.end() ? nullptr : &found->second;
}

} // namespace stagecraft
