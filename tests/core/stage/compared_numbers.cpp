#include "compared_numbers.h"

#include "core/stage/tensor_comparer.h"

#include <ATen/ATen.h>

namespace stagecraft::testing {

Comparison comparedNumbers(const std::vector<float>& whole, const std::vector<float>& stages)
{
    const VerifyOptions options;
    return TensorComparer(options, false)
        .tensors(Comparison::Kind::ParameterGradient, "w", at::tensor(whole), at::tensor(stages));
}

} // namespace stagecraft::testing
