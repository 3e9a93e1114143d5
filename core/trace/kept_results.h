// KeptResults: what kept operators of a checkpoint region made, until its second run would make it again.
//
// As create_selective_checkpoint_contexts() of PyTorch keeps it: below autograd, every result of an operator
// that is no view, whoever needs it; each is let go as it is taken, in the order of the first run.
#pragma once

#include "core/trace/kept_tensor.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace c10 {
struct IValue;
} // namespace c10

namespace stagecraft {

class KeptResults
{
public:
    using Keep = std::function<std::unique_ptr<KeptTensor>(const at::Tensor&)>;

    KeptResults();
    ~KeptResults();
    KeptResults(const KeptResults&) = delete;
    KeptResults& operator=(const KeptResults&) = delete;

    // The last `count` values on `stack`, its tensors by `keep`.
    void put(const std::vector<c10::IValue>& stack, std::size_t count, const Keep& keep);
    // Those of the next operator, onto `stack`. Throws where it made another number of results.
    void take(std::vector<c10::IValue>& stack, std::size_t count);

private:
    struct Result;
    std::deque<std::vector<Result>> m_results; // of an operator each
};

} // namespace stagecraft
