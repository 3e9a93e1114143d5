// What the numbers of one tensor look like, in one way through its memory.
#pragma once

#include "core/measure/statistics.h"

namespace at {
class Tensor;
}

namespace stagecraft {

// Of a floating-point tensor on the CPU; in double precision, the same whatever the number of threads.
TensorStatistics describe(const at::Tensor& tensor);

} // namespace stagecraft
