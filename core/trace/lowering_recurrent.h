// Recurrent layers on CUDA: cuDNN runs all steps, layers and directions as one operator.
#pragma once

#include <optional>
#include <vector>

namespace c10 {
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

// What aten::_cudnn_rnn returns in place of `op`, if that is aten::lstm, gru, rnn_tanh or rnn_relu of a
// padded batch that cuDNN takes (at::cudnn_is_acceptable; _cudnn_impl in ATen/native/cudnn/RNN.cpp). Throws
// what operators throw.
std::optional<std::vector<c10::IValue>> lowerRecurrent(const c10::OperatorHandle& op,
                                                       const std::vector<c10::IValue>& stack);

} // namespace stagecraft
