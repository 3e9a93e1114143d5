// associative_scan: all running results of an associative operator along the first dimension, in a number of
// calls that grows with the logarithm of its length.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <vector>

namespace at {
class Tensor;
}

namespace stagecraft {

// Takes two lists of tensors of one length, one behind the other, and gives one such list. Works element by
// element along the first dimension.
using Combine = std::function<Result<std::vector<at::Tensor>>(std::vector<at::Tensor> pairs)>;

// Operator by operator as PyTorch's generic_associative_scan (torch/_higher_order_ops/associative_scan.py).
// Fails where there is nothing to scan, the tensors differ in length, or `combine` fails.
Result<std::vector<at::Tensor>> associativeScan(const Combine& combine, std::vector<at::Tensor> tensors);

} // namespace stagecraft
