// KeptTensor: a tensor that autograd keeps for the backward pass, and the log that says so.
#pragma once

#include "core/trace/storage_ledger.h"
#include "core/trace/trace.h"

#include <functional>
#include <memory>
#include <vector>

namespace torch::autograd {
struct SavedVariableHooks;
}

namespace stagecraft {

// The tensors that autograd keeps. Its hooks share it, for they may outlive the recorder.
struct SavedLog
{
    std::shared_ptr<StorageLedger> ledger;
    std::vector<SavedTensor> tensors;
};

// Keeps a tensor. Its entry in the log says from when to when.
class KeptTensor
{
public:
    // `index` is its number in the log.
    KeptTensor(const at::Tensor& tensor, std::shared_ptr<SavedLog> log, std::size_t index);
    ~KeptTensor();
    KeptTensor(const KeptTensor&) = delete;
    KeptTensor& operator=(const KeptTensor&) = delete;

    // Not the variable that was kept: an output would keep the node that keeps it.
    const at::Tensor& tensor() const { return *m_tensor; }

private:
    std::unique_ptr<at::Tensor> m_tensor;
    std::shared_ptr<SavedLog> m_log;
    std::size_t m_index;
};

// Has autograd keep a tensor by `keep`, which is called once, when the tensor is saved.
std::unique_ptr<torch::autograd::SavedVariableHooks>
keepingHooks(std::function<std::unique_ptr<KeptTensor>(const at::Tensor&)> keep);

} // namespace stagecraft
