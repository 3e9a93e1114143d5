#include "core/trace/kept_tensor.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

namespace stagecraft {

namespace {

using Keep = std::function<std::unique_ptr<KeptTensor>(const at::Tensor&)>;

class KeepingHooks final : public torch::autograd::SavedVariableHooks
{
public:
    explicit KeepingHooks(Keep keep) : m_keep(std::move(keep)) {}

    void call_pack_hook(const at::Tensor& tensor) override { m_kept = m_keep(tensor); }
    at::Tensor call_unpack_hook() override { return m_kept->tensor(); }

private:
    Keep m_keep;
    std::unique_ptr<KeptTensor> m_kept;
};

} // namespace

KeptTensor::KeptTensor(const at::Tensor& tensor, std::shared_ptr<SavedLog> log, std::size_t index)
    : m_tensor(std::make_unique<at::Tensor>(tensor.tensor_data())), m_log(std::move(log)), m_index(index)
{
}

KeptTensor::~KeptTensor()
{
    m_log->tensors[m_index].release = m_log->ledger->clock();
}

std::unique_ptr<torch::autograd::SavedVariableHooks> keepingHooks(Keep keep)
{
    return std::make_unique<KeepingHooks>(std::move(keep));
}

} // namespace stagecraft
