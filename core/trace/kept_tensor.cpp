#include "core/trace/kept_tensor.h"

#include <ATen/core/Tensor.h>

namespace stagecraft {

KeptTensor::KeptTensor(const at::Tensor& tensor, std::shared_ptr<SavedLog> log, std::size_t index)
    : m_tensor(std::make_unique<at::Tensor>(tensor.tensor_data())), m_log(std::move(log)), m_index(index)
{
}

KeptTensor::~KeptTensor()
{
    m_log->tensors[m_index].release = m_log->ledger->clock();
}

} // namespace stagecraft
